/** Short ways to call functions in tests, and values that are hard on them. */
import * as fc from "fast-check";
import type { Json } from "../../../compiler/json.ts";
import { OperationFailure } from "../../../vm/errors/failures.ts";
import { functionOf, unmetered, type WorkMeter } from "../../../vm/functions/table.ts";

export function run(form: "call" | "verb", name: string, args: readonly Json[], meter: WorkMeter = unmetered): Json {
  const implementation = functionOf(name, form);
  if (implementation === undefined) throw new Error(`no function ${name}`);
  return implementation(args, meter);
}

export function call(name: string, ...args: Json[]): Json {
  return run("call", name, args);
}

export function verb(name: string, ...args: Json[]): Json {
  return run("verb", name, args);
}

/** `message` and cause of the OperationFailure that `act` throws. */
export function failure(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof OperationFailure) return `${thrown.message} (${thrown.causeType})`;
    throw thrown;
  }
  return "no failure";
}

/** `depth` lists around null. */
export function nested(depth: number): Json {
  let value: Json = null;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

/** A value that would be 2^levels elements long as JSON, in a few words of memory. */
export function doubled(levels: number): Json {
  let value: Json = "x";
  for (let i = 0; i < levels; i++) value = [value, value];
  return value;
}

export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      " ",
      '"',
      "\\",
      "\n",
      "\u0000",
      "\u007f",
      "é",
      "\uffff",
      "\uff5e",
      "😀",
      "\ud83d",
      "\ude00",
      "ß",
      "İ",
      "Σ",
      "$&",
      ".",
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const hostileKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "0", "1", "01", "length", "", "a", "b"),
  hostileText,
);

export const hostileNumber: fc.Arbitrary<number> = fc
  .oneof(
    fc.constantFrom(0, 1, -1, 0.5, 2 ** 31, -(2 ** 31), 2 ** 53, 1e21, 1e-7, 5e-324, Number.MAX_VALUE),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
  )
  .map((number) => number + 0);

export const hostileValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.constantFrom<Json>(null, true, false), hostileNumber, hostileText),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(hostileKey, tie("value")), { maxLength: 4 }).map((members): Json => Object.fromEntries(members)),
  ),
})).value;
