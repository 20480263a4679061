/** A shader is written from an empty file, by keyboard alone; what each key does is what the suggestions of the server make of it. */
import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const { folder } = options;

/** Keys pressed of the characters of the text, at most; runs of white space count as one character. */
const MOST = 0.35;

/** A user who looks at the suggestions before the next key is pressed. */
class Typist {
  constructor(bench) {
    this.bench = bench;
    this.keys = 0;
  }

  /** Presses keys, each of which counts, those held down beside another one as well: `Control+Space` is two. */
  async press(...keys) {
    for (const key of keys) {
      this.keys += key.split("+").length;
      await this.bench.page.keyboard.press(key);
    }
  }

  async type(text) {
    for (const letter of text) {
      await this.press(letter === " " ? "Space" : letter);
    }
  }

  get #focused() {
    return this.bench.page.locator(".suggest-widget.visible .monaco-list-row.focused .label-name");
  }

  /** Types the beginning of a suggestion, goes down to it if it is not the first, and takes it. */
  async take(typed, label) {
    await this.type(typed);
    const rows = this.bench.page.locator(".suggest-widget.visible .monaco-list-row");
    const names = async () => (await rows.locator(".label-name").allInnerTexts()).map((name) => name.trim());
    const isThere = async () => (await names()).includes(label);
    try {
      await eventually(`${label} is suggested`, isThere, 5_000);
    } catch {
      await this.press("Control+Space"); // VS Code drops an answer that comes after the next letter
      await eventually(`${label} is suggested after "${typed}"`, isThere, 10_000);
    }
    for (let tries = 0; (await this.#focused.innerText()).trim() !== label; tries++) {
      assert.ok(tries < 12, `${label} is far down: ${await names()}`);
      const before = await this.#focused.innerText();
      const shown = await names();
      const isAbove = shown.indexOf(label) < shown.indexOf(before.trim()); // an answer that comes late moves what is chosen
      await this.press(isAbove ? "ArrowUp" : "ArrowDown");
      await eventually("the next one is chosen", async () => (await this.#focused.innerText()) !== before, 2_000);
    }
    await this.press("Enter");
    console.log(`${String(this.keys).padStart(4)} ${label}`);
  }

  /** Takes the first quick fix at the cursor that begins so. */
  async fix(title) {
    await this.press("Control+.");
    const rows = this.bench.page.locator(".action-widget .monaco-list-row.action");
    const isOpen = rows.first().waitFor({ timeout: 5_000 }).then(() => true, () => false);
    if (!(await isOpen)) {
      await this.press("Control+."); // the findings were still being updated
      await rows.first().waitFor();
    }
    const titles = await rows.allInnerTexts();
    const at = titles.findIndex((text) => text.startsWith(title));
    assert.ok(at >= 0, `${title} is none of ${titles}`);
    for (let down = 0; down < at; down++) {
      await this.press("ArrowDown");
    }
    await this.press("Enter");
    await rows.first().waitFor({ state: "hidden" });
    console.log(`${String(this.keys).padStart(4)} ${title}`);
  }
}

/** How many errors there are, once all that a user sees of them agrees. */
async function errors(bench) {
  const shown = await bench.statusBar();
  const counts = [/Errors: (\d+)/, /, (\d+) errors?,/].map((counted) => Number(counted.exec(shown)?.[1] ?? 0));
  return new Set([...counts, await bench.squiggles.count()]).size === 1 ? counts[0] : -1;
}

async function begin(bench, name) {
  await bench.openFile(name);
  await eventually("the server runs", async () => /SPIR-V 1/.test(await bench.status.innerText()));
  return new Typist(bench);
}

/** The figure, and that the text is whole and valid. */
async function end(bench, typist, name, last) {
  await eventually("the module is valid", async () => (await bench.status.locator(".codicon-check").count()) > 0 && /valid/.test((await bench.status.locator("a").getAttribute("aria-label")) ?? ""));
  await bench.page.keyboard.press("Control+S");
  const text = await eventually("the file is saved", saved(name, last));
  const lines = text.trim().split("\n").map((line) => line.trim().replace(/\s+/g, " "));
  const characters = lines.join("\n").length;
  const share = typist.keys / characters;
  console.log(`KEYS ${typist.keys} of ${characters} characters in ${lines.length} lines: ${(100 * share).toFixed(1)} %`);
  assert.ok(lines.length >= 20, text);
  assert.ok(share <= MOST, text);
}

/** The text of a file once it has what was written last. */
const saved = (name, last) => () => {
  const text = readFileSync(join(folder, name), "utf8");
  return last.test(text) && text;
};

const steps = {
  async "a shader line by line, without a skeleton"(bench) {
    const typist = await begin(bench, "new.spvasm");
    const line = () => typist.press("Enter");
    await typist.take("ca", "OpCapability");
    await typist.take("s", "Shader");
    await line();
    await typist.take("m", "OpMemoryModel");
    await line();
    await typist.take("e", "OpEntryPoint");
    await typist.press("Tab", "Tab", "Tab");
    await line();
    await typist.take("ex", "OpExecutionMode");
    await typist.take("o", "OriginUpperLeft");
    await line();
    await typist.take("v", "OpTypeVoid");
    await typist.press("Tab");
    await line();
    await typist.take("t", "OpTypeFunction");
    await typist.press("Tab");
    await line();
    await typist.take("f", "OpFunction");
    await line();
    await typist.take("l", "OpLabel");
    await typist.press("Tab");
    await line();
    await typist.take("lo", "OpLoad");
    await typist.type("color");
    await typist.press("Tab");
    await typist.type("v4float");
    await typist.press("Tab");
    await typist.type("in_color");
    await typist.press("Escape");
    await line();
    await typist.take("st", "OpStore");
    await typist.type("out_color");
    await typist.press("Tab");
    await typist.take("c", "%color");
    await line();
    await typist.take("r", "OpReturn");
    await line();
    await typist.take("f", "OpFunctionEnd");
    const declared = ["Declare %v4float", "Declare %in_color as an input", "Declare %out_color as an output"];
    for (const [at, title] of declared.entries()) {
      await eventually("the ids that are left are underlined", async () => (await errors(bench)) === declared.length - at);
      await typist.press("F8");
      await typist.fix(title);
    }
    await end(bench, typist, "new.spvasm", /%out_color = OpVariable/);
  },

  async "a shader from a skeleton, that halves its color"(bench) {
    await bench.closeAll();
    writeFileSync(join(folder, "other.spvasm"), "");
    const typist = await begin(bench, "other.spvasm");
    await typist.take("fr", "fragment shader");
    await typist.press("Tab");
    await typist.take("ti", "OpVectorTimesScalar");
    await typist.type("dim");
    await typist.press("Tab");
    await typist.take("", "%v4float"); // and VS Code goes on to the next hole
    await typist.take("c", "%color");
    await typist.press("Tab");
    await typist.type("float_0_5");
    await typist.press("Escape", "Escape");
    await eventually("the constant is underlined", async () => (await errors(bench)) === 1);
    await typist.fix("Declare %float_0_5");
    await typist.press("ArrowDown", "End", "Control+Backspace");
    await typist.take("d", "%dim");
    await end(bench, typist, "other.spvasm", /OpStore %out_color %dim/);
  },
};

await runSteps(options, steps, "writing-failed");
