import assert from "node:assert/strict";
import { test } from "node:test";
import { isAtLeast } from "../../src/node/version";

test("a version is compared by its numbers", () => {
  for (const [version, least, expected] of [
    ["0.1.0", "0.1.0", true],
    ["0.1", "0.1.0", true],
    ["0.10.0", "0.9.9", true],
    ["1.0.0.dev3", "0.9.0", true],
    ["0.0.9", "0.1.0", false],
    ["0.1.0", "0.1.1", false],
    ["unknown", "0.1.0", false],
  ] as const) {
    assert.equal(isAtLeast(version, least), expected, `${version} and ${least}`);
  }
});
