/** The server in a thread of the extension host, for machines without Python. */
import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import type { LanguageClientOptions } from "vscode-languageclient/lib/common/api";
import type { FromWorker } from "../../../bundle/src/messages";
import type { BinaryFiles, Runner } from "../runner";
import { WorkerClient, WorkerConnection } from "../workerClient";
import type { Port } from "../workerClient";
import { requireLocal } from "./localFiles";

function portOf(worker: Worker): Port {
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (take) => worker.on("message", (message: FromWorker) => take(message)),
    onError: (take) => {
      worker.on("error", (error) => take(error.message));
      worker.on("exit", () => take("its thread has ended"));
    },
    terminate: () => void worker.terminate(),
  };
}

/** The server in Pyodide. It sees the folders of the workspace and those of binaries that it is asked for, at their own paths. */
export class WorkerRunner implements Runner, BinaryFiles {
  readonly name = "bundled, with its own Python (WebAssembly)";
  readonly files = this;
  private connection: WorkerConnection | undefined;

  constructor(
    private readonly bundle: vscode.Uri,
    private readonly log: vscode.OutputChannel,
  ) {}

  client(options: LanguageClientOptions): WorkerClient {
    return new WorkerClient(options, () => this.start());
  }

  private async start(): Promise<WorkerConnection> {
    const script = vscode.Uri.joinPath(this.bundle, "nodeWorker.cjs").fsPath;
    const folder = vscode.Uri.joinPath(this.bundle, "pyodide").fsPath + "/";
    const worker = new Worker(script, { env: {}, stdout: false, stderr: false });
    const connection = await WorkerConnection.start(portOf(worker), { type: "start", folder }, (line) => this.log.appendLine(line));
    this.connection = connection;
    vscode.workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === "file").forEach(({ uri }) => this.mount(uri));
    return connection;
  }

  private mount(folder: vscode.Uri): void {
    this.connection?.post({ type: "mount", path: folder.path, folder: folder.fsPath });
  }

  async offer(file: vscode.Uri): Promise<string> {
    requireLocal(file);
    this.mount(vscode.Uri.joinPath(file, ".."));
    return file.toString();
  }

  async accept(): Promise<void> {
    // It is where it belongs.
  }
}
