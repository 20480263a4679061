/** Control flow beside the text: the graph of the function that the cursor is in. */
import type * as vscode from "vscode";
import type { FromPage, ToPage } from "./flowMessages";
import { FLOW_BODY, FlowModel } from "./flowModel";
import { LivePanel } from "./livePanel";
import type { PanelKind } from "./livePanel";
import { controlFlow } from "./protocol";
import type { FlowResult } from "./protocol";
import type { Server } from "./server";

const NOTHING: FlowResult = { version: 0, functions: [] };

const KIND: PanelKind = { name: "flow", title: "control flow", pause: 120, body: FLOW_BODY };

export class FlowView extends LivePanel<ToPage, FromPage> {
  private readonly model = new FlowModel(
    async (position, all) =>
      (await this.server.request(controlFlow, { ...this.subject, position, ...(all ? { all } : { format: "svg" as const }) })) ?? NOTHING,
    () => this.subject.position,
  );

  constructor(document: vscode.TextDocument, server: Server, extension: vscode.Uri, onClose: () => void) {
    super(document, server, extension, KIND, onClose);
  }

  protected resume(): void {
    if (this.model.whole) {
      this.post(this.model.whole);
    }
  }

  protected receive(message: FromPage): void {
    this.revealText(this.model.rangeOf(message));
  }

  /** Another function is asked for; within the one in sight its block is marked. */
  protected select(position: vscode.Position): void {
    const mark = this.model.selection(position);
    if (mark) {
      this.post(mark);
    } else {
      this.schedule();
    }
  }

  protected async refresh(): Promise<void> {
    const { version } = this.document;
    const found = await this.model.find();
    if (version === this.document.version) {
      this.post(this.model.show(found));
    }
  }
}
