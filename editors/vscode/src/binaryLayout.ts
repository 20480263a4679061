/** The lines of the binary view, and the way from a word to the text and back. No editor in here. */
import type { Position, Range } from "vscode-languageserver-types";
import type { BinaryResult, EncodedInstruction, EncodedToken, ModuleHeader } from "./protocol";

export const WORDS_PER_LINE = 4;
export const HEADER_WORDS = 5;

/** Words `first` to `first + count` of the module; for a gap, `first` is its index and there are none. */
export interface Line {
  kind: "header" | "instruction" | "continuation" | "gap";
  first: number;
  count: number;
  note: string;
}

/** First word and number of words. */
export type Span = [word: number, count: number];

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

function contains({ start, end }: Range, position: Position): boolean {
  return !isBefore(position, start) && !isBefore(end, position);
}

/** Index of the last item that `precedes` holds for, or -1; it holds for a beginning of the items. */
function lastIndex<T>(items: readonly T[], precedes: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (precedes(items[middle] as T)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

function headerNotes({ version, generator, bound, schema }: ModuleHeader): string[] {
  return [
    "magic number",
    `version ${version}`,
    `generator: tool ${generator >>> 16}, its version ${generator & 0xffff}`,
    `bound: ids are below ${bound}`,
    schema === 0 ? "schema: none" : `schema ${schema}`,
  ];
}

function instructionLines({ word, count }: EncodedInstruction, note: string): Line[] {
  const lines: Line[] = [];
  for (let done = 0; done < count; done += WORDS_PER_LINE) {
    const size = Math.min(WORDS_PER_LINE, count - done);
    const isFirst = done === 0;
    lines.push({ kind: isFirst ? "instruction" : "continuation", first: word + done, count: size, note: isFirst ? note : "" });
  }
  return lines;
}

/**
 * The whole module in lines: header words one a line, then instructions, with gaps where they stand in the text.
 * `notes` has the text of each instruction, `textOf` that of a gap.
 */
export function linesOf(
  { header, map, gaps }: BinaryResult,
  notes: readonly string[],
  textOf: (range: Range) => string,
): Line[] {
  const lines: Line[] = [];
  if (header) {
    headerNotes(header).forEach((note, first) => lines.push({ kind: "header", first, count: 1, note }));
  }
  let gap = 0;
  const addGapsBefore = (position: Position | undefined): void => {
    for (let next = gaps[gap]; next && (!position || isBefore(next.range.start, position)); next = gaps[++gap]) {
      lines.push({ kind: "gap", first: gap, count: 0, note: `${textOf(next.range)}: ${next.message}` });
    }
  };
  map.forEach((instruction, i) => {
    addGapsBefore(instruction.range.start);
    lines.push(...instructionLines(instruction, notes[i] ?? ""));
  });
  addGapsBefore(undefined);
  return lines;
}

/** Where `after` differs from `before`: all between their common beginning and end, or word by word if nothing moved. */
function difference(before: readonly number[], after: readonly number[]): Span[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start++;
  }
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
  }
  const end = after.length - tail;
  if (before.length !== after.length) {
    return end > start ? [[start, end - start]] : [];
  }
  const spans: Span[] = [];
  for (let word = start; word < end; word++) {
    if (before[word] !== after[word]) {
      spans.push([word, 1]);
    }
  }
  return spans;
}

/** The words of a module that an edit changed. The header is compared apart: its bound changes with edits far away. */
export function changedWords(before: readonly number[], after: readonly number[]): Span[] {
  const header = difference(before.slice(0, HEADER_WORDS), after.slice(0, HEADER_WORDS));
  const rest = difference(before.slice(HEADER_WORDS), after.slice(HEADER_WORDS));
  return [...header, ...rest.map(([word, count]): Span => [word + HEADER_WORDS, count])];
}

/** The words of the instruction and of the token at a position of the text. */
export function spansAt(
  map: readonly EncodedInstruction[],
  position: Position,
): { instruction: Span; token: Span } | undefined {
  const instruction = map[lastIndex(map, ({ range }) => !isBefore(position, range.start))];
  if (!instruction || !contains(instruction.range, position)) {
    return undefined;
  }
  const span = ({ word, count }: EncodedToken): Span => [word, count];
  const token = instruction.tokens.find(({ range }) => contains(range, position));
  return { instruction: span(instruction), token: span(token ?? instruction) };
}

/** The text that a word was made of: its token, or its instruction; undefined for the header. */
export function rangeOfWord(map: readonly EncodedInstruction[], word: number): Range | undefined {
  const holds = (span: EncodedToken): boolean => span.word <= word && word < span.word + span.count;
  const instruction = map[lastIndex(map, (candidate) => candidate.word <= word)];
  if (!instruction || !holds(instruction)) {
    return undefined;
  }
  return (instruction.tokens.find(holds) ?? instruction).range;
}
