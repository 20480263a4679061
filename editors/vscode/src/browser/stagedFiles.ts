/** Binaries in a browser: the server has a file system of its own, to which each is copied when the user opens or writes it. */
import * as vscode from "vscode";
import type { BinaryFiles } from "../runner";
import type { WorkerConnection } from "../workerClient";

/** What tells one state of a file from another. */
function stateOf({ mtime, size }: vscode.FileStat): string {
  return `${mtime} ${size}`;
}

async function statOf(file: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(file);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") {
      return undefined;
    }
    throw error;
  }
}

export class StagedFiles implements BinaryFiles {
  private connection: WorkerConnection | undefined;
  /** The files that the server has, each as it was when it was copied; only a change since then is one for the server. */
  private readonly states = new Map<string, string | undefined>();

  use(connection: WorkerConnection): void {
    this.connection = connection;
    this.states.clear();
  }

  async offer(file: vscode.Uri): Promise<string> {
    const stat = await statOf(file);
    const state = stat && stateOf(stat);
    const key = file.toString();
    if (!stat) {
      this.connection?.post({ type: "remove", path: file.path });
    } else if (state !== this.states.get(key)) {
      const data = await vscode.workspace.fs.readFile(file);
      const isReadOnly = Boolean((stat.permissions ?? 0) & vscode.FilePermission.Readonly);
      this.connection?.post({ type: "put", path: file.path, data, modified: stat.mtime, isReadOnly });
    }
    this.states.set(key, state);
    return vscode.Uri.from({ scheme: "file", path: file.path }).toString();
  }

  async accept(file: vscode.Uri): Promise<void> {
    const data = await this.connection?.get(file.path);
    if (!data) {
      throw new Error(`${file.path} was not written: the server has no such file.`);
    }
    await vscode.workspace.fs.writeFile(file, data);
    const stat = await statOf(file);
    this.states.set(file.toString(), stat && stateOf(stat));
  }
}
