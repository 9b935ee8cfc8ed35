/**
 * `npm run bench`: bundles benchmarks/run.ts into a folder of its own under dist/, with the settings of the shipped build (enum
 * members become numbers, which the machine's loop needs), and runs it in the project's folder with the arguments given here.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { BUNDLE } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const PEERS = ["@bufbuild/cel", "@langchain/langgraph", "isolated-vm", "jsonata", "quickjs-emscripten", "wasmoon"];

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

// An interrupt goes to the child too; this process stays to clean up.
process.on("SIGINT", () => {});

await mkdir(join(root, "dist"), { recursive: true });
const folder = await mkdtemp(join(root, "dist", "bench-"));
try {
  const outfile = join(folder, "run.mjs");
  // The peers bring files of their own beside their code, and are loaded only where they are measured.
  await build({ ...BUNDLE, entryPoints: ["benchmarks/run.ts"], outfile, external: PEERS });
  process.exitCode = await run([outfile, ...process.argv.slice(2)]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
