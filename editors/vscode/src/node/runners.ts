/** Where the server is: the setting, the PATH, the selected Python; else the one that the extension brings. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import type { LanguageClientOptions } from "vscode-languageclient/lib/common/api";
import { LISTING_SCHEME } from "../listingUri";
import type { Host, Runner } from "../runner";
import type { Launcher } from "./launcher";
import { LOCAL_FILES } from "./localFiles";
import { selectedPython, suitablePython } from "./python";
import { isAtLeast } from "./version";
import { WorkerRunner } from "./worker";

/** The setting names something that does not run as the server. */
class BadServerPath extends Error {
  constructor(path: string, reason: string) {
    super(
      `The setting spvls.path is "${path}", which does not run as spvls: ${reason}. It must be an absolute path or a name on ` +
        `the PATH${vscode.workspace.isTrusted ? "" : ", and outside this workspace, which is not trusted"}. ` +
        "Without the setting the extension uses the server that it brings.",
    );
  }
}

function expand(path: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return path.replace(/^~(?=[/\\])/, homedir()).replaceAll("${workspaceFolder}", folder);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A command that starts the server. */
interface Command {
  command: string;
  args: string[];
  version: string;
}

export class Runners implements Host {
  readonly isCaseSensitive = process.platform !== "win32";
  readonly schemes = ["file", "untitled", LISTING_SCHEME];
  private readonly bundle: vscode.Uri;
  private readonly ownVersion: string;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly launcher: Launcher,
    private readonly log: vscode.OutputChannel,
  ) {
    this.bundle = vscode.Uri.joinPath(context.extensionUri, "dist", "server");
    this.ownVersion = (context.extension.packageJSON as { version: string }).version;
  }

  async *runners(): AsyncGenerator<Runner> {
    const configured = vscode.workspace.getConfiguration("spvls").get<string | null>("path");
    if (configured) {
      yield await this.configured(configured);
      return; // whoever names a server wants no other
    }
    for (const find of [() => this.onPath(), () => this.ofSelectedPython()]) {
      const found = await find();
      if (found && this.isNewEnough(found)) {
        yield this.program(`${found.version}, ${found.command}`, found);
      }
    }
    const python = await suitablePython(this.launcher);
    if (python) {
      const start = vscode.Uri.joinPath(this.bundle, "start.py").fsPath;
      const command = { command: python.path, args: ["-I", start], version: `spvls ${this.ownVersion}` };
      yield this.program(`bundled, with Python ${python.version} (${python.path})`, command);
    } else {
      this.log.appendLine("No Python 3.11 or newer was found, with which the server would be faster.");
    }
    yield new WorkerRunner(this.bundle, this.log);
  }

  private async configured(path: string): Promise<Runner> {
    const program = this.launcher.find(expand(path));
    try {
      if (!program) {
        throw new Error("there is no such program");
      }
      const found = await this.probe(program);
      return this.program(`${found.version}, ${program}, by the setting spvls.path`, found);
    } catch (error) {
      throw new BadServerPath(path, reasonOf(error));
    }
  }

  private async onPath(): Promise<Command | undefined> {
    const program = this.launcher.find("spvls");
    return program ? this.probeOrTell(program) : undefined;
  }

  /** `-P` keeps the working directory out. `-I` would also hide the user's own packages, where `pip install --user` puts it. */
  private async ofSelectedPython(): Promise<Command | undefined> {
    const selected = await selectedPython();
    const python = selected && this.launcher.find(selected);
    return python ? this.probeOrTell(python, "-P", "-m", "spvls") : undefined;
  }

  /** @throws Error with the reason when it does not run as the server. */
  private async probe(command: string, ...args: string[]): Promise<Command> {
    const version = await this.launcher.outputOf(command, [...args, "--version"]);
    if (!version.startsWith("spvls ")) {
      throw new Error("it is another program");
    }
    return { command, args, version };
  }

  private async probeOrTell(command: string, ...args: string[]): Promise<Command | undefined> {
    try {
      return await this.probe(command, ...args);
    } catch (error) {
      this.log.appendLine(`${[command, ...args].join(" ")} is passed over: ${reasonOf(error)}`);
      return undefined;
    }
  }

  private isNewEnough({ command, version }: Command): boolean {
    if (isAtLeast(version.replace("spvls ", ""), this.ownVersion)) {
      return true;
    }
    const message =
      `${version} (${command}) is older than this extension, which uses the server ${this.ownVersion} that it brings. ` +
      "Upgrade the old one with: pip install --upgrade spvls. The setting spvls.path uses it all the same.";
    this.log.appendLine(message);
    const key = `older: ${command} ${version}`;
    if (!this.context.globalState.get(key)) {
      void this.context.globalState.update(key, true); // once is enough
      void vscode.window.showInformationMessage(message);
    }
    return false;
  }

  private program(name: string, { command, args }: Command): Runner {
    const start = { command, args: [...args, "serve"], options: this.launcher.options() };
    this.log.appendLine(`${name}: ${[command, ...start.args].join(" ")}`);
    return {
      name,
      files: LOCAL_FILES,
      client: (options: LanguageClientOptions) => new LanguageClient("spvls", "SPIR-V", start, options),
    };
  }
}
