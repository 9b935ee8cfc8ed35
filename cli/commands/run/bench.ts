/** `wf bench FILE`: how long a program takes here: compile, first run, and runs once it is warm. */
import { Command, Option } from "../../argv/clipanion.ts";
import { wholeNumber } from "../../grant/limit-flags.ts";
import { readFrame, readPipedFrame } from "../../input/frame.ts";
import { usageFault } from "../../session/faults.ts";
import { ProgramFlags } from "../flags/program-flags.ts";

const DEFAULT_WARMUP = 100;
const MAX_RUNS = 1_000_000;

export class BenchCommand extends ProgramFlags {
  static override paths = [["bench"]];
  static override usage = Command.Usage({
    description: "Measure the time a program takes to compile, to run first, and to run once it is warm.",
    details: "FILE",
    examples: [
      ["runs of one second", "wf bench hello.wf"],
      ["a number of runs, with variables", `wf bench order.wf --iterations 1000 --frame '{"amount": 12}'`],
      [
        "against an earlier measurement",
        "wf bench hello.wf --json > before.json; wf bench hello.wf --compare before.json",
      ],
    ],
  });
  static override readonly notes = [
    "Every run must succeed; otherwise exit 1. Adapters other than core are named in the output, because the figures then include their time. In a fresh process, compiling and the first run take milliseconds; `p50` is what a warm process takes.",
    "`--compare FILE` reads an earlier `--json` document and adds the ratio of each figure to its earlier value.",
    "With `--json`: `{ok, runs, adapters, heap_bytes, checksum, figures: {compile_ms, first_ms, p50_ms, p95_ms, p99_ms, runs_per_s, steps_per_s}, change}`.",
  ];
  static override readonly pages = ["performance.md"];

  file = Option.String({ required: false });
  frame = Option.String("--frame,--frame-json", {
    description: "<JSON|@FILE|@-> initial variables (@- reads standard input)",
  });
  frameSet = Option.Array("--frame-set", { description: "<NAME=JSON> one initial variable (repeatable)" });
  iterations = Option.String("--iterations", {
    description: "<N> number of measured runs (default: as many as fit in one second)",
  });
  warmup = Option.String("--warmup", { description: "<N> number of unmeasured runs before that (default: 100)" });
  compare = Option.String("--compare", { description: "<FILE> compare with an earlier --json document" });

  async execute(): Promise<number> {
    const session = this.session();
    const given = this.frame === "@-" ? await readPipedFrame(session.io, this.file) : this.frame;
    const program = this.programPlan(session, this.file);
    const { frame, warnings } = readFrame(session.cwd, given, this.frameSet, program.strict);
    const { benchProgram, readMeasurement } = await import("../../bench/bench-program.ts");
    return benchProgram(session, {
      ...program,
      frame,
      frameGiven: given !== undefined || this.frameSet !== undefined,
      warnings,
      iterations: this.iterations === undefined ? null : runs("--iterations", this.iterations, 1),
      warmup: this.warmup === undefined ? DEFAULT_WARMUP : runs("--warmup", this.warmup, 0),
      before: this.compare === undefined ? null : readMeasurement(session.cwd, this.compare),
    });
  }
}

function runs(flag: string, text: string, least: number): number {
  const value = wholeNumber(flag, text);
  if (value < least || value > MAX_RUNS)
    throw usageFault(`option ${flag} needs a number from ${least} to ${MAX_RUNS}, found '${text}'`);
  return value;
}
