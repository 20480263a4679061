/** Hovers over names that hold Markdown: they are shown as they are, and nothing is fetched for them. */
import assert from "node:assert/strict";
import { Workbench, eventually } from "./workbench.mjs";

const bench = await Workbench.open(JSON.parse(process.argv[2]));
const requested = [];
bench.page.on("request", (request) => requested.push(request.url()));
try {
  await bench.openFile("hostile.spvasm");
  await eventually("the server is there", () => bench.status.locator(".codicon-check, .codicon-error, .codicon-warning").count());
  for (const [line, word] of [["OpFunction", "%main"], ["OpExtension", "hover-extension"], ["OpExtInstImport", "NonSemantic"]]) {
    const hover = await bench.hover(bench.token(line, word), "![i](http://");
    assert.equal(await hover.locator("img").count(), 0, word);
    const links = await hover.locator("a").evaluateAll((found) => found.map((link) => link.dataset.href ?? link.href));
    assert.deepEqual(links.filter((link) => link.includes("/hover-")), [], word);
    await bench.screenshot(`hostile-${word.replace(/\W/g, "")}`);
    await bench.page.mouse.move(5, 5);
    await hover.first().waitFor({ state: "hidden" });
  }
  assert.deepEqual(requested.filter((url) => url.includes("/hover-")), []);
  console.log("PASSED");
} catch (error) {
  console.log(`${error.stack}\nstatus bar: ${await bench.statusBar()}\n${requested.filter((url) => url.includes("/hover-"))}`);
  await bench.screenshot("hostile-failure");
  process.exitCode = 1;
} finally {
  await bench.close();
}
