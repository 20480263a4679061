import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsInstruction } from "../../src/instruction";

test("texts with instructions, and texts that only look so", () => {
  for (const [text, expected] of [
    ["SHADER compute c SPIRV-ASM\n  OpCapability Shader\nEND", true],
    ['const char *m = R"(OpCapability Shader\n)";', true],
    ['  "%void = OpTypeVoid\\n"', true],
    ["%1 = OpTypeVoid", true],
    ["OpReturn", true],
    ["int main() { return Op(1); }", false],
    ["Operation *next;", false],
    ["OpBuilder::build(x);", false],
    ["use Op::{Add, Sub};", false],
    ["", false],
  ] as const) {
    assert.equal(holdsInstruction(text), expected, text);
  }
});
