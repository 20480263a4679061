/** The views beside the text, of which one is in sight: the pages are those of the VS Code extension. */
import { LSPPlugin } from "@codemirror/lsp-client";
import type { LSPClient } from "@codemirror/lsp-client";
import { EditorView } from "@codemirror/view";
import type { Position, Range } from "vscode-languageserver-protocol";
import type { FromPage as FromBinary, ToPage as ToBinary } from "../../vscode/src/binaryMessages";
import { BinaryModel } from "../../vscode/src/binaryModel";
import type { FromPage as FromFlow, ToPage as ToFlow } from "../../vscode/src/flowMessages";
import { FlowModel } from "../../vscode/src/flowModel";
import type { BinaryDelta, BinaryResult, FlowResult, Summary } from "../../vscode/src/protocol";
import type { FromPage as FromSummary, ToPage as ToSummary } from "../../vscode/src/summaryMessages";
import { URI } from "./editor";

/** What the views need of the editor and the server. */
export class Subject {
  constructor(
    readonly client: LSPClient,
    readonly view: EditorView,
  ) {}

  /** Version of the document that the server has seen; an answer for it fits the text while no edit has been made since. */
  get version(): number | undefined {
    return this.client.workspace.getFile(URI)?.version;
  }

  get isInStep(): boolean {
    return LSPPlugin.get(this.view)?.unsyncedChanges.empty ?? false;
  }

  ask<R>(method: string, params: object = {}): Promise<R> {
    return this.client.request(method, { textDocument: { uri: URI }, ...params });
  }

  get cursor(): Position {
    const { head } = this.view.state.selection.main;
    const line = this.view.state.doc.lineAt(head);
    return { line: line.number - 1, character: head - line.from };
  }

  offset({ line, character }: Position): number {
    const { doc } = this.view.state;
    const found = doc.line(Math.min(line + 1, doc.lines));
    return Math.min(found.from + character, found.to);
  }

  textOf({ start, end }: Range): string {
    return this.view.state.sliceDoc(this.offset(start), this.offset(end));
  }

  reveal(range: Range | null | undefined): void {
    if (range) {
      const [head, anchor] = [this.offset(range.start), this.offset(range.end)];
      this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(head, { y: "center" }) });
    }
  }
}

type ToPage = ToBinary | ToFlow | ToSummary;

/** One view. */
abstract class View {
  constructor(
    protected readonly subject: Subject,
    protected readonly post: (message: ToPage) => void,
  ) {}

  /** Asks the server, and shows what it answers. */
  abstract refresh(): Promise<void>;

  abstract receive(message: unknown): void;

  /** The cursor moved; whether the view must be refreshed for that. */
  abstract select(): boolean;
}

class BinaryView extends View {
  private readonly model = new BinaryModel((range) => this.subject.textOf(range));

  async refresh(): Promise<void> {
    const answer = await this.subject.ask<BinaryResult | BinaryDelta>("spvls/binary", { since: this.model.since, position: this.subject.cursor });
    this.model.learn(answer);
    if (this.subject.isInStep && answer.version === this.subject.version) {
      this.model.update();
      if (this.model.whole) {
        this.post(this.model.whole);
      }
      this.select();
    }
  }

  receive(message: unknown): void {
    this.subject.reveal(this.model.rangeOf(message as FromBinary));
  }

  select(): boolean {
    const selection = this.model.selection(this.subject.cursor);
    if (selection) {
      this.post(selection);
    }
    return !this.model.covers(this.subject.cursor);
  }
}

class FlowView extends View {
  private readonly model = new FlowModel(
    (position, all) => this.subject.ask<FlowResult>("spvls/cfg", { position, ...(all ? { all } : { format: "svg" }) }),
    () => this.subject.cursor,
  );

  async refresh(): Promise<void> {
    const found = await this.model.find();
    if (this.subject.isInStep) {
      this.post(this.model.show(found));
    }
  }

  receive(message: unknown): void {
    this.subject.reveal(this.model.rangeOf(message as FromFlow));
  }

  select(): boolean {
    const mark = this.model.selection(this.subject.cursor);
    if (mark) {
      this.post(mark);
    }
    return !mark;
  }
}

class SummaryView extends View {
  private lines: Range | undefined;

  async refresh(): Promise<void> {
    const { details, range } = await this.subject.ask<Summary>("spvls/summary", { format: "json", position: this.subject.cursor });
    this.lines = range;
    if (details && this.subject.isInStep) {
      this.post({ type: "show", details });
    }
  }

  receive(message: unknown): void {
    this.subject.reveal((message as FromSummary).range);
  }

  select(): boolean {
    const { line } = this.subject.cursor;
    return !this.lines || line < this.lines.start.line || line >= this.lines.end.line;
  }
}

const KINDS = { binary: BinaryView, flow: FlowView, summary: SummaryView };
type Kind = keyof typeof KINDS;

/** The tabs, and the pages below them. */
export class Views {
  private shown: Kind = "binary";
  private readonly views = new Map<Kind, View>();
  private readonly tabs: HTMLElement[];

  constructor(
    subject: Subject,
    tabs: HTMLElement,
    private readonly panel: HTMLElement,
    private readonly changed: () => void,
  ) {
    this.tabs = [...tabs.querySelectorAll<HTMLElement>('[role="tab"]')];
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const page = (): Window | null => this.frame(kind).contentWindow;
      this.views.set(kind, new KINDS[kind](subject, (message) => page()?.postMessage(message, location.origin)));
    }
    this.tabs.forEach((tab, i) => {
      tab.addEventListener("click", () => this.choose(tab));
      tab.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const next = step && this.tabs[(i + step + this.tabs.length) % this.tabs.length];
        if (next) {
          this.choose(next);
          next.focus();
        }
      });
    });
    addEventListener("message", ({ source, origin, data }: MessageEvent<{ type: string }>) => {
      const kind = (Object.keys(KINDS) as Kind[]).find((name) => this.frame(name).contentWindow === source);
      if (!kind || origin !== location.origin) {
        return;
      }
      if (data.type === "ready") {
        this.changed();
      } else {
        this.views.get(kind)?.receive(data);
      }
    });
  }

  /** Asks for what the view in sight shows. */
  async refresh(): Promise<void> {
    const kind = this.shown;
    try {
      await this.views.get(kind)?.refresh();
    } catch (error) {
      const reason = error instanceof Error ? error.message : (error as { message: string }).message;
      this.frame(kind).contentWindow?.postMessage({ type: "failed", reason }, location.origin);
    }
  }

  /** The cursor moved. */
  select(): void {
    if (this.views.get(this.shown)?.select()) {
      this.changed();
    }
  }

  private frame(kind: Kind): HTMLIFrameElement {
    return this.panel.querySelector(`[data-view="${kind}"]`) as HTMLIFrameElement;
  }

  private choose(chosen: HTMLElement): void {
    this.shown = chosen.id.replace("tab-", "") as Kind;
    for (const tab of this.tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      this.frame(tab.id.replace("tab-", "") as Kind).hidden = !isChosen;
    }
    this.panel.setAttribute("aria-labelledby", chosen.id);
    this.changed();
  }
}
