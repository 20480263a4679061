/** Python interpreters: the selected one, and one fit for the server that the extension brings. */
import * as vscode from "vscode";
import { workspaceFolders } from "./launcher";
import type { Launcher } from "./launcher";

/** Names of interpreters on the PATH, in the order in which they are tried. */
const NAMES = ["python3", "python", "py", "python3.14", "python3.13", "python3.12", "python3.11"];

/** The version, where it is new enough for the server; the server also needs what some systems leave out of Python. */
const VERSION_IF_FIT = "import asyncio, ctypes, sys; print('%d.%d.%d' % sys.version_info[:3] * (sys.version_info >= (3, 11)))";

export interface Interpreter {
  path: string;
  version: string;
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

/**
 * Interpreter that the user selected in the Python extension. A workspace may select one itself, by its settings or by an
 * environment that it contains, so that in one that is not trusted there is none.
 */
export async function selectedPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    const { environments } = await extension.activate();
    const path = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    return path && (await environments?.resolveEnvironment(path))?.executable.uri?.fsPath;
  } catch {
    return undefined; // an environment that is broken, or an extension that is
  }
}

/** An interpreter new enough for the server; none of the workspace, trusted or not, because nobody has named it. */
export async function suitablePython(launcher: Launcher): Promise<Interpreter | undefined> {
  for (const name of [await selectedPython(), ...NAMES]) {
    const path = name && launcher.find(name, workspaceFolders());
    const version = path && (await launcher.outputOf(path, ["-I", "-c", VERSION_IF_FIT]).catch(() => undefined));
    if (path && version) {
      return { path, version };
    }
  }
  return undefined;
}
