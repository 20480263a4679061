/** What a user of the extension does, in order. Prints a line for each step; ends with code 1 at the first that fails. */
import { strict as assert } from "node:assert";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const folder = options.folder;

const steps = {
  async "a mistake is underlined"(bench) {
    await bench.openFile("a.spvasm");
    await eventually("the status bar says that the module is valid", () => bench.status.locator(".codicon-check").count());
    assert.equal(await bench.squiggles.count(), 0);
    await bench.replace("OpFAdd", "OpFAdd", "OpBogus");
    await bench.squiggles.first().waitFor();
    await eventually("the status bar says so", () => bench.status.locator(".codicon-error").count());
  },

  async "the underline goes with the mistake"(bench) {
    await bench.replace("OpBogus", "OpBogus", "OpFAdd");
    await eventually("no squiggle", async () => (await bench.squiggles.count()) === 0);
    await eventually("valid again", () => bench.status.locator(".codicon-check").count());
  },

  async "the status bar names version and environment"(bench) {
    assert.match(await bench.status.innerText(), /SPIR-V 1\.\d.* · (spv|vulkan)1\.\d/);
  },

  async "hover tells about an opcode"(bench) {
    await bench.hover(bench.token("OpTypeFloat", "OpTypeFloat"), /OpTypeFloat/);
    await bench.screenshot("hover");
    await bench.page.keyboard.press("Escape");
  },

  async "completion offers instructions"(bench) {
    await bench.line("OpFAdd").click();
    await bench.page.keyboard.press("End");
    await bench.page.keyboard.press("Enter");
    await bench.page.keyboard.type("%n = OpIS");
    await bench.page.keyboard.press("Control+Space");
    const list = bench.page.locator(".suggest-widget.visible .monaco-list-row");
    await eventually("OpISub is offered", async () => (await list.allInnerTexts()).some((text) => /^OpISub/.test(text)));
    await bench.screenshot("completion");
    await bench.page.keyboard.press("Escape");
    await bench.page.keyboard.press("Control+Shift+K");
    await eventually("valid again", () => bench.status.locator(".codicon-check").count());
  },

  async "the binary stands beside the text"(bench) {
    await bench.line("OpTypeFloat").click();
    await bench.run("SPIR-V: Show Binary");
    const first = bench.webview.locator(".line").first();
    await first.waitFor();
    assert.match(await first.innerText(), /00000000\s+07230203\s+magic number/);
    const line = bench.webview.locator(".line.instruction", { hasText: "OpTypeFloat 32" });
    assert.match(await line.innerText(), /0003[0-9a-f]{4}/);
    await bench.screenshot("binary");
  },

  async "the binary follows an edit"(bench) {
    await bench.replace("OpTypeFloat", "32", "64");
    const line = bench.webview.locator(".line.instruction", { hasText: "OpTypeFloat 64" });
    await line.waitFor();
    await eventually("one word is marked", async () => (await line.locator(".word.changed").count()) === 1);
    const constant = bench.webview.locator(".line.instruction", { hasText: "OpConstant" });
    assert.match(await constant.innerText(), /0005002b/, "a constant of 64 bits has a word more");
    assert.equal(await constant.locator(".word.changed").count(), 4);
    const label = bench.webview.locator(".line.instruction", { hasText: "OpLabel" });
    assert.equal(await label.locator(".word.changed").count(), 0, "what only moved is not marked");
    await bench.screenshot("binary-changed");
    await bench.replace("OpTypeFloat", "64", "32");
    await bench.webview.locator(".line.instruction", { hasText: "OpTypeFloat 32" }).waitFor();
  },

  async "the cursor lights its words"(bench) {
    await bench.token("OpTypeFloat", "32").click();
    const lit = bench.webview.locator(".line.current .word.token");
    await eventually("one word is lit", async () => (await lit.count()) === 1);
    assert.equal(await lit.innerText(), "00000020");
  },

  async "a word leads to its text"(bench) {
    const line = bench.webview.locator(".line.instruction", { hasText: "OpCapability Shader" });
    await line.locator(".word").nth(1).click();
    const selected = bench.page.locator(".editor-instance .selected-text");
    await eventually("the word Shader is selected", async () => {
      const [mark, word] = [await selected.boundingBox(), await bench.token("OpCapability", "Shader").boundingBox()];
      return Math.abs(mark.x - word.x) < 3 && Math.abs(mark.width - word.width) < 3 && Math.abs(mark.y - word.y) < 3;
    });
  },

  async "the target environment can be chosen"(bench) {
    await bench.status.click();
    await bench.page.locator(".quick-input-widget input").fill("vulkan1.3");
    await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: /Vulkan 1\.3/ }).click();
    await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: "The workspace" }).click();
    await eventually("the status bar names it", async () => /vulkan1\.3/.test(await bench.status.innerText()));
    const settings = readFileSync(join(folder, ".vscode", "settings.json"), "utf8");
    assert.match(settings, /"spvls.targetEnv": "vulkan1.3"/);
    await bench.screenshot("status");
  },

  async "saving writes the binary where the settings say so"(bench) {
    await bench.line("OpReturn").click();
    await bench.page.keyboard.press("Control+S");
    const path = join(folder, "a.spv");
    await eventually("the binary is there", () => existsSync(path) && statSync(path).size > 20);
    assert.equal(readFileSync(path).readUInt32LE(0), 0x07230203);
  },

  async "a binary opens as a listing and is written back"(bench) {
    await bench.run("View: Close All Editors");
    const path = join(folder, "b.spv");
    const before = readFileSync(path);
    await bench.openFile("b.spv");
    await bench.line("OpTypeFloat 32").waitFor();
    await bench.screenshot("listing");
    await bench.replace("OpTypeFloat", "32", "64");
    await bench.page.keyboard.press("Control+S");
    await eventually("the file has other words", () => !readFileSync(path).equals(before));
    await eventually("the listing is saved", async () => (await bench.page.locator(".tab.dirty").count()) === 0);
    assert.equal(readFileSync(path).readUInt32LE(0), 0x07230203);
  },

  async "the control flow stands beside the text"(bench) {
    await bench.closeAll();
    await bench.openFile("lit.spvasm");
    await bench.goTo("%head = OpLabel");
    await bench.run("SPIR-V: Show Control Flow");
    const blocks = bench.webview.locator(".block");
    await eventually("all blocks are drawn", async () => (await blocks.count()) === 7);
    assert.equal(await bench.webview.locator(".edge").count(), 7);
    assert.equal(await bench.webview.locator(".edge.back").count(), 1);
    assert.equal(await bench.webview.locator(".construct.loop").count(), 1);
    assert.match(await bench.webview.locator("#summary").innerText(), /^%main · 7 blocks · 1 loop$/);
    await eventually("the block of the cursor is marked", async () => (await markedBlock(bench)) === "head");
    await assertApart(await blocks.all());
    await bench.screenshot("flow");
  },

  async "the control flow follows the cursor and edits"(bench) {
    await bench.goTo("OpKill");
    await eventually("the other block is marked", async () => (await markedBlock(bench)) === "drop");
    await bench.replace("OpKill", "OpKill", "OpUnreachable");
    const drop = bench.webview.locator('.block[data-block="drop"]');
    await eventually("the block ends as the text says", async () => /OpUnreachable/.test(await drop.textContent()));
    await bench.replace("OpUnreachable", "OpUnreachable", "OpKill");
    await eventually("and again", async () => /OpKill/.test(await drop.textContent()));
  },

  async "a block leads to its text"(bench) {
    await eventually("no hover of the token that was typed over covers the view", async () => {
      await bench.page.mouse.move(10, 10);
      await bench.page.keyboard.press("Escape");
      return (await bench.page.locator(".monaco-hover:not(.hidden) .hover-row").count()) === 0;
    });
    await bench.webview.locator('.block[data-block="opaque"]').click();
    await eventually("the label is in sight", () => bench.line("%opaque = OpLabel").isVisible());
    await eventually("the block is marked", async () => (await markedBlock(bench)) === "opaque");
  },

  async "the summary stands beside the text"(bench) {
    await bench.closeAll();
    await bench.openFile("lit.spvasm");
    await bench.goTo("OpMemoryModel");
    await bench.run("SPIR-V: Show Module Summary");
    const buffer = bench.webview.locator("tr", { hasText: "uniform buffer" });
    await buffer.waitFor();
    assert.match(await buffer.innerText(), /^0\s+1\s+uniform buffer\s+%lights\s+Lights, 272 bytes/);
    assert.match(await bench.webview.locator("#summary").innerText(), /^SPIR-V 1\.5 · vulkan1\.2 · 109 instructions/);
    assert.match(await bench.webview.locator("section", { hasText: "Entry point" }).innerText(), /location 2\s+%in_position/);
    await bench.screenshot("summary");
    await buffer.click();
    await eventually("the variable is in sight", () => bench.line(/%lights.*OpVariable/).isVisible());
  },

  async "the summary follows an edit"(bench) {
    await bench.goTo("OpDecorate %lights Binding");
    await bench.replace("OpDecorate %lights Binding", "1", "7");
    const buffer = bench.webview.locator("tr", { hasText: "uniform buffer" });
    await eventually("the binding is another", async () => /^0\s+7\s/.test(await buffer.innerText()));
    await bench.replace("OpDecorate %lights Binding", "7", "1"); // not reverted: the workbench may have saved it
    await eventually("and again", async () => /^0\s+1\s/.test(await buffer.innerText()));
  },

  async "an example opens as a module"(bench) {
    await bench.closeAll();
    await bench.openFile("lit.spvasm");
    await bench.goTo("OpMemoryModel");
    await bench.run("SPIR-V: Open Example at Cursor as Module");
    await eventually("a module that has it is open", () => bench.line("; spvls: target-env=spv1.6").isVisible());
    await eventually("with what it shows", () => bench.line("OpMemoryModel Logical GLSL450").isVisible());
    await bench.screenshot("example");
    await bench.run("View: Revert and Close Editor");
  },

  async "values for specialization constants are shown and made final"(bench) {
    await bench.closeAll();
    await bench.openFile("specialized.spvasm");
    await bench.goTo("%width = OpSpecConstant");
    await bench.run("SPIR-V: Specialize with…");
    const rows = bench.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "width = 8" }).click();
    await bench.page.locator(".quick-input-widget input:visible").fill("4");
    await bench.page.keyboard.press("Enter");
    await rows.filter({ hasText: "width = 4" }).waitFor();
    await eventually("the product is shown", async () => /=\s16/.test(await bench.line("%area = OpSpecConstantOp").innerText()));
    await bench.page.locator(".quick-input-widget input:visible").fill("Specialize all constants");
    await rows.filter({ hasText: "Specialize all constants" }).click();
    await bench.line("OpConstant %uint 4").waitFor();
    await bench.goTo("%area = OpConstant %uint 16");
    await bench.screenshot("specialized");
    await bench.run("File: Save");
  },

  async "the walkthrough leads through it all"(bench) {
    await bench.closeAll();
    await bench.run("Welcome: Open Walkthrough");
    await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: "SPIR-V assembly" }).click();
    const steps = bench.page.locator(".gettingStartedContainer .step-title");
    await steps.filter({ hasText: "Read the control flow" }).click();
    assert.equal(await steps.count(), 7);
    await bench.page.locator(".gettingStartedContainer img").first().waitFor();
    await bench.screenshot("walkthrough");
  },
};

/** The block that the view of control flow marks. */
function markedBlock(bench) {
  return bench.webview.locator(".block.current").getAttribute("data-block");
}

async function assertApart(elements) {
  const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      const meet = a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
      assert.ok(!meet, "two boxes overlap");
    }
  });
}

await runSteps(options, steps, "failure");
