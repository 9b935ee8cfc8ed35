/** The flags of commands that run one program, and the plan they make together. */

import { Option } from "../clipanion.ts";
import { usageFault } from "../faults.ts";
import { readFrame, readPipedFrame } from "../frame.ts";
import type { LogFile } from "../replay-log-file.ts";
import type { RunPlan } from "../run-program.ts";
import type { Session } from "./base.ts";
import { ProgramFlags } from "./program-flags.ts";

export abstract class RunFlags extends ProgramFlags {
  frame = Option.String("--frame,--frame-json", {
    description: "<JSON|@FILE|@-> initial variables; @- reads standard input",
  });
  frameSet = Option.Array("--frame-set", { description: "<NAME=JSON> one initial variable (repeatable)" });
  trace = Option.Boolean("--trace", false, { description: "show every step: a table on stderr, or trace in JSON" });
  traceOut = Option.String("--trace-out", { description: "<FILE> write the trace as one JSON document" });
  traceJsonl = Option.String("--trace-jsonl,--log-trajectory", {
    description: "<FILE|-> write the trace, one event per line",
  });
  raw = Option.Boolean("--raw", false, { description: "print a text exactly, without a final newline" });
  out = Option.String("--out", { description: "<FILE> write the result there, not to stdout" });

  private pipedFrame: Awaited<ReturnType<typeof readPipedFrame>> | undefined = undefined;

  /** `log`: what is replayed, and what it knows of label and frame when no flag says otherwise. */
  protected plan(session: Session, file: string | undefined, record: string | undefined, log: LogFile | null): RunPlan {
    if (this.json && this.traceJsonl === "-")
      throw usageFault("--trace-jsonl - and --json both need stdout; name a file");
    const program = this.programPlan(session, file);
    const { frame, warnings } = readFrame(session.cwd, this.pipedFrame ?? this.frame, this.frameSet);
    return {
      ...program,
      frame,
      warnings,
      raw: this.raw,
      out: this.out,
      trace: { show: this.trace, document: this.traceOut, lines: this.traceJsonl },
      record,
      replay: log,
    };
  }

  /** Reads the frame of `--frame @-`; to be awaited before `plan`. `log`: the file that is replayed, which may be standard input as well. */
  protected async readPipes(session: Session, file: string | undefined, log?: string): Promise<void> {
    if (log === "-") {
      if (file === undefined || file === "-")
        throw usageFault("the program and the log cannot both come from standard input");
      if (this.frame === "@-") throw usageFault("--frame @- and the log cannot both come from standard input");
    }
    if (this.frame === "@-") this.pipedFrame = await readPipedFrame(session.io, file);
  }
}
