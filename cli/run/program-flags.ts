/** The flags of commands that run programs: how the program is compiled, and the limits of each run. */

import type { LimitKey } from "../../vm/run.ts";
import { Option } from "../argv/clipanion.ts";
import { AdapterFlags } from "../commands/flags/adapter-flags.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { effectiveGrant } from "../grant/effective-grant.ts";
import type { LimitFlags } from "../grant/limit-flags.ts";
import type { Session } from "../session/session.ts";
import type { ProgramPlan } from "./prepare-program.ts";

export abstract class ProgramFlags extends AdapterFlags {
  strict = modeFlag("strict", "loose");
  loose = modeFlag("loose", "loose");
  label = Option.String("--label", {
    description: "<NAME> function or label that starts (default: main, or else the first)",
  });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });
  maxSteps = Option.String("--max-steps", { description: "<N> maximum steps (default: 500,000)" });
  maxDepth = Option.String("--max-depth", { description: "<N> maximum label nesting depth (default: 500)" });
  maxAdapterCalls = Option.String("--max-adapter-calls", {
    description: "<N> maximum adapter calls; 0 allows none (default: 50,000)",
  });
  maxTimeMs = Option.String("--max-time-ms", {
    description: "<N> maximum run time in milliseconds (default: 900,000)",
  });
  maxFrameBytes = Option.String("--max-frame-bytes", {
    description: "<N> maximum frame size in bytes of JSON (default: no limit)",
  });
  maxLoopIters = Option.String("--max-loop-iters", {
    description: "<N> maximum iterations of one loop (default: no limit)",
  });
  cleanupCalls = Option.String("--cleanup-calls", {
    description: "<N> maximum adapter calls of the cleanup of a cancelled run (default, and the most: 50)",
  });
  cleanupMs = Option.String("--cleanup-ms", {
    description: "<N> maximum time of that cleanup in milliseconds (default, and the most: 10,000)",
  });
  dryRun = Option.Boolean("--dry-run", false, {
    description: "check the arguments of verbs that write, but do not execute them",
  });

  /** Combines these flags with the configuration of the project. */
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
      inputs: isStrict(this, project?.strict === false ? "loose" : "strict") ? "strict" : "loose",
      dryRun: this.dryRun || session.environment.host.dryRun,
    };
  }

  /** As they were given. */
  protected limitFlags(): LimitFlags {
    const flags: Record<LimitKey, string | undefined> = {
      max_steps: this.maxSteps,
      max_depth: this.maxDepth,
      max_adapter_calls: this.maxAdapterCalls,
      max_time_ms: this.maxTimeMs,
      max_frame_bytes: this.maxFrameBytes,
      max_loop_iters: this.maxLoopIters,
      cleanup_calls: this.cleanupCalls,
      cleanup_ms: this.cleanupMs,
    };
    return flags;
  }
}
