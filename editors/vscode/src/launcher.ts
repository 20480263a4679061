/** Starts the programs that the extension needs, isolated from the workspace. */
import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { findProgram, isolatedEnvironment } from "./programs";

const run = promisify(execFile);

export interface StartOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** The folders that the user has opened, on the local disk. */
export function workspaceFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}

/** Folders whose programs must not run: those of a workspace that the user does not trust. */
function untrustedFolders(): string[] {
  return vscode.workspace.isTrusted ? [] : workspaceFolders();
}

export class Launcher {
  /** `folder` is the extension's own; programs start there. */
  constructor(private readonly folder: vscode.Uri) {}

  /** The absolute path of a program that may be started, given by its name or by an absolute path. */
  find(name: string, forbidden = untrustedFolders()): string | undefined {
   
    return findProgram(name, process.env, forbidden);
  }

  async options(): Promise<StartOptions> {
    await vscode.workspace.fs.createDirectory(this.folder);
    return { cwd: this.folder.fsPath, env: isolatedEnvironment(process.env, untrustedFolders()) };
  }

  /** Standard output of a program, or undefined when it is absent, fails, or takes longer than ten seconds. */
  async outputOf(command: string, args: string[]): Promise<string | undefined> {
    try {
      const options = { ...(await this.options()), timeout: 10_000, windowsHide: true };
      return (await run(command, args, options)).stdout.trim();
    } catch {
      return undefined;
    }
  }

  /**
   * Runs a program to its end, its output in the log.
   *
   * @throws Error when it does not start, or ends with another code than 0.
   */
  async runLogged(log: vscode.OutputChannel, command: string, args: string[]): Promise<void> {
    log.appendLine(`$ ${[command, ...args].join(" ")}`);
    const child = spawn(command, args, { ...(await this.options()), windowsHide: true });
    child.stdout.on("data", (chunk: Buffer) => log.append(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => log.append(chunk.toString()));
    await new Promise<void>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => (code ? reject(new Error(`${command} ended with code ${code}`)) : resolve()));
    });
  }
}
