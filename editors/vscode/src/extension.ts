/** What the extension does, wherever it runs. */
import * as vscode from "vscode";
import { BinaryView } from "./binaryView";
import { openExample } from "./example";
import { FlowView } from "./flowView";
import { FirstNeed, tellLanguages } from "./hostLanguages";
import { LivePanels } from "./livePanel";
import type { Host } from "./runner";
import { Server } from "./server";
import { SourceLink } from "./sourceLink";
import { specializeWith } from "./specialize";
import { registerSpvDocuments } from "./spvDocuments";
import { StatusBar } from "./statusBar";
import { SummaryView } from "./summaryView";
import { chooseTargetEnv } from "./targetEnv";
import { writeActiveBinary, writeOnSave } from "./writeBinary";

/** Settings that a server which runs does not follow. */
const RESTARTING = ["spvls.path", "spvls.hostLanguages"];

export function activateOn(host: Host, context: vscode.ExtensionContext, log: vscode.LogOutputChannel): void {
  const server = new Server(host, log);
  const here = context.extensionUri;
  const binaries = new LivePanels("binary", (document, close) => new BinaryView(document, server, here, close));
  const flows = new LivePanels("control flow", (document, close) => new FlowView(document, server, here, close));
  const summaries = new LivePanels("summary", (document, close) => new SummaryView(document, server, here, close));
  const sources = new SourceLink(server);

  const command = (name: string, run: () => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`spvls.${name}`, run);
  context.subscriptions.push(
    log,
    server,
    binaries,
    flows,
    summaries,
    sources,
    new StatusBar(server),
    registerSpvDocuments(server, host),
    writeOnSave(server),
    command("showBinary", () => binaries.show()),
    command("showControlFlow", () => flows.show()),
    command("showSummary", () => summaries.show()),
    command("showSource", () => sources.show()),
    command("openExample", () => openExample(server)),
    command("specialize", () => specializeWith(server)),
    command("writeBinary", () => writeActiveBinary(server)),
    command("chooseTargetEnv", () => chooseTargetEnv(server)),
    command("restartServer", () => server.restart()),
    command("showOutput", () => log.show()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      tellLanguages();
      if (server.isUsed && RESTARTING.some((name) => change.affectsConfiguration(name))) {
        void server.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (server.isUsed && server.state !== "running") {
        void server.restart(); // programs of the workspace may be tried now
      }
    }),
  );
  tellLanguages();
  context.subscriptions.push(new FirstNeed(() => void server.start()));
}
