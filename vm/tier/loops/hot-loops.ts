/**
 * The slices of one program whose loops are hot: in generated code where that can be entered, in the loop everywhere else. State is handed over in
 * the machine alone (docs/tier.md): at the heads of blocks into generated code, and wherever that leaves, back.
 */
import type { Program } from "../../../compiler/bytecode/program.ts";
import { Rec } from "../../machine/control-stack.ts";
import { route } from "../../machine/failure-routing.ts";
import { pause, pauseTask, Refuelled, refuel, rowOf } from "../../machine/fuel.ts";
import { run } from "../../machine/loop.ts";
import type { Machine } from "../../machine/machine.ts";
import { Stop } from "../../machine/slices/stop.ts";
import { PAUSED } from "../../memory/long-work.ts";
import { isStackOverflow } from "../../v8/host-stack.ts";
import type { TierPolicy } from "../policy.ts";
import { ProgramBuilds } from "./builds.ts";
import { Exit, MAX_NESTED, pcOf, reasonOf, Word } from "./exchange.ts";
import { entryAt, isPlain, lend } from "./hand-over.ts";
import type { LoopModule } from "./module.ts";
import { takeFailure } from "./natives.ts";
import type { Entry } from "./translate/translate.ts";

/** A slice takes about this long, in milliseconds. */
const SLICE_MS = 0.25;
/** Slices of the loop that one of generated code has the steps of, at first. */
const FIRST_FACTOR = 3;
const MAX_SLICE_STEPS = 2 ** 30;
/** Steps in the loop after entries that were refused in a row. */
const FIRST_BURST = 16;
/** Runs that take less of a slice are too short to build anything for. */
const LONG_RUN = 0.1;
/** Ways out between two looks at whether generated code is worth it, and the steps it has to do for each. */
const LEAVES = 512;
const WORTHY_STEPS = 40;

/** Where slices of a program run under a policy; null: in the loop. */
export function hotLoops(program: Program, policy: TierPolicy | null): HotLoops | null {
  return policy !== null ? new HotLoops(program, policy) : null;
}

export class HotLoops {
  readonly #policy: TierPolicy;
  readonly #builds: ProgramBuilds;
  #slices = 0;
  #factor: number;
  #leaves = 0;
  #lookedAt = 0;
  /** Done in generated code. */
  steps = 0;

  constructor(program: Program, policy: TierPolicy) {
    this.#policy = policy;
    this.#factor = Math.min(FIRST_FACTOR, policy.maxSliceFactor);
    this.#builds = new ProgramBuilds(program, policy);
  }

  /** The program stays in the loop. */
  get isGivenUp(): boolean {
    return this.#builds.isGivenUp;
  }

  run(m: Machine, mayYield: boolean): Stop {
    const { isGivenUp, module } = this.#builds;
    if (isGivenUp || m.kind !== "fast") return run(m, mayYield);
    const isWarm = this.#slices >= this.#policy.hotSlices;
    return module === null && !isWarm ? this.#warmUp(m, mayYield) : this.#advance(m, mayYield);
  }

  /** Runs in the loop, and counts slices: also those that several runs make up, unless they are short. */
  #warmUp(m: Machine, mayYield: boolean): Stop {
    const stop = run(m, mayYield);
    if (stop === Stop.Yielded) this.#slices += 1;
    else if (m.steps() < m.quantum && m.steps() >= m.quantum * LONG_RUN) this.#slices += m.steps() / m.quantum;
    if (isPlain(m) && this.#slices >= this.#policy.hotSlices) this.#builds.build(m);
    return stop;
  }

  /** As `advance` of the loop: a slice ends when the steps granted at its beginning are done. */
  #advance(m: Machine, mayYield: boolean): Stop {
    let mayEnd = mayYield;
    let burst = 0;
    let ready: LoopModule | null = null;
    while (m.kind === "fast" && !this.#builds.isGivenUp) {
      if (m.owed > 0) {
        if (m.fuel < m.owed) {
          const stop = this.#refuel(m, mayEnd);
          if (stop !== null) return stop;
          mayEnd = true;
          if (m.kind !== "fast") break;
        } else m.fuel -= m.owed;
        const module = this.#builds.moduleAt(m);
        if (module !== null && module !== ready && !module.room.begin()) {
          m.fuel += m.owed;
          break;
        }
        ready = module;
        const entry = module === null ? null : entryAt(m, module);
        const isLeft = this.#policy.leaves?.() ?? false;
        if (module !== null && entry !== null && !isLeft) {
          burst = 0;
          const stop = this.#enter(m, module, entry);
          if (stop !== null) return stop;
          if (m.owed > 0) continue;
        } else {
          // The loop charges the block itself.
          m.fuel += m.owed;
          burst = isLeft ? 0 : Math.min(this.#refuse(burst), m.quantum);
        }
      }
      const stop = lend(m, burst);
      if (stop !== null) return stop;
    }
    return run(m, mayEnd);
  }

  /** Grants a slice; returns how the run stops, if it does. */
  #refuel(m: Machine, mayEnd: boolean): Stop | null {
    try {
      if (mayEnd) this.#pace(m);
      const got = refuel(m, mayEnd, Math.min(m.quantum * this.#factor, MAX_SLICE_STEPS));
      if (got === Refuelled.Yield) return Stop.Yielded;
      return null;
    } catch (thrown) {
      m.owed = 0;
      return route(m, thrown) as Stop;
    }
  }

  /** Slices are as long as their steps take. */
  #pace(m: Machine): void {
    const ms = m.options.deps.clock.now() - m.sliceSince;
    const { maxSliceFactor } = this.#policy;
    if (ms < SLICE_MS / 2) this.#factor *= 2;
    else if (ms > SLICE_MS) this.#factor /= 2;
    this.#factor = Math.max(Math.min(this.#factor, maxSliceFactor), 1);
  }

  /** The block at `m.pc` is charged. Returns how the run stops; null: it continues, in front of a block where `m.owed` is positive. */
  #enter(m: Machine, { routines, exchange, room }: LoopModule, { routine }: Entry): Stop | null {
    reserveRecords(m);
    this.#builds.noteEntry();
    exchange[Word.Fuel] = m.fuel;
    exchange[Word.Depth] = m.depth;
    exchange[Word.Resolves] = m.resolves;
    m.owed = 0;
    const before = m.fuel;
    const { CS, sp } = m;
    const enter = routines[routine] as (typeof routines)[number];
    let code: number;
    try {
      code = enter(m, m.pc + 1, CS[sp + Rec.Base] as number, CS[sp + Rec.LoopBase] as number, sp, 0);
    } catch (thrown) {
      // The engine could not begin the function: what that throws itself comes back as an exit.
      this.#builds.giveUp();
      if (isStackOverflow(thrown)) return null;
      throw thrown;
    }
    const exit = reasonOf(code);
    m.pc = exit === Exit.Thrown ? (exchange[Word.At] as number) : pcOf(code);
    m.sp = exchange[Word.Top] as number;
    if (exit === Exit.Head) m.owed = stepsAt(m);
    m.fuel = (exchange[Word.Fuel] as number) + m.owed;
    this.steps += before - m.fuel;
    if (exit === Exit.Thrown) {
      const thrown = takeFailure();
      if (!room.isProven || !isStackOverflow(thrown)) return failed(m, thrown);
      // The loop has more of it, and does the instruction again: natives write nothing before they are done.
      this.#left(m, exit);
      return null;
    }
    if (exit === Exit.Head && m.fuel < m.owed) return null;
    this.#left(m, exit);
    if (exit !== Exit.After || !m.spent) return null;
    const got = pause(m);
    if (got === Refuelled.Yield) return Stop.Yielded;
    return got === Refuelled.Pause ? Stop.Paused : null;
  }

  /** Generated code left before its fuel was used up. */
  #left(m: Machine, exit: Exit): void {
    if (exit === Exit.Side) this.#builds.noteSide(m);
    this.#leaves += 1;
    if (this.#leaves < LEAVES) return;
    if (this.steps - this.#lookedAt < LEAVES * WORTHY_STEPS && this.#policy.hotSlices > 0) this.#builds.giveUp();
    this.#leaves = 0;
    this.#lookedAt = this.steps;
  }

  /** The block at `m.pc` cannot be entered. Returns the steps that the loop does, besides it, before the next attempt. */
  #refuse(burst: number): number {
    this.#builds.noteRefusal();
    return burst === 0 ? FIRST_BURST : burst * 4;
  }
}

/** Steps of the block at `m.pc`. */
function stepsAt({ pc, tables: { blocks } }: Machine): number {
  return blocks[rowOf(blocks, 4, pc) * 4 + 1] as number;
}

/** Generated calls write their records when they leave, and cannot make room then. */
function reserveRecords(m: Machine): void {
  const words = m.sp + Rec.Words * (MAX_NESTED + 3);
  if (words <= m.CS.length) return;
  const grown = new Int32Array(Math.max(m.CS.length * 2, words));
  grown.set(m.CS);
  m.CS = grown;
}

/** As the loop does with what an instruction throws. */
function failed(m: Machine, thrown: unknown): Stop | null {
  if (thrown === PAUSED) {
    pauseTask(m);
    return Stop.Paused;
  }
  m.owed = 0;
  const routed = route(m, thrown);
  return routed === -1 ? null : (routed as Stop);
}
