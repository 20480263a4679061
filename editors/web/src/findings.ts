/** The findings of the text: marks in the editor, and a list whose entries lead to them. */
import { setDiagnostics } from "@codemirror/lint";
import type { Action, Diagnostic as Mark } from "@codemirror/lint";
import { LSPPlugin } from "@codemirror/lsp-client";
import type { LSPClient } from "@codemirror/lsp-client";
import { EditorView } from "@codemirror/view";
import type { CodeAction, Diagnostic, DocumentDiagnosticReport } from "vscode-languageserver-protocol";
import { URI } from "./editor";

/** Entries of the list; the marks are all there. */
const MOST_LISTED = 200;
const SEVERITIES = ["error", "warning", "info", "hint"] as const;

function severityOf({ severity }: Diagnostic): Mark["severity"] {
  return SEVERITIES[(severity ?? 1) - 1] ?? "error";
}

export class Findings {
  private previousResultId: string | undefined;

  constructor(
    private readonly client: LSPClient,
    private readonly view: EditorView,
    private readonly list: HTMLElement,
  ) {}

  /** Asks the server, and shows what it answers; how many errors and warnings there are, or undefined when nothing changed. */
  async refresh(): Promise<{ errors: number; warnings: number } | undefined> {
    return this.client.withMapping(async (mapping) => {
      const params = { textDocument: { uri: URI }, previousResultId: this.previousResultId };
      const report = await this.client.request<typeof params, DocumentDiagnosticReport>("textDocument/diagnostic", params);
      this.previousResultId = report.resultId;
      if (report.kind === "unchanged") {
        return undefined;
      }
      const { version } = this;
      const fixes = report.items.length ? await this.fixes() : [];
      const actions = (item: Diagnostic): Action[] =>
        fixes
          .filter(({ diagnostics }) => diagnostics?.some((fixed) => isSame(fixed, item)))
          .map((fix) => ({ name: fix.title, apply: () => this.apply(fix, version) }));
      const marks = report.items.map((item): Mark => {
        const from = mapping.mapPosition(URI, item.range.start);
        const to = Math.max(from, mapping.mapPosition(URI, item.range.end));
        return { from, to, severity: severityOf(item), message: plain(item.message), source: String(item.code ?? ""), actions: actions(item) };
      });
      this.view.dispatch(setDiagnostics(this.view.state, marks));
      this.show(marks);
      const count = (severity: string): number => marks.filter((mark) => mark.severity === severity).length;
      return { errors: count("error"), warnings: count("warning") };
    });
  }

  /** Version of the document that the server has seen; undefined while there are edits that it has not. */
  private get version(): number | undefined {
    const isInStep = LSPPlugin.get(this.view)?.unsyncedChanges.empty;
    return isInStep ? this.client.workspace.getFile(URI)?.version : undefined;
  }

  private fixes(): Promise<CodeAction[]> {
    const end = { line: this.view.state.doc.lines, character: 0 };
    const params = {
      textDocument: { uri: URI },
      range: { start: { line: 0, character: 0 }, end },
      context: { diagnostics: [], only: ["quickfix"] },
    };
    return this.client.request<typeof params, CodeAction[]>("textDocument/codeAction", params);
  }

  /** Does nothing when the text is another by now: new findings with new fixes are on their way. */
  private apply({ edit }: CodeAction, version: number | undefined): void {
    const plugin = LSPPlugin.get(this.view);
    const edits = edit?.changes?.[URI];
    if (plugin && edits && version !== undefined && version === this.version) {
      const changes = edits.map(({ range, newText }) => ({
        from: plugin.fromPosition(range.start),
        to: plugin.fromPosition(range.end),
        insert: newText,
      }));
      this.view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
      this.view.focus();
    }
  }

  /** The server checks by other rules now. */
  forget(): void {
    this.previousResultId = undefined;
  }

  private show(marks: Mark[]): void {
    const entries = marks.slice(0, MOST_LISTED).map((mark) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const line = this.view.state.doc.lineAt(mark.from);
      button.type = "button";
      button.className = mark.severity;
      button.append(
        span("kind", mark.severity),
        span("place", ` ${line.number}:${mark.from - line.from + 1} `),
        mark.message,
        span("place", ` [${mark.source ?? ""}]`),
      );
      button.addEventListener("click", () => this.lead(mark));
      item.append(button);
      for (const { name, apply } of mark.actions ?? []) {
        const fix = document.createElement("button");
        fix.type = "button";
        fix.className = "fix";
        fix.textContent = name;
        fix.addEventListener("click", () => apply(this.view, mark.from, mark.to));
        item.append(fix);
      }
      return item;
    });
    this.list.replaceChildren(...entries);
    if (marks.length > MOST_LISTED) {
      this.list.append(`… and ${marks.length - MOST_LISTED} more`);
    }
  }

  /** Places have moved with edits since; the editor keeps the marks, and the nearest one is meant. */
  private lead({ from }: Mark): void {
    const anchor = Math.min(from, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.code === other.code && one.message === other.message && JSON.stringify(one.range) === JSON.stringify(other.range);
}

function plain(message: Diagnostic["message"]): string {
  return typeof message === "string" ? message : message.value;
}

function span(className: string, text: string): HTMLElement {
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
}

/** Sends the edits that the server has not seen. */
export function sync(view: EditorView): void {
  LSPPlugin.get(view)?.client.sync();
}
