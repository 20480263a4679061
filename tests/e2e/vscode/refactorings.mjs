/** Refactorings from the menu of the editor, each taken back by one undo. What the text is after each is left in files. */
import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const { folder } = options;
const NAME = "shader.spvasm";
const ORIGINAL = readFileSync(join(folder, NAME), "utf8");

const onDisk = () => readFileSync(join(folder, NAME), "utf8");
const rows = (bench) => bench.page.locator(".action-widget .monaco-list-row.action");

/** Puts the cursor at the beginning of the first line with a text, and selects some lines from there on. */
async function select(bench, text, lines = 0) {
  await bench.goTo(text);
  await bench.page.keyboard.press("Escape");
  await bench.page.keyboard.press("Home");
  for (let line = 0; line < lines; line++) {
    await bench.page.keyboard.press("Shift+ArrowDown");
  }
}

/** The menu of refactorings. */
async function openMenu(bench, title) {
  const row = rows(bench).filter({ hasText: title }).first();
  await eventually(`"${title}" is in the menu`, async () => {
    await bench.page.keyboard.press("Control+Shift+R");
    await row.waitFor({ timeout: 3_000 });
    return true;
  });
  return row;
}

async function save(bench, what, isSo) {
  return eventually(what, async () => {
    await bench.page.keyboard.press("Control+S");
    return isSo(onDisk()) && onDisk();
  });
}

/** Does a refactoring, keeps what comes of it, and takes it back. */
async function refactor(bench, name, title) {
  await (await openMenu(bench, title)).click();
  await rows(bench).first().waitFor({ state: "hidden" });
  const after = await save(bench, "the refactoring is saved", (text) => text !== ORIGINAL);
  await bench.screenshot(`refactoring-${name}`);
  writeFileSync(join(folder, `${name}.after`), after);
  await bench.page.keyboard.press("Control+Z");
  await save(bench, "one undo takes it back", (text) => text === ORIGINAL);
}

const steps = {
  async "an input is added with all that it needs"(bench) {
    await bench.openFile(NAME);
    await eventually("the server runs", async () => /SPIR-V 1/.test(await bench.status.innerText()));
    await select(bench, "%vec2 = OpTypeVector");
    await refactor(bench, "add-input", "Add an input variable of %vec2");
  },

  async "selected blocks that return become a function"(bench) {
    await select(bench, "%head = OpLabel", 6);
    await refactor(bench, "extract-function", "Extract the selected blocks as a function");
  },

  async "a call of a function that returns early is inlined"(bench) {
    await select(bench, "%r = OpFunctionCall");
    await refactor(bench, "inline-call", "Inline the call of %f");
  },

  async "a type changes through all its uses"(bench) {
    await select(bench, "= OpVariable %local Function");
    await refactor(bench, "retype-uses", "Change %v from %float to %int through all its uses");
  },

  async "a variable of a function is replaced by its values"(bench) {
    await select(bench, "= OpVariable %local Function");
    await refactor(bench, "variable-to-values", "Replace the variable %v by its values");
  },

  async "what is not possible is in the menu, and cannot be chosen"(bench) {
    await select(bench, "%a = OpLoad");
    await openMenu(bench, "Split the block %entry here");
    await bench.page.locator(".action-widget").getByText("Show Disabled").click();
    const row = rows(bench).filter({ hasText: "Change the type of %a through all its uses" }).first();
    await row.waitFor();
    assert.match(await row.getAttribute("class"), /option-disabled/);
    assert.match(await row.getAttribute("aria-label"), /Disabled/);
    await bench.screenshot("refactoring-refused");
    await bench.page.keyboard.press("Escape");
    assert.equal(onDisk(), ORIGINAL);
  },
};

await runSteps(options, steps, "refactorings-failed");
