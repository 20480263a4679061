/** The server in Pyodide, for any kind of worker. */
import { loadPyodide } from "pyodide";
import type { FromWorker, ToWorker } from "./messages";

/** Of the release of Pyodide that this is built with; the build defines it. */
declare const PYODIDE_INFO: { python: string };

type Pyodide = Awaited<ReturnType<typeof loadPyodide>>;
type Config = NonNullable<Parameters<typeof loadPyodide>[0]>;

const PACKAGES = "/packages";

/** What kinds of workers do differently. */
export interface Surroundings {
  post: (message: FromWorker) => void;
  /** Reads a file of the folder that the worker was started with. */
  read: (folder: string, name: string) => Promise<ArrayBuffer | Uint8Array>;
  /** How Pyodide finds its files. */
  config: (folder: string) => Config;
  mount: (pyodide: Pyodide, path: string, folder: string) => void;
}

interface Running {
  pyodide: Pyodide;
  receive: (text: string) => void;
}

async function start(folder: string, { post, read, config }: Surroundings): Promise<Running> {
  const archive = read(folder, "server.zip");
  const log = (line: string): void => post({ type: "log", line });
  const pyodide = await loadPyodide({
    ...config(folder),
    // Nothing is installed, and so nothing is looked up.
    lockFileContents: { info: PYODIDE_INFO, packages: {} } as unknown as Config["lockFileContents"],
    stdin: () => null,
    stdout: log,
    stderr: log,
  });
  pyodide.unpackArchive(await archive, "zip", { extractDir: PACKAGES });
  pyodide.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  const server = pyodide.pyimport("spvls.server.in_process");
  const receive = server.connect((text: string) => post({ type: "message", text }));
  post({ type: "started", runtime: `Python ${PYODIDE_INFO.python} in WebAssembly` });
  return { pyodide, receive };
}

function exists(FS: Pyodide["FS"], path: string): boolean {
  return FS.analyzePath(path).exists as boolean;
}

function remove(FS: Pyodide["FS"], path: string): void {
  if (exists(FS, path)) {
    FS.unlink(path);
  }
}

function put(FS: Pyodide["FS"], { path, data, modified, isReadOnly }: ToWorker & { type: "put" }): void {
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
  remove(FS, path);
  FS.writeFile(path, data);
  FS.chmod(path, isReadOnly ? 0o444 : 0o644);
  FS.utime(path, modified, modified);
}

/** Serves the messages of whoever started the worker, in their order. */
export function serve(surroundings: Surroundings): (message: ToWorker) => void {
  const { post, mount } = surroundings;
  let running: Promise<Running> | undefined;
  const failed = (error: unknown): void => post({ type: "failed", reason: reasonOf(error) });

  /** What goes wrong with a file concerns the request that needs it, which says so. */
  function handleFiles({ FS }: Pyodide, message: ToWorker): void {
    if (message.type === "put") {
      put(FS, message);
    } else if (message.type === "remove") {
      remove(FS, message.path);
    } else if (message.type === "get") {
      const data = exists(FS, message.path) ? (FS.readFile(message.path) as Uint8Array) : undefined;
      post({ type: "file", request: message.request, data });
    }
  }

  function handle({ pyodide, receive }: Running, message: ToWorker): void {
    if (message.type === "message") {
      receive(message.text);
      return;
    }
    try {
      if (message.type === "mount") {
        mount(pyodide, message.path, message.folder);
      } else {
        handleFiles(pyodide, message);
      }
    } catch (error) {
      post({ type: "log", line: `${message.type}: ${reasonOf(error)}` });
    }
  }

  return (message) => {
    if (message.type === "start") {
      running ??= start(message.folder, surroundings);
      running.catch(failed);
    } else {
      running?.then((started) => handle(started, message), () => undefined).catch(failed);
    }
  };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
