/** Running a development tool as a child process, and the list of source files; both shared by the checks. */
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Folders that hold the product, lowest floor first. */
export const FLOORS = ["grammar", "compiler", "vm", "adapters", "service", "mcp", "cli", "client"];

const require = createRequire(import.meta.url);

/** Path of a file inside an installed package, also where the package's exports hide it. */
function toolPath(name, file) {
  for (const folder of require.resolve.paths(name) ?? []) {
    const path = join(folder, name, file);
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  }
  throw new Error(`${name} is not installed; run npm ci`);
}

/** Runs a package's program with Node; resolves to its exit code and both outputs. */
export function execute(name, file, args) {
  const path = toolPath(name, file);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (signal === null) resolve({ code, stdout, stderr });
      else reject(new Error(`${name} was stopped by ${signal}`));
    });
  });
}

/** A check that is nothing but a tool: it passes when the tool exits with 0. */
export async function runTool(name, file, args) {
  const { code, stdout, stderr } = await execute(name, file, args);
  return code === 0 ? { ok: true } : { ok: false, details: `${stdout}\n${stderr}` };
}

/** Every file of ours below `folder` with one of the endings, as paths from the project root; [] when the folder does not exist. */
export function filesBelow(folder, endings) {
  const found = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!statSync(join(root, next), { throwIfNoEntry: false })?.isDirectory()) continue;
    for (const entry of readdirSync(join(root, next), { withFileTypes: true })) {
      const path = `${next}/${entry.name}`;
      if (entry.isDirectory()) {
        // What the benchmarks compare with, and what they built of themselves, is theirs.
        if (entry.name !== "node_modules" && !entry.name.startsWith(".")) pending.push(path);
      } else if (endings.some((ending) => entry.name.endsWith(ending))) found.push(path);
    }
  }
  return found.sort();
}
