/**
 * Builds what is shipped: `dist/lib` (the library, one file per module, with declarations), `dist/wf.mjs` (the command line
 * with everything it needs in one file, so that it starts fast) and next to it the programs that both run in processes and threads of
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
import { consolePlugins } from "./console-plugins.mjs";
import { bundledPackages, noticesOf } from "./notices.mjs";

const SOURCES = ["grammar", "compiler", "vm", "adapters", "service", "mcp", "cli", "client", "scripts", "examples"];
const SOURCE_FILES = [
  "index.ts",
  "adapter.ts",
  "adapter-testing.ts",
  "client.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

/** Licences of the packages in the bundles. */
const NOTICES = "THIRD-PARTY-NOTICES.txt";

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
  const outputs = [
    "dist/lib/index.js",
    "dist/ui/index.html",
    "dist/wf.mjs",
    "dist/sqlite-helper.mjs",
    "dist/graph-layout.mjs",
    `dist/${NOTICES}`,
  ];
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
  await dropComments(fresh);
  await dropDeclarations(fresh);
  await rm(join(root, "dist", "lib"), { recursive: true, force: true });
  await rename(fresh, join(root, "dist", "lib"));
}

/** The declarations next to the modules have the comments that users read; in the modules they and blanks are a third of what is installed. */
async function dropComments(folder) {
  const { transform } = await import("esbuild");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".js"));
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const less = { legalComments: "none", minifyWhitespace: true, minifySyntax: true, charset: "utf8" };
      const { code } = await transform(await readFile(file, "utf8"), { format: "esm", target: "node20.19", ...less });
      await writeFile(file, code);
    }),
  );
}

/** Declarations that no entry of the package leads to say nothing to who uses it: five of six. */
async function dropDeclarations(folder) {
  const { files } = JSON.parse(await readFile(join(root, "tsconfig.build.json"), "utf8"));
  const wanted = new Set();
  const take = async (file) => {
    if (wanted.has(file)) return;
    wanted.add(file);
    const text = await readFile(file, "utf8");
    for (const [, from] of text.matchAll(/(?:\bfrom |\bimport\()"(\.[^"]+)"/g))
      await take(join(dirname(file), from.replace(/\.[jt]s$/, ".d.ts")));
  };
  for (const entry of files) await take(join(folder, entry.replace(/\.ts$/, ".d.ts")));
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".d.ts"));
  await Promise.all(
    names
      .map((name) => join(folder, name))
      .filter((file) => !wanted.has(file))
      .map((file) => rm(file)),
  );
}

/** Packages that are loaded from node_modules at their first use; the others are bundled, so that the command starts fast. */
async function unbundledPackages() {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  const bundled = ["@modelcontextprotocol/sdk", "chevrotain", "clipanion", "picocolors", "zod"];
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    (name) => !bundled.includes(name),
  );
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
  [
    "cli/session/environment.ts",
    "adapters/operator/host-config.ts",
    "adapters/plugins/facts.ts",
    "vm/offload/snapshot.ts",
  ].map((file) => join(root, file)),
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

/** Whether a file loads chevrotain: commands that parse nothing shall not. */
function needsParser(output, outputs) {
  const inputs = [...loadedFrom([output], outputs)].flatMap((one) => Object.keys(outputs[one].inputs));
  return inputs.some((input) => input.includes("node_modules/chevrotain/"));
}

/** Output files that are loaded whenever one of these modules is. */
function loadedWith(modules, outputs) {
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => modules.includes(entryPoint));
  return loadedFrom(
    entries.map(([output]) => output),
    outputs,
  );
}

function loadedFrom(files, outputs) {
  const loaded = new Set();
  const add = (output) => {
    if (loaded.has(output)) return;
    loaded.add(output);
    for (const { path, kind, external } of outputs[output].imports)
      if (kind === "import-statement" && !external) add(path);
  };
  for (const output of files) add(output);
  return loaded;
}

/**
 * The command: `wf.mjs`, and chunks next to it that are loaded when they are needed. The bundler makes a chunk for every set of
 * commands that share something; opening and linking those of `wf run` takes a sixth of its start, so a second pass puts what every
 * command loads into one file, and what `wf run` loads besides into two: what needs the parser, and the rest. (That pass does not read TypeScript: enum members must become numbers before it.) Returns what the bundler copied.
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
  const core = loadedWith(["cli/main.ts"], metafile.outputs);
  const run = loadedWith(["cli/run/command.ts", "cli/session/host.ts"], metafile.outputs);
  // A group takes what its files load with it, so the rest comes first.
  const rest = new Set([...run].filter((output) => !needsParser(output, metafile.outputs)));
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
    // Most of a start is reading these files: a single letter beyond Latin 1 makes Node store all of them in two bytes. Names of functions
    // stay readable in stack traces, those of variables become short.
    charset: "ascii",
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    codeSplitting: {
      groups: [group("first", first), group("core", core), group("rest", rest), group("run", run)],
    },
  });
  await bundle.close();
  await rm(parts, { recursive: true });
  await writeChunks(dist, output);
  return metafile;
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

/**
 * Builds the helper programs into a folder. Other processes may be starting them, so files are replaced as a whole. Returns what the
 * bundler copied.
 */
async function bundleHelpers(folder) {
  const { build } = await import("esbuild");
  await mkdir(folder, { recursive: true });
  const { outputFiles, metafile } = await build({
    ...BUNDLE,
    metafile: true,
    entryPoints: await helperEntries(),
    outdir: folder,
    plugins: [englishOnly],
    outExtension: { ".js": ".mjs" },
    external: ["better-sqlite3", "@hpcc-js/wasm-graphviz"],
    // Several of them hold the machine with its library.
    splitting: true,
    minifySyntax: true,
    charset: "utf8",
    chunkNames: "shared-[hash]",
    write: false,
  });
  // They stand next to the helpers: code in them looks for files next to itself.
  const stale = new Set((await readdir(folder)).filter((name) => name.startsWith("shared-")));
  const isShared = ({ path }) => basename(path).startsWith("shared-");
  for (const { path, contents } of [
    ...outputFiles.filter(isShared),
    ...outputFiles.filter((file) => !isShared(file)),
  ]) {
    const fresh = `${path}.${process.pid}`;
    await writeFile(fresh, contents);
    await rename(fresh, path);
    stale.delete(basename(path));
  }
  for (const name of stale) if (name.endsWith(".mjs")) await rm(join(folder, name), { force: true });
  return metafile;
}

/** The page of the console: scripts and styles under names with a hash of their content, and the document that names them. */
async function buildConsole() {
  const { build } = await import("esbuild");
  const source = join(root, "service", "ui");
  const folder = join(root, "dist", "ui");
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(source, "main.tsx"), join(source, "style.css"), join(source, "icon.svg")],
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    write: false,
    metafile: true,
    legalComments: "none",
    loader: { ".svg": "copy", ".wf": "text" },
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: consolePlugins,
    logLevel: "warning",
  });
  const fileOf = (entry) =>
    basename(Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === `service/ui/${entry}`)[0]);
  const icon = basename(outputFiles.find(({ path }) => path.endsWith(".svg")).path);
  const document = (await readFile(join(source, "index.html"), "utf8"))
    .replace("{{script}}", fileOf("main.tsx"))
    .replace("{{style}}", fileOf("style.css"))
    .replace("{{icon}}", icon);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(join(folder, basename(path)), contents);
  await writeFile(join(folder, "index.html"), document);
  return metafile;
}

/** Builds the bundles, and the notices of what they contain. */
async function bundleAll() {
  const dist = join(root, "dist");
  const metafiles = await Promise.all([bundleCommand(), bundleHelpers(dist), buildConsole()]);
  await writeFile(join(dist, NOTICES), await noticesOf(root, bundledPackages(metafiles)));
}

async function buildAll() {
  const start = performance.now();
  await mkdir(join(root, "dist"), { recursive: true });
  const results = await Promise.allSettled([buildLibrary(), bundleAll()]);
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
