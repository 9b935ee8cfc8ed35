/**
 * The state of one run, and nothing else: variables, control stack, loop registers, meters. `loop.ts` advances it,
 * `failure-routing.ts` sends failures on their way, `vm/runs/driver.ts` waits for what it suspends on, `outcome.ts` tells what came of it.
 */
import type { Program, VariantKind, VariantTables } from "../../compiler/bytecode/program.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { AdapterSession, type RunSession } from "../calls/session.ts";
import { limitFailure } from "../errors/fatal-failures.ts";
import { functionOf, type PureFunction } from "../functions/table.ts";
import { excess, fits, resolveAway, resolveSizes, tooLarge } from "../memory/accounting.ts";
import type { AwayFrame, FrameState, SizedText } from "../memory/frame-state.ts";
import { type FrameTemplate, frameTemplate } from "../memory/frame-template.ts";
import { loadFrame, NO_EXTRA } from "../memory/load-frame.ts";
import { allowAtStart, checkRoom } from "../memory/shared-budget.ts";
import type { RunError } from "../run.ts";
import { SLICE_MS, type Task } from "../tasks/task.ts";
import type { WorkMeter } from "../tasks/work-meter.ts";
import { type BranchPlace, NO_BRANCH } from "./branching/place.ts";
import { Rec, RecordKind } from "./control-stack.ts";
import type { MachineOptions, Pending, RetryPlan, TracedVisit } from "./options.ts";
import { type Ending, lateFailure, whyCancelled } from "./slices/ending.ts";
import type { Executor } from "./slices/executor.ts";

const DEPTH_CEILING = 10_000;
export const FRAME_CEILING = 256 * 1024 * 1024;
export const QUANTUM = 10_000;
/** Work of natives between two readings of the clock. */
const CLOCK_WORK = 32_768;

/** A machine whose run needed more of them is not used again. */
const FEW_REGISTERS = 64;
const FEW_RECORDS = 256;

export class Machine implements FrameState {
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
  positions: Float64Array = new Float64Array(8);
  /** Most bodies of a While, per loop register. */
  bounds: Float64Array = new Float64Array(8);
  readonly frames: AwayFrame[] = [];
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
  /** The loop gives the run back in front of the next block that it has no fuel for (`vm/tier/loops/hand-over.ts`). */
  isLent = false;
  /** Where its slices run, with the results of the loop (`Stop`); null: in the loop. */
  hot: { run(m: Machine, mayYield: boolean): number } | null = null;
  /** Runs the program instead of the loop. */
  executor: Executor | null = null;
  /** When the slice began, by the clock. */
  sliceSince = 0;
  work = 0;
  /** What the instruction at `pc` was left with (`vm/memory/long-work.ts`). */
  task: Task<unknown> | null = null;
  sizedText: SizedText | null = null;
  /** The copy of a large result, on its way out of the run. */
  leaving: Task<Json> | null = null;
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
  /** Bytes of heap of the containers it created since its heap was measured last, garbage included. */
  made = 0;
  /** As far as `made` may grow without asking (`FrameShare.settle`). */
  madeLimit = 0;
  exact = false;
  resolutions = 0;
  resolves = 0;
  /** Size before the write that broke the limit; null while none did. */
  lastFrameBytes: number | null = null;
  /** The variables of the run, which is over, are forgotten already. */
  closed = false;
  startedAt = 0;
  /** When the program came to its end; unknown while it has not, and when it failed. */
  endedAt = 0;
  maxTime = 0;
  ending: Ending | null = null;
  pending: Pending<Machine> | null = null;
  result: Json = null;
  resultSlot = 0;
  error: RunError | null = null;
  /** The label that could not be entered, for RUNTIME_MAX_DEPTH. */
  refused: { readonly label: string; readonly site: number } | null = null;
  /** The site that a fatal failure belongs to when it is not that of `pc`. */
  failedSite = -1;
  /** The block at `pc` is not charged (a failure there gives nothing back). */
  stalled = false;
  /** The site that is visited again, when `pc` is not the head of a block; otherwise -1. */
  revisited = -1;
  /** Per record: the visit under way, for the trace. */
  readonly traced: TracedVisit[] = [];
  /** The caller's keys that the program never names. */
  extra: JsonObject = NO_EXTRA;
  /** The frame is perhaps not what the program declares (`InputShape`). */
  misfit = false;
  #session: RunSession | null = null;
  branch: BranchPlace = NO_BRANCH;
  /** Values of branches that have ended, until they are stored. */
  branchValues: readonly Json[] | null = null;
  readonly visits = new Map<string, number>();
  callTimes = new Map<string, number[]>();
  readonly meter: WorkMeter = {
    charge: (units: number): void => this.charge(units),
    created: (bytes: number): void => {
      this.made += bytes;
    },
    checkRoom: (bytes: number): void => checkRoom(this, bytes),
    marks: null,
  };

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
    this.tables.aux.forEach((entry, at) => {
      if (entry.kind === "fn") this.functions[at] = functionOf(entry.name, entry.form);
    });
    this.load(frame, options);
  }

  /** Makes a machine that is new or has forgotten its run ready for one. `start` comes next. */
  load(frame: JsonObject, options: MachineOptions): void {
    const { limits, deps } = options;
    this.options = options;
    this.startedAt = options.startedAt ?? deps.clock.now();
    this.sliceSince = this.startedAt;
    this.rest = limits.max_steps ?? Number.MAX_SAFE_INTEGER;
    this.quantum = options.quantum;
    this.deepest = Math.min(limits.max_depth ?? DEPTH_CEILING, DEPTH_CEILING);
    this.maxCalls = limits.max_adapter_calls ?? Number.POSITIVE_INFINITY;
    this.maxIterations = limits.max_loop_iters ?? Number.POSITIVE_INFINITY;
    this.maxTime = limits.max_time_ms ?? Number.POSITIVE_INFINITY;
    const ceiling = deps.frameCeilingBytes ?? FRAME_CEILING;
    this.frameCap = Math.min(limits.max_frame_bytes ?? ceiling, ceiling);
    allowAtStart(this);
    loadFrame(this, frame, options.inputs ?? null, options.isFrameAdopted);
  }

  /**
   * Forgets everything of a run that is over, for the next one of the same program. `idle` takes the place of its options. False: the
   * run has made the machine larger than is worth keeping, or was not a plain one; then it must not be used again.
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
    this.sp = this.pc = this.owed = 0;
    this.fuel = this.granted = this.debt = this.work = 0;
    this.spent = this.isLent = false;
    this.task = null;
    this.sizedText = null;
    this.leaving = null;
    this.meter.marks = null;
    this.depth = this.calls = this.iterations = 0;
    this.frameBytes = 1;
    this.exact = false;
    this.resolutions = this.resolves = 0;
    this.lastFrameBytes = null;
    this.pending = this.ending = this.result = this.error = this.refused = null;
    this.failedSite = -1;
    this.stalled = false;
    this.revisited = -1;
    this.extra = NO_EXTRA;
    this.frames.length = 0;
    this.branch = NO_BRANCH;
    this.branchValues = null;
    this.#session = null;
    // Emptying a map takes longer than the rest of this. Who asked for the outcome may still hold the times.
    if (this.visits.size > 0) this.visits.clear();
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
   * Makes the size of the frame exact, and forgets the variables: only after the end of a run, when they are no longer needed. Two walks
   * over them took a twentieth of a ten-step run more.
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
    this.frameBytes -= change + resolveAway(this);
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
      const { deps, adapters = deps.adapters, traceId, dryRun = false, session, journal } = this.options;
      const { clock, facts } = deps;
      const waits = { wait: this.options.wait, desk: journal?.desk ?? this.options.desk, usage: journal?.usage };
      this.#session = session ?? new AdapterSession({ adapters, clock, facts, traceId, dryRun, ...waits });
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
    this.executor?.start();
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
    const why = whyCancelled(this.options, this.ending);
    if (why !== null) throw why;
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
    return lateFailure(this, Math.floor(this.elapsed()));
  }

  private charge(units: number): void {
    this.debt += units / 64;
    if (this.debt >= this.quantum) this.spent = true;
    this.work += units;
    if (this.work < CLOCK_WORK) return;
    this.work = 0;
    if (this.isSliceOver()) this.spent = true;
  }

  /** By the clock, which is read for it. Fails when the run is late or cancelled. */
  isSliceOver(): boolean {
    const now = this.options.deps.clock.now();
    this.checkTimeAt(now);
    return now - this.sliceSince >= SLICE_MS;
  }

  /** Most iterations of one loop. Registers in use count; those used again were counted then (`countIterations`). */
  mostIterations(): number {
    for (let register = 0; register < this.kept.length; register++) this.countIterations(register);
    return this.iterations;
  }

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

  steps(): number {
    return this.granted - this.fuel;
  }
}
