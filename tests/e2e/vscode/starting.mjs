/** What a user has of the server, however it was started: findings, hovers, words, binaries, the settings of the project. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Workbench, eventually } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const { folder, runner, message, picture, environment } = options;
const bench = await Workbench.open(options);
try {
  await bench.openFile("a.spvasm");
  await eventually("the module is valid", () => bench.status.locator(".codicon-check").count(), 120_000);
  const label = new RegExp(`, ${environment}, valid, ${runner}`);
  await eventually("the status bar shows which server runs, and the environment of the project where that can be read", async () =>
    label.test(await bench.status.locator("a").first().getAttribute("aria-label")),
    120_000,
  );
  await bench.status.hover();
  await bench.page.locator(".monaco-hover", { hasText: "Server:" }).first().waitFor();
  await bench.screenshot(`starting-${picture}`);
  if (message) {
    await bench.run("Notifications: Show Notifications");
    await bench.page.locator(".notifications-center .notification-list-item", { hasText: message }).first().waitFor();
    await bench.screenshot(`starting-${picture}-message`);
    await bench.run("Notifications: Clear All Notifications");
  }

  await bench.replace("OpFAdd", "OpFAdd", "OpBogus");
  await bench.squiggles.first().waitFor();
  await bench.replace("OpBogus", "OpBogus", "OpFAdd");
  await eventually("the module is valid again", () => bench.status.locator(".codicon-check").count());
  await bench.token("OpTypeFloat", "OpTypeFloat").hover();
  await bench.page.locator(".monaco-hover:not(.hidden) .hover-row", { hasText: "floating-point type" }).first().waitFor();
  await bench.page.mouse.move(5, 5);
  await bench.run("SPIR-V: Show Binary");
  await bench.webview.locator(".line").first().waitFor();
  await bench.closeAll();
  await bench.openFile("a.spvasm");
  await bench.line("OpFAdd").click();
  await bench.run("SPIR-V: Show Control Flow");
  await bench.webview.locator(".block").first().waitFor();
  await bench.closeAll();
  await bench.openFile("a.spvasm");
  await bench.run("SPIR-V: Show Module Summary");
  await bench.webview.locator("section", { hasText: "Entry point" }).waitFor();
  await bench.screenshot(`starting-${picture}-views`);
  await bench.closeAll();

  const path = join(folder, "b.spv");
  await bench.openFile("b.spv");
  await bench.line("OpTypeFloat 32").waitFor();
  for (const [old, typed] of [["32", "64"], ["64", "32"]]) {
    const before = readFileSync(path);
    await bench.replace("OpTypeFloat", old, typed);
    await bench.page.keyboard.press("Control+S");
    await eventually("the file has other words, which are a module", () => {
      const words = readFileSync(path);
      return words.length > 4 && words.readUInt32LE(0) === 0x07230203 && !words.equals(before);
    });
    await eventually("the listing is saved", async () => (await bench.page.locator(".tab.dirty").count()) === 0);
  }
  await bench.screenshot(`starting-${picture}-listing`);
  console.log("PASSED");
} catch (error) {
  console.log(`${error.stack}\nstatus bar: ${await bench.statusBar()}`);
  await bench.screenshot(`starting-${picture}-failure`);
  process.exitCode = 1;
} finally {
  await bench.close();
}
