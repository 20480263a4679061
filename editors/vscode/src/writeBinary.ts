/** Writing the words of an open document to a file. */
import * as vscode from "vscode";
import { binaryOf } from "./listingUri";
import { writeBinary } from "./protocol";
import type { Server } from "./server";

/**
 * Writes the binary of `document`; asks the user when the server refuses.
 *
 * @throws Error with the server's reason when nothing was written.
 */
export async function writeBinaryOf(server: Server, document: vscode.Uri): Promise<vscode.Uri> {
  const target = binaryOf(document);
  const params = { textDocument: { uri: document.toString() }, target: target.toString() };
  let result = await server.request(writeBinary, params);
  if (!result.written) {
    const question = { modal: true, detail: result.reason ?? undefined };
    const name = vscode.workspace.asRelativePath(target);
    const answer = await vscode.window.showWarningMessage(`${name} was not written.`, question, "Write Anyway");
    if (answer) {
      result = await server.request(writeBinary, { ...params, force: true });
    }
  }
  if (!result.written) {
    throw new Error(result.reason ?? "The server did not write the file.");
  }
  return target;
}

/** The command "Write Binary" on the active editor. */
export async function writeActiveBinary(server: Server): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "spirv") {
    return;
  }
  try {
    const target = await writeBinaryOf(server, document.uri);
    vscode.window.setStatusBarMessage(`Wrote ${vscode.workspace.asRelativePath(target)}`, 5000);
  } catch (error) {
    void vscode.window.showErrorMessage((error as Error).message);
  }
}

/** Keeps the binaries of saved texts up to date where the settings say so; a text that does not assemble leaves its own. */
export function writeOnSave(server: Server): vscode.Disposable {
  return vscode.workspace.onDidSaveTextDocument(async ({ languageId, uri }) => {
    const isWanted = vscode.workspace.getConfiguration("spvls.binary", uri).get<boolean>("writeOnSave");
    if (languageId !== "spirv" || uri.scheme !== "file" || !isWanted) {
      return;
    }
    const target = binaryOf(uri);
    const params = { textDocument: { uri: uri.toString() }, target: target.toString() };
    const name = vscode.workspace.asRelativePath(target);
    const done = await server.request(writeBinary, params).catch((error: Error) => ({ written: false, reason: error.message }));
    vscode.window.setStatusBarMessage(done.written ? `Wrote ${name}` : `${name} was not written: ${done.reason}`, 5000);
  });
}
