/**
 * Builds what is shipped: `dist/lib` (the library, one file per module, with declarations) and `dist/wf.mjs` (the command line
 * with everything it needs in one file, so that it starts fast). With `--if-possible` (npm's prepare step) a missing compiler
 * is no fault: an install without development dependencies uses the built files it came with.
 */
import { spawn } from "node:child_process";
import { chmod, lstat, mkdir, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const optional = process.argv.includes("--if-possible");

/** True when the module can be loaded from here. */
function installed(name) {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Runs the TypeScript compiler into a fresh folder that replaces `dist/lib` only when everything compiled. */
async function buildLibrary() {
  const fresh = join(root, "dist", "lib.new");
  await rm(fresh, { recursive: true, force: true });
  const tsc = require.resolve("typescript/bin/tsc");
  await run(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", fresh]);
  await rm(join(root, "dist", "lib"), { recursive: true, force: true });
  await rename(fresh, join(root, "dist", "lib"));
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`))));
  });
}

async function bundleCommand() {
  const { build } = await import("esbuild");
  const outfile = join(root, "dist", "wf.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["cli/bin.ts"],
    outfile,
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
  });
  await chmod(outfile, 0o755);
  await linkCommand();
}

/** npm does not link a project's own commands into its own folder; with the link `npx wf` works in a clone. */
async function linkCommand() {
  const bin = join(root, "node_modules", ".bin");
  try {
    await lstat(join(root, "node_modules"));
  } catch {
    return;
  }
  await mkdir(bin, { recursive: true });
  const link = join(bin, "wf");
  await rm(link, { force: true });
  await symlink(join("..", "..", "dist", "wf.mjs"), link);
}

const missing = ["typescript", "esbuild"].filter((name) => !installed(name));
if (missing.length > 0 && optional) {
  process.stderr.write(
    `build skipped: ${missing.join(" and ")} not installed; the shipped files are used as they are\n`,
  );
} else {
  const start = performance.now();
  await mkdir(join(root, "dist"), { recursive: true });
  const results = await Promise.allSettled([buildLibrary(), bundleCommand()]);
  for (const result of results) {
    if (result.status === "rejected") process.stderr.write(`build: ${result.reason.message}\n`);
  }
  if (results.some((result) => result.status === "rejected")) process.exit(1);
  process.stderr.write(`built dist/lib and dist/wf.mjs in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
