/** The flags of commands that run programs: how the program is compiled, and the limits of each run. */

import type { LimitKey } from "../../vm/run.ts";
import { Option } from "../clipanion.ts";
import { effectiveGrant } from "../effective-grant.ts";
import type { LimitFlags } from "../grant.ts";
import type { ProgramPlan } from "../prepare-program.ts";
import { AdapterFlags } from "./adapter-flags.ts";
import type { Session } from "./base.ts";
import { isStrict, modeFlag } from "./compile-mode.ts";

export abstract class ProgramFlags extends AdapterFlags {
  strict = modeFlag("strict", "loose");
  loose = modeFlag("loose", "loose");
  label = Option.String("--label", { description: "<NAME> entry label; default: the first label" });
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

  /** What these flags and the configuration of the project say together. */
  protected programPlan(session: Session, file: string | undefined): ProgramPlan {
    const project = this.project(session, file);
    return {
      file,
      strict: isStrict(this, project?.strict === true ? "strict" : "loose"),
      includeRoots: [...(this.includeRoot ?? []), ...(project?.includeRoots ?? [])],
      label: this.label,
      grant: effectiveGrant(session, {
        ...this.grantFlags(),
        project,
        limits: this.limitFlags(),
        ...this.adapterFlags(),
        dryRun: this.dryRun,
      }),
      dryRun: this.dryRun || session.environment.host.dryRun,
    };
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
