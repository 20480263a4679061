/** Starts the programs that the extension needs, isolated from the workspace. */
import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync } from "node:fs";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { findProgram, isolatedEnvironment } from "./programs";

const run = promisify(execFile);
const LONGEST_REASON = 300;

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

/** Why a program failed: the last line of what it said, which in Python names the error. */
function reasonOf(error: Error & { stderr?: string; killed?: boolean; code?: unknown }): string {
  const last = error.stderr?.trim().split("\n").pop()?.trim();
  const how = error.killed ? "it has not answered for 10 seconds" : `it ended with ${String(error.code)}`;
  return last ? `${how}: ${last.slice(0, LONGEST_REASON)}` : how;
}

export class Launcher {
  /** `storage` and `extension` are folders of the extension's own; programs start in the first that there is. */
  constructor(
    private readonly storage: vscode.Uri,
    private readonly extension: vscode.Uri,
  ) {}

  /** The absolute path of a program that may be started, given by its name or by an absolute path. */
  find(name: string, forbidden = untrustedFolders()): string | undefined {
    return findProgram(name, process.env, forbidden);
  }

  options(): StartOptions {
    return { cwd: this.folder(), env: isolatedEnvironment(process.env, untrustedFolders()) };
  }

  /** The home of the user may be read-only, or not be there. */
  private folder(): string {
    const { fsPath } = this.storage;
    try {
      mkdirSync(fsPath, { recursive: true });
      accessSync(fsPath, constants.X_OK);
      return fsPath;
    } catch {
      return this.extension.fsPath;
    }
  }

  /**
   * Standard output of a program.
   *
   * @throws Error with the reason when it does not start, fails, or takes longer than ten seconds.
   */
  async outputOf(command: string, args: string[]): Promise<string> {
    try {
      return (await run(command, args, { ...this.options(), timeout: 10_000, windowsHide: true })).stdout.trim();
    } catch (error) {
      throw new Error(reasonOf(error as Error));
    }
  }
}
