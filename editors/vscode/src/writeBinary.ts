/** Writing the words of an open document to a file. */
import * as vscode from "vscode";
import { LISTING_SCHEME, binaryOf } from "./listingUri";
import { writeBinary } from "./protocol";
import type { WriteBinaryResult } from "./protocol";
import type { Server } from "./server";

/**
 * Writes the binary of `document`; asks the user when the server refuses.
 *
 * @throws Error with the server's reason when nothing was written.
 */
export async function writeBinaryOf(server: Server, document: vscode.Uri): Promise<vscode.Uri> {
  const target = binaryOf(document);
  const files = await server.files();
  const params = { textDocument: { uri: document.toString() }, target: await files.offer(target) };
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
  await files.accept(target);
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
  const write = async (text: vscode.Uri, target: vscode.Uri): Promise<WriteBinaryResult> => {
    const files = await server.files();
    const params = { textDocument: { uri: text.toString() }, target: await files.offer(target) };
    const result = await server.request(writeBinary, params);
    if (result.written) {
      await files.accept(target);
    }
    return result;
  };
  return vscode.workspace.onDidSaveTextDocument(async ({ languageId, uri }) => {
    const isWanted = vscode.workspace.getConfiguration("spvls.binary", uri).get<boolean>("writeOnSave");
    if (languageId !== "spirv" || uri.scheme === LISTING_SCHEME || !isWanted) {
      return;
    }
    const target = binaryOf(uri);
    const name = vscode.workspace.asRelativePath(target);
    const done = await write(uri, target).catch((error: Error) => ({ written: false, reason: error.message }));
    vscode.window.setStatusBarMessage(done.written ? `Wrote ${name}` : `${name} was not written: ${done.reason}`, 5000);
  });
}
