/** Finds CPython 3.11 and lets it record the cases again. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "3.11";
const ORACLE = join(dirname(dirname(fileURLToPath(import.meta.url))), "oracle");

/** The command of CPython 3.11, or null on a machine without it. */
export function findPython(): string | null {
  const asks = ["-c", "import sys; print('%d.%d' % sys.version_info[:2])"];
  const isOne = (command: string) => spawnSync(command, asks, { encoding: "utf8" }).stdout?.trim() === VERSION;
  return ["python3", "python3.11"].find(isOne) ?? null;
}

/** Records all case files again and lists what is not as checked in. */
export function recheck(python: string): { readonly code: number | null; readonly said: string } {
  const done = spawnSync(python, [join(ORACLE, "record.py"), "--check"], { encoding: "utf8" });
  return { code: done.status, said: `${done.stdout}${done.stderr}` };
}
