/**
 * The state of one run, and nothing else: variables, control stack, loop registers, meters. `loop.ts` advances it,
 * `routing.ts` sends failures on their way, `driver.ts` waits for what it suspends on, `run-outcome.ts` tells what came of it. Plain data
 * throughout.
 */
import type { Program, VariantKind, VariantTables } from "../compiler/bytecode/program.ts";
import { type Json, type JsonObject, setMember } from "../compiler/json.ts";
import { AdapterSession, type RunSession } from "./adapter-session.ts";
import { adopt } from "./adopt.ts";
import { bookedSize, exactSize, excess, fits, resolveSizes, tooLarge } from "./booking.ts";
import { Rec, RecordKind } from "./control-record.ts";
import { cancelledFailure, limitFailure } from "./fatal-failures.ts";
import { UNCOUNTED_BYTES } from "./frame-share.ts";
import { unsetSize } from "./frame-size.ts";
import { type FrameTemplate, frameTemplate } from "./frame-template.ts";
import { functionOf, type PureFunction } from "./functions/table.ts";
import type { MachineOptions, Pending, RetryPlan, TracedVisit } from "./machine-options.ts";
import type { RunError } from "./run.ts";

const DEPTH_CEILING = 10_000;
export const FRAME_CEILING = 256 * 1024 * 1024;
export const QUANTUM = 10_000;
/** Work of natives between two readings of the clock. */
const CLOCK_WORK = 65_536;

/** A machine whose run needed more of them is not used again. */
const FEW_REGISTERS = 64;
const FEW_RECORDS = 256;

/** Carries its size: nothing can be noted in it. */
const NO_EXTRA = Object.freeze(adopt({})) as JsonObject;

export class Machine {
  readonly program: Program;
  readonly names: readonly string[];
  readonly variables: number;
  readonly #template: FrameTemplate;
  kind: VariantKind;
  tables: VariantTables;
  options: MachineOptions;
  /** Variables, constants, temporaries; undefined is unset. */
  V: (Json | undefined)[];
  /** Booked sizes; an unset variable has minus its key's share. */
  SZ: Float64Array;
  /** 1: the slot holds the only reference to its container. For texts: `Mark`. */
  OWN: Uint8Array;
  CS: Int32Array = new Int32Array(16 * Rec.Words);
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
  readonly functions: (PureFunction | undefined)[] = [];
  pc = 0;
  /** Steps of the block at `pc` that are still to be charged; -1: make sure of one step without charging it. */
  owed = 0;
  fuel = 0;
  granted = 0;
  rest = 0;
  quantum = QUANTUM;
  /** Work of natives to be taken off the next quantum. */
  debt = 0;
  /** That work makes up a slice. */
  spent = false;
  work = 0;
  depth = 0;
  deepest = 0;
  calls = 0;
  maxCalls = 0;
  iterations = 0;
  maxIterations = 0;
  frameBytes = 1;
  /** As far as the frame may grow without asking (`fits`). */
  frameLimit = 0;
  /** As far as it may grow at all. */
  frameCap = 0;
  exact = false;
  resolutions = 0;
  /** Size before the write that broke the limit; null while none did. */
  lastFrameBytes: number | null = null;
  /** The variables of the run, which is over, are forgotten already. */
  closed = false;
  startedAt = 0;
  /** When the program came to its end; unknown while it has not, and when it failed. */
  endedAt = 0;
  maxTime = 0;
  pending: Pending | null = null;
  result: Json = null;
  /** The slot whose value the result is. */
  resultSlot = 0;
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
  readonly traced: TracedVisit[] = [];
  /** The caller's keys that the program never names. */
  extra: JsonObject = NO_EXTRA;
  #session: RunSession | null = null;
  readonly visits = new Map<string, number>();
  callTimes = new Map<string, number[]>();
  readonly meter = { charge: (units: number): void => this.charge(units) };

  constructor(program: Program, frame: JsonObject, options: MachineOptions) {
    this.program = program;
    this.names = program.names;
    this.variables = program.names.length;
    this.kind = options.trace === null ? "fast" : "traced";
    this.tables = program.variant(this.kind);
    this.options = options;
    this.#template = frameTemplate(program, this.tables);
    this.V = this.#template.V.slice();
    this.SZ = this.#template.SZ.slice();
    this.OWN = this.#template.OWN.slice();
    this.bindFunctions();
    this.load(frame, options);
  }

  private bindFunctions(): void {
    const { aux } = this.tables;
    for (let at = 0; at < aux.length; at++) {
      const entry = aux[at];
      if (entry?.kind === "fn") this.functions[at] = functionOf(entry.name, entry.form);
    }
  }

  /** Makes a machine that is new or has forgotten its run ready for one. `start` comes next. */
  load(frame: JsonObject, options: MachineOptions): void {
    const { limits, deps } = options;
    this.options = options;
    this.startedAt = options.startedAt ?? deps.clock.now();
    this.rest = limits.max_steps ?? Number.MAX_SAFE_INTEGER;
    this.quantum = options.quantum;
    this.deepest = Math.min(limits.max_depth ?? DEPTH_CEILING, DEPTH_CEILING);
    this.maxCalls = limits.max_adapter_calls ?? Number.POSITIVE_INFINITY;
    this.maxIterations = limits.max_loop_iters ?? Number.POSITIVE_INFINITY;
    this.maxTime = limits.max_time_ms ?? Number.POSITIVE_INFINITY;
    const ceiling = deps.frameCeilingBytes ?? FRAME_CEILING;
    this.frameCap = Math.min(limits.max_frame_bytes ?? ceiling, ceiling);
    this.frameLimit = deps.frames === undefined ? this.frameCap : Math.min(this.frameCap, UNCOUNTED_BYTES);
    const { slots } = this.program;
    for (const key of Object.keys(frame)) {
      const given = frame[key];
      // A member without value is as good as absent.
      if (given === undefined) continue;
      const value = adopt(given);
      const slot = slots.get(key);
      if (slot === undefined) {
        if (this.extra === NO_EXTRA) this.extra = {};
        setMember(this.extra as { [key: string]: Json }, key, value);
        this.frameBytes += exactSize(value) - unsetSize(key);
      } else {
        const size = bookedSize(value);
        this.frameBytes += size - (this.SZ[slot] as number);
        this.SZ[slot] = size;
        this.V[slot] = value;
      }
    }
  }

  /**
   * Forgets everything of a run that is over, for the next one of the same program. `idle` takes the place of its options. False: the
   * run has made the machine larger than is worth keeping, or was no plain one; then nothing may use it again.
   */
  forget(idle: MachineOptions): boolean {
    const { CS, positions, plans, kept } = this;
    if (this.kind === "traced" || plans.length + this.traced.length > 0) return false;
    if (positions.length > FEW_REGISTERS || kept.length > FEW_REGISTERS || CS.length > FEW_RECORDS * Rec.Words)
      return false;
    this.kind = "fast";
    this.tables = this.program.variant("fast");
    this.options = idle;
    if (!this.closed) this.forgetSlots();
    this.closed = false;
    if (kept.length > 0) this.forgetLoops();
    this.sp = 0;
    this.pc = 0;
    this.owed = 0;
    this.fuel = 0;
    this.granted = 0;
    this.debt = 0;
    this.spent = false;
    this.work = 0;
    this.depth = 0;
    this.calls = 0;
    this.iterations = 0;
    this.frameBytes = 1;
    this.exact = false;
    this.resolutions = 0;
    this.lastFrameBytes = null;
    this.pending = null;
    this.result = null;
    this.error = null;
    this.refused = null;
    this.failedSite = -1;
    this.stalled = false;
    this.revisited = -1;
    this.extra = NO_EXTRA;
    this.#session = null;
    // Emptying a map takes longer than the rest of this, even an empty one.
    if (this.visits.size > 0) this.visits.clear();
    // Who asked for the outcome may still hold it.
    if (this.callTimes.size > 0) this.callTimes = new Map();
    return true;
  }

  /** Nothing writes constants, and their marks stay. */
  private forgetSlots(): void {
    const { V, SZ, OWN, variables } = this;
    const unset = this.#template.SZ;
    for (let slot = 0; slot < variables; slot++) {
      if (V[slot] === undefined) continue;
      V[slot] = undefined;
      SZ[slot] = unset[slot] as number;
      OWN[slot] = 0;
    }
    this.forgetTemporaries();
  }

  /**
   * Makes the size of the frame exact, and forgets the variables: only after the end of a run, when nobody asks for them any more. Two
   * walks over them, one for the sizes and one when the machine is given back, took a twentieth of a ten-step run more.
   */
  close(): void {
    const { V, SZ, OWN, variables } = this;
    const unset = this.#template.SZ;
    let change = 0;
    for (let slot = 0; slot < variables; slot++) {
      const value = V[slot];
      if (value === undefined) continue;
      change += excess(value, SZ[slot] as number, OWN[slot] as number);
      V[slot] = undefined;
      SZ[slot] = unset[slot] as number;
      OWN[slot] = 0;
    }
    this.forgetTemporaries();
    this.frameBytes -= change;
    this.closed = true;
  }

  private forgetTemporaries(): void {
    const { V, SZ, OWN } = this;
    for (let slot = V.length - this.tables.temporaries; slot < V.length; slot++) {
      V[slot] = undefined;
      SZ[slot] = 0;
      OWN[slot] = 0;
    }
  }

  private forgetLoops(): void {
    this.lists.length = 0;
    this.kept.length = 0;
    this.keptSizes.length = 0;
    this.live.length = 0;
    this.positions.fill(0);
    this.bounds.fill(0);
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
    this.CS[Rec.LoopBase] = 0;
    this.CS[Rec.Repeats] = 0;
    this.pc = routine.pc;
    this.owed = routine.charge;
    if (!fits(this, this.frameSize())) {
      resolveSizes(this);
      const size = this.frameSize();
      if (!fits(this, size)) throw tooLarge(this, size, null);
    }
  }

  /** The booked total; the empty frame is two bytes. */
  frameSize(): number {
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

  checkCancelled(): void {
    const { signal } = this.options;
    if (signal?.aborted) throw cancelledFailure(signal);
  }

  /** Reads the clock, if need be: fails when the run was cancelled or is late. */
  checkTime(): void {
    if (this.maxTime === Number.POSITIVE_INFINITY) this.checkCancelled();
    else this.checkTimeAt(this.options.deps.clock.now());
  }

  /** The same for a caller that has read the clock. */
  checkTimeAt(now: number): void {
    this.checkCancelled();
    if (Math.floor(now - this.startedAt) > this.maxTime) throw this.late();
  }

  /** The program has come to its end: fails when that was too late. */
  end(): void {
    this.endedAt = this.options.deps.clock.now();
    this.checkTimeAt(this.endedAt);
  }

  late(): Error {
    return limitFailure("RUNTIME_MAX_TIME", "max_time_ms", this.maxTime, Math.floor(this.elapsed()));
  }

  private charge(units: number): void {
    this.debt += units / 64;
    if (this.debt >= this.quantum) this.spent = true;
    this.work += units;
    if (this.work < CLOCK_WORK) return;
    this.work = 0;
    this.checkTime();
  }

  /** Most iterations of one loop. Registers in use count; those used again were counted then (`countIterations`). */
  mostIterations(): number {
    for (let register = 0; register < this.kept.length; register++) this.countIterations(register);
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
}
