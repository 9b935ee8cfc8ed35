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
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLE } from "./bundle.mjs";

const SOURCES = ["grammar", "compiler", "vm", "adapters", "service", "mcp", "cli", "scripts"];
const SOURCE_FILES = [
  "index.ts",
  "adapter.ts",
  "adapter-testing.ts",
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

/** Packages that are loaded from node_modules at their first use; the others are bundled, so that the command starts fast. */
async function unbundledPackages() {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const bundled = ["@modelcontextprotocol/sdk", "clipanion", "picocolors", "zod"];
  return Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !bundled.includes(name));
}

/** zod brings its messages in some fifty languages, and one is used: the others are 300 kB of every start. */
const ENGLISH = 'export { default as en } from "./en.js";';
const englishOnly = {
  name: "english-only",
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: ENGLISH,
      loader: "js",
    }));
  },
};

/**
 * The modules every start runs use a tenth of zod; the commands together use all of it, and a bundle holds a module once. So these
 * get a copy of their own, which the bundler cuts down to what they use.
 */
const STARTING = new Set(
  ["cli/environment.ts", "adapters/host-config.ts", "adapters/plugins/facts.ts"].map((file) => join(root, file)),
);
const smallZodAtStart = {
  name: "small-zod-at-start",
  setup(build) {
    const own = async ({ path, kind, resolveDir, importer }) => {
      const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: OWN });
      return { path: found.path, namespace: "start", sideEffects: false };
    };
    const OWN = Symbol("resolved");
    build.onResolve({ filter: /^zod\/mini$/ }, (asked) =>
      asked.pluginData !== OWN && STARTING.has(asked.importer) ? own(asked) : null,
    );
    build.onResolve({ filter: /./, namespace: "start" }, (asked) => (asked.pluginData === OWN ? null : own(asked)));
    build.onLoad({ filter: /./, namespace: "start" }, async ({ path }) => ({
      contents: path.endsWith("/locales/index.js") ? ENGLISH : await readFile(path, "utf8"),
      loader: "js",
      resolveDir: dirname(path),
    }));
  },
};

/** Output files that are loaded whenever one of these modules is. */
function loadedWith(modules, outputs) {
  const loaded = new Set();
  const add = (output) => {
    if (loaded.has(output)) return;
    loaded.add(output);
    for (const { path, kind, external } of outputs[output].imports)
      if (kind === "import-statement" && !external) add(path);
  };
  for (const [output, { entryPoint }] of Object.entries(outputs)) if (modules.includes(entryPoint)) add(output);
  return loaded;
}

/**
 * The command: `wf.mjs`, and chunks beside it that are loaded when they are needed. The bundler makes a chunk for every set of
 * commands that share something; opening and linking those of `wf run` takes a sixth of its start, so a second pass puts them
 * into one file. (That pass does not read TypeScript: enum members must become numbers before it.)
 */
async function bundleCommand() {
  const [{ build }, { rolldown }] = await Promise.all([import("esbuild"), import("rolldown")]);
  const dist = join(root, "dist");
  const parts = join(dist, "parts");
  const external = await unbundledPackages();
  await rm(parts, { recursive: true, force: true });
  const { metafile } = await build({
    ...BUNDLE,
    entryPoints: { wf: "cli/bin.ts" },
    outdir: parts,
    splitting: true,
    plugins: [smallZodAtStart, englishOnly],
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    external,
    metafile: true,
  });
  // What the entry shares with the rest stands apart from the entry, which waits for the rest: they would wait for each other.
  const first = loadedWith(["cli/bin.ts"], metafile.outputs);
  first.delete(relative(root, join(parts, "wf.mjs")));
  const core = loadedWith(["cli/main.ts", "cli/commands/run.ts"], metafile.outputs);
  const group = (name, outputs) => ({ name, test: (id) => outputs.has(relative(root, id)) });
  const bundle = await rolldown({
    input: { wf: join(parts, "wf.mjs") },
    platform: "node",
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
  });
  const { output } = await bundle.generate({
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "chunks/[name]-[hash].mjs",
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: { groups: [group("first", first), group("core", core)] },
  });
  await bundle.close();
  await rm(parts, { recursive: true });
  await writeChunks(dist, output);
}

/** Replaces the command: a process that starts meanwhile finds every chunk its entry names. */
async function writeChunks(dist, output) {
  const stale = new Set(await readdir(join(dist, "chunks")).catch(() => []));
  await mkdir(join(dist, "chunks"), { recursive: true });
  const entry = output.find(({ isEntry }) => isEntry);
  for (const { fileName, code } of [...output.filter((chunk) => chunk !== entry), entry]) {
    stale.delete(basename(fileName));
    await writeFile(join(dist, fileName), code);
  }
  await chmod(join(dist, entry.fileName), 0o755);
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
const missing = ["typescript", "esbuild", "rolldown"].filter((name) => !installed(name));
if (helpersOnly > 0) await bundleHelpers(process.argv[helpersOnly + 1]);
else if (preparing && missing.length > 0) {
  process.stderr.write(
    `build skipped: ${missing.join(" and ")} not installed; the shipped files are used as they are\n`,
  );
} else if (!preparing || !(await upToDate())) await buildAll();
