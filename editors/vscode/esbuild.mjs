import { build } from "esbuild";
import { readdirSync } from "node:fs";

const flags = new Set(process.argv.slice(2));
const common = { bundle: true, logLevel: "warning", target: "es2022", minify: flags.has("--minify") };

if (flags.has("--tests")) {
  const entryPoints = readdirSync("tests/unit").map((name) => `tests/unit/${name}`);
  await build({ ...common, entryPoints, outdir: "dist/tests", platform: "node", format: "cjs" });
} else {
  await Promise.all([
    build({
      ...common,
      entryPoints: ["src/extension.ts"],
      outfile: "dist/extension.js",
      platform: "node",
      format: "cjs",
      external: ["vscode"],
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
