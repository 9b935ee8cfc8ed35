/**
 * Emitted source → function: the only place of the product where text becomes code. The text has passed the gate, and is bounded in size.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { isObject } from "../../compiler/json.ts";
import { bookedSize, exactSize } from "../memory/accounting.ts";
import { detached } from "../memory/copy-out.ts";
import { isStackOverflow } from "../v8/host-stack.ts";
import { numberBytes } from "../values/json-size.ts";
import { truthy } from "../values/values.ts";
import { emit } from "./emit.ts";
import { refusal } from "./gate.ts";
import { LEAVE, ownInput, partText } from "./natives.ts";
import type { Plan } from "./plan.ts";

/**
 * Runs a whole program. `count`: members of the frame; `maxBytes`: of the frame at any time; `isSized`: the size of the frame at the end is
 * wanted. Returns or throws LEAVE when the program has to run in the loop; then nothing has happened that can be seen.
 */
type WholeRun = (
  frame: JsonObject,
  count: number,
  maxSteps: number,
  maxDepth: number,
  maxBytes: number,
  isSized: boolean,
) => Json | typeof LEAVE;

/** `used`: steps, depth and exact frame bytes of the last run that did not leave. */
export type BuiltRun = { readonly run: WholeRun; readonly used: Float64Array };

/** Bytes of source of one program, and of all of a process together. */
const MAX_SOURCE = 64 * 1024;
const MAX_TOTAL = 16 * 1024 * 1024;
let total = 0;
/** Gives back what a function took when it was collected. */
const collected = new FinalizationRegistry<number>((bytes) => {
  total -= bytes;
});

let isAllowed: boolean | null = null;

/** Whether this process may make functions from text; found out by one attempt. */
export function canGenerate(): boolean {
  if (isAllowed !== null) return isAllowed;
  try {
    isAllowed = new Function("return true")() === true;
  } catch (thrown) {
    // Asked with no stack left, it is asked again.
    if (isStackOverflow(thrown)) return false;
    isAllowed = false;
  }
  return isAllowed;
}

const PROVIDED = {
  LEAVE,
  EMPTY: "",
  isNumber: (value: unknown) => typeof value === "number",
  isBoolean: (value: unknown) => typeof value === "boolean",
  isObject,
  ownInput,
  bookedSize,
  exactSize,
  numberBytes,
  truthy,
  partText,
  detached,
  floor: Math.floor,
};

/** Why a function is missing: source that the gate refuses is a defect of the emitter. */
export type Unbuilt = "refused" | "too_large";

/** What `source` returns, which reads what is given by its names; it has passed the gate. */
export function makeFunction<Made extends object>(
  source: string,
  given: { readonly [name: string]: unknown },
): Made | Unbuilt {
  if (refusal(source) !== null) return "refused";
  if (source.length > MAX_SOURCE || total + source.length > MAX_TOTAL) return "too_large";
  const make = new Function(...Object.keys(given), `"use strict";${source}`) as (...values: unknown[]) => Made;
  const made = make(...Object.values(given));
  total += source.length;
  collected.register(made, source.length);
  return made;
}

/** The function of a plan. */
export function build(plan: Plan): BuiltRun | Unbuilt {
  const used = new Float64Array(3);
  const { constants: C, keys: K, natives: N } = plan;
  const run = makeFunction<WholeRun>(emit(plan), { C, K, N, used, ...PROVIDED });
  return typeof run === "string" ? run : { run, used };
}
