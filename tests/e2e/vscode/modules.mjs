/** What is shown of whole modules, and done with them: kernels, layouts, linkage, listings, debug information. */
import { strict as assert } from "node:assert";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);

/** Opens the menu of actions with a command or keys, and takes the one with a title. */
async function act(bench, title, open = () => bench.page.keyboard.press("Control+.")) {
  const rows = bench.page.locator(".action-widget .monaco-list-row.action");
  await eventually("the actions are listed", async () => {
    await open();
    return rows.filter({ hasText: title }).first().waitFor({ timeout: 3_000 }).then(() => true, () => bench.page.keyboard.press("Escape"));
  });
  await bench.screenshot(`action-${title.replace(/[^a-z]+/gi, "-").toLowerCase()}`);
  await rows.filter({ hasText: title }).first().click();
}

async function discard(bench) {
  await bench.run("View: Revert and Close Editor");
}

const steps = {
  async "the summary lists kernels with their arguments, which lead to the text"(bench) {
    await bench.openFile("kernels.spvasm");
    await eventually("the module is valid", () => bench.status.locator(".codicon-check").count());
    await bench.run("SPIR-V: Show Module Summary");
    await bench.webview.getByRole("heading", { name: /^Kernel / }).first().waitFor();
    const table = bench.webview.getByRole("table", { name: /^Arguments of / }).first();
    assert.match(await table.innerText(), /storage buffer/);
    assert.ok(await bench.webview.getByRole("table", { name: "Formats of printf" }).count());
    assert.ok(await bench.webview.getByRole("table", { name: "Literal samplers" }).count());
    await bench.screenshot("summary-kernels");
    await table.getByRole("link").first().focus();
    await bench.page.keyboard.press("Enter");
    await eventually("the argument is in sight", () => bench.line(/ArgumentStorageBuffer/).isVisible());
    await bench.run("View: Close All Editors");
  },

  async "decorations stand at the variable as inlay hints"(bench) {
    await bench.openFile("lit.spvasm");
    await bench.goTo("%out_color = OpVariable");
    await eventually("the location is shown", async () => /Location/.test(await bench.line(/%out_color.*OpVariable/).innerText()));
    await bench.screenshot("decorations");
    await bench.closeAll();
  },

  async "a member at a wrong place is moved where it fits"(bench) {
    await bench.openFile("overlapping.spvasm");
    await eventually("one member is underlined", async () => (await bench.squiggles.count()) === 1);
    await bench.goTo("%block = OpTypeStruct");
    await bench.run("Go to Next Problem in Files");
    await bench.page.keyboard.press("Escape");
    await act(bench, "Place the member at 16");
    await bench.line(/block.1.Offset.16/).waitFor();
    await eventually("nothing is underlined", async () => !(await bench.squiggles.count()));
    await discard(bench);
  },

  async "what keeps modules from being linked is found, and imports lead to exports"(bench) {
    await bench.openFile("importer.spvasm");
    await eventually("an import is underlined", async () => (await bench.squiggles.count()) > 0);
    await bench.run("Problems: Focus on Problems View");
    await bench.page.locator(".markers-panel .monaco-list-row", { hasText: "no module exports it" }).first().waitFor();
    await bench.screenshot("linkage");
    await bench.goTo("%twice = OpFunction");
    await bench.token(/%twice.*OpFunction/, "%twice").click();
    await bench.page.keyboard.press("F12");
    await bench.page.locator('.tab.active[data-resource-name="exporter.spvasm"]').waitFor();
    await bench.closeAll();
  },

  async "a listing of glslang becomes assembly"(bench) {
    await bench.openFile("paper.spvasm");
    await eventually("one finding stands for all", async () => (await bench.squiggles.count()) === 1);
    await bench.goTo("Module Version");
    await act(bench, "Import as assembly");
    await bench.line(/OpTypeFunction.%1/).waitFor();
    await discard(bench);
  },

  async "debug information is removed"(bench) {
    await bench.openFile("carried.spvasm");
    await bench.line(/OpSource/).waitFor();
    await act(bench, "Remove debug information", () => bench.run("Source Action..."));
    await eventually("the source is gone", async () => !(await bench.page.locator(".editor-instance .view-line", { hasText: /OpSource/ }).count()));
    await discard(bench);
  },
};

await runSteps(options, steps, "modules-failed");
