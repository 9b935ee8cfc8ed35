/** `wf run FILE`: compile or load one program, run it once, print what it returns. */

import type { JsonObject } from "../../compiler/json.ts";
import type { LimitKey } from "../../vm/run.ts";
import { Command, Option } from "../clipanion.ts";
import { usageFault } from "../faults.ts";
import { readFrame } from "../frame.ts";
import { adapterNames, type LimitFlags, readLimits } from "../grant.ts";
import { type RunPlan, runProgram } from "../run-program.ts";
import { WeftCommand } from "./base.ts";

export class RunCommand extends WeftCommand {
  static override paths = [["run"]];
  static override usage = Command.Usage({
    description: "Runs one program and prints what it returns.",
    details: "FILE",
    examples: [
      ["run a program", "wf run hello.wf"],
      ["give it variables and a limit", `wf run order.wf --frame '{"amount": 12}' --max-steps 5000`],
      ["machine output", "wf run hello.wf --json"],
      ["read the program from standard input", "cat hello.wf | wf run -"],
    ],
  });

  file = Option.String({ required: false });
  strict = Option.Boolean("--strict", false, { description: "compile in strict mode (default here: off)" });
  label = Option.String("--label", { description: "<NAME> entry label; default: the first label" });
  frame = Option.String("--frame,--frame-json", { description: "<JSON|@FILE> initial variables" });
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
  enableAdapter = Option.Array("--enable-adapter", { description: "<NAME> enable an adapter (repeatable)" });
  allowAdapter = Option.Array("--allow-adapter,--allow", {
    description: "<NAME> allow only the adapters named (repeatable)",
  });
  trace = Option.Boolean("--trace", false, { description: "show every step: a table on stderr, or trace in JSON" });
  traceOut = Option.String("--trace-out", { description: "<FILE> write the trace as one JSON document" });
  traceJsonl = Option.String("--trace-jsonl,--log-trajectory", {
    description: "<FILE|-> write the trace, one event per line",
  });
  raw = Option.Boolean("--raw", false, { description: "print a text exactly, without a final newline" });
  out = Option.String("--out", { description: "<FILE> write the result there, not to stdout" });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.json && this.traceJsonl === "-")
      throw usageFault("--trace-jsonl - and --json both need stdout; name a file");
    const { limits, warnings } = readLimits(this.limitFlags());
    adapterNames("--enable-adapter", this.enableAdapter, session.host.catalog);
    const allowed =
      this.allowAdapter === undefined ? null : adapterNames("--allow-adapter", this.allowAdapter, session.host.catalog);
    const frame: JsonObject = readFrame(session.cwd, this.frame, this.frameSet);
    const plan: RunPlan = {
      file: this.file,
      strict: this.strict,
      frame,
      limits,
      allowed,
      warnings,
      includeRoots: this.includeRoot ?? [],
      label: this.label,
      raw: this.raw,
      out: this.out,
      trace: { show: this.trace, document: this.traceOut, lines: this.traceJsonl },
    };
    return runProgram(session, plan);
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
