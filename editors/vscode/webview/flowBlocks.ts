/** The blocks of the picture: which one is current, how arrow keys go on, what a search finds, what dominates what. */
import type { Sheet } from "./flowSheet";

const onto = { ArrowDown: 1, ArrowUp: -1 } as const;
const aside = { ArrowRight: 1, ArrowLeft: -1 } as const;

interface Edge {
  source: string;
  target: string;
  title: string;
}

export class Blocks {
  private all: SVGGElement[] = [];
  private edges: Edge[] = [];
  private dominators: Record<string, string | null> = {};
  private showsDominators = false;
  private current: string | undefined;
  private hit = -1;

  constructor(
    private readonly sheet: Sheet,
    private readonly line: HTMLElement,
    private readonly reveal: (block: string) => void,
  ) {
    const pointed = ({ target }: Event): string | undefined => (target as Element).closest<SVGElement>("[data-block]")?.dataset.block;
    document.getElementById("canvas")?.addEventListener("click", (event) => {
      const block = pointed(event);
      if (block !== undefined) {
        this.reveal(block);
      }
    });
    document.getElementById("canvas")?.addEventListener("focusin", (event) => {
      const block = pointed(event);
      if (block !== undefined && block !== this.current) {
        this.mark(block);
      }
    });
  }

  /** Takes note of the picture that is shown. */
  read(dominators: Record<string, string | null>): void {
    const picture = this.sheet.picture;
    this.dominators = dominators;
    this.all = picture ? Array.from(picture.querySelectorAll<SVGGElement>("[data-block]")) : [];
    this.edges = (picture ? Array.from(picture.querySelectorAll<SVGGElement>(".edge")) : []).map((edge) => ({
      source: edge.dataset.source ?? "",
      target: edge.dataset.target ?? "",
      title: edge.querySelector("text")?.textContent ?? "",
    }));
    picture?.setAttribute("role", "group");
    picture?.querySelectorAll(".edge, .construct").forEach((part) => part.setAttribute("aria-hidden", "true"));
    for (const block of this.all) {
      block.setAttribute("role", "button");
      block.setAttribute("tabindex", "-1");
      block.setAttribute("aria-label", this.spoken(block));
    }
    this.all[0]?.setAttribute("tabindex", "0");
  }

  /** What a block is and where it leads, in words. */
  private spoken(block: SVGGElement): string {
    const words = Array.from(block.querySelectorAll("text")).map((text) => text.textContent);
    const ways = this.edges
      .filter(({ source }) => source === block.dataset.block)
      .map(({ target, title }) => `${title ? `if ${title} ` : ""}to ${target}`);
    return `Block ${[...words, ...(ways.length ? [`goes ${ways.join(", ")}`] : [])].join(", ")}`;
  }

  mark(block: string | undefined): void {
    this.current = block;
    for (const element of this.all) {
      const isCurrent = element.dataset.block === block;
      element.classList.toggle("current", isCurrent);
      if (isCurrent) {
        element.setAttribute("aria-current", "true");
        this.all.forEach((other) => other.setAttribute("tabindex", other === element ? "0" : "-1"));
        this.sheet.bringIntoSight(element);
      } else {
        element.removeAttribute("aria-current");
      }
    }
    this.markDominators();
  }

  focus(block = this.current ?? this.all[0]?.dataset.block): void {
    this.all.find(({ dataset }) => dataset.block === block)?.focus({ preventScroll: true });
  }

  /** Goes where a key says; whether it is one of them. */
  follow(key: string): boolean {
    if (key === "Enter" || key === " ") {
      if (this.current !== undefined) {
        this.reveal(this.current);
      }
      return this.current !== undefined;
    }
    const next =
      this.current === undefined ? this.all[0] : key in onto ? this.along(onto[key as keyof typeof onto]) : this.beside(aside[key as keyof typeof aside]);
    if (!(key in onto) && !(key in aside)) {
      return false;
    }
    if (next?.dataset.block !== undefined) {
      this.mark(next.dataset.block);
      this.focus();
    }
    return true;
  }

  /** The first block that the current one leads to, or that leads to it; without one, the next in the text. */
  private along(step: 1 | -1): SVGGElement | undefined {
    const at = this.all.findIndex(({ dataset }) => dataset.block === this.current);
    const names = this.edges.flatMap(({ source, target }) =>
      step === 1 ? (source === this.current ? [target] : []) : target === this.current ? [source] : [],
    );
    const near = names.map((name) => this.all.findIndex(({ dataset }) => dataset.block === name));
    const onward = near.find((other) => (other - at) * step > 0);
    return this.all[onward ?? at + step];
  }

  /** The nearest block on one side. */
  private beside(step: 1 | -1 | undefined): SVGGElement | undefined {
    const own = this.all.find(({ dataset }) => dataset.block === this.current)?.getBoundingClientRect();
    if (!own || step === undefined) {
      return undefined;
    }
    const middle = (box: DOMRect): [number, number] => [box.left + box.width / 2, box.top + box.height / 2];
    const [x, y] = middle(own);
    const away = this.all.flatMap((block) => {
      const [otherX, otherY] = middle(block.getBoundingClientRect());
      return (otherX - x) * step > 1 ? [{ block, far: Math.hypot(otherX - x, 2 * (otherY - y)) }] : [];
    });
    return away.sort((one, other) => one.far - other.far)[0]?.block;
  }

  /** Marks what has a text in it, and goes on by a number of hits. */
  search(text: string, step: number): { at: number; found: number } {
    const wanted = text.toLowerCase();
    const hits = this.all.filter((block) => {
      const isHit = wanted !== "" && (block.textContent ?? "").toLowerCase().includes(wanted);
      block.classList.toggle("found", isHit);
      return isHit;
    });
    this.hit = hits.length ? (step ? this.hit + step + hits.length : 0) % hits.length : -1;
    const block = hits[this.hit]?.dataset.block;
    if (block !== undefined) {
      this.mark(block);
    }
    return { at: this.hit, found: hits.length };
  }

  toggleDominators(): boolean {
    this.showsDominators = !this.showsDominators;
    this.markDominators();
    return this.showsDominators;
  }

  private markDominators(): void {
    const above = this.current !== undefined ? this.above(this.current) : [];
    const below = this.all.flatMap(({ dataset: { block = "" } }) => (this.above(block).includes(this.current ?? "") ? [block] : []));
    for (const element of this.all) {
      const { block = "" } = element.dataset;
      element.classList.toggle("dominator", this.showsDominators && above.includes(block));
      element.classList.toggle("dominated", this.showsDominators && below.includes(block));
    }
    const told = (names: string[]): string => names.map((name) => `%${name}`).join(", ") || "none";
    this.line.textContent =
      this.showsDominators && this.current !== undefined
        ? `%${this.current} is dominated by: ${told(above)} · dominates: ${told(below)}`
        : "";
  }

  /** The blocks that dominate a block, the nearest first. */
  private above(block: string): string[] {
    const found: string[] = [];
    for (let next = this.dominators[block]; next != null && !found.includes(next); next = this.dominators[next]) {
      found.push(next);
    }
    return found;
  }
}
