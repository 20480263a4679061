/** Modules in files of other languages, and sources beside modules. */
import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const { folder, started } = options;

const steps = {
  async "no server starts for a text without instructions"(bench) {
    await bench.openFile("plain.cpp");
    await bench.line("int main").click();
    await bench.page.keyboard.press("End");
    await bench.page.keyboard.type(" // Operation");
    await bench.page.waitForTimeout(2000);
    assert.ok(!existsSync(started), "the server has been started");
    await bench.page.keyboard.press("Control+S");
  },

  async "a mistake in an Amber script is underlined at its place"(bench) {
    await bench.openFile("clear.amber");
    await eventually("the server starts", () => existsSync(started));
    await bench.goTo("%missing");
    await bench.token("None %missing", "%missing").waitFor();
    await underlined(bench, bench.token("None %missing", "%missing"));
    await bench.screenshot("amber");
  },

  async "hover tells about an opcode in a block"(bench) {
    await hover(bench, bench.token("OpMemoryModel", "OpMemoryModel"), /OpMemoryModel/);
  },

  async "an edit of the host language changes nothing"(bench) {
    const before = await bench.squiggles.count();
    await bench.goTo("PIPELINE compute pipeline");
    await bench.page.keyboard.press("End");
    await bench.page.keyboard.type(" # edited");
    await bench.goTo("%missing");
    await bench.page.waitForTimeout(1500);
    assert.equal(await bench.squiggles.count(), before);
    await underlined(bench, bench.token("None %missing", "%missing"));
  },

  async "rename stays in the module"(bench) {
    await bench.goTo("%void = OpTypeVoid");
    await bench.token("= OpTypeVoid", "%void").click();
    await bench.page.keyboard.press("F2");
    const box = bench.page.locator(".rename-box input");
    await box.waitFor();
    await box.fill("%nothing");
    await bench.page.keyboard.press("Enter");
    await bench.line("%nothing = OpTypeVoid").waitFor();
    await bench.page.keyboard.press("Control+S");
    const text = await eventually("it is saved", () => {
      const saved = readFileSync(join(folder, "clear.amber"), "utf8");
      return saved.includes("%nothing") && saved;
    });
    assert.deepEqual([text.match(/%nothing\b/g).length, text.match(/%void\b/g).length], [3, 3]);
  },

  async "the binary beside the text is that of the module at the cursor"(bench) {
    await bench.goTo("TARGET_ENV spv1.3");
    await bench.run("SPIR-V: Show Binary");
    const mistake = bench.webview.locator(".line", { hasText: "%missing" });
    await bench.webview.locator(".line.instruction", { hasText: "OpTypeVoid" }).waitFor();
    assert.equal(await mistake.count(), 0);
    await bench.goTo("None %missing");
    await mistake.first().waitFor();
    await bench.goTo("PIPELINE compute pipeline");
    await bench.page.waitForTimeout(500);
    assert.equal(await mistake.count(), 1, "the module before the cursor stays");
    const capability = bench.webview.locator(".line.instruction", { hasText: "OpCapability Shader" });
    await capability.locator(".word").nth(1).click();
    await bench.page.locator(".editor-instance .selected-text").first().waitFor();
    await bench.goTo("; Generator");
    await eventually("the first module is back", async () => (await mistake.count()) === 0 && (await capability.count()) === 1);
    await bench.screenshot("amber-binary");
  },

  async "so is the control flow"(bench) {
    await bench.closeAll();
    await bench.openFile("clear.amber");
    await bench.goTo("%entry = OpLabel");
    await bench.replace("%entry = OpLabel", "%entry", "start");
    await bench.run("SPIR-V: Show Control Flow");
    await bench.webview.locator('.block[data-block="start"]').waitFor();
    await bench.goTo("None %missing");
    await bench.webview.locator('.block[data-block="entry"]').waitFor();
    await bench.goTo("; Generator");
    await bench.webview.locator('.block[data-block="start"]').waitFor();
  },

  async "and so is the summary"(bench) {
    await bench.page.keyboard.press("Control+S");
    await bench.closeAll();
    await bench.openFile("clear.amber");
    await bench.goTo("None %missing");
    await bench.run("SPIR-V: Show Module Summary");
    const headed = (version) => eventually(`the summary is that of ${version}`, async () => (await summaryOf(bench)).startsWith(version));
    await headed("SPIR-V 1.0");
    await bench.goTo("TARGET_ENV spv1.3");
    await bench.goTo("; Generator");
    await headed("SPIR-V 1.3");
    await bench.page.keyboard.press("Control+Home");
    await bench.page.keyboard.press("Control+End");
    await headed("SPIR-V 1.0");
  },

  async "mistakes in strings of C++ are underlined at their places"(bench) {
    await bench.closeAll();
    await bench.openFile("embedded.cpp");
    await bench.goTo("%missing");
    await underlined(bench, bench.token(/^\s*%main.*%missing/, "%missing"));
    await bench.screenshot("strings");
    await hover(bench, bench.token("OpExecutionMode", "OpExecutionMode"), /OpExecutionMode/);
    await bench.goTo("None %missing\\n");
    await underlined(bench, bench.token(/"%main.*%missing/, "%missing"));
    await hover(bench, bench.token(/"%entry/, "OpLabel"), /OpLabel/);
  },

  async "the views of a string of C++ are those of its module"(bench) {
    await bench.goTo("OpExecutionMode %main LocalSize");
    await bench.run("SPIR-V: Show Control Flow");
    await bench.webview.locator('.block[data-block="entry"]').click();
    await bench.page.locator(".editor-instance .selected-text").first().waitFor();
    await bench.closeAll();
    await bench.openFile("embedded.cpp");
    await bench.goTo("None %missing\\n");
    await bench.run("SPIR-V: Show Binary");
    await eventually("the page says why there are no words", async () => /string literals/.test(await summaryOf(bench)));
    await bench.closeAll();
    await bench.openFile("embedded.cpp");
  },

  async "nothing answers outside of the modules"(bench) {
    await bench.goTo("#include <string>");
    await bench.token("#include", "include").hover();
    await bench.page.waitForTimeout(1500);
    assert.equal(await bench.page.locator(".monaco-hover:not(.hidden) .hover-row").count(), 0);
  },

  async "the source stands beside the module"(bench) {
    await bench.closeAll();
    await bench.openFile("debug.spvasm");
    await bench.goTo("OpIAdd %uint %u1");
    await bench.run("SPIR-V: Show Source");
    await bench.page.locator('.tab[data-resource-name="add.hlsl"]').waitFor();
    await sourceLine(bench, "uint n").waitFor();
    await eventually("the line and its instructions are marked", async () => (await marks(bench)) >= 2);
    await bench.page.waitForTimeout(300);
    await bench.screenshot("source");
  },

  async "each cursor leads the other"(bench) {
    await bench.token("OpCapability Shader", "OpCapability").click();
    await eventually("nothing is marked", async () => (await marks(bench)) === 0);
    await sourceLine(bench, "uint n").click();
    await eventually("the line and its instructions are marked", async () => (await marks(bench)) >= 2);
    await sourceLine(bench, "numthreads").click();
    await eventually("one line is marked", async () => (await marks(bench)) === 1);
    await bench.token("OpIAdd %uint %u1", "OpIAdd").click({ force: true });
    await eventually("both are marked again", async () => (await marks(bench)) >= 2);
  },

  async "the definition of an opcode is its line"(bench) {
    await bench.token("OpIAdd %uint %u1", "OpIAdd").click({ force: true }); // the cursor stands there
    await bench.page.keyboard.press("F12");
    await bench.page.locator('.editor-group-container.active .tab.active[data-resource-name="add.hlsl"]').waitFor();
  },
};

function summaryOf(bench) {
  return bench.webview.locator("#summary").innerText();
}

/** Waits until a squiggle stands under a token. */
async function underlined(bench, token) {
  await eventually("the token is underlined", async () => {
    const place = await token.boundingBox();
    const marks = await Promise.all((await bench.squiggles.all()).map((mark) => mark.boundingBox()));
    return marks.some((mark) => mark && Math.abs(mark.x - place.x) < 3 && Math.abs(mark.width - place.width) < 4 && Math.abs(mark.y - place.y) < 3);
  });
}

async function hover(bench, token, expected) {
  await bench.hover(token, expected);
  await bench.page.keyboard.press("Escape");
  await bench.page.mouse.move(10, 10);
}

/** A line of the editor on the right. */
function sourceLine(bench, text) {
  return bench.page.locator(".editor-group-container").nth(1).locator(".view-line", { hasText: text }).first();
}

/** How many lines are marked. */
function marks(bench) {
  return bench.page.locator('.editor-instance .view-overlays [class*="ced-"]').count();
}

await runSteps(options, steps, "failure-hosts");
