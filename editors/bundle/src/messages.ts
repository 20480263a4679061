/** What a worker with the server, and whoever started it, say to each other. */

/** To the worker. The server sees no files but those that are mounted or put somewhere. */
export type ToWorker =
  /** The first one; `folder` is where the archives are: a path in Node, an address in a browser. Or `files` has them. */
  | { type: "start"; folder: string; files?: Record<string, Uint8Array> }
  /** A message of the protocol, as JSON. */
  | { type: "message"; text: string }
  /** Puts a file at a path, in the place of another. */
  | { type: "put"; path: string; data: Uint8Array; modified: number; isReadOnly: boolean }
  /** Asks for a file. */
  | { type: "get"; path: string; request: number }
  | { type: "remove"; path: string }
  /** Lets the server see, at `path`, a folder of this machine; in Node only. */
  | { type: "mount"; path: string; folder: string };

export type FromWorker =
  | { type: "started"; runtime: string }
  /** The server does not start, or has ended. */
  | { type: "failed"; reason: string }
  | { type: "message"; text: string }
  /** A line of the server's log. */
  | { type: "log"; line: string }
  | { type: "file"; request: number; data: Uint8Array | undefined };
