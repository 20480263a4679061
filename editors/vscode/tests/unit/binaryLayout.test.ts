import assert from "node:assert/strict";
import { test } from "node:test";
import type { Range } from "vscode-languageserver-types";
import { changedWords, linesOf, rangeOfWord, spansAt } from "../../src/binaryLayout";
import type { BinaryResult } from "../../src/protocol";

function on(line: number, start: number, end: number): Range {
  return { start: { line, character: start }, end: { line, character: end } };
}

// OpCapability Shader / OpBogus / OpName %main "a long name"
const text = ["OpCapability Shader", "OpBogus", 'OpName %main "a long name"'];
const result: BinaryResult = {
  version: 1,
  header: { magic: 0x07230203, version: "1.6", generator: 0x00070001, bound: 2, schema: 0 },
  words: [0x07230203, 0x00010600, 0x00070001, 2, 0, 0x00020011, 1, 0x00050005, 1, 0x6f6c2061, 0x6e20676e, 0x00656d61],
  map: [
    {
      word: 5,
      count: 2,
      range: on(0, 0, 19),
      tokens: [
        { word: 5, count: 1, range: on(0, 0, 12) },
        { word: 6, count: 1, range: on(0, 13, 19) },
      ],
    },
    {
      word: 7,
      count: 5,
      range: on(2, 0, 26),
      tokens: [
        { word: 7, count: 1, range: on(2, 0, 6) },
        { word: 8, count: 1, range: on(2, 7, 12) },
        { word: 9, count: 3, range: on(2, 13, 26) },
      ],
    },
  ],
  gaps: [{ range: on(1, 0, 7), message: "unknown opcode" }],
};

const notes = result.map.map(({ range }) => text[range.start.line] ?? "");

test("lines show the header, wrap long instructions and keep gaps in place", () => {
  const lines = linesOf(result, notes, ({ start }) => text[start.line] ?? "");
  const shape = lines.map(({ kind, first, count, note }) => [kind, first, count, note]);
  assert.deepEqual(shape, [
    ["header", 0, 1, "magic number"],
    ["header", 1, 1, "version 1.6"],
    ["header", 2, 1, "generator: tool 7, its version 1"],
    ["header", 3, 1, "bound: ids are below 2"],
    ["header", 4, 1, "schema: none"],
    ["instruction", 5, 2, "OpCapability Shader"],
    ["gap", 0, 0, "OpBogus: unknown opcode"],
    ["instruction", 7, 4, 'OpName %main "a long name"'],
    ["continuation", 11, 1, ""],
  ]);
});

test("a gap at the end of the text is shown last", () => {
  const lines = linesOf({ ...result, gaps: [{ range: on(3, 0, 1), message: "stray" }] }, notes, () => "x");
  assert.equal(lines.at(-1)?.kind, "gap");
});

test("a position leads to the words of its token", () => {
  assert.deepEqual(spansAt(result.map, { line: 2, character: 20 }), { instruction: [7, 5], token: [9, 3] });
  assert.deepEqual(spansAt(result.map, { line: 0, character: 0 }), { instruction: [5, 2], token: [5, 1] });
  assert.equal(spansAt(result.map, { line: 1, character: 3 }), undefined);
});

test("a word leads to the text of its token", () => {
  assert.deepEqual(rangeOfWord(result.map, 11), on(2, 13, 26));
  assert.deepEqual(rangeOfWord(result.map, 5), on(0, 0, 12));
  assert.equal(rangeOfWord(result.map, 4), undefined);
  assert.equal(rangeOfWord(result.map, 12), undefined);
});

test("every word and every token lead to each other", () => {
  for (let word = 5; word < result.words.length; word++) {
    const start = rangeOfWord(result.map, word)?.start;
    assert.ok(start);
    const [first, count] = spansAt(result.map, start)?.token ?? [0, 0];
    assert.ok(first <= word && word < first + count);
  }
});

test("a replaced word is the only change", () => {
  const after = [...result.words];
  after[6] = 0;
  after[11] = 7;
  assert.deepEqual(changedWords(result.words, after), [
    [6, 1],
    [11, 1],
  ]);
});

test("an inserted instruction is a change, and so is the bound, but not what moved", () => {
  const after = [...result.words.slice(0, 7), 0x00010000, ...result.words.slice(7)];
  after[3] = 3;
  assert.deepEqual(changedWords(result.words, after), [
    [3, 1],
    [7, 1],
  ]);
});

test("removed words leave nothing to mark", () => {
  const after = [...result.words.slice(0, 5), ...result.words.slice(7)];
  assert.deepEqual(changedWords(result.words, after), []);
  assert.deepEqual(changedWords(result.words, result.words), []);
});
