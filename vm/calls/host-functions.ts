/**
 * The functions that read the outside: now, iso, uuid, env, sleep, and iso_ts without argument (docs/functions.md, host functions). Gate,
 * counting, recording and the wait itself belong to the executor; which calls these are is `isHostCall` of the function table.
 */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { isoText } from "../functions/time.ts";
import type { Clock, HostFacts } from "../run.ts";
import { numberOrNaN, readNumber } from "../values/numbers.ts";
import { textOf } from "../values/text.ts";

/** Either the answer at once, or a wait after which the answer is null. */
export type HostAnswer = { readonly value: Json } | { readonly wait_ms: number };

/** `name` is a canonical function name. */
export function answerHostFunction(name: string, args: readonly Json[], clock: Clock, facts: HostFacts): HostAnswer {
  switch (name) {
    case "now":
      return { value: wholeSeconds(clock) };
    case "iso":
    case "iso_ts":
      return { value: isoText(wholeSeconds(clock)) };
    case "uuid":
      return { value: facts.uuid() };
    case "env":
      return { value: facts.env(textOf(required(args, name))) ?? args[1] ?? null };
    case "sleep": {
      const ms = readNumber(required(args, name));
      return ms > 0 ? { wait_ms: ms } : { value: null };
    }
    default:
      throw new Error(`${name} is not a host function`);
  }
}

function required(args: readonly Json[], name: string): Json {
  const first = args[0];
  if (first === undefined) throw new OperationFailure(`missing argument 1 of ${name}`, "missing_argument");
  return first;
}

function wholeSeconds(clock: Clock): number {
  return Math.floor(clock.wall() / 1000);
}

/** How long a call will wait, as far as its arguments tell: known before it is made, for deadlines. */
export function waitAsked(name: string, args: readonly Json[]): number {
  if (name !== "sleep" || args[0] === undefined) return 0;
  const ms = numberOrNaN(args[0]);
  return ms > 0 ? ms : 0;
}
