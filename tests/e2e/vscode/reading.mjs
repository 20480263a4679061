/** What helps to read a stranger's shader: hints in the lines, the outline, what a hover and the signature help say of an operand. */
import { strict as assert } from "node:assert";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);

/** The text of a line as it is shown, with its hints; VS Code shows spaces as no-break spaces. */
const shown = async (bench, line) => (await bench.line(line).innerText()).replace(/[\u00a0\u200c]+/g, (run) => run.replace(/\u200c/g, "").replace(/\u00a0/g, " "));

/** More than the outline has in the little height of its pane. */
const PAGES = 16;

const steps = {
  async "hints show values as short as they are, and types after aligned lines"(bench) {
    await bench.openFile("reading.spvasm");
    await eventually("the module is valid", () => bench.status.locator(".codicon-check").count());
    const line = () => shown(bench, /%31.=.OpFAdd/);
    await eventually("the parts of a constant are shown", async () => /= \{0\.15, 0\.15, 0\.15, 0\.15\}/.test(await line()));
    assert.match(await line(), /^ +%31 = OpFAdd %16 %30 %22= \{.*\}: vec4<f32>$/);
    await bench.screenshot("hints");
  },

  async "the outline shows types, values and the parts that blocks play"(bench) {
    await bench.run("Explorer: Focus on Outline View");
    const outline = bench.page.locator(".outline-pane .monaco-list");
    const rows = outline.locator(".monaco-list-row");
    for (const text of [/%21\s*f32 = 0\.15/, /%entry\s*selection header/, /%join\s*merge block/]) {
      let presses = 0;
      await eventually(`${text} is in the outline`, async () => {
        await outline.focus();
        await bench.page.keyboard.press(presses++ % PAGES ? "PageDown" : "Home");
        return (await rows.allInnerTexts()).some((row) => text.test(row));
      });
    }
    await bench.screenshot("outline");
  },

  async "a hover says first what the operand is"(bench) {
    await bench.token(/%32.=.OpCompositeExtract/, "%31").hover();
    const hover = bench.page.locator(".monaco-hover:not(.hidden) .hover-row").first();
    await hover.waitFor();
    assert.match(await hover.innerText(), /^Composite of OpCompositeExtract: the composite\.\s[^]*Type vec4<f32>/);
    await bench.screenshot("operand");
    await bench.page.keyboard.press("Escape");
  },

  async "signature help is a form, an operand and a sentence"(bench) {
    await bench.line(/%32.=.OpCompositeExtract/).click();
    await bench.page.keyboard.press("End");
    await bench.run("Trigger Parameter Hints");
    const help = bench.page.locator(".parameter-hints-widget.visible");
    await help.waitFor();
    const lines = (await help.innerText()).split("\n").filter((line) => line.trim());
    assert.deepEqual(lines, [
      "%result = OpCompositeExtract %Result_Type %Composite [<Indexes> …]",
      "at least one; a number per level, counted from 0.",
      "Takes a part out of a composite.",
    ]);
    await bench.screenshot("signature");
    await bench.page.keyboard.press("Escape");
    await bench.closeAll();
  },

  async "the listing of a valid binary has no finding"(bench) {
    await bench.openFile("b.spv");
    await eventually("the module is valid", () => bench.status.locator(".codicon-check").count());
    assert.equal(await bench.page.locator(".monaco-editor [class*=squiggly-]").count(), 0);
    await bench.closeAll();
  },
};

await runSteps(options, steps, "reading-failed");
