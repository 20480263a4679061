/** A browser with VS Code's workbench in it, and the things a user does there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const SWITCHES = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export class Workbench {
  static async open({ tools, browser, url, screenshots, pictures }) {
    const { chromium } = createRequire(join(tools, "/"))("playwright-core");
    const launched = await chromium.launch({ executablePath: browser, args: SWITCHES });
    const page = await launched.newPage({ viewport: { width: 1400, height: 860 } });
    page.setDefaultTimeout(30_000);
    await page.goto(url);
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 60_000 });
    return Object.assign(new Workbench(launched, page, screenshots), { pictures });
  }

  constructor(browser, page, screenshots) {
    this.browser = browser;
    this.page = page;
    this.screenshots = screenshots;
  }

  close() {
    return this.browser.close();
  }

  async screenshot(name) {
    if (this.screenshots) {
      mkdirSync(this.screenshots, { recursive: true });
      await this.page.screenshot({ path: join(this.screenshots, `${name}.png`) });
    }
  }

  /** A picture for the documentation, where a folder for these is named. */
  async picture(name) {
    if (this.pictures) {
      await new Promise((resolve) => setTimeout(resolve, 800)); // what opens fades in
      await this.page.screenshot({ path: join(this.pictures, `${name}.png`) });
    }
  }

  async openFile(name) {
    await this.page.locator(`.explorer-folders-view .monaco-list-row[aria-label^="${name}"]`).dblclick();
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await this.page.locator(".editor-instance .monaco-editor .view-line").first().waitFor();
  }

  async run(command) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").fill(`>${command}`);
    await this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${command}"]`).first().click();
  }

  /** A piece of text on a line of the editor that contains `line`. */
  token(line, text) {
    return this.line(line).locator("span span", { hasText: text }).first();
  }

  line(text) {
    return this.page.locator(".editor-instance .view-line", { hasText: text }).first();
  }

  /** Closes all editors, when all are saved. */
  async closeAll() {
    await eventually("all is saved", async () => (await this.page.locator(".tab.dirty").count()) === 0);
    await this.run("View: Close All Editors");
  }

  /** Brings the line that contains `text` into sight, and puts the cursor on it. */
  async goTo(text) {
    const searched = this.page.locator(".find-widget.visible .find-part textarea").first();
    await eventually("the text can be searched", async () => {
      const box = await this.page.locator(".editor-instance .monaco-editor").first().boundingBox();
      await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2); // while panes move, another one may get the click
      await this.page.keyboard.press("Control+F");
      return searched.waitFor({ timeout: 3_000 }).then(() => true, () => this.page.keyboard.press("Escape"));
    });
    await searched.fill(text);
    await this.page.keyboard.press("Enter");
    await this.page.keyboard.press("Escape");
    await this.line(text).waitFor();
  }

  /** Selects a token and types over it. */
  async replace(line, old, typed) {
    await this.token(line, old).dblclick();
    await this.page.keyboard.type(typed);
    await this.page.keyboard.press("Escape");
  }

  /** The rows of the hover over a token, once one contains `expected`; a hover whose answer is late is asked for again. */
  async hover(token, expected = /./) {
    const rows = this.page.locator(".monaco-hover:not(.hidden) .hover-row");
    await eventually(`a hover with ${expected}`, async () => {
      await this.page.mouse.move(10, 10);
      await this.page.keyboard.press("Escape");
      await token.hover();
      const row = rows.filter({ hasText: expected }).first();
      return row.waitFor({ timeout: 4_000 }).then(() => true, () => false);
    });
    return rows;
  }

  get squiggles() {
    return this.page.locator(".monaco-editor .squiggly-error");
  }

  get status() {
    return this.page.locator('[id$="spvls.status"]');
  }

  async statusBar() {
    const items = await this.page.locator(".statusbar-item a").all();
    return (await Promise.all(items.map((item) => item.getAttribute("aria-label")))).filter(Boolean).join(" | ");
  }

  /** The page inside the web view that is in sight. */
  get webview() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }
}

/** Waits until `condition` gives something true, and returns it. */
export async function eventually(what, condition, milliseconds = 30_000) {
  const end = Date.now() + milliseconds;
  let last;
  do {
    try {
      last = await condition();
      if (last) {
        return last;
      }
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (Date.now() < end);
  throw new Error(`did not come to be: ${what} (last: ${last})`);
}

/** Writes a file of settings until `condition` holds: the workbench may miss one change of a file. */
export function change(path, settings, what, condition) {
  let written = -Infinity;
  return eventually(what, () => {
    if (performance.now() - written > 8_000) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(settings));
      written = performance.now();
    }
    return condition();
  });
}

/** Runs steps one after the other in a workbench of their own, up to the first that fails, and says what came of each. */
export async function runSteps(options, steps, failure) {
  const bench = await Workbench.open(options);
  try {
    for (const [name, step] of Object.entries(steps)) {
      try {
        await step(bench);
        console.log(`PASSED ${name}`);
      } catch (error) {
        console.log(`FAILED ${name}\n${error.stack}\nstatus bar: ${await bench.statusBar()}`);
        await bench.screenshot(failure);
        process.exitCode = 1;
        break;
      }
    }
    console.log(`STEPS ${Object.keys(steps).length}`);
  } finally {
    await bench.close();
  }
}
