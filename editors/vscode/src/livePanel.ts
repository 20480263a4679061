/** Views beside a text that follow its edits and its cursor: one panel for each document and kind of view. */
import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/lib/common/api";
import { chosenLanguages } from "./hostLanguages";
import type { Server } from "./server";

export const NO_MODULE = "There is no module in this text.";

export interface PanelKind {
  /** Names the panel, and its files: `webview/NAME.ts` and `NAME.css`. */
  name: string;
  /** What stands behind the name of the document. */
  title: string;
  /** Milliseconds without an edit before the view follows. */
  pause: number;
  /** What the page has besides the line at its top. */
  body: string;
}

export function toEditorRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

export abstract class LivePanel<ToPage, FromPage> {
  protected readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable[];
  private pause: ReturnType<typeof setTimeout> | undefined;
  private isAsking = false;
  private isOutdated = false;
  /** Where the cursor was last, which says which module of a text is meant; its editor may be out of sight. */
  private cursor: vscode.Position | undefined;

  constructor(
    protected readonly document: vscode.TextDocument,
    protected readonly server: Server,
    extension: vscode.Uri,
    private readonly kind: PanelKind,
    onClose: () => void,
  ) {
    const files = vscode.Uri.joinPath(extension, "dist", "webview");
    this.panel = vscode.window.createWebviewPanel(
      `spvls.${kind.name}`,
      `${document.uri.path.split("/").pop()} (${kind.title})`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [files] },
    );
    this.panel.iconPath = vscode.Uri.joinPath(extension, "images", "file.svg");
    this.panel.webview.html = page(this.panel.webview, files, kind);
    this.subscriptions = [
      this.panel.webview.onDidReceiveMessage((message: FromPage | { type: "ready" }) => {
        if ((message as { type: string }).type === "ready") {
          this.resume();
          this.schedule();
        } else {
          this.receive(message as FromPage);
        }
      }),
      vscode.workspace.onDidChangeTextDocument((change) => change.document === document && this.schedule()),
      vscode.workspace.onDidCloseTextDocument((closed) => closed === document && this.panel.dispose()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        if (textEditor.document === document && selections[0]) {
          this.cursor = selections[0].active;
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

  /** Asks the server, and shows what it answers. */
  protected abstract refresh(): Promise<void>;

  /** The page is new, and shows nothing. */
  protected abstract resume(): void;

  protected abstract receive(message: FromPage): void;

  /** The cursor moved. */
  protected abstract select(position: vscode.Position): void;

  protected post(message: ToPage | { type: "failed"; reason: string }): void {
    void this.panel.webview.postMessage(message);
  }

  /** The module that is shown. */
  protected get subject(): { textDocument: { uri: string }; position: vscode.Position | undefined } {
    this.cursor = this.editor?.selection.active ?? this.cursor;
    return { textDocument: { uri: this.document.uri.toString() }, position: this.cursor };
  }

  protected get editor(): vscode.TextEditor | undefined {
    return vscode.window.visibleTextEditors.find(({ document }) => document === this.document);
  }

  protected schedule(): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => void this.update(), this.kind.pause);
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
      await this.refresh();
    } catch (error) {
      this.post({ type: "failed", reason: (error as Error).message });
    } finally {
      this.isAsking = false;
    }
    if (this.isOutdated) {
      this.schedule();
    }
  }

  protected revealText(range: Range | null | undefined): void {
    if (!range) {
      return;
    }
    void vscode.window.showTextDocument(this.document, {
      viewColumn: this.editor?.viewColumn ?? vscode.ViewColumn.One,
      selection: toEditorRange(range),
      preserveFocus: true,
    });
  }
}

function page(webview: vscode.Webview, files: vscode.Uri, { name, title, body }: PanelKind): string {
  const address = (file: string): vscode.Uri => webview.asWebviewUri(vscode.Uri.joinPath(files, file));
  const policy = `default-src 'none'; style-src ${webview.cspSource} 'unsafe-inline'; script-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <title>${title}</title>
  <link rel="stylesheet" href="${address(`${name}.css`)}">
</head>
<body>
  <header id="summary" role="status"></header>
  ${body}
  <script src="${address(`${name}.js`)}"></script>
</body>
</html>`;
}

interface Panel {
  reveal(): void;
  dispose(): void;
}

type MakePanel = (document: vscode.TextDocument, onClose: () => void) => Panel;

/** The open panels of one kind, at most one a document. */
export class LivePanels implements vscode.Disposable {
  private readonly panels = new Map<string, Panel>();

  constructor(
    private readonly what: string,
    private readonly make: MakePanel,
  ) {}

  show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !chosenLanguages().includes(document.languageId)) {
      void vscode.window.showInformationMessage(`Open a text with a SPIR-V module to see its ${this.what}.`);
      return;
    }
    const key = document.uri.toString();
    const open = this.panels.get(key);
    if (open) {
      open.reveal();
    } else {
      this.panels.set(key, this.make(document, () => this.panels.delete(key)));
    }
  }

  dispose(): void {
    [...this.panels.values()].forEach((panel) => panel.dispose());
  }
}
