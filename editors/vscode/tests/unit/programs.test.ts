import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { test } from "node:test";
import { findProgram, isInside, isolatedEnvironment } from "../../src/node/programs";

const root = realpathSync(mkdtempSync(join(tmpdir(), "spvls-programs-")));
const workspace = join(root, "workspace");
const programs = join(root, "bin");
const file = process.platform === "win32" ? "spvls.exe" : "spvls";

function program(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), "", { mode: 0o755 });
  return join(folder, file);
}

const own = program(programs);
const foreign = program(join(workspace, "bin"));
program(workspace);

test("relative and empty entries of the PATH are not searched", () => {
  const before = process.cwd();
  process.chdir(workspace);
  try {
    for (const entry of [".", "", "bin", relative(process.cwd(), workspace)]) {
      assert.equal(findProgram("spvls", { PATH: entry }, []), undefined);
      assert.equal(findProgram("spvls", { PATH: [entry, programs].join(delimiter) }, []), own);
    }
    assert.equal(findProgram("spvls", {}, []), undefined);
  } finally {
    process.chdir(before);
  }
});

test("only names and absolute paths name a program", () => {
  assert.equal(findProgram(own, {}, []), own);
  for (const path of ["./spvls", "bin/spvls", "../workspace/spvls", join(root, "missing", file), programs]) {
    assert.equal(findProgram(path, { PATH: root }, []), undefined);
  }
});

test("a program of a forbidden folder is passed over, and so is a link to one", () => {
  const path = [join(workspace, "bin"), programs].join(delimiter);
  assert.equal(findProgram("spvls", { PATH: path }, []), foreign);
  assert.equal(findProgram("spvls", { PATH: path }, [workspace]), own);
  assert.equal(findProgram(foreign, {}, [workspace]), undefined);
  assert.equal(findProgram(join(programs, "..", "workspace", "bin", file), {}, [workspace]), undefined);
  const links = join(root, "links");
  mkdirSync(links);
  symlinkSync(foreign, join(links, file));
  assert.equal(findProgram("spvls", { PATH: [links, programs].join(delimiter) }, [workspace]), own);
  symlinkSync(workspace, join(root, "alias"));
  assert.equal(findProgram("spvls", { PATH: join(root, "alias", "bin") }, [workspace]), undefined);
});

test("a folder whose name begins as another's is not inside it", () => {
  assert.ok(isInside(workspace, [workspace]));
  assert.ok(isInside(join(workspace, "..a", "b"), [workspace]));
  assert.ok(!isInside(`${workspace}-2`, [workspace]));
  assert.ok(!isInside(root, [workspace]));
});

test("the environment has nothing of the working directory or of forbidden folders", () => {
  const path = [".", join(workspace, "bin"), "", programs].join(delimiter);
  const environment = isolatedEnvironment({ PATH: path, PYTHONPATH: `${delimiter}${workspace}`, HOME: root }, [workspace]);
  assert.deepEqual(environment, { PATH: programs, PYTHONSAFEPATH: "1", HOME: root });
});
