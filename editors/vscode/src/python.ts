/** Python interpreters: the selected one, one fit for a new environment, and running a program to its end. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";

const run = promisify(execFile);

/** Standard output of a program, or undefined when it is absent, fails, or takes longer than ten seconds. */
export async function outputOf(command: string, args: string[]): Promise<string | undefined> {
  try {
    return (await run(command, args, { timeout: 10_000, windowsHide: true })).stdout.trim();
  } catch {
    return undefined;
  }
}

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/** Interpreter that the user selected in the Python extension. */
export async function selectedPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (!extension) {
    return undefined;
  }
  const { environments } = await extension.activate();
  const path = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  return path && (await environments?.resolveEnvironment(path))?.executable.uri?.fsPath;
}

/** An interpreter new enough for the server. */
export async function suitablePython(): Promise<string | undefined> {
  const names = [await selectedPython(), "python3", "python", "py"];
  for (const name of names) {
    const isNewEnough = "import sys; print(sys.version_info >= (3, 11))";
    if (name && (await outputOf(name, ["-c", isNewEnough])) === "True") {
      return name;
    }
  }
  return undefined;
}
