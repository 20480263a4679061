/** The extension on a desktop or a remote machine. */
import * as vscode from "vscode";
import { activateOn } from "../extension";
import { Launcher } from "./launcher";
import { Runners } from "./runners";

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("SPIR-V", { log: true });
  const launcher = new Launcher(context.globalStorageUri, context.extensionUri);
  activateOn(new Runners(context, launcher, log), context, log);
}
