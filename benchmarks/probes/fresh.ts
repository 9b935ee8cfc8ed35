/**
 * What a program costs that was never seen before, in a process that is warm: compile and first run, from source and from IR; how fast
 * long programs compile; and what starting a run costs.
 */
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import type { Figure } from "../figure.ts";
import { compiledOn, LIMITS, openHost, sourceOf } from "../peers/weft.ts";
import { workloadNamed } from "../workloads.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const LINES = 2000;
/** A compiler is much code, and takes some thousand programs to be warm. */
const WARM = 24;

export async function measureFresh({ pace, root }: ProbeScope): Promise<readonly Figure[]> {
  const workload = workloadNamed("W5");
  if (workload === undefined) throw new Error("no workload W5");
  const host = openHost();
  const source = sourceOf(root, workload);
  let programs = 0;
  // A number that no program before had, so that no cache knows it.
  const unseen = (): string => {
    programs += 1;
    return source.replace("lt d 100", `lt d ${100 + programs / 1024}`);
  };
  const run = (ir: Ir) => host.run({ ir, frame: { x: 7 }, limits: LIMITS });
  const document = JSON.stringify(compiledOn(host, "W5", source));
  const read = (): Ir => {
    const result = normalize(JSON.parse(document), builtinCatalog);
    if (!result.ok) throw new Error("the compiler's own IR is valid");
    return result.ir;
  };
  const flattened = compiledOn(host, "one step", "L1:\n  J 1\n");
  const long = `L1:\n${Array.from({ length: LINES - 2 }, (_, at) => `  X v${at % 50} add ${at} ${at + 1}\n`).join("")}  J v1\n`;
  let longs = 0;
  const [fromSource, fromIr, start, lines] = await timeInTurn(
    [
      () => run(compiledOn(host, "W5", unseen())),
      () => run(read()),
      () => run(flattened),
      () => {
        longs += 1;
        return compiledOn(host, "long", long.replace("add 0 1", `add 0 ${longs}`));
      },
    ],
    { ...pace, warm_ms: pace.warm_ms * WARM },
  );
  const micro = (ms: number | undefined): number => (ms ?? Number.NaN) * 1000;
  return [
    {
      group: "A program never seen before (W5, warm process)",
      name: "compile from source and first run",
      value: micro(fromSource?.median),
      unit: "µs",
      target: { at_most: 150 },
    },
    {
      group: "A program never seen before (W5, warm process)",
      name: "read IR from JSON, check it, and first run",
      value: micro(fromIr?.median),
      unit: "µs",
    },
    {
      group: "Compiling and starting",
      name: `compile of ${LINES} lines`,
      value: LINES / ((lines?.median ?? Number.NaN) / 1000),
      unit: "lines/s",
    },
    {
      group: "Compiling and starting",
      name: "start of a run: one step, from the host",
      value: micro(start?.median) * 1000,
      unit: "ns",
    },
  ];
}
