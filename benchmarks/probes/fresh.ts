/**
 * What a program costs that was never seen before, in a process that is warm: compile and first run, from source and from IR; how fast
 * long programs compile; and what starting a run costs.
 */
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import { type Figure, timed } from "../figure.ts";
import { compiledOn, LIMITS, openHost, sourceOf } from "../peers/weft.ts";
import { workloadNamed } from "../workloads.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const LINES = 2000;
const LARGE_BYTES = 900 * 1000;
/** A compiler is much code, and takes some thousand programs to be warm. */
const WARM = 24;
const UNSEEN = "A program never seen before (W5, warm process)";
const COMPILING = "Compiling and starting";

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
  const oneStep = compiledOn(host, "one step", "L1:\n  J 1\n");
  const [fromSource, fromIr, start, lines] = await timeInTurn(
    [
      () => run(compiledOn(host, "W5", unseen())),
      () => run(read()),
      () => run(oneStep),
      () => compiledOn(host, "long", longProgram(LINES, ++programs)),
    ],
    { ...pace, warm_ms: pace.warm_ms * WARM },
  );
  const largeLines = Math.ceil(LARGE_BYTES / longProgram(LINES, 1).length) * LINES;
  const [large] = await timeInTurn([() => compiledOn(host, "large", longProgram(largeLines, ++programs))], pace);
  return [
    {
      group: UNSEEN,
      name: "compile from source and first run",
      ...timed(fromSource, "µs"),
      target: { at_most: 250 },
    },
    { group: UNSEEN, name: "read IR from JSON, check it, and first run", ...timed(fromIr, "µs") },
    { group: COMPILING, name: "start of a run: one step, from the host", ...timed(start, "ns") },
    {
      group: COMPILING,
      name: `compile of ${LINES} lines`,
      value: LINES / ((lines?.median ?? Number.NaN) / 1000),
      unit: "lines/s",
    },
    {
      group: COMPILING,
      name: "compile of 900 KB of source, in one go",
      ...timed(large, "ms"),
      target: { at_most: 300 },
    },
  ];
}

/** `which`: a number in its first step, which makes it a program of its own. */
function longProgram(lines: number, which: number): string {
  const steps = Array.from(
    { length: lines - 2 },
    (_, at) => `  X v${at % 50} add ${at === 0 ? which : at} ${at + 1}\n`,
  );
  return `L1:\n${steps.join("")}  J v1\n`;
}
