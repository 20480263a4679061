/** The server's life: found, started, restarted, stopped; and requests to it while it runs. */
import * as vscode from "vscode";
import {
  CloseAction,
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  ErrorAction,
  LinkedEditingRangeRequest,
  LSPErrorCodes,
  SemanticTokensRegistrationType,
  State,
} from "vscode-languageclient/lib/common/api";
import type { BaseLanguageClient, ErrorHandler, LanguageClientOptions, RequestType, StaticFeature } from "vscode-languageclient/lib/common/api";
import { chosenLanguages, ownLanguages } from "./hostLanguages";
import { binaryChanged, contentRefresh } from "./protocol";
import type { BinaryFiles, Host, Runner } from "./runner";
import { suggestNext } from "./suggestions";

const MOST_TRIES = 20;

/** Of these VS Code asks one extension alone, or has the user choose one: they stay with the extension of a language. */
const OF_ONE_ALONE = [
  DocumentFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentOnTypeFormattingRequest,
  SemanticTokensRegistrationType,
  LinkedEditingRangeRequest,
] as unknown as (typeof DocumentFormattingRequest)[];

/** Says that documents of the server's own can be shown (LSP 3.18), which the library does not know of, and names commands of
 * this client that code actions may run. */
const KNOWS_CONTENTS: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    Object.assign((capabilities.workspace ??= {}), { textDocumentContent: {} });
    capabilities.experimental = { commands: ["spvls.specialize"] };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

export type ServerState = "starting" | "running" | "stopped";

export class Server implements vscode.Disposable {
  private client: BaseLanguageClient | undefined;
  private chosen: Runner | undefined;
  private starting: Promise<void> | undefined;
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  private readonly binaryChanged = new vscode.EventEmitter<{ uri: string }>();
  private readonly contentChanged = new vscode.EventEmitter<string>();
  private readonly settingsSent = new vscode.EventEmitter<void>();
  private current: ServerState = "stopped";
  readonly onDidChangeState = this.stateChanged.event;
  readonly onDidChangeBinary = this.binaryChanged.event;
  /** A document that the server makes has another text now. */
  readonly onDidChangeContent = this.contentChanged.event;
  /** The server asked for the settings, and has them. */
  readonly onDidSendSettings = this.settingsSent.event;

  constructor(
    private readonly host: Host,
    private readonly log: vscode.OutputChannel,
  ) {}

  get state(): ServerState {
    return this.current;
  }

  /** Whether it was started, or was to be. */
  get isUsed(): boolean {
    return this.starting !== undefined;
  }

  /** Which server runs, and what runs it. */
  get runner(): string | undefined {
    return this.chosen?.name;
  }

  /**
   * How binaries get to the server that runs.
   *
   * @throws Error when none does.
   */
  async files(): Promise<BinaryFiles> {
    await this.start();
    if (!this.chosen) {
      throw new Error("The SPIR-V server is not running.");
    }
    return this.chosen.files;
  }

  start(): Promise<void> {
    this.starting ??= this.launch();
    return this.starting;
  }

  /** Restarts follow one another, however quickly they are asked for. */
  restart(): Promise<void> {
    const before = this.starting;
    this.starting = (async () => {
      await before;
      await this.disconnect();
      await this.launch();
    })();
    return this.starting;
  }

  /**
   * Asks anew when an edit overtook the question.
   *
   * @throws Error when no server runs and none can be started.
   */
  async request<P, R>(type: RequestType<P, R, void>, params: P): Promise<R> {
    await this.start();
    for (let tries = MOST_TRIES; ; tries--) {
      if (!this.client) {
        throw new Error("The SPIR-V server is not running.");
      }
      try {
        return await this.client.sendRequest(type, params);
      } catch (error) {
        if (tries === 1 || (error as { code?: number }).code !== LSPErrorCodes.ContentModified) {
          throw error;
        }
      }
    }
  }

  dispose(): void {
    void this.starting?.then(() => this.disconnect());
    vscode.Disposable.from(this.stateChanged, this.binaryChanged, this.contentChanged, this.settingsSent).dispose();
  }

  private async disconnect(): Promise<void> {
    const client = this.client;
    this.client = this.chosen = undefined;
    await client?.dispose();
  }

  private setState(state: ServerState): void {
    this.current = state;
    this.stateChanged.fire(state);
  }

  private async launch(): Promise<void> {
    this.setState("starting");
    const reasons: string[] = [];
    try {
      for await (const runner of this.host.runners()) {
        try {
          return await this.connect(runner);
        } catch (error) {
          reasons.push(`${runner.name}: ${reasonOf(error)}`);
          this.log.appendLine(`It did not start. ${reasons.at(-1)}`);
        }
      }
    } catch (error) {
      reasons.push(reasonOf(error));
    }
    this.setState("stopped");
    const message = `The SPIR-V server did not start. ${reasons.join(" ")}`;
    this.log.appendLine(message);
    void this.offerRetry(message);
  }

  private async connect(runner: Runner): Promise<void> {
    // A server that has run is started again when it ends; one that does not start gives way to the next.
    let afterStart: ErrorHandler | undefined;
    const options: LanguageClientOptions = {
      errorHandler: {
        error: (error, message, count) =>
          afterStart?.error(error, message, count) ?? { action: ErrorAction.Shutdown, handled: true },
        closed: () => afterStart?.closed() ?? { action: CloseAction.DoNotRestart, handled: true },
      },
      documentSelector: this.documents(chosenLanguages()),
      outputChannel: this.log,
      initializationOptions: vscode.workspace.getConfiguration("spvls"),
      middleware: {
        provideCompletionItem: suggestNext,
        workspace: {
          configuration: (params, token, next) => {
            setTimeout(() => this.settingsSent.fire());
            return next(params, token);
          },
        },
      },
    };
    const client = runner.client(options);
    const own = this.documents(ownLanguages());
    for (const { method } of OF_ONE_ALONE) {
      const feature = client.getFeature(method);
      const initialize = feature.initialize.bind(feature);
      feature.initialize = (capabilities) => initialize(capabilities, own);
    }
    const { error } = client;
    client.error = (message, data) => error.call(client, message, data, false); // another one may start
    client.registerFeature(KNOWS_CONTENTS);
    client.onRequest(contentRefresh, ({ uri }) => {
      this.contentChanged.fire(uri);
      return null;
    });
    client.onNotification(binaryChanged, (params) => this.binaryChanged.fire(params));
    await client.start();
    client.error = error;
    afterStart = client.createDefaultErrorHandler();
    this.client = client;
    this.chosen = runner;
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Starting) {
        this.setState(newState === State.Running ? "running" : "stopped");
      }
    });
    this.log.appendLine(`The server runs: ${runner.name}`);
    this.setState("running");
  }

  private documents(languages: string[]): { scheme: string; language: string }[] {
    return this.host.schemes.flatMap((scheme) => languages.map((language) => ({ scheme, language })));
  }

  private async offerRetry(message: string): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(message, "Retry", "Show Output", "Open Settings");
    if (chosen === "Retry") {
      await this.restart();
    } else if (chosen === "Show Output") {
      this.log.show();
    } else if (chosen === "Open Settings") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "spvls.path");
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
