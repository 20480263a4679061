/** The extension in a browser, as on vscode.dev and github.dev. */
import * as vscode from "vscode";
import type { LanguageClientOptions } from "vscode-languageclient/lib/common/api";
import type { FromWorker } from "../../../bundle/src/messages";
import { activateOn } from "../extension";
import { LISTING_SCHEME } from "../listingUri";
import type { Host, Runner } from "../runner";
import { WorkerClient, WorkerConnection } from "../workerClient";
import type { Port } from "../workerClient";
import { StagedFiles } from "./stagedFiles";

const ARCHIVES = ["pyodide.asm.wasm", "python_stdlib.zip", "server.zip"];

function portOf(worker: Worker): Port {
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (take) => worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => take(data)),
    onError: (take) => worker.addEventListener("error", ({ message }) => take(message || "its script cannot be run")),
    terminate: () => worker.terminate(),
  };
}

/** The server in Pyodide. It sees the documents that are open, and the binaries that it is asked for. */
class BrowserRunner implements Runner {
  readonly name = "bundled, in the browser (WebAssembly)";
  readonly files = new StagedFiles();

  constructor(
    private readonly bundle: vscode.Uri,
    private readonly log: vscode.OutputChannel,
  ) {}

  client(options: LanguageClientOptions): WorkerClient {
    return new WorkerClient(options, () => this.start());
  }

  /** The files of the extension may be at addresses that a worker cannot load from, so that it gets them with the first message. */
  private async start(): Promise<WorkerConnection> {
    const read = (name: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.bundle, name));
    const [script, ...archives] = await Promise.all([
      read("webWorker.js"),
      ...ARCHIVES.map((name) => read(`pyodide/${name}`)),
    ]);
    const address = URL.createObjectURL(new Blob([script as Uint8Array<ArrayBuffer>], { type: "text/javascript" }));
    const files = Object.fromEntries(ARCHIVES.map((name, i) => [name, archives[i] as Uint8Array]));
    const start = { type: "start" as const, folder: "bundle:///", files };
    const connection = await WorkerConnection.start(portOf(new Worker(address)), start, (line) => this.log.appendLine(line));
    URL.revokeObjectURL(address);
    this.files.use(connection);
    return connection;
  }
}

class Browser implements Host {
  readonly isCaseSensitive = true;
  readonly schemes = ["file", "untitled", LISTING_SCHEME, "vscode-remote", "vscode-vfs", "vscode-test-web"];

  constructor(
    private readonly bundle: vscode.Uri,
    private readonly log: vscode.OutputChannel,
  ) {}

  async *runners(): AsyncGenerator<Runner> {
    yield new BrowserRunner(this.bundle, this.log);
  }
}

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("SPIR-V", { log: true });
  activateOn(new Browser(vscode.Uri.joinPath(context.extensionUri, "dist", "server"), log), context, log);
}
