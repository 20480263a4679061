/** What a user sees who has the extension and no server: how to get one, and a button that does it. */
import { Workbench, eventually } from "./workbench.mjs";

const bench = await Workbench.open(JSON.parse(process.argv[2]));
try {
  await bench.openFile("a.spvasm");
  const offer = bench.page.locator(".notification-toast", { hasText: "pip install spvls" });
  await offer.waitFor();
  await bench.screenshot("install");
  await offer.locator(".monaco-button", { hasText: "Install" }).click();
  await eventually("the module is valid", () => bench.status.locator(".codicon-check").count(), 120_000);
  console.log("PASSED");
} catch (error) {
  console.log(`${error.stack}\nstatus bar: ${await bench.statusBar()}`);
  await bench.screenshot("install-failure");
  process.exitCode = 1;
} finally {
  await bench.close();
}
