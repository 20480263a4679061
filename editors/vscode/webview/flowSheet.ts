/** The sheet that the picture is on: how large it is, which part of it is in sight, and a small one of the whole. */

const STEP = 1.2;
const LEAST = 0.1;
const MOST = 4;
const LARGEST_OVERVIEW = 150;
const SVG = "http://www.w3.org/2000/svg";

export class Sheet {
  picture: SVGSVGElement | undefined;
  private zoom = 1;
  private readonly overview = document.createElement("div");
  private readonly frame = document.createElementNS(SVG, "rect");
  private wantsOverview = true;

  constructor(
    private readonly viewport: HTMLElement,
    private readonly canvas: HTMLElement,
  ) {
    this.overview.id = "overview";
    this.overview.setAttribute("aria-hidden", "true"); // what it does, arrow keys and search do
    this.frame.classList.add("frame");
    viewport.after(this.overview);
    viewport.addEventListener("scroll", () => this.drawFrame());
    new ResizeObserver(() => this.drawFrame()).observe(viewport);
    viewport.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.metaKey) {
          event.preventDefault();
          const { left, top } = viewport.getBoundingClientRect();
          this.zoomTo(this.zoom * (event.deltaY < 0 ? STEP : 1 / STEP), event.clientX - left, event.clientY - top);
        }
      },
      { passive: false },
    );
    const go = (event: PointerEvent): void => {
      const map = this.overview.querySelector("svg")?.getBoundingClientRect();
      if (map && event.buttons) {
        const { scrollWidth, scrollHeight, clientWidth, clientHeight } = viewport;
        const [x, y] = [(event.clientX - map.left) / map.width, (event.clientY - map.top) / map.height];
        viewport.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2);
      }
    };
    this.overview.addEventListener("pointerdown", go);
    this.overview.addEventListener("pointermove", go);
  }

  /** Shows a picture where the one before it was. */
  show(svg: string): void {
    const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const { scrollTop, scrollLeft } = this.viewport;
    this.picture = root instanceof SVGSVGElement ? document.importNode(root, true) : undefined;
    this.canvas.replaceChildren(...(this.picture ? [this.picture] : []));
    this.resize();
    this.viewport.scrollTo(scrollLeft, scrollTop);
    this.drawOverview();
  }

  clear(): void {
    this.picture = undefined;
    this.canvas.replaceChildren();
    this.overview.replaceChildren();
  }

  zoomBy(steps: number): void {
    this.zoomTo(this.zoom * STEP ** steps);
  }

  /** Another size; the point at these places of the viewport, its middle unless they are given, stays where it is. */
  zoomTo(zoom: number, x = this.viewport.clientWidth / 2, y = this.viewport.clientHeight / 2): void {
    if (!this.picture) {
      return;
    }
    const corner = this.viewport.getBoundingClientRect();
    const before = this.picture.getBoundingClientRect();
    const share = [(corner.left + x - before.left) / before.width, (corner.top + y - before.top) / before.height] as const;
    this.zoom = Math.min(MOST, Math.max(LEAST, zoom));
    this.resize();
    const after = this.picture.getBoundingClientRect();
    this.viewport.scrollBy(
      after.left + share[0] * after.width - (corner.left + x),
      after.top + share[1] * after.height - (corner.top + y),
    );
    this.drawFrame();
  }

  /** As large as there is room for all of it. */
  fit(): void {
    const size = this.picture?.viewBox.baseVal;
    if (size) {
      const { clientWidth, clientHeight } = this.viewport;
      this.zoomTo(Math.min(clientWidth / size.width, clientHeight / size.height, 1));
    }
  }

  get hasOverview(): boolean {
    return this.wantsOverview;
  }

  toggleOverview(): boolean {
    this.wantsOverview = !this.wantsOverview;
    this.drawFrame();
    return this.wantsOverview;
  }

  /** Brings an element into sight, if it is not. */
  bringIntoSight(element: Element): void {
    const [box, frame] = [element.getBoundingClientRect(), this.viewport.getBoundingClientRect()];
    const isInSight =
      box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right;
    if (!isInSight) {
      this.viewport.scrollBy(
        (box.left + box.right - frame.left - frame.right) / 2,
        (box.top + box.bottom - frame.top - frame.bottom) / 2,
      );
    }
  }

  private resize(): void {
    const size = this.picture?.viewBox.baseVal;
    if (this.picture && size) {
      this.picture.setAttribute("width", String(size.width * this.zoom));
      this.picture.setAttribute("height", String(size.height * this.zoom));
    }
  }

  /** Boxes of blocks and lines of edges, without a word. */
  private drawOverview(): void {
    const size = this.picture?.viewBox.baseVal;
    const drawn = this.picture?.querySelector("g");
    if (!this.picture || !size || !drawn) {
      this.overview.replaceChildren();
      return;
    }
    const scale = Math.min(LARGEST_OVERVIEW / size.width, LARGEST_OVERVIEW / size.height);
    const map = document.createElementNS(SVG, "svg");
    map.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    map.setAttribute("width", String(size.width * scale));
    map.setAttribute("height", String(size.height * scale));
    const shapes = document.createElementNS(SVG, "g");
    shapes.setAttribute("transform", drawn.getAttribute("transform") ?? "");
    for (const shape of Array.from(drawn.querySelectorAll(".edge path:not(.arrow), .block rect"))) {
      shapes.append(shape.cloneNode());
    }
    map.append(shapes, this.frame);
    this.overview.replaceChildren(map);
    this.drawFrame();
  }

  /** The part in sight; where all is, there is no overview. */
  private drawFrame(): void {
    const size = this.picture?.viewBox.baseVal;
    if (!this.picture || !size) {
      this.overview.hidden = true;
      return;
    }
    const [box, port] = [this.picture.getBoundingClientRect(), this.viewport.getBoundingClientRect()];
    this.overview.hidden = !this.wantsOverview || (box.width <= port.width + 1 && box.height <= port.height + 1);
    this.overview.style.bottom = `${window.innerHeight - port.bottom + 12}px`;
    const place = { x: port.left - box.left, y: port.top - box.top, width: port.width, height: port.height };
    for (const [name, value] of Object.entries(place)) {
      this.frame.setAttribute(name, String(value / this.zoom));
    }
  }
}
