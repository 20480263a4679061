/** Files of this machine, which the server reads and writes itself. */
import type * as vscode from "vscode";
import type { BinaryFiles } from "../runner";

export function requireLocal(file: vscode.Uri): void {
  if (file.scheme !== "file") {
    throw new Error(`${file.path} is not on the disk of this machine: binaries elsewhere are read and written in a browser only.`);
  }
}

export const LOCAL_FILES: BinaryFiles = {
  async offer(file) {
    requireLocal(file);
    return file.toString();
  },
  async accept() {
    // It is where it belongs.
  },
};
