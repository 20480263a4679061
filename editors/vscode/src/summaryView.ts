/** The summary of a module beside the text: entry points, interfaces, resources, blocks, constants. */
import type * as vscode from "vscode";
import type { Range } from "vscode-languageclient/lib/common/api";
import { LivePanel, NO_MODULE } from "./livePanel";
import type { PanelKind } from "./livePanel";
import { summary } from "./protocol";
import type { Details } from "./protocol";
import type { Server } from "./server";
import type { FromPage, ToPage } from "./summaryMessages";

const KIND: PanelKind = { name: "summary", title: "summary", pause: 120, body: '<main id="content"></main>' };

export class SummaryView extends LivePanel<ToPage, FromPage> {
  private shown: Details | undefined;
  private lines: Range | undefined;

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

  /** Another module of the text is asked for. */
  protected select({ line }: vscode.Position): void {
    if (!this.lines || line < this.lines.start.line || line >= this.lines.end.line) {
      this.schedule();
    }
  }

  protected async refresh(): Promise<void> {
    const answer = await this.server.request(summary, { ...this.subject, format: "json" });
    if (!answer) {
      this.post({ type: "failed", reason: NO_MODULE });
      return;
    }
    this.lines = answer.range;
    if (answer.details && answer.documentVersion === this.document.version) {
      this.shown = answer.details;
      this.resume();
    }
  }
}
