/** The server in a worker of a browser, which needs no script but its own. */
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import type { FromWorker, ToWorker } from "./messages";
import { reasonOf, serve } from "./server";

const load = self.fetch.bind(self);
let given = new Map<string, Uint8Array<ArrayBuffer>>();

/** The type without which WebAssembly is not compiled; some hosts do not know it. */
const WASM = "application/wasm";

/** Pyodide fetches its files; those that came with the first message are at hand. */
self.fetch = async (address, options) => {
  const data = given.get(String(address));
  const response = data ? new Response(data) : await load(address, options);
  const isWasm = String(address).endsWith(".wasm") && response.ok;
  return isWasm && response.headers.get("Content-Type") !== WASM
    ? new Response(response.body, { headers: { "Content-Type": WASM } })
    : response;
};

async function read(folder: string, name: string): Promise<ArrayBuffer> {
  const response = await fetch(folder + name);
  if (!response.ok) {
    throw new Error(`${name} cannot be loaded: ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

/** Pyodide refuses workers that can load scripts in this way, which VS Code makes. All scripts are in this one. */
Object.assign(self, {
  importScripts: () => {
    throw new Error("no scripts are loaded");
  },
});

const post = (message: FromWorker): void => postMessage(message);
const handle = serve({
  post,
  read,
  config: (folder) => ({ indexURL: folder, createPyodideModule }),
  mount: () => {
    throw new Error("there are no folders in a browser");
  },
});
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "start") {
    const files = Object.entries(data.files ?? {}) as [string, Uint8Array<ArrayBuffer>][];
    given = new Map(files.map(([name, content]) => [data.folder + name, content]));
  }
  handle(data);
});
addEventListener("unhandledrejection", ({ reason }) => post({ type: "failed", reason: reasonOf(reason) }));
