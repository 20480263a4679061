/** The extension's own Python environment, in its global storage, holding the server. */
import * as vscode from "vscode";
import type { Launcher } from "./launcher";
import { suitablePython } from "./python";

function environment(storage: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(storage, "env");
}

export function environmentPython(storage: vscode.Uri): string {
  const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  return vscode.Uri.joinPath(environment(storage), ...inside).fsPath;
}

/**
 * Makes the environment, or brings it up to date.
 *
 * @throws Error with a message for the user when there is no Python, or when a step fails; the log has the details.
 */
export async function installServer(storage: vscode.Uri, launcher: Launcher, log: vscode.OutputChannel): Promise<void> {
  const python = await suitablePython(launcher);
  if (!python) {
    throw new Error("No Python 3.11 or newer was found. Install one from python.org or your system's packages.");
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "Installing the SPIR-V server" };
  await vscode.window.withProgress(options, async () => {
    await launcher.runLogged(log, python, ["-I", "-m", "venv", environment(storage).fsPath]);
    await launcher.runLogged(log, environmentPython(storage), ["-I", "-m", "pip", "install", "--upgrade", "spvls"]);
  });
}
