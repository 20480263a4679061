/** Findings, listings and views in a folder whose files must not run, in Restricted Mode and without. */
import { strict as assert } from "node:assert";
import { Workbench, eventually } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const name = options.trusted ? "trusted" : "restricted";
const bench = await Workbench.open(options);
try {
  await bench.openFile("a.spvasm");
  const restricted = bench.page.locator('[id="status.workspaceTrust"]');
  await eventually("the mode is shown", async () => (await restricted.count()) === (options.trusted ? 0 : 1));
  await eventually("the module is valid", () => bench.status.locator(".codicon-check").count());
  assert.match(await bench.status.innerText(), /vulkan1\.3/, "settings that name no program or file hold");
  await bench.replace("OpFAdd", "OpFAdd", "OpBogus");
  await bench.squiggles.first().waitFor();
  await eventually("the status bar says so", () => bench.status.locator(".codicon-error").count());
  await bench.screenshot(`hostile-${name}`);
  await bench.replace("OpBogus", "OpBogus", "OpFAdd");

  await bench.run("SPIR-V: Restart Server");
  await eventually("the module is valid again", () => bench.status.locator(".codicon-check").count());
  await bench.run("SPIR-V: Show Binary");
  await bench.webview.locator(".line").first().waitFor();
  await bench.openFile("b.spv");
  await bench.line("OpTypeFloat 32").waitFor();
  console.log("PASSED");
} catch (error) {
  console.log(`${error.stack}\nstatus bar: ${await bench.statusBar()}`);
  await bench.screenshot(`hostile-${name}-failure`);
  process.exitCode = 1;
} finally {
  await bench.close();
}
