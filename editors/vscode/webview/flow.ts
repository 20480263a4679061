/** The page of the view of control flow. The picture comes from the server; here it is marked, searched, moved and sized. */
import type { FromPage, ToPage } from "../src/flowMessages";
import { Blocks } from "./flowBlocks";
import { Sheet } from "./flowSheet";

declare function acquireVsCodeApi(): { postMessage(message: FromPage | { type: "ready" }): void };

const editor = acquireVsCodeApi();
const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;

const summary = byId("summary");
const viewport = byId("viewport");

/** The tools above the picture; `VIEW` in `flowModel.ts` has no more than the place of the picture. */
function tools(): { bar: HTMLElement; search: HTMLInputElement; count: HTMLElement; help: HTMLElement; line: HTMLElement } {
  const bar = document.createElement("div");
  bar.id = "tools";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Control flow");
  const search = document.createElement("input");
  Object.assign(search, { type: "search", id: "search", placeholder: "Search blocks", spellcheck: false });
  search.setAttribute("aria-label", "Search blocks");
  const count = document.createElement("span");
  count.id = "count";
  count.setAttribute("role", "status");
  bar.append(search, count);
  for (const [key, { title, run, toggles }] of Object.entries(KEYS)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.title = `${title} (${key})`;
    button.setAttribute("aria-keyshortcuts", key);
    button.dataset.key = key;
    if (toggles) {
      button.setAttribute("aria-pressed", "false");
    }
    button.addEventListener("click", run);
    bar.append(button);
  }
  const line = document.createElement("div");
  line.id = "line";
  line.setAttribute("role", "status");
  const help = document.createElement("footer");
  help.id = "help";
  help.textContent =
    "Arrow keys: from block to block · Enter: show its text · / search, n next · f fit · + − 0 zoom · o overview · d dominators · ? this line";
  viewport.before(bar);
  viewport.after(line, help);
  return { bar, search, count, help, line };
}

interface Key {
  title: string;
  run: () => void;
  toggles?: boolean;
}

const KEYS: Record<string, Key> = {
  f: { title: "Fit", run: () => sheet.fit() },
  "-": { title: "Zoom out", run: () => sheet.zoomBy(-1) },
  "+": { title: "Zoom in", run: () => sheet.zoomBy(1) },
  o: { title: "Overview", toggles: true, run: () => press("o", sheet.toggleOverview()) },
  d: { title: "Dominators", toggles: true, run: () => press("d", blocks.toggleDominators()) },
  "?": { title: "Help", toggles: true, run: () => press("?", !help.toggleAttribute("hidden")) },
};

const { bar, search, count, help, line } = tools();
const sheet = new Sheet(viewport, byId("canvas"));
const blocks = new Blocks(sheet, line, (block) => editor.postMessage({ type: "revealBlock", block }));
press("?", true);
press("o", sheet.hasOverview);

function press(key: string, isOn: boolean): void {
  bar.querySelector(`[data-key="${key}"]`)?.setAttribute("aria-pressed", String(isOn));
}

function find(step: number): void {
  const { at, found } = blocks.search(search.value, step);
  count.textContent = search.value ? (found ? `${at + 1} of ${found}` : "none") : "";
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.type === "failed") {
    document.body.classList.add("failed");
    summary.textContent = data.reason;
    sheet.clear();
    return;
  }
  if (data.type === "show") {
    document.body.classList.remove("failed");
    summary.textContent = data.title;
    sheet.show(data.svg);
    blocks.read(data.dominators);
    find(0);
  }
  blocks.mark(data.block);
});

search.addEventListener("input", () => find(0));
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    find(event.shiftKey ? -1 : 1);
  } else if (event.key === "Escape") {
    search.value = "";
    find(0);
    blocks.focus();
  }
});

window.addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.target === search || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const known = KEYS[key];
  if (key === "/") {
    search.select();
  } else if (key === "n" || key === "N") {
    find(key === "n" ? 1 : -1);
  } else if (key === "0") {
    sheet.zoomTo(1);
  } else if (known) {
    known.run();
  } else if (!(event.target instanceof HTMLButtonElement) && blocks.follow(key)) {
    // from block to block
  } else {
    return;
  }
  event.preventDefault();
});
editor.postMessage({ type: "ready" });
