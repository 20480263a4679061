/** What a user does in the playground. Prints how long the first finding takes, with nothing cached and with all. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SWITCHES, eventually } from "../vscode/workbench.mjs";

const { tools, browser, url, folder, screenshots } = JSON.parse(process.argv[2]);
const { chromium } = createRequire(join(tools, "/"))("playwright-core");
const launched = await chromium.launch({ executablePath: browser, args: SWITCHES });
const context = await launched.newContext({ viewport: { width: 1300, height: 820 }, acceptDownloads: true });
await context.grantPermissions(["clipboard-read", "clipboard-write"]);

/** What must never be: requests to elsewhere, and errors that nobody caught. */
const foreign = [];
const errors = [];
context.on("request", (request) => /^(data|blob):/.test(request.url()) || request.url().startsWith(url) || foreign.push(request.url()));

class Playground {
  constructor(page) {
    this.page = page;
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  }

  static async open(address = url) {
    const playground = new Playground(await context.newPage());
    await playground.page.goto(address);
    return playground;
  }

  get status() {
    return this.page.locator("#status");
  }

  get findings() {
    return this.page.locator("#findings li");
  }

  says(what, milliseconds = 60_000) {
    return eventually(`the status is ${what}`, async () => what.test(await this.status.innerText()), milliseconds);
  }

  line(text) {
    return this.page.locator(".cm-line", { hasText: text }).first();
  }

  view(name) {
    return this.page.frameLocator(`iframe[data-view="${name}"]`);
  }

  async replace(line, old, typed) {
    await this.line(line).locator("span", { hasText: old }).first().dblclick();
    await this.page.keyboard.type(typed);
    await this.page.keyboard.press("Escape");
  }

  async screenshot(name) {
    if (screenshots) {
      mkdirSync(screenshots, { recursive: true });
      await this.page.screenshot({ path: join(screenshots, `playground-${name}.png`) });
    }
  }

  /** Drops a file, as from the desktop. */
  async drop(name, data) {
    const transfer = await this.page.evaluateHandle(
      ([called, octets]) => {
        const made = new DataTransfer();
        made.items.add(new File([new Uint8Array(octets)], called));
        return made;
      },
      [name, [...data]],
    );
    await this.page.locator(".cm-content").dispatchEvent("drop", { dataTransfer: transfer });
  }
}

const steps = {
  async "a text has findings as it is typed"(playground) {
    await playground.says(/^Valid$/);
    await playground.screenshot("valid");
    await playground.replace("OpMemoryModel", "OpMemoryModel", "OpMemoryModle");
    await playground.page.locator(".cm-lintRange-error").first().waitFor();
    await playground.says(/error/);
    const entry = playground.findings.locator("button", { hasText: "OpMemoryModle" }).first();
    await entry.waitFor();
    await playground.line("OpCapability").click();
    await entry.click();
    await playground.page.locator(".cm-activeLine", { hasText: "OpMemoryModle" }).waitFor();
    await playground.screenshot("findings");
    await playground.findings.locator("button.fix", { hasText: "OpMemoryModel" }).first().click();
    await playground.line("OpMemoryModel Logical").waitFor();
    await playground.says(/^Valid$/);
    assert.equal(await playground.findings.count(), 0);
  },

  async "a hover explains what is below the pointer, and a key what is at the cursor"(playground) {
    await playground.line("OpMemoryModel").locator("span", { hasText: "OpMemoryModel" }).first().hover();
    await playground.page.locator(".cm-lsp-hover-tooltip", { hasText: "memory model" }).first().waitFor();
    await playground.screenshot("hover");
    await playground.page.mouse.move(5, 5);
    await playground.line("OpTypeVoid").locator("span", { hasText: "OpTypeVoid" }).first().click();
    await playground.page.keyboard.press("Alt+F1");
    await playground.page.locator(".cm-lsp-hover-tooltip", { hasText: "void" }).first().waitFor();
    await playground.page.keyboard.press("Escape");
    await eventually("it is gone", async () => (await playground.page.locator(".cm-lsp-hover-tooltip").count()) === 0);
  },

  async "completion offers what can stand there"(playground) {
    await playground.line("OpMemoryModel").click();
    await playground.page.keyboard.press("End");
    await playground.page.keyboard.press("Enter");
    await playground.page.keyboard.type("OpEntryP");
    await playground.page.keyboard.press("Control+Space");
    const offer = playground.page.locator(".cm-tooltip-autocomplete li", { hasText: "OpEntryPoint" }).first();
    await offer.waitFor();
    await playground.screenshot("completion");
    await playground.page.keyboard.press("Escape");
    for (let typed = 0; typed < "OpEntryP".length + 1; typed++) {
      await playground.page.keyboard.press("Backspace");
    }
    await playground.says(/^Valid$/);
  },

  async "words and text are linked"(playground) {
    const words = playground.view("binary");
    await playground.line("OpMemoryModel").locator("span", { hasText: "OpMemoryModel" }).first().click();
    const current = words.locator(".line.current");
    await eventually("its line is marked", async () => /OpMemoryModel/.test(await current.first().innerText()));
    await playground.screenshot("words");
    await words.locator(".line", { hasText: "OpCapability" }).first().locator(".word").first().click();
    await playground.page.locator(".cm-activeLine", { hasText: "OpCapability" }).waitFor();
  },

  async "the control flow is that of the function at the cursor"(playground) {
    await playground.page.locator("#tab-binary").focus();
    await playground.page.keyboard.press("ArrowRight");
    const flow = playground.view("flow");
    await eventually("all blocks are drawn", async () => (await flow.locator(".block").count()) === 7);
    await flow.locator('.block[data-block="opaque"]').click();
    await playground.page.locator(".cm-activeLine", { hasText: "%opaque = OpLabel" }).waitFor();
    await eventually("it is marked", () => flow.locator('.block.current[data-block="opaque"]').count());
    await playground.screenshot("flow");
  },

  async "the summary has what the module declares"(playground) {
    await playground.page.locator("#tab-summary").click();
    const row = playground.view("summary").locator("tr", { hasText: "uniform buffer" });
    await row.waitFor();
    assert.match(await row.innerText(), /%lights/);
    await playground.screenshot("summary");
    await row.click();
    await playground.page.locator(".cm-activeLine", { hasText: "%lights" }).waitFor();
  },

  async "another environment has other findings"(playground) {
    await playground.page.locator("#examples").selectOption("shaders/reduce.comp.spvasm");
    await playground.says(/^Valid/);
    await playground.page.locator("#environment").selectOption("vulkan1.0");
    await playground.says(/error/);
    await playground.screenshot("environment");
  },

  async "an environment that the text names is shown, and another choice changes its comment"(playground) {
    const chooser = playground.page.locator("#environment");
    const source = playground.page.locator("#environment-source");
    const text = "; spvls: target-env=vulkan1.1\nOpCapability Linkage\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n";
    await playground.drop("named.spvasm", Buffer.from(text));
    await eventually("the environment of the comment is shown", async () => (await chooser.inputValue()) === "vulkan1.1");
    await source.waitFor();
    assert.match(await chooser.getAttribute("title"), /comment of the text/);
    await playground.screenshot("environment-of-text");
    await chooser.selectOption("spv1.4");
    await playground.line("; spvls: target-env=spv1.4").waitFor();
    await eventually("it is kept", async () => (await chooser.inputValue()) === "spv1.4");
    await playground.line("target-env").click();
    await playground.page.keyboard.press("Control+z");
    await eventually("an undo is shown too", async () => (await chooser.inputValue()) === "vulkan1.1");
    await chooser.selectOption("");
    await eventually("the comment is gone", async () => (await playground.page.locator(".cm-line", { hasText: "target-env" }).count()) === 0);
    await source.waitFor({ state: "hidden" });
    assert.equal(await chooser.inputValue(), "");
    await chooser.selectOption("vulkan1.0");
    assert.equal(await playground.page.locator(".cm-line", { hasText: "target-env" }).count(), 0);
    await playground.page.locator("#examples").selectOption("shaders/reduce.comp.spvasm");
    await playground.says(/error/);
  },

  async "a link holds the text and the environment"(playground) {
    await playground.page.locator("#share").click();
    await playground.says(/The link is copied/);
    const link = await playground.page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#module=/);
    const other = await Playground.open(link);
    await other.says(/error/);
    assert.equal(await other.page.locator("#environment").inputValue(), "vulkan1.0");
    await other.line("OpCapability Shader").waitFor();
    await other.page.close();
    const damaged = await Playground.open(link.slice(0, link.length - 40));
    await damaged.says(/The link is damaged/);
    await damaged.page.close();
  },

  async "a binary is dropped, edited and saved"(playground) {
    await playground.page.locator("#environment").selectOption("");
    await playground.drop("module.spv", readFileSync(join(folder, "b.spv")));
    await playground.line("OpTypeFloat 32").waitFor();
    await playground.replace("OpTypeFloat", "32", "64");
    const download = playground.page.waitForEvent("download");
    await playground.page.locator("#save").click();
    const path = join(folder, "saved.spv");
    await (await download).saveAs(path);
    assert.equal(readFileSync(path).readUInt32LE(0), 0x07230203);
    await playground.drop("noise.spv", Buffer.from("this is no module"));
    await playground.says(/noise\.spv: /);
    await playground.screenshot("bad-file");
  },

  async "the text is there again, in the dark and without a network"(playground) {
    const { page } = playground;
    await page.evaluate(() => navigator.serviceWorker.ready);
    await eventually("all is at hand", () => page.evaluate(async () => Boolean(navigator.serviceWorker.controller)));
    writeFileSync(join(folder, "offline"), ""); // whoever runs this stops the server now
    await eventually("the server is gone", () => fetch(url).then(() => false, () => true));
    await page.emulateMedia({ colorScheme: "dark" });
    await page.reload();
    await playground.line("OpTypeFloat 64").waitFor();
    await playground.says(/^Valid|error|warning/, 120_000);
    await page.locator("#examples").selectOption("shaders/lit.frag.spvasm");
    await playground.says(/^Valid/);
    await playground.line("%head = OpLabel").click();
    await page.locator("#tab-flow").click();
    await playground.view("flow").locator(".block").first().waitFor();
    await playground.screenshot("dark");
    await page.locator("#tab-summary").click();
    await playground.view("summary").locator("tr").first().waitFor();
    await playground.screenshot("dark-summary");
    await page.locator("#tab-binary").click();
    await playground.view("binary").locator(".line").first().waitFor();
    await playground.screenshot("dark-words");
  },

  async "all that the page does can be done by keyboard"(playground) {
    const { page } = playground;
    const reached = new Set();
    await page.locator("h1").click();
    for (let i = 0; i < 14; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.className || document.activeElement?.tagName));
    }
    const names = [...reached].join(" ");
    for (const wanted of ["examples", "environment", "open", "save", "share", "cm-content", "tab-binary"]) {
      assert.match(names, new RegExp(wanted), wanted);
    }
  },
};

async function timed(what, work) {
  const began = performance.now();
  const result = await work();
  console.log(`${what}: ${Math.round(performance.now() - began)} ms`);
  return result;
}

let playground;
try {
  playground = await timed("first finding, nothing cached", async () => {
    const opened = await Playground.open();
    await opened.says(/^Valid/, 180_000);
    return opened;
  });
  await playground.page.evaluate(() => navigator.serviceWorker.ready);
  await timed("first finding, warm", async () => {
    await playground.page.reload();
    await playground.says(/^Valid/, 180_000);
  });
  for (const [name, step] of Object.entries(steps)) {
    await step(playground);
    console.log(`PASSED ${name}`);
  }
  assert.deepEqual(foreign, [], "all requests go to where the page comes from");
  assert.deepEqual(errors.filter((text) => !/ERR_CONNECTION_REFUSED/.test(text)), []);
  console.log(`STEPS ${Object.keys(steps).length}`);
} catch (error) {
  console.log(`FAILED ${error.stack}\nstatus: ${await playground?.status.innerText().catch(() => "")}\n${errors.join("\n")}`);
  await playground?.screenshot("failure");
  process.exitCode = 1;
} finally {
  await launched.close();
}
