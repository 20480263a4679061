/** Makes `dist/`, which any static host serves. The server comes from `../bundle`, the pages of the views from `../vscode`. */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, "dist");
const BUNDLE = join(HERE, "../bundle/dist");
const VSCODE = join(HERE, "../vscode");
const FIXTURES = join(HERE, "../../fixtures");
const VIEWS = ["binary", "flow", "summary"];
const EXAMPLES = ["shaders", "kernels", "faulty"];

const manifest = JSON.parse(readFileSync(join(VSCODE, "package.json"), "utf8"));
const environments = manifest.contributes.configuration.properties["spvls.targetEnv"].enum.filter(Boolean);

rmSync(DIST, { recursive: true, force: true });
mkdirSync(join(DIST, "server"), { recursive: true });
for (const name of ["webWorker.js", "NOTICE.md", "pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "pyodide/server.zip"]) {
  cpSync(join(BUNDLE, name), join(DIST, "server", name));
}
cpSync(join(VSCODE, "images/file.svg"), join(DIST, "icon.svg"));
for (const name of ["index.html", "style.css", "manifest.webmanifest"]) {
  cpSync(join(HERE, name), join(DIST, name));
}

const examples = EXAMPLES.flatMap((folder) =>
  readdirSync(join(FIXTURES, folder)).map((name) => {
    cpSync(join(FIXTURES, folder, name), join(DIST, "examples", folder, name));
    return `${folder}/${name}`;
  }),
);

const common = { bundle: true, logLevel: "warning", target: "es2022", minify: true };
await Promise.all([
  build({
    ...common,
    entryPoints: [join(HERE, "src/main.ts")],
    outfile: join(DIST, "main.js"),
    format: "esm",
    define: { ENVIRONMENTS: JSON.stringify(environments), EXAMPLES: JSON.stringify(examples) },
  }),
  build({ ...common, entryPoints: [join(HERE, "src/viewHost.ts")], outfile: join(DIST, "views/host.js"), format: "iife" }),
  build({
    ...common,
    entryPoints: VIEWS.flatMap((name) => [join(VSCODE, `webview/${name}.ts`), join(VSCODE, `webview/${name}.css`)]),
    outdir: join(DIST, "views"),
    format: "iife",
  }),
]);
cpSync(join(HERE, "theme.css"), join(DIST, "theme.css"));
/** What each page has, as the views in ../vscode/src say. */
const BODIES = Object.fromEntries(
  [["binary", "binaryModel"], ["flow", "flowModel"], ["summary", "summaryView"]].map(([name, file]) => {
    const found = /'(<main.*<\/main>)'/.exec(readFileSync(join(VSCODE, `src/${file}.ts`), "utf8"));
    return [name, found[1]];
  }),
);
for (const name of VIEWS) {
  const page = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'">
  <title>${name}</title>
  <link rel="stylesheet" href="../theme.css">
  <link rel="stylesheet" href="${name}.css">
</head>
<body>
  <header id="summary" role="status"></header>
  ${BODIES[name]}
  <script src="host.js"></script>
  <script src="${name}.js"></script>
</body>
</html>
`;
  writeFileSync(join(DIST, "views", `${name}.html`), page);
}

// The service worker has the names of all files, and changes when one of them does.
const files = readdirSync(DIST, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(DIST, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  .sort();
const hash = createHash("sha256");
files.forEach((name) => hash.update(name).update("\0").update(readFileSync(join(DIST, name))));
await build({
  ...common,
  entryPoints: [join(HERE, "src/offline.ts")],
  outfile: join(DIST, "offline.js"),
  format: "iife",
  define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) },
});
