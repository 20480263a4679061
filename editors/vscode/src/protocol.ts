/** The server's own requests and notifications, all under `spvls/`. */
import { NotificationType, RequestType } from "vscode-languageclient/node";
import type { Range, TextDocumentIdentifier } from "vscode-languageclient/node";

/** Words of the module that one token of the text became; `word` counts from the start of the module. */
export interface EncodedToken {
  word: number;
  count: number;
  range: Range;
}

export interface EncodedInstruction extends EncodedToken {
  tokens: EncodedToken[];
}

/** An instruction that has no words, and why. */
export interface Gap {
  range: Range;
  message: string;
}

export interface ModuleHeader {
  magic: number;
  version: string;
  generator: number;
  bound: number;
  schema: number;
}

export interface BinaryResult {
  /** Version of the document that the words belong to. */
  version: number;
  header: ModuleHeader | null;
  words: number[];
  /** In the order of the text, which is that of the words. */
  map: EncodedInstruction[];
  gaps: Gap[];
}

export interface Summary {
  /** Version of SPIR-V in the module's header, such as "1.6". */
  version?: string | null;
  /** Environment that the module is checked against. */
  targetEnv?: string | null;
}

export interface DisassembleResult {
  text: string;
  /** Set when the listing stops before the end of the file. */
  error?: string | null;
}

export interface WriteBinaryResult {
  written: boolean;
  reason?: string | null;
  bytes?: number | null;
}

interface OfDocument {
  textDocument: TextDocumentIdentifier;
}

export const binary = new RequestType<OfDocument & { range?: Range }, BinaryResult, void>("spvls/binary");
export const summary = new RequestType<OfDocument, Summary, void>("spvls/summary");
export const disassemble = new RequestType<{ uri: string }, DisassembleResult, void>("spvls/disassemble");
export const writeBinary = new RequestType<
  OfDocument & { target: string; force?: boolean },
  WriteBinaryResult,
  void
>("spvls/writeBinary");

/** The words of an open document are no longer those last asked for. */
export const binaryChanged = new NotificationType<{ uri: string; version: number }>("spvls/binaryChanged");
