/** The page of the view of control flow. The picture comes from the server; here it is marked, moved and sized. */
import type { FromPage, ToPage } from "../src/flowMessages";

declare function acquireVsCodeApi(): { postMessage(message: FromPage | { type: "ready" }): void };

const STEP = 1.2;
const LEAST = 0.2;
const MOST = 4;

const editor = acquireVsCodeApi();
const summary = document.getElementById("summary") as HTMLElement;
const viewport = document.getElementById("viewport") as HTMLElement;
const canvas = document.getElementById("canvas") as HTMLElement;

let picture: SVGSVGElement | undefined;
let zoom = 1;

function resize(): void {
  const size = picture?.viewBox.baseVal;
  if (picture && size) {
    picture.setAttribute("width", String(size.width * zoom));
    picture.setAttribute("height", String(size.height * zoom));
  }
}

function parsed(svg: string): SVGSVGElement | undefined {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return root instanceof SVGSVGElement ? document.importNode(root, true) : undefined;
}

function blockElement(block: string | undefined): Element | null {
  return block === undefined ? null : canvas.querySelector(`[data-block="${CSS.escape(block)}"]`);
}

function mark(block: string | undefined): void {
  canvas.querySelectorAll(".current").forEach((element) => element.classList.remove("current"));
  const element = blockElement(block);
  if (!element) {
    return;
  }
  element.classList.add("current");
  const [box, frame] = [element.getBoundingClientRect(), viewport.getBoundingClientRect()];
  const isInSight =
    box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right;
  if (!isInSight) {
    element.scrollIntoView({ block: "center", inline: "center" });
  }
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.type === "failed") {
    document.body.classList.add("failed");
    summary.textContent = data.reason;
    canvas.replaceChildren();
    return;
  }
  if (data.type === "show") {
    document.body.classList.remove("failed");
    summary.textContent = data.title;
    picture = parsed(data.svg);
    const { scrollTop, scrollLeft } = viewport;
    canvas.replaceChildren(...(picture ? [picture] : []));
    canvas.querySelectorAll("[data-block]").forEach((block) => block.setAttribute("tabindex", "0"));
    resize();
    viewport.scrollTo(scrollLeft, scrollTop);
  }
  mark(data.block);
});

function reveal({ target }: Event): void {
  const block = (target as Element).closest<SVGElement>("[data-block]")?.dataset.block;
  if (block !== undefined) {
    editor.postMessage({ type: "revealBlock", block });
  }
}

canvas.addEventListener("click", reveal);
canvas.addEventListener("keydown", (event) => event.key === "Enter" && reveal(event));

function zoomBy(factor: number): void {
  zoom = factor ? Math.min(MOST, Math.max(LEAST, zoom * factor)) : 1;
  resize();
}

viewport.addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? STEP : 1 / STEP);
    }
  },
  { passive: false },
);
viewport.addEventListener("keydown", ({ key }) => {
  const factor = { "+": STEP, "-": 1 / STEP, "0": 0 }[key];
  if (factor !== undefined) {
    zoomBy(factor);
  }
});
editor.postMessage({ type: "ready" });
