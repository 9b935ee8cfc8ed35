/** `wf bench FILE`: how long a program takes here: compile, first run, and runs once it is warm. */
import { Command, Option } from "../clipanion.ts";
import { usageFault } from "../faults.ts";
import { readFrame, readPipedFrame } from "../frame.ts";
import { wholeNumber } from "../grant.ts";
import { ProgramFlags } from "./program-flags.ts";

const DEFAULT_WARMUP = 100;
const MOST_RUNS = 1_000_000;

export class BenchCommand extends ProgramFlags {
  static override paths = [["bench"]];
  static override usage = Command.Usage({
    description: "Measures how long a program takes: compile, first run, and runs once it is warm.",
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

  file = Option.String({ required: false });
  frame = Option.String("--frame,--frame-json", {
    description: "<JSON|@FILE|@-> initial variables; @- reads standard input",
  });
  frameSet = Option.Array("--frame-set", { description: "<NAME=JSON> one initial variable (repeatable)" });
  iterations = Option.String("--iterations", {
    description: "<N> runs that are measured; default: runs of one second",
  });
  warmup = Option.String("--warmup", { description: "<N> runs before that are not measured; 100" });
  compare = Option.String("--compare", { description: "<FILE> show the change since an earlier --json document" });

  async execute(): Promise<number> {
    const session = this.session();
    const given = this.frame === "@-" ? await readPipedFrame(session.io, this.file) : this.frame;
    const { frame, warnings } = readFrame(session.cwd, given, this.frameSet);
    const { benchProgram, readMeasurement } = await import("../bench/bench-program.ts");
    return benchProgram(session, {
      ...this.programPlan(session, this.file),
      frame,
      warnings,
      iterations: this.iterations === undefined ? null : runs("--iterations", this.iterations, 1),
      warmup: this.warmup === undefined ? DEFAULT_WARMUP : runs("--warmup", this.warmup, 0),
      before: this.compare === undefined ? null : readMeasurement(session.cwd, this.compare),
    });
  }
}

function runs(flag: string, text: string, least: number): number {
  const value = wholeNumber(flag, text);
  if (value < least || value > MOST_RUNS)
    throw usageFault(`option ${flag} needs a number from ${least} to ${MOST_RUNS}, found '${text}'`);
  return value;
}
