/**
 * Records the moving picture of the README as frames: `node record.mjs '{"tools", "browser", "url", "frames"}'`, where `url` serves
 * `editors/web/dist` and `tools` is the folder that `../vscode/install.sh` filled. Writes `NNN-MILLISECONDS.png` into `frames`, of
 * which `animate.py` makes `editors/web/images/playground.gif`.
 */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SWITCHES } from "../vscode/workbench.mjs";

const { tools, browser, url, frames } = JSON.parse(process.argv[2]);
const { chromium } = createRequire(join(tools, "/"))("playwright-core");
mkdirSync(frames, { recursive: true });
const launched = await chromium.launch({ executablePath: browser, args: SWITCHES });
const page = await launched.newPage({ viewport: { width: 1100, height: 620 }, colorScheme: "light" });
page.setDefaultTimeout(60_000);
let count = 0;

async function frame(milliseconds) {
  await page.locator(".cm-scroller").evaluate((scroller) => (scroller.scrollLeft = 0));
  const number = String(count++).padStart(3, "0");
  await page.screenshot({ path: join(frames, `${number}-${milliseconds}.png`) });
}

async function typed(text) {
  for (const key of text) {
    await page.keyboard.type(key);
    await frame(90);
  }
}

const line = (text) => page.locator(".cm-line", { hasText: text }).first();
const word = (within, text) => line(within).locator("span", { hasText: text }).first();
const valid = () => page.locator("#status", { hasText: /^Valid/ }).waitFor();

await page.goto(url);
await valid();
await page.locator("#examples").selectOption({ value: "shaders/reduce.comp.spvasm" });
await line("OpCapability").waitFor();
await valid();
await page.waitForTimeout(1000);
await frame(1500);

await page.locator(".cm-content").click();
await page.keyboard.press("Control+F");
await page.keyboard.type("OpIAdd");
await page.keyboard.press("Enter");
await page.keyboard.press("Escape");
await page.waitForTimeout(500);
await word("OpIAdd", "OpIAdd").dblclick();
await frame(900);
await typed("OpFAdd");
await page.keyboard.press("Escape");
await page.locator("#findings li").first().waitFor();
await page.waitForTimeout(800);
await frame(3000);

await word("OpFAdd %uint", "OpFAdd").dblclick();
await typed("OpIAdd");
await page.keyboard.press("Escape");
await page.locator("#findings li").first().waitFor({ state: "detached" });
await page.waitForTimeout(500);
await frame(1200);

await page.locator("#tab-flow").click();
await line("OpIAdd").click();
await page.waitForTimeout(1500);
await frame(3000);

await page.locator("#tab-summary").click();
await page.waitForTimeout(1000);
await frame(3000);
await launched.close();
