/** The page of the binary view. Only the lines in sight are in the document, so that a large module scrolls as well. */
import { splicedLines, splicedWords } from "../src/binaryDelta";
import type { Line, Span } from "../src/binaryLayout";
import type { FromPage, ToPage } from "../src/binaryMessages";

declare function acquireVsCodeApi(): { postMessage(message: FromPage | { type: "ready" }): void };

const LINE_HEIGHT = 20;
const MARGIN_LINES = 20;

const editor = acquireVsCodeApi();
const summary = document.getElementById("summary") as HTMLElement;
const viewport = document.getElementById("viewport") as HTMLElement;
const canvas = document.getElementById("canvas") as HTMLElement;

let words: number[] = [];
let lines: Line[] = [];
let changed = new Set<number>();
let instruction: Span = [0, 0];
let token: Span = [0, 0];

function covers([word, count]: Span, index: number): boolean {
  return word <= index && index < word + count;
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

function element(className: string, text = ""): HTMLElement {
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
}

function wordElement(index: number): HTMLElement {
  const made = element("word", hex(words[index] ?? 0));
  made.dataset.word = String(index);
  made.title = `word ${index}, byte ${index * 4}`;
  made.classList.toggle("changed", changed.has(index));
  made.classList.toggle("token", covers(token, index));
  return made;
}

function lineElement(line: Line, index: number): HTMLElement {
  const made = document.createElement("div");
  made.className = `line ${line.kind}`;
  made.style.top = `${index * LINE_HEIGHT}px`;
  made.id = `line-${index}`;
  made.setAttribute("role", "option");
  made.setAttribute("aria-setsize", String(lines.length));
  made.setAttribute("aria-posinset", String(index + 1));
  if (line.kind === "gap") {
    made.dataset.gap = String(line.first);
    made.append(element("offset", "—"), element("words"), element("note", line.note));
    return made;
  }
  const isCurrent = covers(instruction, line.first);
  made.classList.toggle("current", isCurrent);
  made.setAttribute("aria-selected", String(isCurrent));
  const cells = element("words");
  for (let word = line.first; word < line.first + line.count; word++) {
    cells.append(wordElement(word));
  }
  made.append(element("offset", hex(line.first * 4)), cells, element("note", line.note));
  return made;
}

function draw(): void {
  canvas.style.height = `${lines.length * LINE_HEIGHT}px`;
  const top = Math.floor(viewport.scrollTop / LINE_HEIGHT);
  const first = Math.max(0, top - MARGIN_LINES);
  const last = top + Math.ceil(viewport.clientHeight / LINE_HEIGHT) + MARGIN_LINES;
  canvas.replaceChildren(...lines.slice(first, last).map((line, i) => lineElement(line, first + i)));
  const current = canvas.querySelector(".current");
  if (current) {
    viewport.setAttribute("aria-activedescendant", current.id);
  } else {
    viewport.removeAttribute("aria-activedescendant");
  }
}

function scrollToWord(word: number): void {
  const index = lines.findIndex((line) => line.kind !== "gap" && covers([line.first, line.count], word));
  const y = index * LINE_HEIGHT;
  const isInSight = y >= viewport.scrollTop && y + LINE_HEIGHT <= viewport.scrollTop + viewport.clientHeight;
  if (index >= 0 && !isInSight) {
    viewport.scrollTop = y - viewport.clientHeight / 3;
  }
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  document.body.classList.toggle("failed", data.type === "failed");
  if (data.type === "failed") {
    summary.textContent = data.reason;
    return;
  }
  if (data.type === "show" || data.type === "change") {
    words = data.type === "show" ? data.words : splicedWords(words, data.words);
    lines = data.type === "show" ? data.lines : splicedLines(lines, data.lines);
    summary.textContent = data.summary;
    changed = new Set(data.changed.flatMap(([word, count]) => Array.from({ length: count }, (_, i) => word + i)));
  } else {
    ({ instruction, token } = data);
    scrollToWord(token[0]);
  }
  draw();
});

canvas.addEventListener("click", ({ target }) => {
  const cell = (target as HTMLElement).closest<HTMLElement>("[data-word]");
  const line = (target as HTMLElement).closest<HTMLElement>(".line");
  const word = cell ?? line?.querySelector<HTMLElement>("[data-word]");
  if (word) {
    editor.postMessage({ type: "revealWord", word: Number(word.dataset.word) });
  } else if (line?.dataset.gap) {
    editor.postMessage({ type: "revealGap", gap: Number(line.dataset.gap) });
  }
});

/** The arrow keys lead from instruction to instruction. */
viewport.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const current = lines.findIndex(({ kind, first }) => kind === "instruction" && covers(instruction, first));
  if (!step) {
    return;
  }
  event.preventDefault();
  let next = current < 0 ? 0 : current + step;
  while (lines[next] && lines[next]?.kind !== "instruction") {
    next += current < 0 ? 1 : step;
  }
  const line = lines[next];
  if (line) {
    editor.postMessage({ type: "revealWord", word: line.first });
  }
});
viewport.addEventListener("scroll", draw);
window.addEventListener("resize", draw);
editor.postMessage({ type: "ready" });
