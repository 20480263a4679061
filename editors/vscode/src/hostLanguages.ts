/** Documents of other languages with modules in them: which of them the server is to know, and when it starts for them. */
import * as vscode from "vscode";
import { holdsInstruction } from "./instruction";

export const SPIRV = "spirv";

/** Languages that the extension brings with it; no other extension has features for them. */
const OWN = new Set([SPIRV, "amberscript", "vkrunner"]);

/** The languages of the documents that the server is to know. */
export function chosenLanguages(): string[] {
  const chosen = vscode.workspace.getConfiguration("spvls").get<unknown>("hostLanguages");
  const names = Array.isArray(chosen) ? chosen.filter((name): name is string => typeof name === "string") : [];
  return [...new Set([SPIRV, ...names])];
}

/** Those of them for which no other extension formats or colors. */
export function ownLanguages(): string[] {
  return chosenLanguages().filter((name) => OWN.has(name));
}

/** Lets the conditions of commands know the languages, as `spvls.languages`. */
export function tellLanguages(): void {
  void vscode.commands.executeCommand("setContext", "spvls.languages", chosenLanguages());
}

/** Calls `start` once, when a document is open that the server is of use for. */
export class FirstNeed implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly start: () => void) {
    this.subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.consider(document, document.getText())),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.some(({ text }) => text.includes("\n") || text === " ")) {
          const texts = contentChanges.map(({ range, text }) => document.lineAt(range.start.line).text + text);
          this.consider(document, texts.join("\n"));
        }
      }),
    ];
    for (const document of vscode.workspace.textDocuments) {
      this.consider(document, document.getText());
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private consider({ languageId }: vscode.TextDocument, text: string): void {
    if (languageId === SPIRV || (chosenLanguages().includes(languageId) && holdsInstruction(text))) {
      this.dispose();
      this.start();
    }
  }
}
