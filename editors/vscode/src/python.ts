/** Python interpreters: the selected one, and one fit for a new environment. */
import * as vscode from "vscode";
import { workspaceFolders } from "./launcher";
import type { Launcher } from "./launcher";

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: {
      path: string;
    }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/**
 * Interpreter that the user selected in the Python extension. A workspace may select one itself, by its settings or by an
 * environment that it contains, so that in one that is not trusted there is none.
 */
export async function selectedPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const { environments } = await extension.activate();
  const path = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  return path && (await environments?.resolveEnvironment(path))?.executable.uri?.fsPath;
}

/**
 * An interpreter new enough for the server. None of the workspace, trusted or not: the environment that is made with it serves
 * every workspace.
 */
export async function suitablePython(launcher: Launcher): Promise<string | undefined> {
  const names = [await selectedPython(), "python3", "python", "py"];
  for (const name of names) {
    const isNewEnough = "import sys; print(sys.version_info >= (3, 11))";
    const python = name && launcher.find(name, workspaceFolders());
    if (python && (await launcher.outputOf(python, ["-I", "-c", isNewEnough])) === "True") {
      return python;
    }
  }
  return undefined;
}
