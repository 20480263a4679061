/** A client of the server in a worker. */
import { AbstractMessageReader, AbstractMessageWriter, BaseLanguageClient } from "vscode-languageclient/lib/common/api";
import type {
  DataCallback,
  Disposable,
  LanguageClientOptions,
  Message,
  MessageReader,
  MessageTransports,
  MessageWriter,
} from "vscode-languageclient/lib/common/api";
import type { FromWorker, ToWorker } from "../../bundle/src/messages";

/** A worker is given up when it has not started by then, in milliseconds: a machine may be slow, and busy. */
const LONGEST_START = 120_000;

/** A worker, of Node or of a browser. */
export interface Port {
  post(message: ToWorker): void;
  onMessage(take: (message: FromWorker) => void): void;
  onError(take: (reason: string) => void): void;
  terminate(): void;
}

class Reader extends AbstractMessageReader implements MessageReader {
  private callback: DataCallback | undefined;

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    return { dispose: () => (this.callback = undefined) };
  }

  deliver(text: string): void {
    this.callback?.(JSON.parse(text) as Message);
  }

  end(reason: string): void {
    this.fireError(new Error(reason));
    this.fireClose();
  }
}

class Writer extends AbstractMessageWriter implements MessageWriter {
  constructor(private readonly port: Port) {
    super();
  }

  write(message: Message): Promise<void> {
    this.port.post({ type: "message", text: JSON.stringify(message) });
    return Promise.resolve();
  }

  end(): void {
    this.port.terminate();
  }

  override dispose(): void {
    super.dispose();
    this.port.terminate();
  }
}

/** A server in a worker, which runs until its client ends. */
export class WorkerConnection {
  private readonly reader = new Reader();
  private readonly requests = new Map<number, (data: Uint8Array | undefined) => void>();
  private requested = 0;
  readonly transports: MessageTransports;

  private constructor(private readonly port: Port) {
    this.transports = { reader: this.reader, writer: new Writer(port) };
  }

  /**
   * Starts the server in a worker.
   *
   * @throws Error when it does not start.
   */
  static start(port: Port, start: ToWorker, log: (line: string) => void): Promise<WorkerConnection> {
    const connection = new WorkerConnection(port);
    return new Promise((resolve, reject) => {
      const failed = (reason: string): void => {
        clearTimeout(timer);
        reject(new Error(reason));
        connection.reader.end(reason);
        connection.requests.forEach((resolve) => resolve(undefined));
        port.terminate();
      };
      const timer = setTimeout(() => failed(`it has not started for ${LONGEST_START / 1000} seconds`), LONGEST_START);
      port.onError(failed);
      port.onMessage((message) => {
        switch (message.type) {
          case "started":
            clearTimeout(timer);
            return resolve(connection);
          case "failed":
            return failed(message.reason);
          case "log":
            return log(message.line);
          case "message":
            return connection.reader.deliver(message.text);
          case "file":
            connection.requests.get(message.request)?.(message.data);
            connection.requests.delete(message.request);
        }
      });
      port.post(start);
    });
  }

  /** Messages about files reach the server in their order among all others. */
  post(message: ToWorker & { type: "put" | "remove" | "mount" }): void {
    this.port.post(message);
  }

  /** A file that the server sees; undefined where there is none. */
  get(path: string): Promise<Uint8Array | undefined> {
    const request = ++this.requested;
    return new Promise((resolve) => {
      this.requests.set(request, resolve);
      this.port.post({ type: "get", path, request });
    });
  }
}

export class WorkerClient extends BaseLanguageClient {
  constructor(
    options: LanguageClientOptions,
    private readonly connect: () => Promise<WorkerConnection>,
  ) {
    super("spvls", "SPIR-V", options);
  }

  protected override async createMessageTransports(): Promise<MessageTransports> {
    return (await this.connect()).transports;
  }
}
