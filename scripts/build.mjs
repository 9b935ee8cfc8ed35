/**
 * Builds what is shipped: `dist/lib` (the library, one file per module, with declarations), `dist/wf.mjs` (the command line
 * with everything it needs in one file, so that it starts fast) and beside it the programs that both run in processes and threads of
 * their own. `--helpers DIR` builds only those, for a checkout. As npm's prepare step (`--prepare`) it does nothing where it
 * has nothing to do: when the built files are newer than every source, and in an install without development
 * dependencies, which uses the files it came with.
 */
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = ["grammar", "compiler", "vm", "adapters", "service", "mcp", "cli", "scripts"];
const SOURCE_FILES = [
  "index.ts",
  "adapter.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

/** True when the module can be loaded from here. */
function installed(name) {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Time of the last change of a file; 0 when it does not exist. */
async function changed(path) {
  return stat(join(root, path)).then(
    (entry) => entry.mtimeMs,
    () => 0,
  );
}

async function upToDate() {
  const outputs = ["dist/lib/index.js", "dist/wf.mjs", "dist/sqlite-helper.mjs"];
  const built = Math.min(...(await Promise.all(outputs.map(changed))));
  if (built === 0) return false;
  const below = await Promise.all(
    SOURCES.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
      return [folder, ...names.map((name) => join(folder, name))];
    }),
  );
  const times = await Promise.all([...SOURCE_FILES, ...below.flat()].map(changed));
  return Math.max(...times) < built;
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`))));
  });
}

/** Runs the TypeScript compiler into a fresh folder that replaces `dist/lib` when it is complete. Types are checked by `npm run check`. */
async function buildLibrary() {
  const fresh = join(root, "dist", "lib.new");
  await rm(fresh, { recursive: true, force: true });
  const tsc = require.resolve("typescript/bin/tsc");
  await run(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", fresh]);
  await rm(join(root, "dist", "lib"), { recursive: true, force: true });
  await rename(fresh, join(root, "dist", "lib"));
}

const BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  // Names stay readable in stack traces; only blanks and comments go.
  minifyWhitespace: true,
  legalComments: "none",
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: 'import{createRequire as wfCreateRequire}from"node:module";const require=wfCreateRequire(import.meta.url);',
  },
  logLevel: "warning",
};

/** Packages that are loaded from node_modules at their first use; the others are bundled, so that the command starts fast. */
async function unbundledPackages() {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const bundled = ["@modelcontextprotocol/sdk", "chevrotain", "clipanion", "picocolors", "zod"];
  return Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !bundled.includes(name));
}

/** zod brings its messages in some fifty languages, and one is used: the others are 300 kB of every start. */
const englishOnly = {
  name: "english-only",
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** The command: `wf.mjs` holds what every start needs, chunks beside it what only some commands load. */
async function bundleCommand() {
  const { build } = await import("esbuild");
  const dist = join(root, "dist");
  const { outputFiles } = await build({
    ...BUNDLE,
    entryPoints: { wf: "cli/bin.ts" },
    outdir: dist,
    splitting: true,
    plugins: [englishOnly],
    chunkNames: "chunks/[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    external: await unbundledPackages(),
    write: false,
  });
  const stale = new Set(await readdir(join(dist, "chunks")).catch(() => []));
  await mkdir(join(dist, "chunks"), { recursive: true });
  // The entry comes last: whoever starts it finds every chunk it names.
  const entry = join(dist, "wf.mjs");
  for (const { path, contents } of outputFiles.toSorted(
    (a, b) => Number(a.path === entry) - Number(b.path === entry),
  )) {
    stale.delete(basename(path));
    await writeFile(path, contents);
  }
  await chmod(entry, 0o755);
  for (const name of stale) await rm(join(dist, "chunks", name), { force: true });
}

/** Name → entry, as `adapters/engine/helpers.ts` lists them. */
async function helperEntries() {
  const { build } = await import("esbuild");
  const entryPoints = [join(root, "adapters", "engine", "helpers.ts")];
  const { outputFiles } = await build({ entryPoints, write: false, bundle: true, platform: "node", format: "esm" });
  const { HELPERS } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return HELPERS;
}

/** Builds the helper programs into a folder. Other processes may be starting them, so files are replaced as a whole. */
async function bundleHelpers(folder) {
  const { build } = await import("esbuild");
  await mkdir(folder, { recursive: true });
  const { outputFiles } = await build({
    ...BUNDLE,
    entryPoints: await helperEntries(),
    outdir: folder,
    plugins: [englishOnly],
    outExtension: { ".js": ".mjs" },
    external: ["better-sqlite3"],
    write: false,
  });
  for (const { path, contents } of outputFiles) {
    const fresh = `${path}.${process.pid}`;
    await writeFile(fresh, contents);
    await rename(fresh, path);
  }
}

async function buildAll() {
  const start = performance.now();
  await mkdir(join(root, "dist"), { recursive: true });
  const results = await Promise.allSettled([buildLibrary(), bundleCommand(), bundleHelpers(join(root, "dist"))]);
  for (const result of results) {
    if (result.status === "rejected") process.stderr.write(`build: ${result.reason.message}\n`);
  }
  if (results.some((result) => result.status === "rejected")) process.exit(1);
  process.stderr.write(
    `built dist/lib, dist/wf.mjs and its helpers in ${((performance.now() - start) / 1000).toFixed(1)} s\n`,
  );
}

const preparing = process.argv.includes("--prepare");
const helpersOnly = process.argv.indexOf("--helpers");
const missing = ["typescript", "esbuild"].filter((name) => !installed(name));
if (helpersOnly > 0) await bundleHelpers(process.argv[helpersOnly + 1]);
else if (preparing && missing.length > 0) {
  process.stderr.write(
    `build skipped: ${missing.join(" and ")} not installed; the shipped files are used as they are\n`,
  );
} else if (!preparing || !(await upToDate())) await buildAll();
