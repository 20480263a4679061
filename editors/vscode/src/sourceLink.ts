/**
 * The sources that modules carry, as documents to read; and while such a source and its module are both in sight, the cursor of
 * each leads that of the other.
 */
import * as vscode from "vscode";
import { toEditorRange } from "./livePanel";
import { content, source } from "./protocol";
import type { SourceResult } from "./protocol";
import type { Server } from "./server";

export const SOURCE_SCHEME = "spvls-source";

const PAUSE_MS = 30;

export class SourceLink implements vscode.Disposable, vscode.TextDocumentContentProvider {
  /** The modules of sources that were shown, by their addresses. */
  private readonly modules = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  });
  private readonly subscriptions: vscode.Disposable[];
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly server: Server) {
    this.subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SOURCE_SCHEME, this),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) {
          this.schedule(textEditor);
        }
      }),
      server.onDidChangeContent((uri) => this.changed.fire(vscode.Uri.parse(uri))),
    ];
  }

  dispose(): void {
    clearTimeout(this.pause);
    vscode.Disposable.from(this.changed, this.mark, ...this.subscriptions).dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.server.request(content, { uri: uri.toString() })).text;
  }

  /** Opens the source of the instruction at the cursor beside it. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return;
    }
    const found = await this.ask(editor);
    if (!found?.source) {
      void vscode.window.showInformationMessage("No debug information says which line of a source the cursor's instruction comes from.");
      return;
    }
    await this.follow(editor, found, true);
  }

  private schedule(editor: vscode.TextEditor): void {
    clearTimeout(this.pause);
    const isSource = this.modules.has(editor.document.uri.toString());
    const others = vscode.window.visibleTextEditors.filter(({ document }) => this.modules.has(document.uri.toString()));
    if (isSource || others.length) {
      this.pause = setTimeout(() => void this.update(editor), PAUSE_MS);
    }
  }

  private async update(editor: vscode.TextEditor): Promise<void> {
    const found = await this.ask(editor).catch(() => null);
    if (editor === vscode.window.activeTextEditor) {
      if (found) {
        await this.follow(editor, found, false);
      } else {
        vscode.window.visibleTextEditors.forEach((other) => other.setDecorations(this.mark, []));
      }
    }
  }

  private ask({ document, selection }: vscode.TextEditor): Promise<SourceResult | null> {
    const uri = document.uri.toString();
    const module = this.modules.get(uri);
    return this.server.request(source, {
      textDocument: { uri },
      position: { line: selection.active.line, character: selection.active.character },
      ...(module === undefined ? {} : { document: module }),
    });
  }

  /** Marks a line and its instructions, and brings the one that the cursor is not in into sight. */
  private async follow(from: vscode.TextEditor, found: SourceResult, opens: boolean): Promise<void> {
    if (!found.source) {
      return;
    }
    const target = vscode.Uri.parse(found.source.uri);
    const range = toEditorRange(found.source.range);
    const isFromModule = from.document.uri.toString() === found.document;
    this.modules.set(target.toString(), found.document);
    if (isFromModule) {
      await this.reveal(target, range, opens);
    }
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      if (uri === found.document) {
        const instructions = found.instructions.map(toEditorRange);
        editor.setDecorations(this.mark, instructions);
        if (!isFromModule && instructions[0]) {
          place(editor, instructions[0]);
        }
      } else {
        editor.setDecorations(this.mark, uri === target.toString() ? [range] : []);
      }
    }
  }

  /** Shows a line of a source where it, or another source, is in sight; elsewhere only when it is to be opened. */
  private async reveal(uri: vscode.Uri, range: vscode.Range, opens: boolean): Promise<void> {
    const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    if (shown) {
      place(shown, range);
      return;
    }
    const beside = vscode.window.visibleTextEditors.find(({ document }) => this.modules.has(document.uri.toString()));
    if (beside || opens) {
      await vscode.window.showTextDocument(uri, {
        viewColumn: beside?.viewColumn ?? vscode.ViewColumn.Beside,
        preserveFocus: true,
        preview: true,
        selection: new vscode.Range(range.start, range.start),
      });
    }
  }
}

function place(editor: vscode.TextEditor, { start }: vscode.Range): void {
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
