/** Weft: the program in Python, and the workload that does the same in the opcode form. All six limits are set. */
import type { Json } from "../../compiler/json.ts";
import type { Pace } from "../measure.ts";
import { functionHost } from "../peers/noop.ts";
import { callingSide, type Side } from "../peers/side.ts";
import { compiledOn, LIMITS, openHost, weftPreparedSide, weftSide } from "../peers/weft.ts";
import { type Workload, workloadNamed } from "../workloads.ts";
import { sideFigures } from "./figures.ts";
import { type PythonRow, pythonSource, unseen } from "./rows.ts";
import type { PythonMeasured } from "./sides.ts";

export function weftFigures(row: PythonRow, root: string, pace: Pace): Promise<PythonMeasured> {
  return sideFigures(row.kind === "compiled" ? compilingSide(row, root) : runningSide(row, root), pace);
}

function compilingSide(row: PythonRow, root: string): Side {
  const host = openHost();
  const source = pythonSource(root, row);
  let texts = 0;
  return callingSide(
    () => {},
    () => {
      texts += 1;
      compiledOn(host, row.name, unseen(source, texts));
      return null;
    },
  );
}

function runningSide(row: PythonRow, root: string): Side {
  const { kind, frame, unit, calls = false } = row;
  const host = calls ? functionHost() : openHost();
  const source = pythonSource(root, row);
  const ir = compiledOn(host, row.name, source);
  const program = host.prepare(ir, { limits: LIMITS });
  let texts = 0;
  const run = (): Promise<Json> | Json => {
    if (unit === "ns") return resultOf(program.runSync(frame));
    if (kind === "prepared") return program.run(frame).then(resultOf);
    texts += 1;
    const fresh = compiledOn(host, row.name, unseen(source, texts));
    return host.run({ ir: fresh, frame, limits: LIMITS }).then(resultOf);
  };
  return {
    compile: () => {},
    batch: async (runs) => {
      let last: Json = null;
      for (let k = 0; k < runs; k++) last = await run();
      return last;
    },
  };
}

function resultOf(answer: { readonly ok: boolean; readonly out?: Json }): Json {
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.out ?? null;
}

/** A short run is prepared, as that in Python is. */
export function opcodeFigures({ twin = "" }: PythonRow, root: string, pace: Pace): Promise<PythonMeasured> {
  const workload = workloadNamed(twin) as Workload;
  const given = workload.prepare();
  // One input, as the row has.
  const one: Workload = { ...workload, prepare: () => ({ ...given, count: 1, frame: () => given.frame(0) }) };
  return sideFigures((workload.short ? weftPreparedSide : weftSide)(one, root), pace);
}
