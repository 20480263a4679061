/** Values for the specialization constants of a module: chosen one by one and shown in the text, then made final. */
import * as vscode from "vscode";
import { specialization } from "./protocol";
import type { Server } from "./server";

interface Step extends vscode.QuickPickItem {
  /** The constant to choose a value for. */
  key?: string;
  /** Ends the choice: `full` gives all other constants their default values. */
  apply?: "partial" | "full" | "none";
}

export async function specializeWith(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const document = { textDocument: { uri: editor.document.uri.toString() }, position: editor.selection.active };
  const run = (command: string, more: object): Thenable<unknown> =>
    vscode.commands.executeCommand(`spvls.server.${command}`, { ...document, ...more });
  let values: Record<string, string> = {};
  for (;;) {
    const { constants, preview } = await server.request(specialization, document);
    values = preview ?? values;
    if (!constants.length) {
      void vscode.window.showInformationMessage("The module has no specialization constants.");
      return;
    }
    const keyOf = (id: string): string => `%${id}`;
    const steps: Step[] = constants.map(({ id, specId, name, type, default: usual, values: possible }) => ({
      key: keyOf(id),
      label: `${name || keyOf(id)} = ${values[keyOf(id)] ?? usual}`,
      description: `${specId === null ? "" : `SpecId ${specId}, `}${type}${keyOf(id) in values ? "" : ", default"}`,
      detail: possible,
    }));
    const ends: Step[] = [
      { apply: "partial", label: "$(check) Specialize the constants that have a value" },
      { apply: "full", label: "$(check-all) Specialize all constants" },
      { apply: "none", label: "$(close) End the preview" },
    ];
    const picked = await vscode.window.showQuickPick([...steps, ...ends], {
      title: "Specialize with…",
      placeHolder: "A constant to give a value",
    });
    if (!picked) {
      return; // what is shown stays
    }
    if (picked.apply) {
      if (picked.apply !== "none") {
        await run("specialize", { values, full: picked.apply === "full" });
      }
      await run("previewSpecialization", { values: null });
      return;
    }
    const key = picked.key ?? "";
    const value = await vscode.window.showInputBox({
      title: picked.label,
      prompt: `${picked.detail ?? ""}; nothing for the default`,
      value: values[key] ?? "",
    });
    if (value === undefined) {
      continue;
    }
    const next = { ...values };
    if (value.trim()) {
      next[key] = value.trim();
    } else {
      delete next[key];
    }
    try {
      await run("previewSpecialization", { values: next });
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }
}
