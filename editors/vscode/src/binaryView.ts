/** The binary beside the text. */
import type * as vscode from "vscode";
import { BINARY_BODY, BinaryModel } from "./binaryModel";
import type { FromPage, ToPage } from "./binaryMessages";
import { LivePanel, NO_MODULE, toEditorRange } from "./livePanel";
import type { PanelKind } from "./livePanel";
import { binary } from "./protocol";
import type { Server } from "./server";

const KIND: PanelKind = { name: "binary", title: "binary", pause: 30, body: BINARY_BODY };

export class BinaryView extends LivePanel<ToPage, FromPage> {
  private readonly model = new BinaryModel((range) => this.document.getText(toEditorRange(range)));

  constructor(document: vscode.TextDocument, server: Server, extension: vscode.Uri, onClose: () => void) {
    super(document, server, extension, KIND, onClose);
  }

  protected resume(): void {
    this.postIfAny(this.model.whole);
  }

  protected receive(message: FromPage): void {
    this.revealText(this.model.rangeOf(message));
  }

  /** Another module of the text is asked for. */
  protected select(position: vscode.Position): void {
    if (this.model.covers(position)) {
      this.postIfAny(this.model.selection(position));
    } else {
      this.schedule();
    }
  }

  protected async refresh(): Promise<void> {
    const answer = await this.server.request(binary, { ...this.subject, since: this.model.since });
    if (!answer) {
      this.post({ type: "failed", reason: NO_MODULE });
      return;
    }
    this.model.learn(answer);
    if (answer.version === this.document.version) {
      this.postIfAny(this.model.update());
      if (this.editor) {
        this.postIfAny(this.model.selection(this.editor.selection.active));
      }
    }
  }

  private postIfAny(message: ToPage | undefined): void {
    if (message) {
      this.post(message);
    }
  }
}
