/** The summary of a module beside the text: entry points, interfaces, resources, blocks, constants. */
import type * as vscode from "vscode";
import { LivePanel } from "./livePanel";
import type { PanelKind } from "./livePanel";
import { summary } from "./protocol";
import type { Details } from "./protocol";
import type { Server } from "./server";
import type { FromPage, ToPage } from "./summaryMessages";

const KIND: PanelKind = { name: "summary", title: "summary", pause: 120, body: '<main id="content"></main>' };

export class SummaryView extends LivePanel<ToPage, FromPage> {
  private shown: Details | undefined;

  constructor(document: vscode.TextDocument, server: Server, extension: vscode.Uri, onClose: () => void) {
    super(document, server, extension, KIND, onClose);
  }

  protected resume(): void {
    if (this.shown) {
      this.post({ type: "show", details: this.shown });
    }
  }

  protected receive({ range }: FromPage): void {
    this.revealText(range);
  }

  protected select(): void {
    // The summary is that of the whole module, wherever the cursor is.
  }

  protected async refresh(): Promise<void> {
    const answer = await this.server.request(summary, { textDocument: this.uri, format: "json" });
    if (answer.details && answer.documentVersion === this.document.version) {
      this.shown = answer.details;
      this.resume();
    }
  }
}
