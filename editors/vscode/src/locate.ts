/** Where the server is: the setting, the PATH, the selected Python, then the extension's own environment. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { environmentPython } from "./install";
import type { Launcher, StartOptions } from "./launcher";
import { selectedPython } from "./python";

export interface ServerCommand {
  command: string;
  args: string[];
  options: StartOptions;
  /** What `--version` said. */
  version: string;
}

/** The setting names something that does not run as the server. */
export class BadServerPath extends Error {
  constructor(path: string) {
    super(
      `The setting spvls.path is "${path}", which does not run as spvls. It must be an absolute path or a name on the PATH` +
        (vscode.workspace.isTrusted ? "." : ", and outside this workspace, which is not trusted."),
    );
  }
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
export async function locateServer(storage: vscode.Uri, launcher: Launcher): Promise<ServerCommand | undefined> {
  const probe = async (command: string | undefined, ...before: string[]): Promise<ServerCommand | undefined> => {
    const version = command && (await launcher.outputOf(command, [...before, "--version"]));
    return command && version ? { command, args: [...before, "serve"], options: await launcher.options(), version } : undefined;
  };
  const configured = vscode.workspace.getConfiguration("spvls").get<string | null>("path");
  if (configured) {
    const found = await probe(launcher.find(expand(configured)));
    if (!found) {
      throw new BadServerPath(configured);
    }
    return found;
  }
  const onPath = await probe(launcher.find("spvls"));
  if (onPath) {
    return onPath;
  }
  // `-P` keeps the working directory out. `-I` would also hide the user's own packages, where `pip install --user` puts the
  // server. The extension's environment holds all that the server needs, and is closed against everything else.
  const python = await selectedPython();
  return (
    (await probe(python && launcher.find(python), "-P", "-m", "spvls")) ||
    (await probe(launcher.find(environmentPython(storage), []), "-I", "-m", "spvls"))
  );
}
