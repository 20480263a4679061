import { build } from "esbuild";
import { cpSync, readdirSync, rmSync } from "node:fs";

const flags = new Set(process.argv.slice(2));
const common = { bundle: true, logLevel: "warning", target: "es2022", minify: flags.has("--minify") };

if (flags.has("--tests")) {
  const entryPoints = readdirSync("tests/unit").map((name) => `tests/unit/${name}`);
  await build({ ...common, entryPoints, outdir: "dist/tests", platform: "node", format: "cjs" });
} else {
  rmSync("dist/server", { recursive: true, force: true });
  cpSync("../bundle/dist", "dist/server", { recursive: true, filter: (path) => !/__pycache__|made-of$/.test(path) });
  await Promise.all([
    build({
      ...common,
      entryPoints: { extension: "src/node/main.ts" },
      outdir: "dist",
      platform: "node",
      format: "cjs",
      external: ["vscode"],
    }),
    build({
      ...common,
      entryPoints: { browser: "src/browser/main.ts" },
      outdir: "dist",
      platform: "browser",
      format: "cjs",
      external: ["vscode"],
      alias: { "vscode-languageserver-protocol/node": "vscode-languageserver-protocol/browser" },
    }),
    build({
      ...common,
      entryPoints: ["binary", "flow", "summary"].flatMap((name) => [`webview/${name}.ts`, `webview/${name}.css`]),
      outdir: "dist/webview",
      platform: "browser",
      format: "iife",
    }),
  ]);
}
