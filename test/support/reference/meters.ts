/**
 * The counters of a run and their limits (docs/runtime.md, limits), tested one by one. A counter moves only when
 * its limit lets it, so no figure ever exceeds a limit.
 */
import { limitFailure } from "../../../vm/errors/fatal-failures.ts";
import type { Limits, Usage } from "../../../vm/run.ts";

const DEPTH_CEILING = 10_000;
const FRAME_CEILING = 256 * 1024 * 1024;

export class Meters {
  readonly limits: Limits;
  readonly #frameCeiling: number;
  steps = 0;
  depth = 0;
  adapterCalls = 0;
  frameBytes: number | null = null;
  loopIterations = 0;

  constructor(limits: Limits, frameCeiling: number = FRAME_CEILING) {
    this.limits = limits;
    this.#frameCeiling = frameCeiling;
  }

  step(): void {
    const limit = this.limits.max_steps ?? Number.POSITIVE_INFINITY;
    if (this.steps + 1 > limit) throw limitFailure("RUNTIME_MAX_STEPS", "max_steps", limit, this.steps);
    this.steps += 1;
  }

  /** `depth`: activations alive once the label is entered. */
  enter(depth: number, from: { readonly label: string; readonly node: string; readonly op: string } | null): void {
    const limit = Math.min(this.limits.max_depth ?? DEPTH_CEILING, DEPTH_CEILING);
    if (depth > limit)
      throw limitFailure("RUNTIME_MAX_DEPTH", "max_depth", limit, this.depth, from === null ? {} : { from });
    this.depth = Math.max(this.depth, depth);
  }

  call(adapter: string, verb: string): void {
    const limit = this.limits.max_adapter_calls ?? Number.POSITIVE_INFINITY;
    if (this.adapterCalls + 1 > limit) {
      throw limitFailure("RUNTIME_MAX_ADAPTER_CALLS", "max_adapter_calls", limit, this.adapterCalls, { adapter, verb });
    }
    this.adapterCalls += 1;
  }

  frame(bytes: number, variable: string | null): void {
    const limit = Math.min(this.limits.max_frame_bytes ?? this.#frameCeiling, this.#frameCeiling);
    const isLimited = this.limits.max_frame_bytes !== undefined;
    if (bytes > limit) {
      // No figure of a run exceeds its limit, also where it begins beyond it.
      if (isLimited) this.frameBytes ??= Math.max(2, limit);
      throw limitFailure("RUNTIME_MAX_FRAME_BYTES", "max_frame_bytes", limit, bytes, { variable });
    }
    if (isLimited) this.frameBytes = bytes;
  }

  loopLength(length: number): void {
    const limit = this.limits.max_loop_iters ?? Number.POSITIVE_INFINITY;
    if (length > limit) {
      throw limitFailure("RUNTIME_MAX_LOOP_ITERS", "max_loop_iters", limit, this.loopIterations, { length });
    }
  }

  /** The `count`th iteration of one loop begins. */
  iteration(count: number): void {
    this.loopIterations = Math.max(this.loopIterations, count);
  }

  usage(elapsedMs: number): Usage {
    return {
      steps: this.steps,
      depth: this.depth,
      adapter_calls: this.adapterCalls,
      time_ms: elapsedMs,
      frame_bytes: this.frameBytes,
      loop_iters: this.loopIterations,
    };
  }
}
