/** The server in a worker thread of Node. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { serve } from "./server";

const handle = serve({
  post: (message) => parentPort?.postMessage(message),
  read: async (folder, name) => new Uint8Array(await readFile(join(folder, name))),
  config: (folder) => ({ indexURL: folder }),
  mount: (pyodide, path, folder) => {
    if (!pyodide.FS.analyzePath(path).exists) {
      pyodide.mountNodeFS(path, folder);
    }
  },
});
parentPort?.on("message", handle);
