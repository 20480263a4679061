/** The server's life: found, started, restarted, stopped; and requests to it while it runs. */
import * as vscode from "vscode";
import { LSPErrorCodes, LanguageClient, State } from "vscode-languageclient/node";
import type { LanguageClientOptions, RequestType } from "vscode-languageclient/node";
import { installServer } from "./install";
import { Launcher } from "./launcher";
import { BadServerPath, locateServer } from "./locate";
import type { ServerCommand } from "./locate";
import { LISTING_SCHEME } from "./listingUri";
import { binaryChanged } from "./protocol";

const MOST_TRIES = 20;

export type ServerState = "starting" | "running" | "stopped" | "missing";

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  private readonly binaryChanged = new vscode.EventEmitter<{ uri: string }>();
  private readonly settingsSent = new vscode.EventEmitter<void>();
  private readonly launcher: Launcher;
  private current: ServerState = "stopped";
  readonly onDidChangeState = this.stateChanged.event;
  readonly onDidChangeBinary = this.binaryChanged.event;
  /** The server asked for the settings, and has them. */
  readonly onDidSendSettings = this.settingsSent.event;

  constructor(
    private readonly storage: vscode.Uri,
    private readonly log: vscode.OutputChannel,
  ) {
    this.launcher = new Launcher(storage);
  }

  get state(): ServerState {
    return this.current;
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

  async install(): Promise<void> {
    try {
      await installServer(this.storage, this.launcher, this.log);
    } catch (error) {
      this.log.show(true);
      void vscode.window.showErrorMessage(`The SPIR-V server was not installed: ${(error as Error).message}`);
      return;
    }
    await this.restart();
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
    vscode.Disposable.from(this.stateChanged, this.binaryChanged, this.settingsSent).dispose();
  }

  private async disconnect(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  private setState(state: ServerState): void {
    this.current = state;
    this.stateChanged.fire(state);
  }

  private async launch(): Promise<void> {
    this.setState("starting");
    try {
      const command = await locateServer(this.storage, this.launcher);
      if (!command) {
        this.log.appendLine("spvls was not found");
        this.setState("missing");
        void this.offerInstallation();
        return;
      }
      await this.connect(command);
    } catch (error) {
      this.setState("stopped");
      const message = error instanceof BadServerPath ? error.message : `The SPIR-V server did not start: ${error}`;
      this.log.appendLine(message);
      void this.offerSettings(message);
    }
  }

  private async connect({ command, args, options: start, version }: ServerCommand): Promise<void> {
    this.log.appendLine(`${version}: ${[command, ...args].join(" ")}`);
    const options: LanguageClientOptions = {
      documentSelector: ["file", "untitled", LISTING_SCHEME].map((scheme) => ({ scheme, language: "spirv" })),
      outputChannel: this.log,
      initializationOptions: vscode.workspace.getConfiguration("spvls"),
      middleware: {
        workspace: {
          configuration: (params, token, next) => {
            setTimeout(() => this.settingsSent.fire());
            return next(params, token);
          },
        },
      },
    };
    const client = new LanguageClient("spvls", "SPIR-V", { command, args, options: start }, options);
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Starting) {
        this.setState(newState === State.Running ? "running" : "stopped");
      }
    });
    client.onNotification(binaryChanged, (params) => this.binaryChanged.fire(params));
    await client.start();
    this.client = client;
  }

  private async offerInstallation(): Promise<void> {
    const chosen = await vscode.window.showWarningMessage(
      "The SPIR-V language server spvls is not installed. Get it with: pip install spvls (Python 3.11 or newer), " +
        "or let the extension install it for itself.",
      "Install",
      "Open Settings",
    );
    if (chosen === "Install") {
      await this.install();
    } else if (chosen === "Open Settings") {
      await openPathSetting();
    }
  }

  private async offerSettings(message: string): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(message, "Open Settings", "Show Output");
    if (chosen === "Open Settings") {
      await openPathSetting();
    } else if (chosen === "Show Output") {
      this.log.show();
    }
  }
}

async function openPathSetting(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", "spvls.path");
}
