/** Monty, Pydantic's interpreter of a part of Python, with all of its limits set. */
import type { Pace } from "../measure.ts";
import { peerPackage } from "../peers/peer-package.ts";
import { callingSide } from "../peers/side.ts";
import { sideFigures } from "./figures.ts";
import { type PythonRow, pythonSource, unseen } from "./rows.ts";
import type { PythonMeasured } from "./sides.ts";

const LIMITS = { maxAllocations: 1e9, maxDurationSecs: 600, maxMemory: 1e9, maxRecursionDepth: 500 };

type Program = { run(options: object): unknown };
type Package = { readonly Monty: new (text: string, options: object) => Program };

export async function montyFigures(row: PythonRow, root: string, pace: Pace): Promise<PythonMeasured | null> {
  const found = await peerPackage<Package>("@pydantic/monty");
  if (found === null) return null;
  const names = Object.keys(row.frame);
  // It calls functions of the host by their names alone.
  const source = `${pythonSource(root, row).replaceAll("noop.now(", "now(")}\nmain(${names.join(", ")})\n`;
  const options = {
    ...(names.length === 0 ? {} : { inputs: row.frame }),
    limits: LIMITS,
    externalFunctions: { now: (value: unknown) => value },
  };
  const program = (text: string): Program => new found.Monty(text, { inputs: names });
  const once = program(source);
  let texts = 0;
  const side = callingSide(
    () => {},
    () => {
      if (row.kind === "prepared") return plain(once.run(options));
      texts += 1;
      const fresh = program(unseen(source, texts));
      return row.kind === "compiled" ? null : plain(fresh.run(options));
    },
  );
  return sideFigures(side, pace);
}

/** Its dicts are Maps. */
function plain(value: unknown): never {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)])) as never;
  return (Array.isArray(value) ? value.map(plain) : value) as never;
}
