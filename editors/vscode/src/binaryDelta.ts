/** Answers to `spvls/binary` brought up to date by what has changed. No editor in here. */
import type { Range } from "vscode-languageserver-types";
import { HEADER_WORDS } from "./binaryLayout";
import type { Line } from "./binaryLayout";
import type { BinaryDelta, BinaryResult, EncodedInstruction, EncodedToken, ModuleHeader, Splice } from "./protocol";

/** The lines of the header are there whole; those behind the splice have moved by so many words. */
export type LinesSplice = Splice<Line> & { header: Line[]; shift: number };

export function spliced<T>(items: readonly T[], { start, deleteCount, insert }: Splice<T>): T[] {
  return items.slice(0, start).concat(insert, items.slice(start + deleteCount));
}

function headerWords({ magic, version, generator, bound, schema }: ModuleHeader): number[] {
  const [major, minor] = version.split(".").map(Number) as [number, number];
  return [magic, (major << 16) | (minor << 8), generator, bound, schema];
}

function moved<T extends EncodedToken>(item: T, lines: number, words: number): T {
  const { start, end } = item.range;
  const range: Range = { start: { ...start, line: start.line + lines }, end: { ...end, line: end.line + lines } };
  return { ...item, word: item.word + words, range };
}

/** The answer that `delta` makes of the one for version `delta.since`. */
export function patched(held: BinaryResult, delta: BinaryDelta): BinaryResult {
  const header = headerWords(delta.header);
  const words = header.concat(spliced(held.words, delta.words).slice(header.length));
  const { start, deleteCount, insert, shift } = delta.map;
  let behind = held.map.slice(start + deleteCount);
  if (shift.lines || shift.words) {
    behind = behind.map((instruction): EncodedInstruction => ({
      ...moved(instruction, shift.lines, shift.words),
      tokens: instruction.tokens.map((token) => moved(token, shift.lines, shift.words)),
    }));
  }
  const map = held.map.slice(0, start).concat(insert, behind);
  return { version: delta.version, header: delta.header, words, map, gaps: delta.gaps };
}

function sameLine(a: Line, b: Line, shift: number): boolean {
  const first = a.kind === "gap" ? a.first : a.first + shift;
  return first === b.first && a.kind === b.kind && a.count === b.count && a.note === b.note;
}

/** What makes the lines `after` of those `before`. */
export function linesSplice(before: readonly Line[], after: readonly Line[]): LinesSplice {
  const shorter = Math.min(before.length, after.length);
  const header = after.filter(({ kind }, at) => at < HEADER_WORDS && kind === "header");
  let start = Math.min(header.length, before.filter(({ kind }, at) => at < HEADER_WORDS && kind === "header").length);
  while (start < shorter && sameLine(before[start] as Line, after[start] as Line, 0)) {
    start++;
  }
  const ends = [before, after].map((lines) => lines.reduce((end, line) => Math.max(end, line.first + line.count), 0));
  const shift = (ends[1] as number) - (ends[0] as number);
  let tail = 0;
  while (
    tail < shorter - start &&
    sameLine(before[before.length - 1 - tail] as Line, after[after.length - 1 - tail] as Line, shift)
  ) {
    tail++;
  }
  return { header, start, deleteCount: before.length - tail - start, insert: after.slice(start, after.length - tail), shift };
}

/** As `spliced`, for lines that move. */
export function splicedLines(lines: readonly Line[], splice: LinesSplice): Line[] {
  const { header, start, deleteCount, insert, shift } = splice;
  const behind = lines.slice(start + deleteCount);
  const kept = shift ? behind.map((line) => (line.kind === "gap" ? line : { ...line, first: line.first + shift })) : behind;
  return header.concat(lines.slice(header.length, start), insert, kept);
}

/** What makes the words `after` of those `before`; the header is there whole, since its bound changes with edits far away. */
export function wordsSplice(before: readonly number[], after: readonly number[]): { header: number[]; rest: Splice<number> } {
  const shorter = Math.min(before.length, after.length);
  let start = Math.min(HEADER_WORDS, shorter);
  while (start < shorter && before[start] === after[start]) {
    start++;
  }
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
  }
  const rest = { start, deleteCount: before.length - tail - start, insert: after.slice(start, after.length - tail) };
  return { header: after.slice(0, HEADER_WORDS), rest };
}

/** As `spliced`, for words behind a header that is there whole. */
export function splicedWords(words: readonly number[], { header, rest }: ReturnType<typeof wordsSplice>): number[] {
  return header.concat(spliced(words, rest).slice(header.length));
}
