/** The Python client, run by the python3 of this machine. */
import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Where the package is found. */
export const PYTHONPATH = fileURLToPath(new URL("../../clients/python", import.meta.url));
const { status } = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);

/** Whether there is a python3 that the client runs on. */
export const PYTHON = status === 0;
if (!PYTHON) console.info("tests of the Python client are skipped: no python3 from 3.9 on");

/** The JSON that a script of this folder prints. */
export async function python(script: string, ...words: readonly string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)("python3", ["-W", "error", path, ...words], {
    env: { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1" },
    timeout: 100_000,
  });
  return JSON.parse(stdout);
}
