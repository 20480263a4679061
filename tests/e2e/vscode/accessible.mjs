/** The views in four themes: contrast of all that is read, and names and roles of all that keys reach. */
import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { change, eventually, runSteps } from "./workbench.mjs";

const options = JSON.parse(process.argv[2]);
const SETTINGS = join(options.folder, ".vscode", "settings.json");
const THEMES = {
  light: ["Default Light Modern", "vs"],
  dark: ["Default Dark Modern", "vs-dark"],
  "high-contrast": ["Default High Contrast", "hc-black"],
  "high-contrast-light": ["Default High Contrast Light", "hc-light"],
};
/** What is added to the names of pictures that are taken in a theme. */
const PICTURED = { light: "", dark: "-dark" };
const VIEWS = { binary: "SPIR-V: Show Binary", flow: "SPIR-V: Show Control Flow", summary: "SPIR-V: Show Module Summary" };
const READY = { binary: ".line.instruction", flow: ".block", summary: "table" };

/** What is wrong with a page, by WCAG 2.2 at level AA: contrast of texts (1.4.3) and of lines that matter (1.4.11), names and roles (4.1.2). */
function faults() {
  const rgba = (color) => {
    const [red, green, blue, alpha = 1] = (/^rgba?\((.*)\)$/.exec(color)?.[1] ?? "0,0,0,0").split(/[ ,/]+/).map(Number);
    return { parts: [red, green, blue], alpha };
  };
  const over = (top, below) => ({ parts: top.parts.map((part, at) => part * top.alpha + below.parts[at] * (1 - top.alpha)), alpha: 1 });
  const luminance = ({ parts }) => {
    const [red, green, blue] = parts.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      layers.push(at instanceof SVGElement && at.matches(".block") ? rgba(getComputedStyle(at.querySelector("rect")).fill) : rgba(style.backgroundColor));
    }
    const paper = getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background").trim();
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = paper;
    const base = rgba(getComputedStyle(probe).color);
    probe.remove();
    return layers.reverse().reduce((below, top) => over(top, below), base);
  };
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const found = [];
  const say = (element, what) => found.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!hasText || !isShown(element) || element.closest("script, style, title, .unseen, thead[style]") || element.tagName === "title") {
      continue;
    }
    const style = getComputedStyle(element);
    const ink = rgba(element instanceof SVGElement ? style.fill : style.color);
    const below = ground(element);
    const measured = contrast(over(ink, below), below);
    if (measured < 4.5) {
      say(element, `text with a contrast of ${measured.toFixed(2)}`);
    }
  }
  for (const line of document.querySelectorAll("#canvas .edge path, #canvas .block.current rect")) {
    const below = ground(line.ownerSVGElement.parentElement);
    const style = getComputedStyle(line);
    const measured = contrast(over(rgba(style.stroke === "none" ? style.fill : style.stroke), below), below);
    if (measured < 3) {
      say(line, `line with a contrast of ${measured.toFixed(2)}`);
    }
  }
  const named = (element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim();
  const controls = "button, input, a[href], [tabindex], [role=button], [role=link], [role=option], [role=listbox], [role=table]";
  for (const element of document.querySelectorAll(controls)) {
    if (!named(element)) {
      say(element, "no name");
    }
    if (element.matches("[tabindex]:not(main, button, input)") && !element.getAttribute("role")) {
      say(element, "keys reach it, and it has no role");
    }
    if (element.tabIndex > 0) {
      say(element, "an order of its own");
    }
  }
  for (const element of document.querySelectorAll("[aria-hidden=true] [tabindex='0'], [role=img] [tabindex]")) {
    say(element, "hidden from screen readers, and keys reach it");
  }
  for (const cell of document.querySelectorAll("[role=cell]")) {
    if (!cell.closest("[role=row]")?.closest("[role=table]")) {
      say(cell, "a cell of no table");
    }
  }
  if (!document.documentElement.lang || !document.title || !document.querySelector("main")) {
    found.push("the page lacks a language, a title or a main part");
  }
  return [...new Set(found)].slice(0, 12);
}

async function useTheme(bench, name) {
  const settings = JSON.parse(readFileSync(SETTINGS, "utf8"));
  const themed = bench.page.locator(`.monaco-workbench.${THEMES[name][1]}`);
  await change(SETTINGS, { ...settings, "workbench.colorTheme": THEMES[name][0] }, `the theme ${name} is used`, () => themed.count());
  await new Promise((resolve) => setTimeout(resolve, 800)); // the pages follow a little later
}

const steps = {
  /** Those of the walkthrough that show no view; the views are pictured below. */
  async "the walkthrough has its pictures in both themes"(bench) {
    await bench.openFile("lit.spvasm");
    await eventually("the module is valid", () => bench.status.locator(".codicon-check").count());
    for (const [theme, suffix] of Object.entries(PICTURED)) {
      await useTheme(bench, theme);
      await bench.goTo("OpImageSampleImplicitLod");
      await bench.hover(bench.token("OpImageSampleImplicitLod", "OpImageSampleImplicitLod"));
      await bench.picture(`hover${suffix}`);
      await bench.screenshot(`hover-${theme}`);
      await bench.page.keyboard.press("Escape");
      await bench.page.mouse.move(700, 10);
      await bench.run("SPIR-V: Choose Target Environment");
      await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: "Vulkan 1.4" }).waitFor();
      await bench.picture(`environment${suffix}`);
      await bench.screenshot(`environment-${theme}`);
      await bench.page.keyboard.press("Escape");
    }
    writeFileSync(join(options.folder, "new.spvasm"), "");
    await bench.openFile("new.spvasm");
    for (const [theme, suffix] of Object.entries(PICTURED)) {
      await useTheme(bench, theme);
      await bench.page.locator(".editor-instance .view-line").first().click();
      await bench.page.keyboard.press("Control+Space");
      await bench.page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "fragment shader" }).waitFor();
      await bench.picture(`writing${suffix}`);
      await bench.screenshot(`writing-${theme}`);
      await bench.page.keyboard.press("Escape");
    }
  },
};
for (const [view, command] of Object.entries(VIEWS)) {
  steps[`the ${view} view is readable in each theme, and by keys and screen readers`] = async (bench) => {
    await bench.run("View: Close All Editors");
    await bench.openFile("lit.spvasm");
    await bench.goTo("%head = OpLabel");
    await bench.run(command);
    await bench.webview.locator(READY[view]).first().waitFor();
    const found = {};
    for (const theme of Object.keys(THEMES)) {
      await useTheme(bench, theme);
      await bench.screenshot(`${view}-${theme}`);
      if (theme in PICTURED) {
        await bench.picture(view + PICTURED[theme]);
      }
      found[theme] = await bench.webview.locator("body").evaluate(faults);
    }
    assert.deepEqual(found, Object.fromEntries(Object.keys(THEMES).map((theme) => [theme, []])));
  };
}

steps["what is faulty is found"] = async (bench) => {
  await bench.webview.locator("body").evaluate((body) => {
    body.insertAdjacentHTML("beforeend", '<p style="color: #888; background: #999">gray</p><div tabindex="0"></div>');
  });
  const found = await bench.webview.locator("body").evaluate(faults);
  assert.match(found.join("\n"), /^text with a contrast of 1\.\d+: <p[^]*no name: <div[^]*has no role: <div/);
};

await runSteps(options, steps, "accessible-failed");
