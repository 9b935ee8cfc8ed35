/** When a program's module is built, from what was seen, and when that is given up. */
import { Op } from "../../../compiler/bytecode/opcodes.ts";
import type { Program } from "../../../compiler/bytecode/program.ts";
import { verifyCode } from "../../../compiler/bytecode/verify/verify.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Machine } from "../../machine/machine.ts";
import { isStackOverflow } from "../../v8/host-stack.ts";
import type { TierPolicy } from "../policy.ts";
import { isPlain } from "./hand-over.ts";
import { type LoopModule, makeModule } from "./module.ts";
import { NATIVES } from "./natives.ts";
import { Places } from "./translate/places.ts";
import { Held, join, type State } from "./translate/states.ts";
import { translate } from "./translate/translate.ts";

/** A program is built anew as often as this. */
const MAX_BUILDS = 6;
/** Words of a program's code, and slots: the engine does not optimise larger functions. */
const MAX_WORDS = 4000;
const MAX_SLOTS = 2000;
/** Side exits at one instruction before a native does it, and refused entries in a row before a program is built anew. */
const MAX_SIDES = 64;
const MAX_REFUSALS = 12;

export class ProgramBuilds {
  readonly #program: Program;
  readonly #policy: TierPolicy;
  readonly #seeds = new Map<number, State>();
  readonly #sides = new Map<number, number>();
  readonly #generic = new Set<number>();
  #places: Places | null = null;
  #builds = 0;
  #refusals = 0;
  #isStale = false;
  module: LoopModule | null = null;
  isGivenUp = false;

  constructor(program: Program, policy: TierPolicy) {
    this.#program = program;
    this.#policy = policy;
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.module = this.#places = null;
    this.#seeds.clear();
    this.#sides.clear();
    this.#generic.clear();
  }

  /** The instruction at `m.pc` left. */
  noteSide(m: Machine): void {
    if (!canBeGeneric(m.tables.code[m.pc] as number)) return;
    const count = (this.#sides.get(m.pc) ?? 0) + 1;
    this.#sides.set(m.pc, count);
    if (count !== this.#patience(MAX_SIDES)) return;
    this.#generic.add(m.pc);
    // It is built in front of a block, and this is the middle of one.
    this.#isStale = true;
  }

  /** Generated code could not be entered in front of the block at `m.pc`. */
  noteRefusal(): void {
    this.#refusals += 1;
    if (this.#refusals >= this.#patience(MAX_REFUSALS)) this.#isStale = true;
  }

  /** The module for the block in front of which the machine is; null: nothing was built. */
  moduleAt(m: Machine): LoopModule | null {
    if ((this.#isStale || this.module === null) && isPlain(m)) this.build(m);
    return this.module;
  }

  noteEntry(): void {
    this.#refusals = 0;
  }

  /** Programs of tests are built at once. */
  #patience(most: number): number {
    return this.#policy.hotSlices === 0 ? 2 : most;
  }

  /** Builds for what is seen in front of the block at `m.pc`. */
  build(m: Machine): void {
    this.#refusals = 0;
    this.#isStale = false;
    if (this.isGivenUp || this.#builds >= MAX_BUILDS) return;
    this.#builds += 1;
    try {
      this.#make(m);
    } catch (thrown) {
      // The run was started with little stack left. Later ones may have more.
      if (!isStackOverflow(thrown)) throw thrown;
      if (this.module === null && this.#builds === MAX_BUILDS) this.giveUp();
    }
  }

  #make(m: Machine): void {
    const places = this.#placesOf(m);
    if (places === null) {
      this.giveUp();
      return;
    }
    const seen = stateOf(m);
    const known = this.#seeds.get(m.pc);
    if (known === undefined) this.#seeds.set(m.pc, seen);
    else join(known, seen, m.variables);
    const { leaves } = this.#policy;
    const observed = { ...observe(m), generic: this.#generic, mayLeave: leaves !== undefined };
    const made = makeModule(translate(places, observed, this.#seeds), slotsOf(m), leaves);
    if (typeof made !== "string") {
      this.module = made;
      return;
    }
    if (made === "refused") this.#policy.refused(this.#program.entry, made);
    this.giveUp();
  }

  #placesOf({ tables, V }: Machine): Places | null {
    if (this.#places !== null) return this.#places;
    if (tables.code.length > MAX_WORDS || V.length > MAX_SLOTS || !verifyCode(this.#program, "fast").ok) return null;
    this.#places = new Places(this.#program, tables);
    return this.#places;
  }
}

/** Constants at their slots; nothing of a run is kept. */
function slotsOf({ V, variables, tables: { constants } }: Machine): (Json | undefined)[] {
  return Array.from(V, (_, slot) => constants[slot - variables]);
}

/** Whether an instruction can be written without expecting anything. */
function canBeGeneric(op: number): boolean {
  return NATIVES[op] !== undefined || op === Op.LoopInit || op === Op.LoopNext;
}

/** Where the values of the variables would be if generated code were entered now. */
function stateOf(m: Machine): State {
  const state = new Uint8Array(m.V.length);
  for (let slot = 0; slot < m.variables; slot++) {
    const value = m.V[slot];
    if (typeof value === "number") state[slot] = Held.Number;
    else if (typeof value === "boolean") state[slot] = Held.Boolean;
  }
  return state;
}

function observe({ V }: Machine): { readonly kinds: Uint8Array; readonly elements: Uint8Array } {
  const kinds = new Uint8Array(V.length);
  const elements = new Uint8Array(V.length);
  for (const [slot, value] of V.entries()) {
    if (typeof value === "number") kinds[slot] = Held.Number;
    else if (Array.isArray(value) && typeof value[0] === "number") elements[slot] = Held.Number;
  }
  return { kinds, elements };
}
