/**
 * Where the value of each slot is at one place of the code: the lattice of the loop translator. A state has one byte for each slot. Knows
 * nothing of instructions.
 */
import type { Json } from "../../../../compiler/json.ts";

export const enum Held {
  /** In the machine, whatever it is. */
  Memory = 0,
  /** A number in a register. Of a variable, the machine has booked 24 bytes. */
  Number = 1,
  /** A boolean in a register. Of a variable, the machine has booked 5 bytes. */
  Boolean = 2,
  /** Only of a temporary: a value of any kind and known size in a register. */
  Value = 3,
}
const HELD = 3;
/** The register is newer than the machine. */
const NEWER = 4;

export type State = Uint8Array;

export function heldAs(state: State, slot: number): Held {
  return ((state[slot] as number) & HELD) as Held;
}

export function isNewer(state: State, slot: number): boolean {
  return ((state[slot] as number) & NEWER) !== 0;
}

/** The register of a slot was written. */
export function written(state: State, slot: number, held: Held): void {
  state[slot] = held | NEWER;
}

/** Register and machine hold the same. */
export function settle(state: State, slot: number, held = heldAs(state, slot)): void {
  state[slot] = held;
}

export function settled(state: State): State {
  return state.map((one) => one & HELD);
}

/** Takes `arriving` into account; whether that changed anything. */
export function join(state: State, arriving: State, slots: number): boolean {
  let changed = false;
  for (let slot = 0; slot < slots; slot++) {
    const [a, b] = [state[slot] as number, arriving[slot] as number];
    const joined = (a & HELD) === (b & HELD) ? a | b : Held.Memory;
    if (joined === a) continue;
    state[slot] = joined;
    changed = true;
  }
  return changed;
}

export function heldConstant(value: Json): Held {
  if (typeof value === "number") return Held.Number;
  return typeof value === "boolean" ? Held.Boolean : Held.Memory;
}
