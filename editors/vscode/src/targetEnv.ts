/** Choosing the environment that modules are checked against: first which one, then for what. */
import * as vscode from "vscode";
import { environments } from "./protocol";
import type { TargetChoice, TargetChoices } from "./protocol";
import type { Server } from "./server";
import { moduleInSight } from "./statusBar";

const SETTING = "targetEnv";

const DECIDED_BY: Record<TargetChoices["decidedBy"], string> = {
  comment: "a comment in this file",
  host: "the text around the module",
  setting: "the setting spvls.targetEnv",
  project: "spvls.toml",
  module: "the module itself",
};

/** What is chosen; without a name, what the module itself says. */
interface Choice extends vscode.QuickPickItem {
  name?: string;
}

interface Scope extends vscode.QuickPickItem {
  /** Writes the choice, and returns what was written and how it is taken back. */
  write: () => Promise<{ said: string; undo: () => Thenable<unknown> }>;
}

/** Asks for an environment and for what it is to hold, says what each answer writes and, when it is written, where. */
export async function chooseTargetEnv(server: Server): Promise<void> {
  const document = moduleInSight();
  if (!document) {
    void vscode.window.showInformationMessage("Open a module first: what it needs decides which environments take it.");
    return;
  }
  const params = { textDocument: { uri: document.uri.toString() } };
  const known = await server.request(environments, params);
  const choice = await vscode.window.showQuickPick(choices(known), {
    title: `Environment of the module: ${known.current}, from ${DECIDED_BY[known.decidedBy]}`,
    placeHolder: "Nothing is written before you say where",
    matchOnDescription: true,
  });
  if (!choice) {
    return;
  }
  const wanted = choice.name === undefined ? "What the module says" : choice.label.replace(/^\$\(\S+\) /, "");
  const scope = await vscode.window.showQuickPick(scopes(server, document, known, choice.name), {
    title: `${wanted}: for this file, or for all?`,
  });
  if (!scope) {
    return;
  }
  const { said, undo } = await scope.write();
  if ((await vscode.window.showInformationMessage(said, "Undo")) === "Undo") {
    await undo();
  }
}

function choices({ current, decidedBy, environments: all = [] }: TargetChoices): Choice[] {
  const items: Choice[] = [{ label: "$(file-code) What the module says", description: "its header, or else SPIR-V 1.6" }];
  let group = "";
  for (const one of all) {
    if (one.group !== group) {
      group = one.group;
      items.push({ label: group, kind: vscode.QuickPickItemKind.Separator });
    }
    items.push({ name: one.name, ...described(one, one.name === current && decidedBy !== "module") });
  }
  return items;
}

function described({ name, title, version, obstacle }: TargetChoice, isCurrent: boolean): vscode.QuickPickItem {
  const newest = title.startsWith("SPIR-V") ? [] : [`SPIR-V up to ${version}`];
  return {
    label: `$(${obstacle === null ? "check" : "circle-slash"}) ${title}`,
    description: [name, ...newest, ...(isCurrent ? ["current"] : [])].join(" · "),
    detail: obstacle === null ? "Takes this module" : `Does not take this module: ${obstacle}`,
  };
}

function scopes(server: Server, document: vscode.TextDocument, known: TargetChoices, name: string | undefined): Scope[] {
  const items: Scope[] = [];
  const file = vscode.workspace.asRelativePath(document.uri, false);
  const hasComment = known.decidedBy === "comment";
  if (known.takesComment && document.uri.scheme !== "spirv-listing" && (name !== undefined || hasComment)) {
    const detail = name === undefined ? `Removes the comment that names an environment from ${file}` : `Writes the comment "; spvls: target-env=${name}" into ${file}`;
    items.push({ label: "$(file) Only this file", detail, write: () => writeComment(server, document, name) });
  }
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const target = folder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const place = folder ? "the settings of the workspace" : "your user settings";
  const change = name === undefined ? `Removes spvls.targetEnv from ${place}` : `Writes "spvls.targetEnv": "${name}" into ${place}`;
  items.push({
    label: folder ? "$(root-folder) The workspace" : "$(account) All files",
    detail: hasComment ? `${change}; this file keeps what its comment says, ${known.current}` : change,
    write: () => writeSetting(document, name, target, place),
  });
  return items;
}

async function writeComment(server: Server, document: vscode.TextDocument, name: string | undefined): ReturnType<Scope["write"]> {
  const uri = document.uri;
  const { edits = [] } = await server.request(environments, { textDocument: { uri: uri.toString() }, comment: name ?? "" });
  const before = document.getText();
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of edits) {
    edit.replace(uri, new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character), newText);
  }
  await vscode.workspace.applyEdit(edit);
  const after = document.getText();
  const file = vscode.workspace.asRelativePath(uri, false);
  const said = name === undefined ? `${file} names no environment now.` : `${file} now says "; spvls: target-env=${name}".`;
  const undo = async (): Promise<void> => {
    if (document.getText() !== after) {
      void vscode.window.showWarningMessage(`${file} has changed since; its comment was left as it is.`);
      return;
    }
    const back = new vscode.WorkspaceEdit();
    back.replace(uri, new vscode.Range(document.positionAt(0), document.positionAt(after.length)), before);
    await vscode.workspace.applyEdit(back);
  };
  return { said, undo };
}

async function writeSetting(
  document: vscode.TextDocument,
  name: string | undefined,
  target: vscode.ConfigurationTarget,
  place: string,
): ReturnType<Scope["write"]> {
  const settings = vscode.workspace.getConfiguration("spvls", document);
  const known = settings.inspect<string | null>(SETTING);
  const before = target === vscode.ConfigurationTarget.Workspace ? known?.workspaceValue : known?.globalValue;
  await settings.update(SETTING, name, target);
  const said = name === undefined ? `spvls.targetEnv is no longer in ${place}.` : `spvls.targetEnv is now ${name} in ${place}.`;
  return { said, undo: () => settings.update(SETTING, before, target) };
}
