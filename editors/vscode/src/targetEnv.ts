/** Choosing the environment that modules are checked against. */
import * as vscode from "vscode";

const SETTING = "targetEnv";

/** Writes the choice to the workspace's settings, or to the user's when no folder is open. */
export async function chooseTargetEnv(names: (string | null)[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration("spvls", vscode.window.activeTextEditor?.document);
  const now = settings.get<string | null>(SETTING);
  const items = names.map((name) => ({
    name,
    label: name ?? "From the file",
    description: name === now ? "current" : name === null ? "its own comment or header, or else SPIR-V 1.6" : "",
  }));
  const picked = await vscode.window.showQuickPick(items, { title: "SPIR-V target environment" });
  if (picked) {
    const hasFolder = Boolean(vscode.workspace.workspaceFolders?.length);
    const target = hasFolder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await settings.update(SETTING, picked.name ?? undefined, target);
  }
}
