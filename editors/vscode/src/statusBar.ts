/** The status bar item of the active module: validity, version, environment, and which server runs. */
import * as vscode from "vscode";
import { summary } from "./protocol";
import type { Summary } from "./protocol";
import type { Server, ServerState } from "./server";

const WITHOUT_SERVER: Record<Exclude<ServerState, "running">, { text: string; tooltip: string; command: string }> = {
  starting: { text: "$(loading~spin) SPIR-V", tooltip: "The server is starting", command: "spvls.showOutput" },
  stopped: { text: "$(circle-slash) SPIR-V", tooltip: "The server is not running: click to start it", command: "spvls.restartServer" },
};

function count(found: vscode.Diagnostic[], severity: vscode.DiagnosticSeverity, noun: string): string | undefined {
  const n = found.filter((diagnostic) => diagnostic.severity === severity).length;
  return n ? `${n} ${noun}${n === 1 ? "" : "s"}` : undefined;
}

/** The module that the user looks at; its editor is not the active one while the binary beside it is. */
export function moduleInSight(): vscode.TextDocument | undefined {
  const editor =
    vscode.window.activeTextEditor ??
    vscode.window.visibleTextEditors.find(({ document }) => document.languageId === "spirv");
  return editor?.document.languageId === "spirv" ? editor.document : undefined;
}

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("spvls.status", vscode.StatusBarAlignment.Right, 100);
  private readonly subscriptions: vscode.Disposable[];
  private pending: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly server: Server) {
    this.item.name = "SPIR-V";
    const later = () => this.schedule();
    this.subscriptions = [
      server.onDidChangeState(later),
      server.onDidSendSettings(later),
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const shown = moduleInSight()?.uri.toString();
        if (uris.some((uri) => uri.toString() === shown)) {
          later();
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === moduleInSight()) {
          later();
        }
      }),
    ];
    later();
  }

  dispose(): void {
    clearTimeout(this.pending);
    vscode.Disposable.from(this.item, ...this.subscriptions).dispose();
  }

  private schedule(): void {
    clearTimeout(this.pending);
    this.pending = setTimeout(() => void this.update(), 150);
  }

  private async update(): Promise<void> {
    const document = moduleInSight();
    if (!document) {
      this.item.hide();
      return;
    }
    if (this.server.state !== "running") {
      Object.assign(this.item, WITHOUT_SERVER[this.server.state]);
      this.item.show();
      return;
    }
    const params = { textDocument: { uri: document.uri.toString() } };
    const facts = (await this.server.request(summary, params).catch(() => null)) ?? {};
    if (document === moduleInSight()) {
      this.show(vscode.languages.getDiagnostics(document.uri), facts);
    }
  }

  private show(found: vscode.Diagnostic[], { version, targetEnv }: Summary): void {
    const errors = count(found, vscode.DiagnosticSeverity.Error, "error");
    const warnings = count(found, vscode.DiagnosticSeverity.Warning, "warning");
    const icon = errors ? "$(error)" : warnings ? "$(warning)" : "$(check)";
    const name = version ? `SPIR-V ${version}` : "SPIR-V";
    this.item.text = [`${icon} ${name}`, targetEnv].filter(Boolean).join(" · ");
    const validity = [errors ?? "valid", warnings].filter(Boolean).join(", ");
    const runs = `Server: ${this.server.runner ?? "none"}`;
    this.item.tooltip = [validity, runs, "Click to choose the target environment"].join("\n");
    this.item.accessibilityInformation = { label: [name, targetEnv, validity, runs].filter(Boolean).join(", ") };
    this.item.command = "spvls.chooseTargetEnv";
    this.item.show();
  }
}
