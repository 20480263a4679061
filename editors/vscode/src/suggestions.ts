/** Suggestions that lead to the next ones. */
import * as vscode from "vscode";
import type { ProvideCompletionItemsSignature } from "vscode-languageclient/lib/common/api";

const SUGGEST: vscode.Command = { command: "editor.action.triggerSuggest", title: "Suggest" };

/** What the server says of an item beside what the protocol has: whether more is to be suggested once it is taken. */
interface Continuing extends vscode.CompletionItem {
  data?: { continues?: boolean };
}

/** Suggest what comes next after items that end in an open place. */
export async function suggestNext(
  document: vscode.TextDocument,
  position: vscode.Position,
  context: vscode.CompletionContext,
  token: vscode.CancellationToken,
  next: ProvideCompletionItemsSignature,
): Promise<vscode.CompletionItem[] | vscode.CompletionList | null | undefined> {
  const found = await next(document, position, context, token);
  const items: Continuing[] = Array.isArray(found) ? found : (found?.items ?? []);
  for (const item of items) {
    if (item.data?.continues === true) {
      item.command = SUGGEST;
    }
  }
  return found;
}
