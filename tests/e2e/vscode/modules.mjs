/** What is shown of whole modules, and done with them: kernels, layouts, linkage, listings, debug information, values; hovers and fixes. */
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { change, eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const SETTINGS = join(options.folder, ".vscode", "settings.json");

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

/** What the hover over a word on a line says. */
async function hovered(bench, line, word) {
  await bench.hover(bench.token(line, word));
  const said = await bench.page.locator(".monaco-hover:not(.hidden)").allInnerTexts();
  return said.join("\n").replaceAll("\u00a0", " ");
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
    const isShown = async () => /Location/.test(await bench.line(/%out_color.*OpVariable/).innerText());
    await eventually("the location is shown", isShown);
    await bench.screenshot("decorations");
    const settings = JSON.parse(readFileSync(SETTINGS, "utf8"));
    const hiding = { ...settings, "spvls.inlayHints.decorations": false };
    await change(SETTINGS, hiding, "the location is hidden by a setting", async () => !(await isShown()));
    await bench.screenshot("decorations-off");
    await change(SETTINGS, settings, "the location is shown again", isShown);
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

  async "hover names the line of the source that an instruction comes from"(bench) {
    await bench.openFile("kernel.spvasm");
    await bench.goTo("OpLine %file");
    assert.match(await hovered(bench, "OpIAdd", "OpIAdd"), /Compiled from\s+\/build\/sum\.cl:2:14/);
    await bench.screenshot("hover-source-line");
    assert.match(await hovered(bench, "OpLine %file", "OpLine"), /provisional SPIR-V of 2015 had another form/);
    await bench.closeAll();
  },

  async "hover names dominators of a block, and what is tangled"(bench) {
    await bench.openFile("lit.spvasm");
    await bench.goTo("%body = OpLabel");
    const label = await hovered(bench, "%body = OpLabel", "%body");
    assert.match(label, /Dominated by %head, %opaque, %entry/);
    assert.match(label, /Post dominated by %continue, %head, %done/);
    await bench.screenshot("hover-dominators");
    await bench.goTo("OpImageSampleImplicitLod");
    assert.match(await hovered(bench, "OpImageSampleImplicitLod", "OpImageSampleImplicitLod"), /Tangled instruction: the result depends on/);
    await bench.closeAll();
  },

  async "an instruction that is not known is one finding, and its ids can be renamed"(bench) {
    await bench.openFile("unknown.spvasm");
    await eventually("one finding", async () => (await bench.squiggles.count()) === 1);
    await bench.goTo("%y = OpFAdd");
    await bench.token("%y = OpFAdd", "%x").click();
    await bench.page.keyboard.press("F2");
    await bench.page.locator(".rename-box input").fill("%other");
    await bench.page.keyboard.press("Enter");
    await bench.line(/OpUnknown.*%float.%other/).waitFor();
    await bench.line(/OpFAdd.*%other/).waitFor();
    await eventually("still one finding", async () => (await bench.squiggles.count()) === 1);
    await bench.screenshot("unknown-instruction");
    await discard(bench);
  },

  async "pairs of a phi, a surplus interface entry and a missing capability have fixes"(bench) {
    await bench.openFile("fixes.spvasm");
    await eventually("three findings", async () => (await bench.squiggles.count()) === 3);
    await bench.goTo("%phi = OpPhi");
    await act(bench, "Take %one from %else");
    await bench.line(/OpPhi.*%then.*%one.*%else/).waitFor();
    await bench.goTo("%ptr = OpTypePointer"); // hints stand in the line of the variable itself
    await bench.page.keyboard.press("ArrowDown");
    await bench.page.keyboard.press("Home");
    await act(bench, "Remove %p from the interface");
    await eventually("it is listed once", async () => !/%p.%p/.test(await bench.line("OpEntryPoint").innerText()));
    await bench.goTo("%half = OpTypeFloat");
    await bench.page.keyboard.press("End");
    await act(bench, "Declare the capability Float16");
    await bench.line("OpCapability Float16").waitFor();
    await eventually("nothing is underlined", async () => !(await bench.squiggles.count()));
    await bench.screenshot("fixes");
    await discard(bench);
  },

  async "limits and a device count, also for the types of group operations"(bench) {
    await bench.openFile("subgroup.spvasm");
    await bench.run("Problems: Focus on Problems View");
    // Only the rows in view exist, and other modules have findings too.
    const filter = bench.page.getByPlaceholder(/^Filter \(e\.g\. text/);
    await filter.fill("requires the feature shaderSubgroupExtendedTypes");
    await bench.page.locator(".markers-panel .monaco-list-row", { hasText: "requires the feature shaderSubgroupExtendedTypes" }).first().waitFor();
    await filter.fill("");
    await bench.goTo("%in_number = OpTypePointer");
    await eventually("a decoration is one too many", async () => (await bench.page.locator(".monaco-editor .squiggly-warning").count()) === 1);
    await bench.screenshot("device-and-limits");
    await bench.closeAll();
  },

  async "a preview of values grays out the blocks that no branch leads to"(bench) {
    await bench.openFile("specialized.spvasm");
    await bench.goTo("%quick = OpLabel");
    const open = () => bench.run("Source Action...");
    await act(bench, "Preview the default values of specialization constants", open);
    const gray = bench.page.locator(".monaco-editor .squiggly-inline-unnecessary");
    const isGray = async () => (await gray.allInnerTexts()).join(" ").includes("%quick");
    await eventually("a block is gray", isGray);
    await bench.screenshot("specialization-preview");
    await act(bench, "End the preview of specialization constants", open);
    await eventually("it is not any more", async () => !(await isGray()));
    await bench.closeAll();
  },
};

await runSteps(options, steps, "modules-failed");
