/** The extension's own Python environment, in its global storage, holding the server. */
import { spawn } from "node:child_process";
import * as vscode from "vscode";
import { suitablePython } from "./python";

function environment(storage: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(storage, "env");
}

export function environmentPython(storage: vscode.Uri): string {
  const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  return vscode.Uri.joinPath(environment(storage), ...inside).fsPath;
}

function runLogged(log: vscode.OutputChannel, command: string, args: string[]): Promise<void> {
  log.appendLine(`$ ${[command, ...args].join(" ")}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { windowsHide: true });
    child.stdout.on("data", (chunk: Buffer) => log.append(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => log.append(chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => (code ? reject(new Error(`${command} ended with code ${code}`)) : resolve()));
  });
}

/**
 * Makes the environment, or brings it up to date.
 *
 * @throws Error with a message for the user when there is no Python, or when a step fails; the log has the details.
 */
export async function installServer(storage: vscode.Uri, log: vscode.OutputChannel): Promise<void> {
  const python = await suitablePython();
  if (!python) {
    throw new Error("No Python 3.11 or newer was found. Install one from python.org or your system's packages.");
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "Installing the SPIR-V server" };
  await vscode.window.withProgress(options, async () => {
    await vscode.workspace.fs.createDirectory(storage);
    await runLogged(log, python, ["-m", "venv", environment(storage).fsPath]);
    await runLogged(log, environmentPython(storage), ["-m", "pip", "install", "--upgrade", "spvls"]);
  });
}
