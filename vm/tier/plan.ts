/**
 * A short program as the tier runs it: steps over slots whose kinds are known. `translate.ts` makes a plan from verified bytecode, and
 * `emit.ts` and `closures.ts` make something that runs from a plan. A plan refers to constants, names and keys by number only.
 */
import type { Json } from "../../compiler/json.ts";
import type { Kind } from "./kinds.ts";

/** `otherwise`: the slot of the constant that an unset variable means here, where only the run can tell whether it is unset; else -1. */
export type Operand = { readonly slot: number; readonly kind: Kind; readonly otherwise: number };

/** A function that a step calls with values; throws when the program has to run in the loop. */
export type Native = (...values: Json[]) => Json;

export type Arithmetic = "add" | "sub" | "mul" | "div" | "idiv";
export type Comparison = "lt" | "lte" | "gt" | "gte";
export type Logic = "and" | "or" | "not" | "truthy";

/** `d` is the slot that a step writes; positions are those of the bytecode. */
export type PlanStep =
  | { readonly op: "copy"; readonly d: number; readonly a: Operand }
  | { readonly op: "empty"; readonly d: number; readonly isList: boolean }
  /** Leaves when an operand is not a number, the result is not finite, or the divisor is 0. */
  | { readonly op: "number"; readonly d: number; readonly how: Arithmetic; readonly a: Operand; readonly b: Operand }
  /** `native`: compares what are not two numbers. */
  | {
      readonly op: "compare";
      readonly d: number;
      readonly how: Comparison;
      readonly a: Operand;
      readonly b: Operand;
      readonly native: number;
    }
  | { readonly op: "logic"; readonly d: number; readonly how: Logic; readonly operands: readonly Operand[] }
  | { readonly op: "present"; readonly d: number; readonly a: Operand }
  /** Neither operand is a container. */
  | { readonly op: "same"; readonly d: number; readonly a: Operand; readonly b: Operand; readonly isNegated: boolean }
  /** `kind`: of the result. */
  | {
      readonly op: "select";
      readonly d: number;
      readonly kind: Kind;
      readonly test: Operand;
      readonly a: Operand;
      readonly b: Operand;
    }
  /** `isExact`: all parts are numbers and texts of known size. */
  | { readonly op: "join"; readonly d: number; readonly parts: readonly Operand[]; readonly isExact: boolean }
  | { readonly op: "length"; readonly d: number; readonly list: number }
  | {
      readonly op: "record";
      readonly d: number;
      readonly keys: readonly number[];
      readonly values: readonly Operand[];
    }
  | { readonly op: "put"; readonly d: number; readonly key: number; readonly value: Operand }
  | { readonly op: "push"; readonly d: number; readonly value: Operand }
  /** `native`: reads what is not an own member of an object. */
  | { readonly op: "get"; readonly d: number; readonly a: Operand; readonly key: number; readonly native: number }
  /** `kind`: Boolean or Value. */
  | {
      readonly op: "call";
      readonly d: number;
      readonly kind: Kind;
      readonly native: number;
      readonly operands: readonly Operand[];
    }
  | { readonly op: "charge"; readonly steps: number }
  | { readonly op: "enter"; readonly depth: number }
  | { readonly op: "jump"; readonly to: number }
  /** Continues when `test` is truthy, else at `to`; charges `yes` or `no` steps. */
  | {
      readonly op: "branch";
      readonly test: Operand;
      readonly isNegated: boolean;
      readonly to: number;
      readonly yes: number;
      readonly no: number;
    }
  /** The place that jumps to `at` lead to. */
  | { readonly op: "land"; readonly at: number }
  /** The end of the run; `variables`: those that are or may be set, for the size of the frame. */
  | {
      readonly op: "end";
      readonly result: Operand;
      readonly isFlat: boolean;
      readonly variables: readonly { readonly slot: number; readonly kind: Kind; readonly keyBytes: number }[];
    }
  /** The program has to run in the loop. */
  | { readonly op: "leave" };

export type Plan = {
  readonly steps: readonly PlanStep[];
  /** Steps of the first block. */
  readonly charge: number;
  /** Variables that the frame may set, with their kinds, in slot order. */
  readonly inputs: readonly PlanInput[];
  readonly variables: number;
  /** Values of the slots after the variables. */
  readonly constants: readonly Json[];
  readonly slots: number;
  readonly keys: readonly string[];
  /** Exact sizes of keys as JSON. */
  readonly keyBytes: readonly number[];
  readonly natives: readonly Native[];
  /** An upper bound for the frame, without the variables whose size changes with the value. */
  readonly fixedBytes: number;
};

/** `kind`: Number, Boolean, Value or Optional; `key`: its name, as an index of `keys`. */
export type PlanInput = { readonly slot: number; readonly kind: Kind; readonly key: number };
