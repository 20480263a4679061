/** What a user sees whose settings name no server: why, what to do, and the text in colors. */
import { strict as assert } from "node:assert";
import { Workbench, eventually } from "./workbench.mjs";

const bench = await Workbench.open(JSON.parse(process.argv[2]));
try {
  await bench.openFile("a.spvasm");
  const toast = bench.page.locator(".notification-toast", { hasText: "did not start" });
  await toast.waitFor();
  assert.match(await toast.innerText(), /spvls\.path is "\/nowhere\/spvls".*there is no such program/s);
  await bench.screenshot("bad-setting");
  const colors = await bench.line("OpTypeFloat").locator("span span").evaluateAll((spans) => [...new Set(spans.map((span) => span.className))]);
  assert.ok(colors.length > 2, "words are in different colors");
  await toast.locator(".monaco-button", { hasText: "Retry" }).click();
  await bench.page.locator(".notification-toast", { hasText: "did not start" }).waitFor();
  await eventually("the status bar offers it too", () => bench.status.locator(".codicon-circle-slash").count());
  console.log("PASSED");
} catch (error) {
  console.log(`${error.stack}\nstatus bar: ${await bench.statusBar()}`);
  await bench.screenshot("bad-setting-failure");
  process.exitCode = 1;
} finally {
  await bench.close();
}
