/**
 * The runs of one program in the tier: when it is built, for which frames, and when it is given up. A run that leaves starts again in
 * the loop, and is then like any other run there.
 */
import type { Program } from "../../compiler/bytecode/program.ts";
import { verifyCode } from "../../compiler/bytecode/verify/verify.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { type InputCheck, type InputShape, SHAPE } from "../inputs/check-inputs.ts";
import { UNCOUNTED_BYTES } from "../memory/shared-budget.ts";
import type { Cancellation, Clock, Limits, Outcome, Usage } from "../run.ts";
import { isStackOverflow } from "../v8/host-stack.ts";
import { type BuiltRun, build } from "./build.ts";
import { joinKinds, Kind } from "./kinds.ts";
import { beginWork, LEAVE } from "./natives.ts";
import type { TierPolicy } from "./policy.ts";
import { translate } from "./translate.ts";

/** A program is built anew for other frames as often as this. */
const MAX_BUILDS = 6;
/** Runs that leave before something is done about it, besides a quarter of those that do not. */
const MAX_LEFT = 16;
const MAX_DEPTH = 10_000;

/** Limits as a plan compares them. */
type Bounds = {
  readonly limits: Limits;
  readonly steps: number;
  readonly depth: number;
  readonly bytes: number;
  readonly isSized: boolean;
  readonly ms: number;
};

/** `startedAt`: in milliseconds of the clock. `check`: of the declared inputs; null: the frame is not checked. */
export type ShortRequest = {
  readonly frame: JsonObject;
  readonly limits: Limits;
  readonly check: InputCheck | null;
  readonly startedAt: number;
  readonly signal: Cancellation | undefined;
};

export class ShortRuns {
  readonly #program: Program;
  readonly #shape: InputShape | null;
  readonly #policy: TierPolicy;
  /** Of the variables in the frames it is built for; null: none was seen. */
  #kinds: Uint8Array | null = null;
  #built: BuiltRun | null = null;
  #builds = 0;
  /** Every frame that the built run takes is one that the program declares. */
  #isDeclared = false;
  #heat = 0;
  #ended = 0;
  #left = 0;
  #bounds: Bounds | null = null;
  /** It stays in the loop. */
  isGivenUp = false;
  /** When the last run ended, in milliseconds of the clock. */
  endedAt = 0;

  constructor(program: Program, shape: InputShape | null, policy: TierPolicy) {
    this.#program = program;
    this.#shape = shape;
    this.#policy = policy;
  }

  /** The outcome of a run; null: it has to run in the loop. */
  attempt(request: ShortRequest, clock: Clock): Outcome | null {
    const { frame, limits, check, startedAt, signal } = request;
    const built = this.#built;
    if (built === null) return this.#warmUp(request, clock);
    if (signal?.aborted) return null;
    if (check !== null && !this.#isDeclared && check(frame) !== null) return null;
    const known = this.#bounds;
    const bounds = known !== null && known.limits === limits ? known : this.#boundsOf(limits);
    const out = runBuilt(built, frame, bounds);
    if (out === LEAVE) {
      this.#leave(frame);
      return null;
    }
    this.#ended += 1;
    const now = clock.now();
    const ms = Math.floor(now - startedAt);
    // Late or cancelled: the loop reports it.
    if (ms > bounds.ms || signal?.aborted) return null;
    this.endedAt = now;
    const { used } = built;
    const usage: Usage = {
      steps: used[0] as number,
      depth: used[1] as number,
      adapter_calls: 0,
      time_ms: ms,
      frame_bytes: bounds.isSized ? Math.max(2, used[2] as number) : null,
      loop_iters: 0,
    };
    return { ok: true, out, label: this.#program.entry, usage };
  }

  #boundsOf(limits: Limits): Bounds {
    const { quantum, frameCeiling } = this.#policy;
    const { max_steps = Number.POSITIVE_INFINITY, max_depth = MAX_DEPTH, max_frame_bytes } = limits;
    this.#bounds = {
      limits,
      steps: Math.min(max_steps, quantum),
      depth: Math.min(max_depth, MAX_DEPTH),
      // Larger frames count for what all runs share.
      bytes: Math.min(max_frame_bytes ?? frameCeiling, frameCeiling, UNCOUNTED_BYTES),
      isSized: max_frame_bytes !== undefined,
      ms: limits.max_time_ms ?? Number.POSITIVE_INFINITY,
    };
    return this.#bounds;
  }

  #warmUp(request: ShortRequest, clock: Clock): Outcome | null {
    if (this.isGivenUp) return null;
    this.#heat += 1;
    if (this.#heat < this.#policy.heat || !this.#widen(request.frame)) return null;
    this.#build();
    return this.#built === null ? null : this.attempt(request, clock);
  }

  /** Takes the frame's variables into account; false: it has members that the program does not name. */
  #widen(frame: JsonObject): boolean {
    const { names, slots } = this.#program;
    if (memberCount(frame) < 0) return false;
    const kinds = new Uint8Array(names.length);
    for (const key of Object.keys(frame)) {
      const slot = slots.get(key);
      // A plain read of `__proto__` finds a member in every object.
      if (slot === undefined || key === "__proto__") return false;
      const type = typeof frame[key];
      kinds[slot] = type === "number" ? Kind.Number : type === "boolean" ? Kind.Boolean : Kind.Value;
    }
    const before = this.#kinds;
    this.#kinds = before === null ? kinds : kinds.map((kind, slot) => joinKinds(kind, before[slot] as Kind));
    return before === null || this.#kinds.some((kind, slot) => kind !== before[slot]);
  }

  #build(): void {
    this.#built = null;
    this.#builds += 1;
    this.#ended = this.#left = 0;
    try {
      this.#make();
    } catch (thrown) {
      // The run was started with little stack left. Later ones may have more.
      if (!isStackOverflow(thrown)) throw thrown;
      this.#kinds = null;
    }
  }

  #make(): void {
    const kinds = this.#kinds;
    const program = this.#program;
    if (kinds === null || this.#builds > MAX_BUILDS || !verifyCode(program, "fast").ok) {
      this.#giveUp();
      return;
    }
    const plan = translate(program, program.variant("fast"), kinds);
    if (plan === null) {
      this.#giveUp();
      return;
    }
    const built = build(plan);
    if (typeof built === "string") {
      if (built !== "too_large") this.#policy.refused(program.entry, built);
      this.#giveUp();
      return;
    }
    this.#built = built;
    this.#isDeclared = isDeclared(this.#shape, kinds);
  }

  #giveUp(): void {
    this.isGivenUp = true;
    this.#kinds = this.#built = this.#bounds = null;
  }

  #leave(frame: JsonObject): void {
    this.#left += 1;
    if (this.#left < MAX_LEFT + this.#ended / 4) return;
    if (this.#widen(frame)) this.#build();
    else this.#giveUp();
  }
}

function runBuilt({ run }: BuiltRun, frame: JsonObject, bounds: Bounds): Json | typeof LEAVE {
  const count = memberCount(frame);
  if (count < 0) return LEAVE;
  beginWork();
  try {
    return run(frame, count, bounds.steps, bounds.depth, bounds.bytes, bounds.isSized);
  } catch {
    // Also a failure of the program: the loop finds its place.
    return LEAVE;
  }
}

/** Members of a plain object; -1: it is another one, whose members may be inherited. */
function memberCount(frame: JsonObject): number {
  const prototype: unknown = Object.getPrototypeOf(frame);
  if (prototype !== Object.prototype && prototype !== null) return -1;
  let count = 0;
  for (const _ in frame) count += 1;
  return count;
}

/** Whether frames of these kinds are what the program declares, whatever their values. */
function isDeclared(shape: InputShape | null, kinds: Uint8Array): boolean {
  if (shape === null) return true;
  let { required } = shape;
  for (let slot = 0; slot < kinds.length; slot++) {
    const code = shape.codes[slot] ?? SHAPE.undeclared;
    const kind = kinds[slot] as Kind;
    if (kind === Kind.Unset) continue;
    const type = code % SHAPE.required;
    const isSure =
      type === SHAPE.any ||
      (type === SHAPE.number && kind === Kind.Number) ||
      (type === SHAPE.boolean && kind === Kind.Boolean);
    if (!isSure) return false;
    if (code >= SHAPE.required && kind !== Kind.Optional) required -= 1;
  }
  return required <= 0;
}
