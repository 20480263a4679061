/** The binary beside the text: a web view for each document, following its edits and its cursor. */
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/node";
import { changedWords, linesOf, rangeOfWord, spansAt } from "./binaryLayout";
import type { Span } from "./binaryLayout";
import type { FromPage, ToPage } from "./binaryMessages";
import { binary } from "./protocol";
import type { BinaryResult } from "./protocol";
import type { Server } from "./server";

const PAUSE_MS = 30;
/** Edits closer to each other than this are one change: what it marks is new since before the first of them. */
const ONE_CHANGE_MS = 1500;
const LONGEST_NOTE = 200;

function plural(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

function summaryOf({ header, words, map, gaps }: BinaryResult): string {
  const parts = [
    header ? `SPIR-V ${header.version}` : "No module",
    plural(map.length, "instruction"),
    plural(words.length, "word"),
    plural(words.length * 4, "byte"),
  ];
  return [...parts, ...(gaps.length ? [`${gaps.length} not encoded`] : [])].join(" · ");
}

function toEditorRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

class BinaryView {
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable[];
  private shown: { result: BinaryResult; message: ToPage } | undefined;
  private changed: Span[] = [];
  private beforeChange: number[] = [];
  private lastChange = 0;
  private pause: NodeJS.Timeout | undefined;
  private isAsking = false;
  private isOutdated = false;

  constructor(
    private readonly document: vscode.TextDocument,
    private readonly server: Server,
    extension: vscode.Uri,
    onClose: () => void,
  ) {
    const files = vscode.Uri.joinPath(extension, "dist", "webview");
    this.panel = vscode.window.createWebviewPanel(
      "spvls.binary",
      `${basename(document.uri.path)} (binary)`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [files] },
    );
    this.panel.iconPath = vscode.Uri.joinPath(extension, "images", "file.svg");
    this.panel.webview.html = page(this.panel.webview, files);
    this.subscriptions = [
      this.panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message)),
      vscode.workspace.onDidChangeTextDocument((change) => change.document === document && this.schedule()),
      vscode.workspace.onDidCloseTextDocument((closed) => closed === document && this.panel.dispose()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        if (textEditor.document === document && selections[0]) {
          this.select(selections[0].active);
        }
      }),
      server.onDidChangeBinary(({ uri }) => uri === document.uri.toString() && this.schedule()),
      server.onDidChangeState((state) => state === "running" && this.schedule()),
    ];
    this.panel.onDidDispose(() => {
      clearTimeout(this.pause);
      vscode.Disposable.from(...this.subscriptions).dispose();
      onClose();
    });
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel.dispose();
  }

  private post(message: ToPage): void {
    void this.panel.webview.postMessage(message);
  }

  private receive(message: FromPage): void {
    if (message.type === "ready") {
      if (this.shown) {
        this.post(this.shown.message);
      }
      this.schedule();
    } else if (message.type === "revealWord") {
      this.revealText(rangeOfWord(this.shown?.result.map ?? [], message.word));
    } else {
      this.revealText(this.shown?.result.gaps[message.gap]?.range);
    }
  }

  private schedule(): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => void this.update(), PAUSE_MS);
  }

  /** One request at a time; whatever happened meanwhile is asked for afterwards. */
  private async update(): Promise<void> {
    if (this.isAsking) {
      this.isOutdated = true;
      return;
    }
    this.isAsking = true;
    this.isOutdated = false;
    try {
      const result = await this.server.request(binary, { textDocument: { uri: this.document.uri.toString() } });
      if (result.version === this.document.version) {
        this.show(result);
      }
    } catch (error) {
      this.post({ type: "failed", reason: (error as Error).message });
    } finally {
      this.isAsking = false;
    }
    if (this.isOutdated) {
      this.schedule();
    }
  }

  private show(result: BinaryResult): void {
    const lines = linesOf(result, (range) => {
      const text = this.document.getText(toEditorRange(range));
      return text.replace(/\s+/g, " ").slice(0, LONGEST_NOTE);
    });
    if (this.shown) {
      this.markChanges(this.shown.result.words, result.words);
    }
    const { words } = result;
    const message: ToPage = { type: "show", summary: summaryOf(result), words, lines, changed: this.changed };
    this.shown = { result, message };
    this.post(message);
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document === this.document);
    if (editor) {
      this.select(editor.selection.active);
    }
  }

  /** An answer with the same words, as after an edit of white space, leaves the marks of the last change. */
  private markChanges(before: number[], after: number[]): void {
    if (before.length === after.length && changedWords(before, after).length === 0) {
      return;
    }
    const now = Date.now();
    if (now - this.lastChange > ONE_CHANGE_MS) {
      this.beforeChange = before;
    }
    this.lastChange = now;
    this.changed = changedWords(this.beforeChange, after);
  }

  private select(position: vscode.Position): void {
    const spans = this.shown && spansAt(this.shown.result.map, position);
    if (spans) {
      this.post({ type: "select", ...spans });
    }
  }

  private revealText(range: Range | undefined): void {
    if (!range) {
      return;
    }
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document === this.document);
    void vscode.window.showTextDocument(this.document, {
      viewColumn: editor?.viewColumn ?? vscode.ViewColumn.One,
      selection: toEditorRange(range),
      preserveFocus: true,
    });
  }
}

function page(webview: vscode.Webview, files: vscode.Uri): string {
  const nonce = randomUUID();
  const address = (name: string): vscode.Uri => webview.asWebviewUri(vscode.Uri.joinPath(files, name));
  const policy = `default-src 'none'; style-src ${webview.cspSource} 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <link rel="stylesheet" href="${address("binary.css")}">
</head>
<body>
  <header id="summary" role="status"></header>
  <main id="viewport" tabindex="0"><div id="canvas"></div></main>
  <script nonce="${nonce}" src="${address("binary.js")}"></script>
</body>
</html>`;
}

/** The open views, at most one a document. */
export class BinaryViews implements vscode.Disposable {
  private readonly views = new Map<string, BinaryView>();

  constructor(
    private readonly server: Server,
    private readonly extension: vscode.Uri,
  ) {}

  show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "spirv") {
      void vscode.window.showInformationMessage("Open a SPIR-V assembly file to see its binary.");
      return;
    }
    const key = document.uri.toString();
    const open = this.views.get(key);
    if (open) {
      open.reveal();
      return;
    }
    this.views.set(key, new BinaryView(document, this.server, this.extension, () => this.views.delete(key)));
  }

  dispose(): void {
    [...this.views.values()].forEach((view) => view.dispose());
  }
}
