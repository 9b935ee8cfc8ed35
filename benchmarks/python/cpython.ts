/** CPython, where `python3` is installed: it times itself (`cpython.py`). */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Pace } from "../measure.ts";
import { type PythonRow, pythonSource } from "./rows.ts";
import type { PythonMeasured } from "./sides.ts";

export async function cpythonFigures(row: PythonRow, root: string, pace: Pace): Promise<PythonMeasured | null> {
  const task = { kind: row.kind, frame: row.frame, source: pythonSource(root, row), pace };
  const { error, status, stdout, stderr } = spawnSync("python3", [join(root, "benchmarks", "python", "cpython.py")], {
    input: JSON.stringify(task),
    encoding: "utf8",
  });
  if (error !== undefined) return null;
  if (status !== 0) throw new Error(stderr.trim());
  return JSON.parse(stdout) as PythonMeasured;
}
