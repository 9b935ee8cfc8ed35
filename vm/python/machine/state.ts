/** The state of one run of Python functions: frames, globals, what it was asked to wait for. `loop.ts` advances it. */

import { limitFailure, stepWorkFailure } from "../../errors/fatal-failures.ts";
import type { Machine } from "../../machine/machine.ts";
import { ShownState } from "../../recording/shown-state.ts";
import type { RunError } from "../../run.ts";
import type { PyException } from "../exceptions.ts";
import type { Context, PyObject, Value } from "../object.ts";
import { Printed } from "./effects/printed.ts";
import type { Frame, FunctionFrame } from "./frames.ts";
import { reachableBytes } from "./measure.ts";
import type { PyProgram } from "./program.ts";

/** By call: how often it was made. */
export type Visits = ReadonlyMap<string, number>;

/** A block that is repeated when it fails (`retries.ts`). */
type RetryBlock = {
  /** How often it may be repeated. */
  readonly count: number;
  readonly backoff: number;
  readonly strategy: "fixed" | "exponential";
  readonly before: Visits;
  /** Of the attempts that failed: the last visit of each call. */
  furthest: Visits;
  made: number;
};

/** How a branch comes to run on a machine, and what it came to. */
export type BranchRuns = {
  /** `part`: what it shows. */
  begin(m: Machine, owner: PyState, part: ShownState, callee: Value, args: readonly Value[]): void;
  value(m: Machine): Value;
  thrown(m: Machine): unknown;
  printed(m: Machine): Printed | null;
};

/** What follows the steps of a traced run (`trace.ts`). */
export interface Tracing {
  visit(frame: FunctionFrame, site: number): void;
  leave(frame: FunctionFrame, next: string | null, value: Value | undefined): void;
  failed(frame: FunctionFrame, exception: PyException, isHandled: boolean): void;
  repeated(label: string, node: string, attempt: number, count: number, delay: number): void;
  ended(error: RunError): void;
}

/** A cleanup that runs. */
export type Cleanup = {
  /** How the run ends. */
  readonly error: RunError;
  /** The first exception that left a block of the cleanup. */
  failed: PyException | null;
};

export class PyState implements Context {
  readonly m: Machine;
  readonly program: PyProgram;
  readonly branches: BranchRuns;
  /** null: the run is not traced. */
  trace: Tracing | null = null;
  readonly globals: (Value | undefined)[];
  frame: Frame | null = null;
  depth = 0;
  /** Functions of generated code that run in one another. */
  nested = 0;
  /** The exception that the next Catch takes. */
  raised: PyException | null = null;
  /** Number of the adapter call that is awaited; -1: none. */
  awaited = -1;
  /** The answer of a call that did not wait. */
  answer: Value = null;
  /** What the outermost function gave. */
  result: Value = null;
  /** Blocks that are repeated when they fail, innermost last; and how often that was done since the outermost one began. */
  readonly blocks: RetryBlock[] = [];
  repeats = 0;
  /** The slice has not used its steps yet. */
  isFresh = true;
  /** Steps are counted just now; an adapter is about to be called. */
  isAtStep = false;
  isAsking = false;
  /** Of a cancelled run; null: it is not. */
  cleanup: Cleanup | null = null;
  /** The run cleans up, here or around the branch. */
  isCleaning = false;
  /** 0: the file runs; 1: the entry runs. */
  stage: 0 | 1 = 0;
  /** null: nothing was printed. */
  printed: Printed | null = null;

  /** `globals`: of the run that has this one as a branch. */
  constructor(m: Machine, program: PyProgram, branches: BranchRuns, globals: (Value | undefined)[] | null = null) {
    this.branches = branches;
    this.m = m;
    this.program = program;
    this.globals = globals ?? new Array(program.code.globals.length).fill(undefined);
    this.#lookAt = m.frameCap;
  }

  /** Most runs show nothing of themselves. */
  get shown(): ShownState {
    this.#shown ??= this.m.options.shown ?? new ShownState();
    return this.#shown;
  }

  /** Of a branch: its part. */
  set shown(part: ShownState) {
    this.#shown = part;
  }

  #shown: ShownState | null = null;

  /** Most runs ask for no text of a container. */
  get open(): Set<PyObject> {
    this.#open ??= new Set();
    return this.#open;
  }

  #open: Set<PyObject> | null = null;

  charge(units: number): void {
    const { m } = this;
    const step = m.granted - m.fuel;
    if (step !== this.#workedAt) {
      this.#workedAt = step;
      this.#worked = 0;
    }
    this.#worked += units;
    if (this.#worked > MOST_UNITS_OF_STEP) throw stepWorkFailure(MOST_UNITS_OF_STEP, Math.floor(this.#worked));
    m.meter.charge(units);
  }

  /** A native gave others their turn: what it does next is counted anew. */
  rested(): void {
    this.#worked = 0;
  }

  /** The step that works, and the units of its work without a turn of others. */
  #workedAt = -1;
  #worked = 0;

  print(text: string): void {
    this.m.meter.charge(1);
    this.printed ??= new Printed();
    this.printed.add(text);
  }

  /** Live bytes are at most what was measured last and what was made since (amendment 26). */
  alloc(bytes: number): void {
    const { m } = this;
    m.frameBytes += bytes;
    if (m.frameBytes > this.#lookAt) this.#look();
  }

  /** As far as that may grow before what is reachable is measured. */
  #lookAt: number;

  /** What the last look found, and the step it was in. */
  #reached = 0;
  #lookedAt = -1;
  /** Bytes that this step has made and no variable reaches: a native may hold them, so they count. */
  #held = 0;

  #look(): void {
    const { m } = this;
    const reached = reachableBytes(this);
    const step = m.granted - m.fuel;
    const made = m.frameBytes - (this.#reached + this.#held);
    if (step === this.#lookedAt) this.#held += Math.max(0, made - Math.max(0, reached - this.#reached));
    else this.#held = 0;
    this.#reached = reached;
    this.#lookedAt = step;
    const live = reached + this.#held;
    if (live > m.frameCap) this.#full(live);
    m.frameBytes = live;
    this.#lookAt = live + Math.max(m.frameCap - live, m.frameCap / SHARE);
  }

  room(bytes: number): void {
    if (bytes > this.m.frameCap) this.#full(bytes);
  }

  #full(bytes: number): never {
    const { m } = this;
    throw limitFailure("RUNTIME_MAX_FRAME_BYTES", "max_frame_bytes", m.frameCap, bytes);
  }
}

/** Work of one step, which nothing interrupts: about a second. */
const MOST_UNITS_OF_STEP = 2 ** 25;
/** A run is looked at again after this share of its limit. */
const SHARE = 8;
