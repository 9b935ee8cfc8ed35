/** The state of a run that is made of closures, and how operands are read and measured in it. */
import type { Json } from "../../compiler/json.ts";
import { exactSize } from "../memory/accounting.ts";
import { numberBytes } from "../values/json-size.ts";
import { truthy } from "../values/values.ts";
import { isSized, Kind } from "./kinds.ts";
import { LEAVE } from "./natives.ts";
import type { Operand, PlanStep } from "./plan.ts";

/** A run under way. `v` and `z`: values, and sizes of those that are sized, by slot. */
export type Registers = {
  readonly v: (Json | undefined)[];
  readonly z: Float64Array;
  steps: number;
  depth: number;
  bytes: number;
};

export function frameBytes(r: Registers, variables: Extract<PlanStep, { readonly op: "end" }>["variables"]): number {
  let bytes = 1;
  for (const { slot, kind, keyBytes } of variables) {
    if (kind === Kind.Optional && r.v[slot] === undefined) continue;
    bytes += keyBytes + sizeOf(r, slot, kind, r.v[slot] as Json);
  }
  return bytes;
}

export function read(r: Registers, { slot, otherwise }: Operand): Json {
  const value = r.v[slot];
  return (value === undefined && otherwise >= 0 ? r.v[otherwise] : value) as Json;
}

export function readNumber(r: Registers, operand: Operand): number {
  const value = read(r, operand);
  if (typeof value !== "number") throw LEAVE;
  return value;
}

/** The exact size of the value of a slot. */
export function sizeOf(r: Registers, slot: number, kind: Kind, value: Json): number {
  if (kind === Kind.Number) return numberBytes(value as number);
  return isSized(kind) ? (r.z[slot] as number) : exactSize(value);
}

export function truthOf(r: Registers, operand: Operand): boolean {
  const value = read(r, operand);
  if (operand.kind === Kind.Boolean) return value as boolean;
  // The empty string, list and object are two bytes.
  return isSized(operand.kind) ? r.z[operand.slot] !== 2 : truthy(value);
}

/** An operand that may be unset is measured as what it turns out to be. */
export function valueKind({ kind, otherwise }: Operand): Kind {
  return otherwise < 0 ? kind : Kind.Value;
}
