/** The example of what the cursor is at, opened as a module. */
import * as vscode from "vscode";
import { example } from "./protocol";
import type { Server } from "./server";

export async function openExample(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "spirv") {
    return;
  }
  const uri = editor.document.uri.toString();
  const found = await server.request(example, { textDocument: { uri }, position: editor.selection.active });
  if (!found) {
    void vscode.window.showInformationMessage("There is no example of what the cursor is at.");
    return;
  }
  const document = await vscode.workspace.openTextDocument({ language: "spirv", content: found.text });
  await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
}
