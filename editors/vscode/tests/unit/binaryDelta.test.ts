import assert from "node:assert/strict";
import { test } from "node:test";
import type { Range } from "vscode-languageserver-types";
import { linesSplice, patched, splicedLines, splicedWords, wordsSplice } from "../../src/binaryDelta";
import { linesOf } from "../../src/binaryLayout";
import type { BinaryDelta, BinaryResult, EncodedInstruction } from "../../src/protocol";

function on(line: number, end: number): Range {
  return { start: { line, character: 0 }, end: { line, character: end } };
}

function instruction(word: number, count: number, line: number): EncodedInstruction {
  return { word, count, range: on(line, 9), tokens: [{ word, count, range: on(line, 4) }] };
}

const header = { magic: 0x07230203, version: "1.6", generator: 7, bound: 2, schema: 0 };
const before: BinaryResult = {
  version: 4,
  header,
  words: [0x07230203, 0x00010600, 7, 2, 0, 10, 11, 20, 30, 31, 32],
  map: [instruction(5, 2, 0), instruction(7, 1, 1), instruction(8, 3, 2)],
  gaps: [],
};

/** The middle instruction becomes two, on two lines. */
const delta: BinaryDelta = {
  version: 5,
  since: 4,
  header: { ...header, bound: 3 },
  words: { start: 7, deleteCount: 1, insert: [21, 22, 23] },
  map: {
    start: 1,
    deleteCount: 1,
    insert: [instruction(7, 1, 1), instruction(8, 2, 2)],
    shift: { lines: 1, words: 2 },
  },
  gaps: [{ range: on(4, 2), message: "unknown opcode" }],
};

const after: BinaryResult = {
  version: 5,
  header: { ...header, bound: 3 },
  words: [0x07230203, 0x00010600, 7, 3, 0, 10, 11, 21, 22, 23, 30, 31, 32],
  map: [instruction(5, 2, 0), instruction(7, 1, 1), instruction(8, 2, 2), instruction(10, 3, 3)],
  gaps: delta.gaps,
};

test("what has changed makes the new answer of the old one", () => {
  const held = structuredClone(before);
  assert.deepEqual(patched(held, delta), after);
  assert.deepEqual(held, before, "the old answer stays as it was");
});

test("nothing has changed", () => {
  const none = { start: 5, deleteCount: 0, insert: [] };
  const same = { ...delta, version: 6, header, words: none, map: { ...none, shift: { lines: 0, words: 0 } }, gaps: [] };
  assert.deepEqual(patched(before, same), { ...before, version: 6 });
});

test("the page is told only of the lines and words that differ", () => {
  const notes = (names: string): string[] => names.split(" ");
  const old = linesOf(before, notes("a b c"), () => "");
  const now = linesOf(after, notes("a x y c"), () => "gap");
  const splice = linesSplice(old, now);
  assert.deepEqual(splicedLines(old, splice), now);
  assert.deepEqual(splicedLines(old, linesSplice(old, old)), old);
  assert.equal(linesSplice(old, old).insert.length, 0);
  const words = wordsSplice(before.words, after.words);
  assert.deepEqual(words.rest, { start: 7, deleteCount: 1, insert: [21, 22, 23] });
  assert.deepEqual(splicedWords(before.words, words), after.words);
});

test("lines that only move are not told again", () => {
  const moved = { ...after, gaps: [] };
  const old = linesOf(before, ["a", "b", "c"], () => "");
  const now = linesOf(moved, ["a", "x", "y", "c"], () => "");
  const splice = linesSplice(old, now);
  assert.deepEqual(
    splice.insert.map(({ note }) => note),
    ["x", "y"],
  );
  assert.equal(splice.shift, 2);
  assert.deepEqual(splicedLines(old, splice), now);
});
