/**
 * The state of one run, and nothing else: variables, control stack, loop registers, meters. `loop.ts` advances it,
 * `routing.ts` sends failures on their way, `driver.ts` waits for what it suspends on. Plain data throughout.
 */
import type { Program, VariantKind, VariantTables } from "../compiler/bytecode/program.ts";
import { type Json, type JsonObject, setMember } from "../compiler/json.ts";
import { AdapterSession, type RunSession } from "./adapter-session.ts";
import { bookedSize, EXACT_TEXT, exactSize, NUMBER_BOOKED, PLAIN_KEY, resolveSizes } from "./booking.ts";
import { cancelledFailure, limitFailure } from "./fatal-failures.ts";
import { textBytes } from "./frame-size.ts";
import { functionOf, type PureFunction } from "./functions/table.ts";
import type { MachineOptions, Pending, RetryPlan, TracedVisit } from "./machine-options.ts";
import { isPlainKey } from "./paths.ts";
import type { Outcome, RunError, Usage } from "./run.ts";
import { SIZE, type Sized } from "./values.ts";

/**
 * Words of a control record: kind, pc of the entering call (of a handler: the site it handles), routine, depth of its label,
 * first loop register, repeats.
 */
export const RECORD = 6;
export const enum Rec {
  Kind = 0,
  CallPc = 1,
  Routine = 2,
  Base = 3,
  LoopBase = 4,
  Repeats = 5,
}
export const enum RecordKind {
  Root = 0,
  Call = 1,
  Handler = 2,
}

export const DEPTH_CEILING = 10_000;
export const FRAME_CEILING = 256 * 1024 * 1024;
export const QUANTUM = 10_000;
/** Work of natives between two readings of the clock. */
const CLOCK_WORK = 65_536;

export class Machine {
  readonly program: Program;
  readonly options: MachineOptions;
  readonly names: readonly string[];
  readonly variables: number;
  kind: VariantKind;
  tables: VariantTables;
  /** Variables, constants, temporaries; undefined is unset. */
  V: (Json | undefined)[];
  /** Booked sizes; an unset variable has minus its key's share. */
  SZ: Float64Array;
  /** 1: the slot holds the only reference to its container. For texts: `EXACT_TEXT`, `PLAIN_KEY`. */
  OWN: Uint8Array;
  CS: Int32Array = new Int32Array(16 * RECORD);
  /** Index of the top record's first word. */
  sp = 0;
  plans: (RetryPlan | null)[] = [];
  lists: (readonly Json[])[] = [];
  /** Iterations begun, per loop register. */
  positions: Float64Array = new Float64Array(8);
  /** Most bodies of a While, per loop register. */
  bounds: Float64Array = new Float64Array(8);
  kept: (Json | undefined)[] = [];
  keptSizes: number[] = [];
  /** 1: begun and the item variable not put back yet. */
  live: number[] = [];
  /** Implementation per aux index, for `fn` entries. */
  functions: (PureFunction | undefined)[] = [];
  pc = 0;
  /** Steps of the block at `pc` that are still to be charged; -1: make sure of one step without charging it. */
  owed = 0;
  fuel = 0;
  granted = 0;
  rest: number;
  readonly quantum: number;
  /** Work of natives to be taken off the next quantum. */
  debt = 0;
  work = 0;
  depth = 0;
  deepest: number;
  calls = 0;
  readonly maxCalls: number;
  iterations = 0;
  readonly maxIterations: number;
  frameBytes = 1;
  readonly frameLimit: number;
  exact = false;
  resolutions = 0;
  /** Size before the write that broke the limit; null while none did. */
  lastFrameBytes: number | null = null;
  startedAt: number;
  readonly maxTime: number;
  pending: Pending | null = null;
  result: Json = null;
  error: RunError | null = null;
  /** The label that could not be entered, for RUNTIME_MAX_DEPTH. */
  refused: { readonly label: string; readonly site: number } | null = null;
  /** The site that a fatal failure belongs to when it is not that of `pc`. */
  failedSite = -1;
  /** The block at `pc` is not charged (a failure there gives nothing back). */
  stalled = false;
  /** The site that is visited again, when `pc` is no head of a block; -1 else. */
  revisited = -1;
  /** Per record: the visit under way, for the trace. */
  traced: TracedVisit[] = [];
  readonly extra: JsonObject;
  #session: RunSession | null = null;
  readonly visits = new Map<string, number>();
  readonly callTimes = new Map<string, number[]>();
  readonly meter = { charge: (units: number): void => this.charge(units) };

  constructor(program: Program, frame: JsonObject, options: MachineOptions) {
    const { limits, deps } = options;
    this.program = program;
    this.options = options;
    this.names = program.names;
    this.variables = program.names.length;
    this.startedAt = deps.clock.now();
    this.kind = options.trace === null ? "fast" : "traced";
    this.tables = program.variant(this.kind);
    this.rest = limits.max_steps ?? Number.MAX_SAFE_INTEGER;
    this.quantum = options.quantum;
    this.deepest = Math.min(limits.max_depth ?? DEPTH_CEILING, DEPTH_CEILING);
    this.maxCalls = limits.max_adapter_calls ?? Number.POSITIVE_INFINITY;
    this.maxIterations = limits.max_loop_iters ?? Number.POSITIVE_INFINITY;
    this.maxTime = limits.max_time_ms ?? Number.POSITIVE_INFINITY;
    const ceiling = deps.frameCeilingBytes ?? FRAME_CEILING;
    this.frameLimit = Math.min(limits.max_frame_bytes ?? ceiling, ceiling);
    const slots = this.variables + this.tables.constants.length + this.tables.temporaries;
    this.V = new Array<Json | undefined>(slots).fill(undefined);
    this.SZ = new Float64Array(slots);
    this.OWN = new Uint8Array(slots);
    this.extra = this.load(frame);
    this.bindFunctions();
  }

  /** Fills constants and variables; returns the caller's keys that the program never names. */
  private load(frame: JsonObject): JsonObject {
    const { constants } = this.tables;
    for (let slot = 0; slot < this.variables; slot++) this.SZ[slot] = unsetSize(this.names[slot] as string);
    for (let at = 0; at < constants.length; at++) {
      const value = constants[at] as Json;
      this.V[this.variables + at] = value;
      this.SZ[this.variables + at] = typeof value === "number" ? NUMBER_BOOKED : exactSize(value);
      if (typeof value === "string" && value.isWellFormed()) {
        this.OWN[this.variables + at] = isPlainKey(value) ? PLAIN_KEY : EXACT_TEXT;
      }
    }
    const extra: { [key: string]: Json } = {};
    const slots = this.program.slots;
    for (const key of Object.keys(frame)) {
      const value = adopt(frame[key] as Json);
      const slot = slots.get(key);
      if (slot === undefined) {
        setMember(extra, key, value);
        this.frameBytes += exactSize(value) - unsetSize(key);
      } else {
        const size = bookedSize(value);
        this.frameBytes += size - (this.SZ[slot] as number);
        this.SZ[slot] = size;
        this.V[slot] = value;
      }
    }
    return extra;
  }

  private bindFunctions(): void {
    const { aux } = this.tables;
    for (let at = 0; at < aux.length; at++) {
      const entry = aux[at];
      if (entry?.kind === "fn") this.functions[at] = functionOf(entry.name, entry.form);
    }
  }

  /** The run's adapters; most runs call none but core and never make one. */
  get session(): RunSession {
    if (this.#session === null) {
      const { deps, adapters = deps.adapters, traceId, dryRun = false, session } = this.options;
      this.#session =
        session ?? new AdapterSession({ adapters, clock: deps.clock, facts: deps.facts, traceId, dryRun });
    }
    return this.#session;
  }

  /** null while nothing was called. */
  get openSession(): RunSession | null {
    return this.#session;
  }

  /** Enters the entry label. Throws when depth or initial frame are beyond their limits already. */
  start(): void {
    const routine = this.tables.routines[0];
    if (routine === undefined) throw new Error("a program without routines");
    if (this.deepest < 1) throw this.depthFailure({});
    this.depth = 1;
    this.CS[Rec.Kind] = RecordKind.Root;
    this.CS[Rec.CallPc] = -1;
    this.CS[Rec.Routine] = 0;
    this.CS[Rec.Base] = 1;
    this.pc = routine.pc;
    this.owed = routine.charge;
    if (this.frameSize() > this.frameLimit) {
      resolveSizes(this);
      if (this.frameSize() > this.frameLimit) {
        throw limitFailure("RUNTIME_MAX_FRAME_BYTES", "max_frame_bytes", this.frameLimit, this.frameSize(), {
          variable: null,
        });
      }
    }
  }

  /** The booked total; the empty frame is two bytes. */
  private frameSize(): number {
    return Math.max(2, this.frameBytes);
  }

  depthFailure(data: JsonObject): Error {
    return limitFailure("RUNTIME_MAX_DEPTH", "max_depth", this.deepest, this.depth, data);
  }

  elapsed(): number {
    return this.options.deps.clock.now() - this.startedAt;
  }

  /** Time spent stored does not count. */
  resumeClock(elapsed: number): void {
    this.startedAt = this.options.deps.clock.now() - elapsed;
  }

  /** Reads the clock: fails when the run was cancelled or is late. */
  checkTime(): void {
    const { signal } = this.options;
    if (signal?.aborted) throw cancelledFailure(signal);
    if (this.maxTime !== Number.POSITIVE_INFINITY && Math.floor(this.elapsed()) > this.maxTime) throw this.late();
  }

  late(): Error {
    return limitFailure("RUNTIME_MAX_TIME", "max_time_ms", this.maxTime, Math.floor(this.elapsed()));
  }

  private charge(units: number): void {
    this.debt += units / 64;
    this.work += units;
    if (this.work < CLOCK_WORK) return;
    this.work = 0;
    this.checkTime();
  }

  /** Most iterations of one loop. Registers in use count; those used again were counted then (`countIterations`). */
  mostIterations(): number {
    for (let register = 0; register < this.positions.length; register++) this.countIterations(register);
    return this.iterations;
  }

  /** Takes a loop register into use. */
  beginLoop(register: number): void {
    if (register >= this.positions.length) {
      const grown = { positions: new Float64Array(register * 2), bounds: new Float64Array(register * 2) };
      grown.positions.set(this.positions);
      grown.bounds.set(this.bounds);
      Object.assign(this, grown);
    }
    this.countIterations(register);
  }

  private countIterations(register: number): void {
    const count = this.positions[register] ?? 0;
    if (count > this.iterations) this.iterations = count;
  }

  /** Steps that acted. */
  steps(): number {
    return this.granted - this.fuel;
  }

  usage(): Usage {
    const reported = this.options.limits.max_frame_bytes !== undefined;
    if (reported && this.lastFrameBytes === null) resolveSizes(this);
    const bytes = this.lastFrameBytes ?? this.frameSize();
    return {
      steps: this.steps(),
      depth: this.depth,
      adapter_calls: this.calls,
      time_ms: Math.floor(this.elapsed()),
      frame_bytes: reported && bytes <= this.frameLimit ? Math.max(2, bytes) : null,
      loop_iters: this.mostIterations(),
    };
  }

  /** What the run came to; only after its end. */
  outcome(finalFrame: boolean): Outcome {
    const { trace } = this.options;
    if (this.error === null && trace === null && !finalFrame) {
      return { ok: true, out: this.result, label: this.program.entry, usage: this.usage() };
    }
    const more = {
      label: this.program.entry,
      usage: this.usage(),
      ...(trace === null ? {} : { trace: trace.finish() }),
      ...(finalFrame ? { frame: this.frame() } : {}),
    };
    return this.error === null ? { ok: true, out: this.result, ...more } : { ok: false, error: this.error, ...more };
  }

  /** All set variables, as an independent object. */
  frame(): JsonObject {
    const object: { [key: string]: Json } = {};
    for (const key of Object.keys(this.extra)) setMember(object, key, adopt(this.extra[key] as Json));
    for (let slot = 0; slot < this.variables; slot++) {
      const value = this.V[slot];
      if (value !== undefined) setMember(object, this.names[slot] as string, adopt(value));
    }
    return object;
  }

  setNames(): string[] {
    const names = Object.keys(this.extra);
    for (let slot = 0; slot < this.variables; slot++) {
      if (this.V[slot] !== undefined) names.push(this.names[slot] as string);
    }
    return names.sort();
  }
}

function unsetSize(name: string): number {
  return -(textBytes(name) + 2);
}

type Copy = { readonly from: object; readonly to: Json[] | { [key: string]: Json } };

/** A deep copy that carries sizes; -0 becomes 0. Any depth: open containers wait on a list, sizes are filled in from the inside. */
export function adopt(value: Json): Json {
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : value;
  const copies: Copy[] = [];
  const begin = (from: object): Json => {
    const to: Json[] | { [key: string]: Json } = Array.isArray(from) ? (from as readonly Json[]).slice() : {};
    copies.push({ from, to });
    return to;
  };
  const root = begin(value);
  for (let at = 0; at < copies.length; at++) {
    const { from, to } = copies[at] as Copy;
    if (Array.isArray(to)) {
      for (let i = 0; i < to.length; i++) {
        const item = to[i] as Json;
        if (typeof item === "object" && item !== null) to[i] = begin(item);
        else if (item === 0) to[i] = 0;
      }
    } else {
      for (const key of Object.keys(from)) {
        const member = (from as JsonObject)[key] as Json;
        setMember(to, key, typeof member === "object" && member !== null ? begin(member) : member === 0 ? 0 : member);
      }
    }
  }
  // Children were begun after their parents, so backwards every size below is known.
  for (let at = copies.length - 1; at >= 0; at--) {
    const { to } = copies[at] as Copy;
    const sized = to as Sized;
    if (sized[SIZE] === undefined) exactSize(to as Json);
  }
  return root;
}
