/**
 * `npm run bench` and `npm run agents`: bundles the file that is named first (benchmarks/run.ts, benchmarks/agents/run.ts) into a folder of
 * its own under benchmarks/, with the settings of the shipped build (enum members become numbers, which the machine's loop needs), and runs it
 * in the project's folder with the other arguments. What Weft is compared with is found in benchmarks/node_modules, where
 * `npm ci --prefix benchmarks` puts it.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { BUNDLE } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const PEERS = [
  "@bufbuild/cel",
  "@dbos-inc/dbos-sdk",
  "@langchain/langgraph",
  "@pydantic/monty",
  "@restatedev/restate-sdk",
  "isolated-vm",
  "jsonata",
  "quickjs-emscripten",
  "wasmoon",
];
const STORES = ["better-sqlite3", "pg", "graphile-worker"];

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

const [entry, ...args] = process.argv.slice(2);

// An interrupt goes to the child too; this process stays to clean up.
process.on("SIGINT", () => {});

const folder = await mkdtemp(join(root, "benchmarks", ".built-"));
try {
  // In chunks, so that a process loads only what it measures. The peers and the packages of the stores bring files of their own next to
  // their code.
  const chunks = { outdir: folder, splitting: true, outExtension: { ".js": ".mjs" } };
  await build({ ...BUNDLE, ...chunks, entryPoints: { run: entry }, external: [...PEERS, ...STORES] });
  // The thread of the job store is found next to the code that starts it.
  const thread = { entryPoints: ["service/jobs/sqlite/thread.ts"], outfile: join(folder, "job-store.mjs") };
  await build({ ...BUNDLE, ...thread, external: STORES });
  process.exitCode = await run([join(folder, "run.mjs"), ...args]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
