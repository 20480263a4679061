/** The playground: wires the page, the editor and the server together. */
import { EditorView } from "@codemirror/view";
import type { BinaryResult, DisassembleResult } from "../../vscode/src/protocol";
import { createEditor, languageClient, replaceText } from "./editor";
import { EnvironmentChooser } from "./environment";
import { Findings, sync } from "./findings";
import { Server } from "./server";
import { LONGEST_LINK, fromFragment, toFragment } from "./share";
import type { Shared } from "./share";
import { Subject, Views } from "./views";

declare const ENVIRONMENTS: string[];
declare const EXAMPLES: string[];

/** Milliseconds without an edit before findings and views follow. */
const PAUSE = 80;
const LARGEST_FILE = 64 << 20;
const STORED = "spvls-playground";
const DROPPED = "/dropped.spv";

function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

const status = byId("status");
const environments = byId<HTMLSelectElement>("environment");
const examples = byId<HTMLSelectElement>("examples");
const file = byId<HTMLInputElement>("file");

let pending: ReturnType<typeof setTimeout> | undefined;
let isAsking = false;
let isOutdated = false;
let isRunning = false;
/** What the fragment of the address holds. */
let linked: Shared | undefined;
/** The last count of findings. */
let verdict = "Loading the server…";
/** Whether the status line answers what the user did: it does until the next edit, whatever findings arrive meanwhile. */
let isAnswering = false;

function say(message: string, isFailure = false): void {
  isAnswering = true;
  status.textContent = message;
  status.classList.toggle("failed", isFailure);
}

function showVerdict(): void {
  isAnswering = false;
  status.textContent = verdict;
  status.classList.remove("failed");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : ((error as { message?: string }).message ?? String(error));
}

const client = languageClient();
const view = createEditor(
  byId("editor"),
  "",
  client,
  EditorView.updateListener.of(({ docChanged, selectionSet }) => {
    if (docChanged) {
      isAnswering = false;
      follow();
    } else if (selectionSet) {
      views.select();
    }
  }),
);
const subject = new Subject(client, view);
const environment = new EnvironmentChooser(environments, byId("environment-source"), subject, () => tellSettings());
const findings = new Findings(client, view, byId("findings").querySelector("ul") as HTMLElement);
const views = new Views(subject, document.querySelector(".tabs") as HTMLElement, byId("view"), () => follow());

/** Findings and the view in sight follow the text after a pause. */
function follow(): void {
  clearTimeout(pending);
  pending = setTimeout(() => void refresh(), PAUSE);
}

/** One round of questions at a time; whatever happened meanwhile is asked for afterwards. */
async function refresh(): Promise<void> {
  keep();
  if (!isRunning) {
    return;
  }
  if (isAsking) {
    isOutdated = true;
    return;
  }
  isAsking = true;
  isOutdated = false;
  try {
    sync(view);
    const found = await findings.refresh();
    if (found) {
      const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
      const { errors, warnings } = found;
      verdict = [errors ? plural(errors, "error") : "Valid", ...(warnings ? [plural(warnings, "warning")] : [])].join(", ");
    }
    if (!isAnswering) {
      showVerdict();
    }
    await environment.refresh();
    await views.refresh();
  } catch {
    isOutdated = true; // an edit overtook the question
  } finally {
    isAsking = false;
  }
  if (isOutdated) {
    follow();
  }
}

function current(): Shared {
  return { text: view.state.doc.toString(), environment: environment.value };
}

/** The text is there again after a reload, also where the page was opened by a link to another one. */
function keep(): void {
  const now = current();
  if (linked && (linked.text !== now.text || linked.environment !== now.environment)) {
    linked = undefined;
    history.replaceState(null, "", location.pathname + location.search);
  }
  if (linked) {
    return; // the address holds it, and what was kept before is the user's own
  }
  try {
    // Each tab has its own text; a new one begins with the last that was edited anywhere.
    [sessionStorage, localStorage].forEach((storage) => storage.setItem(STORED, JSON.stringify(now)));
  } catch {
    // There is no room, or the browser keeps nothing.
  }
}

function kept(): Shared | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function tellSettings(): void {
  client.notification("workspace/didChangeConfiguration", { settings: { spvls: { targetEnv: environment.value || null } } });
  findings.forget();
  follow();
}

async function openExample(name: string): Promise<void> {
  const response = await fetch(`examples/${name}`);
  if (!response.ok) {
    throw new Error(`The example ${name} cannot be loaded: ${response.status} ${response.statusText}`);
  }
  replaceText(view, await response.text());
}

function isBinary(data: Uint8Array): boolean {
  const magic = [...data.subarray(0, 4)];
  return [magic, [...magic].reverse()].some((octets) => octets.join() === [0x03, 0x02, 0x23, 0x07].join());
}

async function openFile(given: File): Promise<void> {
  if (given.size > LARGEST_FILE) {
    throw new Error(`${given.name} is larger than ${LARGEST_FILE >> 20} MB.`);
  }
  const data = new Uint8Array(await given.arrayBuffer());
  if (!isBinary(data) && !given.name.endsWith(".spv")) {
    replaceText(view, new TextDecoder().decode(data));
    return;
  }
  say(`Reading ${given.name}…`);
  await server.started;
  server.put(DROPPED, data);
  const { text, error } = await client.request<object, DisassembleResult>("spvls/disassemble", { uri: `file://${DROPPED}` });
  if (error) {
    throw new Error(`${given.name}: ${error}`);
  }
  replaceText(view, text);
}

async function saveBinary(): Promise<void> {
  sync(view);
  const { words, gaps } = await subject.ask<BinaryResult>("spvls/binary");
  if (gaps.length) {
    throw new Error(`Nothing was saved: ${gaps.length === 1 ? "an instruction has" : `${gaps.length} instructions have`} no words.`);
  }
  const data = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, i) => data.setUint32(i * 4, word, true));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data.buffer], { type: "application/octet-stream" }));
  link.download = "module.spv";
  link.click();
  URL.revokeObjectURL(link.href);
}

async function share(): Promise<void> {
  const now = current();
  const fragment = await toFragment(now);
  if (fragment.length > LONGEST_LINK) {
    throw new Error(`The module is too long for a link: it would have ${fragment.length.toLocaleString("en")} characters.`);
  }
  linked = now;
  history.replaceState(null, "", fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    say("The link is in the address bar.");
  }
}

/** Does something that the user asked for, and says why it failed. */
function attempt(work: () => Promise<void>): void {
  work().catch((error: unknown) => say(reasonOf(error), true));
}

function fill(select: HTMLSelectElement, values: string[]): void {
  select.append(...values.map((value) => new Option(value, value)));
}

async function openAddressed(): Promise<boolean> {
  const shared = await fromFragment(location.hash);
  if (shared) {
    environment.value = shared.environment;
    replaceText(view, shared.text);
    linked = current();
  }
  return shared !== undefined;
}

async function openFirst(): Promise<void> {
  let failure: unknown;
  try {
    if (await openAddressed()) {
      return;
    }
  } catch (error) {
    failure = error;
  }
  const before = kept();
  if (before?.text) {
    environment.value = before.environment;
    replaceText(view, before.text);
  } else {
    await openExample(EXAMPLES[0] as string);
  }
  if (failure !== undefined) {
    say(reasonOf(failure), true);
  }
}

fill(environments, ENVIRONMENTS);
fill(examples, EXAMPLES);
environments.addEventListener("change", () => {
  isAnswering = false;
  attempt(() => environment.choose());
});
examples.addEventListener("change", () => {
  const name = examples.value;
  if (name) {
    attempt(() => openExample(name));
    examples.value = "";
  }
});
byId("open").addEventListener("click", () => file.click());
file.addEventListener("change", () => {
  const [given] = file.files ?? [];
  if (given) {
    attempt(() => openFile(given));
    file.value = "";
  }
});
byId("save").addEventListener("click", () => attempt(saveBinary));
byId("share").addEventListener("click", () => attempt(share));
addEventListener("hashchange", () =>
  attempt(async () => {
    await openAddressed();
    tellSettings();
  }),
);

// Before the editor sees it: a binary that it took for text would be lost on the way.
addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) {
    event.preventDefault();
    document.body.classList.add("dropping");
  }
}, true);
addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  const [given] = event.dataTransfer?.files ?? [];
  if (given) {
    event.preventDefault();
    event.stopPropagation();
    attempt(() => openFile(given));
  }
}, true);

showVerdict();
const server = new Server((reason) => {
  isRunning = false;
  say(`The server does not run: ${reason}. Reload the page to try again; the text is kept.`, true);
});
client.connect(server);
attempt(openFirst);
attempt(async () => {
  await server.started;
  await client.initializing;
  isRunning = true;
  tellSettings();
});
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch((error: unknown) => console.warn(`No use without a network: ${reasonOf(error)}`));
}
