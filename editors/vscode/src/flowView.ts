/** Control flow beside the text: the graph of the function that the cursor is in. */
import type * as vscode from "vscode";
import type { Range } from "vscode-languageclient/lib/common/api";
import type { FromPage, ToPage } from "./flowMessages";
import { LivePanel } from "./livePanel";
import type { PanelKind } from "./livePanel";
import { controlFlow } from "./protocol";
import type { FlowFunction } from "./protocol";
import type { Server } from "./server";

const KIND: PanelKind = {
  name: "flow",
  title: "control flow",
  pause: 120,
  body: '<main id="viewport" tabindex="0"><div id="canvas"></div></main>',
};

function titleOf({ name, blocks, constructs }: FlowFunction): string {
  const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const loops = constructs.filter(({ kind }) => kind === "loop").length;
  return [name, plural(blocks.length, "block"), ...(loops ? [plural(loops, "loop")] : [])].join(" · ");
}

/** Whether a range has something on the line of a position. */
function touches({ start, end }: Range, { line }: { line: number }): boolean {
  return start.line <= line && line <= end.line;
}

export class FlowView extends LivePanel<ToPage, FromPage> {
  private shown: FlowFunction | undefined;

  constructor(document: vscode.TextDocument, server: Server, extension: vscode.Uri, onClose: () => void) {
    super(document, server, extension, KIND, onClose);
  }

  protected resume(): void {
    if (this.shown) {
      this.post({ type: "show", title: titleOf(this.shown), svg: this.shown.svg ?? "", block: this.blockAtCursor() });
    }
  }

  protected receive({ block }: FromPage): void {
    this.revealText(this.shown?.blocks.find(({ id }) => id === block)?.range);
  }

  /** Another function is asked for; within the one in sight its block is marked. */
  protected select(position: vscode.Position): void {
    if (this.shown && touches(this.shown.range, position)) {
      this.post({ type: "mark", block: this.blockAtCursor() });
    } else {
      this.schedule();
    }
  }

  protected async refresh(): Promise<void> {
    const { version } = this.document;
    const found = (await this.at(this.editor?.selection.active)) ?? (await this.another());
    if (version !== this.document.version) {
      return;
    }
    this.shown = found;
    if (found) {
      this.resume();
    } else {
      this.post({ type: "failed", reason: "There is no function with a body." });
    }
  }

  /** The function around a position, with its picture. */
  private async at(position: { line: number; character: number } | undefined): Promise<FlowFunction | undefined> {
    if (!position) {
      return undefined;
    }
    const params = { textDocument: this.uri, position, format: "svg" as const };
    const [found] = (await this.server.request(controlFlow, params)).functions;
    return found?.blocks.length && touches(found.range, position) ? found : undefined;
  }

  /** While the cursor is in no function, the one in sight stays; at first it is the first one. */
  private async another(): Promise<FlowFunction | undefined> {
    const { functions } = await this.server.request(controlFlow, { textDocument: this.uri });
    const whole = functions.filter(({ blocks }) => blocks.length);
    const chosen = whole.find(({ id }) => id === this.shown?.id) ?? whole[0];
    return this.at(chosen?.range.start);
  }

  private blockAtCursor(): string | undefined {
    const position = this.editor?.selection.active;
    return position && this.shown?.blocks.find(({ range }) => touches(range, position))?.id;
  }
}
