/** What the extension needs of the place that it runs in: a desktop or a remote machine with programs, or a browser. */
import type * as vscode from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient/lib/common/api";

/** How the files of binaries, which the server reads and writes, get to it and back. */
export interface BinaryFiles {
  /**
   * Lets the server see a file as it is now; the address that the server knows it by.
   *
   * @throws Error when the server cannot be shown the file.
   */
  offer(file: vscode.Uri): Promise<string>;
  /** Puts what the server has written to where it belongs. */
  accept(file: vscode.Uri): Promise<void>;
}

/** One way to run the server. */
export interface Runner {
  /** Which server it is, and what runs it. */
  readonly name: string;
  readonly files: BinaryFiles;
  client(options: LanguageClientOptions): BaseLanguageClient;
}

export interface Host {
  readonly isCaseSensitive: boolean;
  /** Schemes of the documents that the server is to know. */
  readonly schemes: readonly string[];
  /**
   * The ways to run the server in the order of choice; the next one is asked for when those before did not start.
   *
   * @throws Error with a message for the user when no other way is to be tried.
   */
  runners(): AsyncIterable<Runner>;
}
