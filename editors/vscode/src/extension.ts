import * as vscode from "vscode";
import { BinaryViews } from "./binaryView";
import { Server } from "./server";
import { registerSpvDocuments } from "./spvDocuments";
import { StatusBar } from "./statusBar";
import { chooseTargetEnv } from "./targetEnv";
import { writeActiveBinary, writeOnSave } from "./writeBinary";

interface Manifest {
  contributes: { configuration: { properties: Record<string, { enum?: (string | null)[] }> } };
}

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("SPIR-V", { log: true });
  const server = new Server(context.globalStorageUri, log);
  const views = new BinaryViews(server, context.extensionUri);
  const manifest = context.extension.packageJSON as Manifest;
  const environments = manifest.contributes.configuration.properties["spvls.targetEnv"]?.enum ?? [];

  const command = (name: string, run: () => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`spvls.${name}`, run);
  context.subscriptions.push(
    log,
    server,
    views,
    new StatusBar(server),
    registerSpvDocuments(server),
    writeOnSave(server),
    command("showBinary", () => views.show()),
    command("writeBinary", () => writeActiveBinary(server)),
    command("chooseTargetEnv", () => chooseTargetEnv(environments)),
    command("restartServer", () => server.restart()),
    command("installServer", () => server.install()),
    command("showOutput", () => log.show()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("spvls.path")) {
        void server.restart();
      }
    }),
  );
  void server.start();
}
