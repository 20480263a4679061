/** The server in a worker, as the language client talks to it. */
import type { Transport } from "@codemirror/lsp-client";
import type { FromWorker, ToWorker } from "../../bundle/src/messages";

/** Milliseconds after which a start is given up. */
const LONGEST_START = 120_000;

type Handler = (message: string) => void;

export class Server implements Transport {
  private readonly worker = new Worker("server/webWorker.js", { type: "module" });
  private readonly handlers = new Set<Handler>();
  /** Settles when the server takes messages; what is sent before is kept for it. */
  readonly started: Promise<void>;

  /** `ended` hears why the server does not run any more. */
  constructor(ended: (reason: string) => void) {
    this.started = new Promise((resolve, reject) => {
      const failed = (reason: string): void => {
        clearTimeout(timer);
        reject(new Error(reason));
        this.worker.terminate();
        ended(reason);
      };
      const timer = setTimeout(() => failed(`it has not started for ${LONGEST_START / 1000} seconds`), LONGEST_START);
      this.worker.addEventListener("error", ({ message }) => failed(message || "its script cannot be loaded"));
      this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === "message") {
          this.handlers.forEach((handler) => handler(data.text));
        } else if (data.type === "started") {
          clearTimeout(timer);
          resolve();
        } else if (data.type === "failed") {
          failed(data.reason);
        } else if (data.type === "log") {
          console.warn(data.line);
        }
      });
    });
    this.started.catch(() => undefined); // `ended` has heard of it
    this.post({ type: "start", folder: new URL("server/pyodide/", location.href).href });
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  send(message: string): void {
    this.post({ type: "message", text: message });
  }

  subscribe(handler: Handler): void {
    this.handlers.add(handler);
  }

  unsubscribe(handler: Handler): void {
    this.handlers.delete(handler);
  }

  /** Lets the server see a file. */
  put(path: string, data: Uint8Array): void {
    this.post({ type: "put", path, data, modified: Date.now(), isReadOnly: false });
  }
}
