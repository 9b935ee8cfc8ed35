/** The flags of commands that run one program, and the plan they make together. */

import type { LimitKey } from "../../vm/run.ts";
import { Option } from "../clipanion.ts";
import { effectiveGrant } from "../effective-grant.ts";
import { usageFault } from "../faults.ts";
import { readFrame, readPipedFrame } from "../frame.ts";
import type { LimitFlags } from "../grant.ts";
import type { LogFile } from "../replay-log-file.ts";
import type { RunPlan } from "../run-program.ts";
import { AdapterFlags } from "./adapter-flags.ts";
import type { Session } from "./base.ts";

export abstract class RunFlags extends AdapterFlags {
  strict = Option.Boolean("--strict", false, { description: "compile in strict mode (default here: off)" });
  label = Option.String("--label", { description: "<NAME> entry label; default: the first label" });
  frame = Option.String("--frame,--frame-json", {
    description: "<JSON|@FILE|@-> initial variables; @- reads standard input",
  });
  frameSet = Option.Array("--frame-set", { description: "<NAME=JSON> one initial variable (repeatable)" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> a further folder for includes (repeatable)" });
  maxSteps = Option.String("--max-steps", { description: "<N> most steps (500,000)" });
  maxDepth = Option.String("--max-depth", { description: "<N> most labels inside each other (500)" });
  maxAdapterCalls = Option.String("--max-adapter-calls", {
    description: "<N> most adapter calls, 0 for none (50,000)",
  });
  maxTimeMs = Option.String("--max-time-ms", { description: "<N> most milliseconds (900,000)" });
  maxFrameBytes = Option.String("--max-frame-bytes", { description: "<N> largest frame in bytes of JSON" });
  maxLoopIters = Option.String("--max-loop-iters", { description: "<N> most iterations of one loop" });
  dryRun = Option.Boolean("--dry-run", false, { description: "verbs that write check their arguments and do nothing" });
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
    const grant = effectiveGrant(session, {
      ...this.grantFlags(),
      limits: this.limitFlags(),
      ...this.adapterFlags(),
      dryRun: this.dryRun,
    });
    const { frame, warnings } = readFrame(session.cwd, this.pipedFrame ?? this.frame, this.frameSet);
    return {
      file,
      strict: this.strict,
      frame,
      warnings,
      grant,
      dryRun: this.dryRun || session.environment.host.dryRun,
      includeRoots: this.includeRoot ?? [],
      label: this.label,
      raw: this.raw,
      out: this.out,
      trace: { show: this.trace, document: this.traceOut, lines: this.traceJsonl },
      record,
      replay: log,
    };
  }

  /** Reads the frame of `--frame @-`; to be awaited before `plan`. */
  protected async readPipes(session: Session, file: string | undefined): Promise<void> {
    if (this.frame === "@-") this.pipedFrame = await readPipedFrame(session.io, file);
  }

  private limitFlags(): LimitFlags {
    const flags: Record<LimitKey, string | undefined> = {
      max_steps: this.maxSteps,
      max_depth: this.maxDepth,
      max_adapter_calls: this.maxAdapterCalls,
      max_time_ms: this.maxTimeMs,
      max_frame_bytes: this.maxFrameBytes,
      max_loop_iters: this.maxLoopIters,
    };
    return flags;
  }
}
