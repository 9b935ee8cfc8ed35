/** `wf batch FILE`: one program, many frames, one result line for each. */

import { Command, Option } from "../../argv/clipanion.ts";
import type { BatchPlan } from "../../batch/plan.ts";
import { runBatchFile } from "../../batch/run.ts";
import { wholeNumber } from "../../grant/limit-flags.ts";
import { usageFault } from "../../session/faults.ts";
import { oneOf } from "../base.ts";
import { ProgramFlags } from "../flags/program-flags.ts";

export class BatchCommand extends ProgramFlags {
  static override paths = [["batch"]];
  static override usage = Command.Usage({
    description: "Run a program once per frame: one line of input and one line of output for each.",
    details: "FILE",
    examples: [
      ["frames from a file", "wf batch order.wf --in orders.ndjson --out results.ndjson"],
      ["rows of a table, in their order", "wf batch order.wf --frames-csv orders.csv --ordered"],
      ["continue after an interrupt", "wf batch order.wf --in orders.ndjson --out results.ndjson --resume"],
    ],
  });
  static override readonly notes = [
    '`--rows lean` prints `{"ok":true,"out":…}` for each frame, `out` the result alone, `full` also index, usage and duration. A frame that failed has all of that in each of them, and the exit code is then 1.',
    "Limits apply to each frame separately, and memory use does not grow with the number of frames. A line that is not a frame fails alone, with its line number.",
    "`--resume` needs the same program, label, rows and settings as the batch that it continues (`FILE.resume`); limits may differ, and frames may have been added.",
    "Ctrl-C cancels the frames under way and ends with 130; FILE of `--out` then holds whole lines only.",
  ];
  static override readonly pages = ["running.md#many-frames"];

  file = Option.String({ required: false });
  frames = Option.String("--in,--frames", { description: "<FILE|-> frames, one JSON object per line" });
  framesCsv = Option.String("--frames-csv", {
    description: "<FILE|-> frames as CSV; the first row names the variables",
  });
  out = Option.String("--out", { description: "<FILE> write the results to a file instead of stdout" });
  jobs = Option.String("--jobs,--concurrency", {
    description: "<N> number of frames in parallel; pure programs use threads",
  });
  ordered = Option.Boolean("--ordered", false, { description: "write full rows in the order of the frames" });
  rows = Option.String("--rows", { description: "<lean|out|full> what a row of the results says; lean by default" });
  resume = Option.Boolean("--resume", false, { description: "continue after the results that --out already contains" });
  onError = Option.String("--on-error", { description: "<continue|stop> what to do after a failed frame" });
  maxFrames = Option.String("--max-frames", { description: "<N> run only the first N frames" });

  async execute(): Promise<number> {
    const session = this.session();
    const source = this.source();
    if (source.file === "-" && (this.file === undefined || this.file === "-"))
      throw usageFault("frames and program cannot both come from standard input");
    return runBatchFile(session, {
      ...this.programPlan(session, this.file),
      source,
      out: this.out,
      resume: this.resume,
      jobs: this.jobs === undefined ? undefined : atLeastOne("--jobs", this.jobs),
      rows: oneOf("--rows", this.rows ?? "lean", ["lean", "out", "full"]),
      ordered: this.ordered,
      onError: oneOf("--on-error", this.onError ?? "continue", ["continue", "stop"]),
      mostFrames: this.maxFrames === undefined ? Number.POSITIVE_INFINITY : atLeastOne("--max-frames", this.maxFrames),
    });
  }

  private source(): BatchPlan["source"] {
    const { frames, framesCsv } = this;
    if (frames !== undefined && framesCsv !== undefined) throw usageFault("--in and --frames-csv exclude each other");
    if (framesCsv !== undefined) return { file: framesCsv, format: "csv" };
    if (frames !== undefined) return { file: frames, format: "ndjson" };
    throw usageFault("missing frames; give --in FILE (or --frames FILE) or --frames-csv FILE; - is standard input");
  }
}

function atLeastOne(flag: string, text: string): number {
  const value = wholeNumber(flag, text);
  if (value < 1) throw usageFault(`option ${flag} needs a number from 1, found '${text}'`);
  return value;
}
