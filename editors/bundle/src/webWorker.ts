/** The server in a worker of a browser, which needs no script but its own. */
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import type { FromWorker, ToWorker } from "./messages";
import { reasonOf, serve } from "./server";

async function read(folder: string, name: string): Promise<ArrayBuffer> {
  const response = await fetch(folder + name);
  if (!response.ok) {
    throw new Error(`${name} cannot be loaded: ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

const post = (message: FromWorker): void => postMessage(message);
const handle = serve({
  post,
  read,
  config: (folder) => ({ indexURL: folder, createPyodideModule }),
  mount: () => {
    throw new Error("there are no folders in a browser");
  },
});
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => handle(data));
addEventListener("unhandledrejection", ({ reason }) => post({ type: "failed", reason: reasonOf(reason) }));
