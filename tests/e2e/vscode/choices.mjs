/** What a user chooses: how findings are shown, and what a module is meant for. */
import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const { folder } = options;
const SETTINGS = join(folder, ".vscode", "settings.json");

const rows = (bench) => bench.page.locator(".quick-input-list .monaco-list-row");
const row = (bench, text) => rows(bench).filter({ hasText: text }).first();
const toast = (bench, text) => bench.page.locator(".notification-toast", { hasText: text }).first();
const warnings = (bench) => bench.page.locator(".monaco-editor .squiggly-warning");
const written = () => [existsSync(SETTINGS) ? readFileSync(SETTINGS, "utf8") : "", readFileSync(join(folder, "many.spvasm"), "utf8")];

async function choose(bench, ...texts) {
  await bench.run("SPIR-V: Choose Target Environment");
  for (const [at, text] of texts.entries()) {
    if (!at) {
      await bench.page.locator(".quick-input-widget input").fill(text);
    }
    await row(bench, text).waitFor();
    await row(bench, text).click();
  }
}

const steps = {
  async "many findings of a rule in a function are one, with the other places"(bench) {
    await bench.openFile("many.spvasm");
    await eventually("one is underlined", async () => (await warnings(bench).count()) === 1);
    await bench.run("Problems: Focus on Problems View");
    const problem = bench.page.locator(".markers-panel .monaco-list-row", { hasText: "this rule has 11 more findings in this function" });
    await problem.waitFor();
    await bench.run("Problems: Focus on Problems View");
    await bench.page.keyboard.press("Home");
    await bench.page.keyboard.press("ArrowDown");
    await bench.page.keyboard.press("ArrowRight");
    const places = bench.page.locator(".markers-panel .monaco-list-row", { hasText: "the divisor, Operand 2 (%zero), is zero" });
    await eventually("the other places are listed", async () => (await places.count()) > 3);
    await bench.screenshot("grouped");
  },

  async "environments are described, grouped, and marked by what the module needs"(bench) {
    await bench.run("SPIR-V: Choose Target Environment");
    await row(bench, "Vulkan 1.4").waitFor();
    assert.match(await bench.page.locator(".quick-input-widget").innerText(), /spv1\.5, from the module itself/);
    assert.match(await row(bench, "Vulkan 1.4").innerText(), /vulkan1\.4 · SPIR-V up to 1\.6/);
    assert.match(await row(bench, "Vulkan 1.4").innerText(), /Takes this module/);
    assert.match(await row(bench, "Vulkan 1.0").innerText(), /Does not take this module: the module is SPIR-V 1\.5/);
    assert.match(await bench.page.locator(".quick-input-list").innerText(), /Vulkan/);
    await bench.screenshot("environments");
    await bench.page.locator(".quick-input-widget input").fill("opencl2.2");
    await row(bench, "OpenCL 2.2").waitFor();
    await bench.page.keyboard.press("Escape");
  },

  async "nothing is written before it is said for what the choice is"(bench) {
    const before = written();
    await choose(bench, "vulkan1.3");
    await row(bench, "Only this file").waitFor();
    assert.match(await row(bench, "Only this file").innerText(), /Writes the comment "; spvls: target-env=vulkan1\.3" into many\.spvasm/);
    assert.match(await row(bench, "The workspace").innerText(), /Writes "spvls\.targetEnv": "vulkan1\.3" into the settings of the workspace/);
    await bench.screenshot("environment-scope");
    await bench.page.keyboard.press("Escape");
    assert.deepEqual(written(), before);
    assert.equal(await bench.page.locator(".tab.dirty").count(), 0);
  },

  async "only this file is a comment, which can be taken back"(bench) {
    await choose(bench, "vulkan1.3", "Only this file");
    await bench.line("; spvls: target-env=vulkan1.3").waitFor();
    await eventually("the status bar names it", async () => /vulkan1\.3/.test(await bench.status.innerText()));
    await toast(bench, 'many.spvasm now says "; spvls: target-env=vulkan1.3"').waitFor();
    await bench.screenshot("environment-comment");
    await toast(bench, "many.spvasm now says").getByText("Undo", { exact: true }).click();
    await eventually("the comment is gone", async () => (await bench.line("; spvls: target-env").count()) === 0);
  },

  async "the workspace is a setting, which can be taken back"(bench) {
    await choose(bench, "vulkan1.2", "The workspace");
    await toast(bench, "spvls.targetEnv is now vulkan1.2 in the settings of the workspace").waitFor();
    assert.match(readFileSync(SETTINGS, "utf8"), /"spvls.targetEnv": "vulkan1.2"/);
    await toast(bench, "spvls.targetEnv is now vulkan1.2").getByText("Undo", { exact: true }).click();
    await eventually("it is not set", () => !/targetEnv/.test(readFileSync(SETTINGS, "utf8")));
  },
};

await runSteps(options, steps, "choices-failed");
