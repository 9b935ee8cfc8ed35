/** Source of a program → the functions of its routines. The gate reads the source first. */
import type { Json } from "../../../compiler/json.ts";
import type { Machine } from "../../machine/machine.ts";
import { makeFunction, type Unbuilt } from "../build.ts";
import type { TierPolicy } from "../policy.ts";
import { EXCHANGE_WORDS } from "./exchange.ts";
import { NATIVES, PROVIDED } from "./natives.ts";
import { StackRoom } from "./stack-room.ts";
import type { Entry, Translated } from "./translate/translate.ts";

/** Returns an exit code. `entry`: pc + 1 of the head of a block, or 0 for the beginning. `sp`: of its record; `nested`: generated calls around this one. */
type RoutineFunction = (
  m: Machine,
  entry: number,
  base: number,
  firstLoop: number,
  sp: number,
  nested: number,
) => number;

export type LoopModule = {
  readonly routines: readonly RoutineFunction[];
  /** By slot: numbers that a function finds when it is entered. */
  readonly numbers: Float64Array;
  readonly exchange: Int32Array;
  readonly entries: ReadonlyMap<number, Entry>;
  readonly room: StackRoom;
};

/** `slots`: a value for each, of which only constants are read. `leaves`: only of tests. */
export function makeModule(
  { source, entries, keys, frameWords }: Translated,
  slots: readonly (Json | undefined)[],
  leaves: TierPolicy["leaves"],
): LoopModule | Unbuilt {
  const numbers = new Float64Array(slots.length);
  const exchange = new Int32Array(EXCHANGE_WORDS);
  const room = new StackRoom(exchange, frameWords);
  const canNest = (nested: number): boolean => room.canNest(nested);
  const given = { C: slots, K: keys, N: NATIVES, F: numbers, X: exchange, canNest, leaves, ...PROVIDED };
  const routines = makeFunction<readonly RoutineFunction[]>(source, given);
  return typeof routines === "string" ? routines : { routines, numbers, exchange, entries, room };
}
