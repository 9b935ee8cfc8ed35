/** The flags of commands that run one program, and the plan made from them. */

import { Option } from "../argv/clipanion.ts";
import { readAnyFrame, readPipedFrame } from "../input/frame.ts";
import type { LogFile } from "../input/replay-log-file.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { ProgramFlags } from "./program-flags.ts";
import type { RunPlan } from "./run-plan.ts";

export abstract class RunFlags extends ProgramFlags {
  frame = Option.String("--frame,--frame-json", {
    description: "<JSON|@FILE|@-> initial variables (@- reads standard input)",
  });
  frameSet = Option.Array("--frame-set", { description: "<NAME=JSON> one initial variable (repeatable)" });
  trace = Option.Boolean("--trace", false, {
    description: "show every step (a table on stderr, or the member trace with --json)",
  });
  traceOut = Option.String("--trace-out", { description: "<FILE> write the trace as one JSON document (mode 0600)" });
  traceJsonl = Option.String("--trace-jsonl,--log-trajectory", {
    description: "<FILE|-> write the trace, one JSON event per line (-: in place of the result)",
  });
  raw = Option.Boolean("--raw", false, { description: "print a string result as it is, without a final newline" });
  out = Option.String("--out", { description: "<FILE> write the result to a file instead of stdout" });

  private pipedFrame: Awaited<ReturnType<typeof readPipedFrame>> | undefined = undefined;

  /** `log`: the log to replay; its label and frame are used when no flag gives others. */
  protected plan(session: Session, file: string | undefined, record: string | undefined, log: LogFile | null): RunPlan {
    if (this.json && this.traceJsonl === "-")
      throw usageFault("--trace-jsonl - and --json both need stdout; name a file");
    const program = this.programPlan(session, file);
    const { frame, warnings, lost } = readAnyFrame(session.cwd, this.pipedFrame ?? this.frame, this.frameSet);
    return {
      ...program,
      frame,
      lost,
      frameGiven: this.frame !== undefined || this.frameSet !== undefined || log !== null,
      warnings,
      raw: this.raw,
      out: this.out,
      trace: { show: this.trace, document: this.traceOut, lines: this.traceJsonl },
      record,
      replay: log,
    };
  }

  /** Reads the frame of `--frame @-`; must be awaited before `plan`. `log`: the log to replay; `-` is standard input. */
  protected async readPipes(session: Session, file: string | undefined, log?: string): Promise<void> {
    if (log === "-") {
      if (file === undefined || file === "-")
        throw usageFault("the program and the log cannot both come from standard input");
      if (this.frame === "@-") throw usageFault("--frame @- and the log cannot both come from standard input");
    }
    if (this.frame === "@-") this.pipedFrame = await readPipedFrame(session.io, file);
  }
}
