/** Where the server is: the setting, the PATH, the selected Python, then the extension's own environment. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { environmentPython } from "./install";
import { outputOf, selectedPython } from "./python";

export interface ServerCommand {
  command: string;
  args: string[];
  /** What `--version` said. */
  version: string;
}

/** The setting names something that does not run as the server. */
export class BadServerPath extends Error {
  constructor(readonly path: string) {
    super(`The setting spvls.path is "${path}", which does not run as spvls.`);
  }
}

async function probe(command: string, ...before: string[]): Promise<ServerCommand | undefined> {
  const version = await outputOf(command, [...before, "--version"]);
  return version === undefined ? undefined : { command, args: [...before, "serve"], version };
}

function expand(path: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return path.replace(/^~(?=[/\\])/, homedir()).replaceAll("${workspaceFolder}", folder);
}

/**
 * The command that starts the server, or undefined when it is installed nowhere.
 *
 * @throws BadServerPath when the user's setting leads nowhere; other places are not tried then.
 */
export async function locateServer(storage: vscode.Uri): Promise<ServerCommand | undefined> {
  const configured = vscode.workspace.getConfiguration("spvls").get<string | null>("path");
  if (configured) {
    const found = await probe(expand(configured));
    if (!found) {
      throw new BadServerPath(configured);
    }
    return found;
  }
  const onPath = await probe("spvls");
  if (onPath) {
    return onPath;
  }
  const python = await selectedPython();
  return (python && (await probe(python, "-m", "spvls"))) || probe(environmentPython(storage), "-m", "spvls");
}
