/** The views beside the text: how they are read and moved through, by pointer and by keys. */
import { strict as assert } from "node:assert";
import { eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);

const marked = async (bench) => bench.webview.locator(".block.current").getAttribute("data-block");
const sizeOf = async (bench) => (await bench.webview.locator("#canvas > svg").boundingBox()).width;
/** Runs a function in the page of the view that is in sight. */
const inPage = (bench, run, argument) => bench.webview.locator("body").evaluate(run, argument);

const steps = {
  async "blocks name what they load, store and call"(bench) {
    await bench.openFile("lit.spvasm");
    await eventually("the module is valid", () => bench.status.locator(".codicon-check").count());
    await bench.goTo("%head = OpLabel");
    await bench.run("SPIR-V: Show Control Flow");
    await eventually("all blocks are drawn", async () => (await bench.webview.locator(".block").count()) === 7);
    assert.match(await bench.webview.locator('.block[data-block="opaque"]').textContent(), /loads %lights/);
    assert.match(await bench.webview.locator('.block[data-block="done"]').textContent(), /stores %out_color/);
    await bench.screenshot("flow-tools");
  },

  async "arrow keys lead from block to block, and Enter to the text"(bench) {
    await eventually("the block of the cursor is marked", async () => (await marked(bench)) === "head");
    await bench.webview.locator('.block[data-block="head"]').focus();
    await bench.page.keyboard.press("ArrowDown");
    await eventually("the first block that it leads to", async () => (await marked(bench)) === "body");
    await bench.page.keyboard.press("ArrowUp");
    await eventually("back", async () => (await marked(bench)) === "head");
    await bench.page.keyboard.press("ArrowUp");
    await eventually("the block that leads to it", async () => (await marked(bench)) === "opaque");
    await bench.page.keyboard.press("Enter");
    await eventually("its text is in sight", () => bench.line("%opaque = OpLabel").isVisible());
    const spoken = await bench.webview.locator('.block[data-block="head"]').getAttribute("aria-label");
    assert.equal(spoken, "Block %head, 3 instructions, OpBranchConditional %more, goes if true to body, if false to done");
  },

  async "zoom stays at the pointer, and Fit shows all"(bench) {
    const block = bench.webview.locator('.block[data-block="head"]');
    await bench.webview.locator("#canvas > svg").waitFor();
    const before = await block.boundingBox();
    await bench.page.mouse.move(before.x + 5, before.y + 5);
    const small = await sizeOf(bench);
    await bench.page.keyboard.down("Control");
    for (let turn = 0; turn < 4; turn++) {
      await bench.page.mouse.wheel(0, -100);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await bench.page.keyboard.up("Control");
    await eventually("it is larger", async () => (await sizeOf(bench)) > 1.9 * small);
    const after = await block.boundingBox();
    assert.ok(Math.abs(after.y + 10 - (before.y + 5)) < 30, `the block under the pointer has moved: ${before.y} ${after.y}`);
    await eventually("the overview is there", () => bench.webview.locator("#overview .frame").isVisible());
    await bench.screenshot("flow-zoomed");
    await bench.webview.getByRole("button", { name: "Fit" }).click();
    await eventually("all is in sight", () =>
      inPage(bench, () => {
        const viewport = document.getElementById("viewport");
        return viewport.scrollWidth <= viewport.clientWidth && viewport.scrollHeight <= viewport.clientHeight;
      }),
    );
    assert.equal(await bench.webview.locator("#overview .frame").isVisible(), false);
  },

  async "a search marks blocks and goes on from one to the next"(bench) {
    await bench.webview.locator("#viewport").focus();
    await bench.page.keyboard.press("/");
    await bench.page.keyboard.type("lights");
    await eventually("two are found", async () => (await bench.webview.locator("#count").innerText()) === "1 of 2");
    assert.equal(await bench.webview.locator(".block.found").count(), 2);
    assert.equal(await marked(bench), "opaque");
    await bench.page.keyboard.press("Enter");
    await eventually("the next one", async () => (await marked(bench)) === "body");
    await bench.page.keyboard.press("Escape");
    assert.equal(await bench.webview.locator(".block.found").count(), 0);
  },

  async "dominators and the line of help are there on demand"(bench) {
    const line = bench.webview.locator("#line");
    assert.equal(await line.innerText(), "");
    await bench.webview.locator('.block[data-block="body"]').focus();
    await bench.page.keyboard.press("d");
    await eventually("they are listed", async () => (await line.innerText()) === "%body is dominated by: %head, %opaque, %entry · dominates: %continue");
    assert.equal(await bench.webview.locator(".block.dominator").count(), 3);
    await bench.screenshot("flow-dominators");
    await bench.page.keyboard.press("d");
    await eventually("and no longer", async () => (await line.innerText()) === "");
    const help = bench.webview.locator("#help");
    assert.match(await help.innerText(), /Arrow keys: from block to block/);
    await bench.page.keyboard.press("?");
    await eventually("the help is gone", async () => !(await help.isVisible()));
  },

  async "the summary fits any width, and its rows lead to the text by keys"(bench) {
    await bench.run("View: Close All Editors");
    await bench.openFile("lit.spvasm");
    await bench.goTo("OpMemoryModel");
    await bench.run("SPIR-V: Show Module Summary");
    await bench.webview.locator("tr", { hasText: "uniform buffer" }).waitFor();
    assert.match(await bench.webview.locator("dl").innerText(), /Made by\s+Hand-written lights, version 3/);
    for (const width of [1400, 1000, 760, 620]) {
      await bench.page.setViewportSize({ width, height: 860 });
      const wide = () => inPage(bench, () => [...document.querySelectorAll("#content, #content *")].filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1).map((part) => part.outerHTML.slice(0, 80)));
      await eventually(`nothing is cut off at ${width}`, async () => (await inPage(bench, () => document.getElementById("content").scrollWidth - document.getElementById("content").clientWidth)) <= 0, 5_000).catch(async (error) => {
        throw new Error(`${error.message} ${await wide()}`);
      });
      await bench.screenshot(`summary-${width}`);
    }
    await bench.page.setViewportSize({ width: 1400, height: 860 });
    await bench.webview.getByRole("link", { name: /%lights/ }).first().focus();
    await bench.page.keyboard.press("Enter");
    await eventually("the variable is in sight", () => bench.line(/%lights.*OpVariable/).isVisible());
  },
};

await runSteps(options, steps, "views-failed");
