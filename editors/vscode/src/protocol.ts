/** The server's own requests and notifications, all under `spvls/`. */
import { NotificationType, RequestType } from "vscode-languageclient/lib/common/api";
import type { Position, Range, TextDocumentIdentifier, TextEdit } from "vscode-languageclient/lib/common/api";

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

export interface Splice<T> {
  start: number;
  deleteCount: number;
  insert: T[];
}

/** What is other than in the answer for version `since`; entries of the map behind the splice have moved by `shift`. */
export interface BinaryDelta {
  version: number;
  since: number;
  header: ModuleHeader;
  words: Splice<number>;
  map: Splice<EncodedInstruction> & { shift: { lines: number; words: number } };
  gaps: Gap[];
}

export interface FlowBlock {
  id: string;
  name: string;
  range: Range;
  /** The block that dominates it, and is dominated by all others that do. */
  dominator: string | null;
}

export interface FlowFunction {
  id: string;
  name: string;
  range: Range;
  blocks: FlowBlock[];
  constructs: { kind: string }[];
  /** The picture, where it was asked for. */
  svg?: string;
}

export interface FlowResult {
  version: number;
  functions: FlowFunction[];
}

export interface Summary {
  /** Version of SPIR-V in the module's header, such as "1.6". */
  version?: string | null;
  /** Environment that the module is checked against. */
  targetEnv?: string | null;
  /** What that is taken from. */
  decidedBy?: TargetChoices["decidedBy"];
  /** Version of the document that this belongs to. */
  documentVersion?: number;
  /** Lines of the module in the document. */
  range?: Range;
  /** All that there is to say, where it was asked for. */
  details?: Details;
}

export interface Named {
  name: string;
  id: string;
  range: Range | null;
}

export interface InterfaceVariable {
  id: string;
  name: string;
  storage: string;
  location: number | null;
  component: number | null;
  sourceIndex: number | null;
  builtIn: string | null;
  set: number | null;
  binding: number | null;
  type: string;
  flags: string[];
  members: InterfaceVariable[];
  range: Range | null;
}

export interface EntryPoint extends Named {
  model: string;
  modes: string[];
  workgroup: { size: (number | null)[]; source: string; specialized: boolean } | null;
  interface: InterfaceVariable[];
  parameters: InterfaceVariable[];
}

export interface BlockMember {
  place: number;
  name: string;
  type: string;
  offset: number | null;
  size: number | null;
  stride: number | null;
  matrixStride: number | null;
  rowMajor: boolean;
  decorations: string[];
  members: BlockMember[];
}

export interface BlockLayout {
  id: string;
  name: string;
  /** In bytes; with `unbounded` that of all before the array without a length at the end. */
  size: number;
  unbounded: boolean;
  members: BlockMember[];
}

export interface Resource extends Named {
  set: number | null;
  binding: number | null;
  kind: string;
  type: string;
  /** 0 for an array without a length, null where it can be specialized. */
  descriptors: number | null;
  flags: string[];
  usedBy: string[];
  block: BlockLayout | null;
}

export interface PushConstants extends Named {
  usedBy: string[];
  block: BlockLayout | null;
}

export interface SpecConstant extends Named {
  specId: number | null;
  type: string;
  default: string;
  /** The values that the type has, such as "0 to 255". */
  values: string;
  /** Ids of constants, types and functions, and execution modes by name. */
  usedBy: string[];
}

/** Where a runtime puts a value: a descriptor, bytes of it or of the push constants, or specialization constants. */
interface ReflectedPlace {
  kind: string;
  set: number | null;
  binding: number | null;
  offset: number | null;
  size: number | null;
  range: Range;
}

/** An argument of a kernel; `name`, `type` and `qualifiers` are those of its ArgumentInfo. */
export interface KernelArgument extends ReflectedPlace {
  ordinal: number | null;
  name: string;
  type: string;
  qualifiers: string[];
  specId: number | null;
  elementSize: number | null;
}

/** What holds for all kernels. */
export interface ReflectedValue extends ReflectedPlace {
  dataSize: number | null;
  specIds: (number | null)[];
}

export interface Kernel {
  id: string;
  name: string;
  function: string;
  argumentCount: number | null;
  flags: string[];
  attributes: string;
  requiredSize: (number | null)[] | null;
  arguments: KernelArgument[];
  range: Range;
}

/** What NonSemantic.ClspvReflection says of kernels. */
export interface Kernels {
  kernels: Kernel[];
  shared: ReflectedValue[];
  samplers: { set: number | null; binding: number | null; normalized: boolean; addressing: string; filter: string; range: Range }[];
  formats: { id: number | null; format: string; sizes: (number | null)[]; range: Range }[];
}

export interface Details {
  version: string;
  generator: string;
  bound: number;
  schema: number;
  targetEnv: string;
  capabilities: Named[];
  extensions: Named[];
  imports: Named[];
  addressingModel: string | null;
  memoryModel: string | null;
  entryPoints: EntryPoint[];
  resources: Resource[];
  pushConstants: PushConstants[];
  specConstants: SpecConstant[];
  /** `bytes` is null where the module does not have the text. */
  sources: { name: string; language: string; bytes: number | null }[];
  requirements: { name: string; askedBy: Named[] }[];
  sizes: { instructions: number; words: number; functions: number; declarations: number; blocks: number };
  reflection: Kernels;
}

/** A line of a source, and the instructions of the module in `document` that come from it. */
export interface SourceResult {
  document: string;
  version: number;
  /** Null where neither the module nor a file beside it has the source. */
  source: { uri: string; range: Range } | null;
  instructions: Range[];
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

/** An environment to check a module for. */
export interface TargetChoice {
  name: string;
  title: string;
  group: string;
  /** Newest version of SPIR-V that it takes. */
  version: string;
  /** Why it does not take the module. */
  obstacle: string | null;
}

export interface TargetChoices {
  version: number;
  current: string;
  decidedBy: "comment" | "host" | "setting" | "project" | "module";
  /** Whether a comment of the text can name the environment. */
  takesComment: boolean;
  environments?: TargetChoice[];
  edits?: TextEdit[];
}

interface OfDocument {
  textDocument: TextDocumentIdentifier;
}

/** A module of the document: that at the position, or else the one before it, or the first one. */
interface OfModule extends OfDocument {
  position?: Position | undefined;
}

export const binary = new RequestType<OfModule & { since?: number | undefined }, BinaryResult | BinaryDelta | null, void>("spvls/binary");
/** A module that shows the entry of the grammar with that key. */
export interface ExampleModule {
  key: string;
  text: string;
}

export interface Specializable {
  id: string;
  specId: number | null;
  name: string;
  type: string;
  default: string;
  /** The values that the type has, such as "0 to 255". */
  values: string;
}

export interface SpecializationResult {
  constants: Specializable[];
  /** The values that the editor shows; null where it shows the module as it is. */
  preview: Record<string, string> | null;
}

export const specialization = new RequestType<OfDocument & { position?: Position }, SpecializationResult, void>(
  "spvls/specialization",
);

export const example = new RequestType<OfDocument & { position: Position }, ExampleModule | null, void>("spvls/example");
/** With a `comment`, the edits that name that environment in the text; none of them with the empty name. */
export const environments = new RequestType<OfDocument & { position?: Position; comment?: string }, TargetChoices, void>("spvls/environments");
export const summary = new RequestType<OfModule & { format?: "json" }, Summary | null, void>("spvls/summary");
/** The function around the position, or all of the module. */
export const controlFlow = new RequestType<OfModule & { format?: "svg"; all?: true }, FlowResult | null, void>("spvls/cfg");
export const disassemble = new RequestType<{ uri: string }, DisassembleResult, void>("spvls/disassemble");
export const writeBinary = new RequestType<
  OfDocument & { target: string; force?: boolean },
  WriteBinaryResult,
  void
>("spvls/writeBinary");

/** About the instruction at a position, or the line of a source; a file is a source of the module in `document`. */
export const source = new RequestType<OfDocument & { position: Position; document?: string }, SourceResult | null, void>("spvls/source");
/** LSP 3.18, `workspace/textDocumentContent` */
export const content = new RequestType<{ uri: string }, { text: string }, void>("workspace/textDocumentContent");
export const contentRefresh = new RequestType<{ uri: string }, null, void>("workspace/textDocumentContent/refresh");

/** The words of an open document are no longer those last asked for. */
export const binaryChanged = new NotificationType<{ uri: string; version: number }>("spvls/binaryChanged");
