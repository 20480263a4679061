/** What the view of control flow knows: the function in sight. No editor in here. */
import type { Position, Range } from "vscode-languageserver-types";
import type { FromPage, ToPage } from "./flowMessages";
import type { FlowFunction, FlowResult } from "./protocol";

export const FLOW_BODY = '<main id="viewport" tabindex="0" aria-label="Control flow of the function at the cursor"><div id="canvas"></div></main>';

/** Asks the server for functions: the one around a position with its picture, or all of the module there without. */
type Ask = (position: Position | undefined, all: boolean) => Promise<FlowResult>;

function titleOf({ name, blocks, constructs }: FlowFunction): string {
  const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const loops = constructs.filter(({ kind }) => kind === "loop").length;
  return [name, plural(blocks.length, "block"), ...(loops ? [plural(loops, "loop")] : [])].join(" · ");
}

/** Whether a range has something on the line of a position. */
function touches({ start, end }: Range, { line }: { line: number }): boolean {
  return start.line <= line && line <= end.line;
}

export class FlowModel {
  private shown: FlowFunction | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly cursor: () => Position | undefined,
  ) {}

  /** All that a page shows. */
  get whole(): ToPage | undefined {
    if (!this.shown) {
      return undefined;
    }
    const { svg = "", blocks } = this.shown;
    const dominators = Object.fromEntries(blocks.map(({ id, dominator }) => [id, dominator]));
    return { type: "show", title: titleOf(this.shown), svg, block: this.blockAtCursor(), dominators };
  }

  /** Where in the text is the block that the user pointed at. */
  rangeOf({ block }: FromPage): Range | undefined {
    return this.shown?.blocks.find(({ id }) => id === block)?.range;
  }

  /** What the cursor is on in the function in sight; undefined in another one, which is to be asked for. */
  selection(position: Position): ToPage | undefined {
    return this.shown && touches(this.shown.range, position) ? { type: "mark", block: this.blockAtCursor() } : undefined;
  }

  /** The function to show now. */
  async find(): Promise<FlowFunction | undefined> {
    return (await this.at(this.cursor())) ?? (await this.another());
  }

  show(found: FlowFunction | undefined): ToPage {
    this.shown = found;
    return this.whole ?? { type: "failed", reason: "There is no function with a body." };
  }

  /** The function around a position, with its picture. */
  private async at(position: Position | undefined): Promise<FlowFunction | undefined> {
    if (!position) {
      return undefined;
    }
    const [found] = (await this.ask(position, false)).functions;
    return found?.blocks.length && touches(found.range, position) ? found : undefined;
  }

  /** While the cursor is in no function, the one in sight stays; at first it is the first one. */
  private async another(): Promise<FlowFunction | undefined> {
    const { functions } = await this.ask(this.cursor(), true);
    const whole = functions.filter(({ blocks }) => blocks.length);
    const chosen = whole.find(({ id }) => id === this.shown?.id) ?? whole[0];
    return this.at(chosen?.range.start);
  }

  private blockAtCursor(): string | undefined {
    const position = this.cursor();
    return position && this.shown?.blocks.find(({ range }) => touches(range, position))?.id;
  }
}
