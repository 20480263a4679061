/** Refactorings from the menu of the editor, each taken back by one undo. What the text is after each is left in files. */
import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { change, eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const { folder } = options;
/** The file that is open, and its text. */
let name;
let original;

const onDisk = () => readFileSync(join(folder, name), "utf8");
const rows = (bench) => bench.page.locator(".action-widget .monaco-list-row.action");

async function open(bench, file) {
  name = file;
  original = onDisk();
  await bench.openFile(file);
  await eventually("the server runs", async () => /SPIR-V 1/.test(await bench.status.innerText()));
}

/** Puts the cursor at the beginning of the first line with a text, or some lines `below` it, and selects some lines from there on. */
async function select(bench, text, lines = 0, below = 0) {
  await bench.goTo(text);
  await bench.page.keyboard.press("Escape");
  await bench.page.keyboard.press("Home");
  for (let line = 0; line < below; line++) {
    await bench.page.keyboard.press("ArrowDown");
  }
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
async function refactor(bench, kept, title) {
  await (await openMenu(bench, title)).click();
  await rows(bench).first().waitFor({ state: "hidden" });
  const after = await save(bench, "the refactoring is saved", (text) => text !== original);
  await bench.screenshot(`refactoring-${kept}`);
  writeFileSync(join(folder, `${kept}.after`), after);
  await bench.page.keyboard.press("Control+Z");
  await save(bench, "one undo takes it back", (text) => text === original);
}

const steps = {
  async "an input is added with all that it needs"(bench) {
    await open(bench, "shader.spvasm");
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
    assert.equal(onDisk(), original);
    await bench.closeAll();
  },

  async "hints gray out what has no effect"(bench) {
    await open(bench, "guided.spvasm");
    const gray = bench.page.locator(".monaco-editor .squiggly-inline-unnecessary");
    await eventually("the variable that nothing loads is gray", async () => (await gray.allInnerTexts()).includes("%dead"));
    await eventually("the copies are gray", async () => (await gray.allInnerTexts()).includes("%again"));
    await bench.screenshot("hints-guided");
  },

  async "a setting marks what actions can replace or move, and hides the marks"(bench) {
    const marks = bench.page.locator(".monaco-editor .squiggly-hint");
    const choose = (simplifications, ...seen) =>
      change(join(folder, ".vscode", "settings.json"), { "spvls.validation": { simplifications } }, ...seen);
    await bench.goTo("%m = OpPhi"); // all of the function is in sight
    await choose(true, "the variable, the branch and the product are marked", async () => (await marks.count()) === 3);
    await bench.screenshot("hints-simplifications");
    await choose(false, "the marks are gone", async () => !(await marks.count()));
  },

  async "a variable that nothing loads is removed with its stores"(bench) {
    await select(bench, "%entry = OpLabel", 0, 2); // hints stand in the line of the variable itself
    await refactor(bench, "remove-stores", "Remove %dead, which is stored to and never loaded");
  },

  async "a copy of a copy is what was copied"(bench) {
    await select(bench, "%again = OpCopyObject");
    await refactor(bench, "forward-copy", "Use %a in the place of its copy %again");
  },

  async "a branch that only chooses a value becomes OpSelect"(bench) {
    await select(bench, "OpBranchConditional %c");
    await refactor(bench, "if-to-select", "Turn the branch into OpSelect");
  },

  async "what does not change in a loop is moved out of it"(bench) {
    await select(bench, "%inv = OpFMul");
    await refactor(bench, "move-out-of-loop", "Move %inv out of the loop");
  },

  async "a phi takes the place of a variable that a loop changes"(bench) {
    await select(bench, "%entry = OpLabel", 0, 1);
    await refactor(bench, "loop-variable-to-values", "Replace the variable %v by its values");
  },

  async "a function that nothing calls is removed, after a preview"(bench) {
    await select(bench, "%helper = OpFunction");
    const row = await openMenu(bench, "Remove the function %helper, which nothing calls");
    await eventually("the row is chosen", async () => {
      await bench.page.keyboard.press("ArrowDown");
      return (await row.getAttribute("class")).includes("focused");
    });
    await bench.page.keyboard.press("Control+Enter");
    const preview = bench.page.locator(".bulk-edit-panel");
    await preview.waitFor();
    assert.equal(onDisk(), original);
    await bench.screenshot("refactoring-preview");
    await preview.getByRole("button", { name: "Apply" }).click();
    writeFileSync(join(folder, "remove-uncalled.after"), await save(bench, "it is saved", (text) => text !== original));
  },
};

await runSteps(options, steps, "refactorings-failed");
