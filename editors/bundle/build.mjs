/**
 * Makes `dist/`: the server's packages for a Python that is there, and Pyodide with archives of them for where there is none.
 * Needs Python 3.11 or newer with pip (PYTHON names one). What has not changed since the last time is not made again.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "..", "..");
const DIST = join(HERE, "dist");
const PACKAGES = join(DIST, "packages");
const ARCHIVES = join(DIST, "pyodide");
const PYODIDE = join(HERE, "node_modules", "pyodide");
const STAMP = join(DIST, "made-of");
const OWN = ["package-lock.json", "requirements.txt", "build.mjs", "archives.py"];

/** Takes what this is made with from npm, unless it is there in the versions of the lock file. */
function installModules() {
  const lockIn = (path) => existsSync(join(HERE, path)) && JSON.parse(readFileSync(join(HERE, path), "utf8"));
  const { packages: wanted } = lockIn("package-lock.json");
  const { packages: found } = lockIn("node_modules/.package-lock.json") || { packages: {} };
  if (["node_modules/pyodide", "node_modules/esbuild"].some((name) => found[name]?.version !== wanted[name].version)) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: HERE, stdio: "inherit", shell: process.platform === "win32" });
  }
}

function files(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function inputs() {
  const hash = createHash("sha256");
  const project = [join(ROOT, "pyproject.toml"), ...files(join(ROOT, "spvls")), ...files(join(ROOT, "grammar"))];
  for (const path of [...OWN.map((name) => join(HERE, name)), ...project]) {
    hash.update(path).update("\0").update(readFileSync(path));
  }
  return hash.digest("hex");
}

function findPython() {
  const isFit = "import sys; sys.exit(sys.version_info < (3, 11))";
  for (const python of [process.env.PYTHON, "python3", "python", "py"].filter(Boolean)) {
    try {
      execFileSync(python, ["-c", isFit], { stdio: "ignore" });
      return python;
    } catch {
      // The next one may be fit.
    }
  }
  throw new Error("The packages of the server are taken with Python 3.11 or newer, and none was found. Name one in PYTHON.");
}

function installPackages() {
  const python = findPython();
  const pip = (...args) =>
    execFileSync(python, ["-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", PACKAGES, ...args], {
      stdio: ["ignore", "inherit", "inherit"],
    });
  pip("--require-hashes", "--only-binary", ":all:", "--requirement", join(HERE, "requirements.txt"));
  let isolation = ["--no-build-isolation"];
  try {
    execFileSync(python, ["-c", "import hatchling.build"], { stdio: "ignore" });
  } catch {
    isolation = []; // pip gets what makes wheels
  }
  pip(...isolation, ROOT);
  rmSync(join(PACKAGES, "bin"), { recursive: true, force: true });
}

async function makeArchives() {
  const { loadPyodide } = await import("pyodide");
  mkdirSync(ARCHIVES, { recursive: true });
  for (const name of ["pyodide.asm.wasm", "pyodide.asm.mjs"]) {
    copyFileSync(join(PYODIDE, name), join(ARCHIVES, name));
  }
  const pyodide = await loadPyodide({ stderr: () => undefined });
  pyodide.mountNodeFS("/packages", PACKAGES);
  pyodide.mountNodeFS("/archives", ARCHIVES);
  pyodide.FS.writeFile("/archives.py", readFileSync(join(HERE, "archives.py")));
  pyodide.runPython('import sys; sys.path.insert(0, "/"); import archives; archives.main("/packages", "/archives")');
}

async function bundleWorkers() {
  const { build } = await import("esbuild");
  const common = { bundle: true, logLevel: "warning", target: "es2022", minify: true, legalComments: "eof" };
  const { info } = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8"));
  const define = { PYODIDE_INFO: JSON.stringify(info) };
  await Promise.all([
    build({
      ...common,
      define: { ...define, "import.meta.url": '""' },
      entryPoints: [join(HERE, "src/webWorker.ts")],
      outfile: join(DIST, "webWorker.js"),
      platform: "browser",
      format: "iife",
      external: ["node:*", "ws", "fs", "path", "url", "vm", "crypto", "child_process"],
    }),
    build({
      ...common,
      define,
      entryPoints: [join(HERE, "src/nodeWorker.ts")],
      outfile: join(DIST, "nodeWorker.cjs"),
      platform: "node",
      format: "cjs",
      external: ["ws"],
    }),
  ]);
}

installModules();
const wanted = inputs();
if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== wanted) {
  rmSync(DIST, { recursive: true, force: true });
  installPackages();
  await makeArchives();
  writeFileSync(STAMP, wanted);
}
copyFileSync(join(HERE, "start.py"), join(DIST, "start.py"));
copyFileSync(join(HERE, "NOTICE.md"), join(DIST, "NOTICE.md"));
await bundleWorkers();
process.exit(); // Pyodide keeps Node alive
