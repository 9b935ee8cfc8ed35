/**
 * What the text of a body says that its value does not: numbers that a double cannot hold. A request warns about whole numbers that lose
 * digits, refuses them when it asks for `strict: true`, and keeps them apart under an Idempotency-Key.
 */
import { createHash } from "node:crypto";
import { canonicalTask } from "../../compiler/ir/canonical.ts";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { isPython } from "../../grammar/surface.ts";
import { keepText } from "../../vm/inputs/exact-text.ts";
import type { Clock } from "../../vm/run.ts";
import { inTurns, type Task } from "../../vm/tasks/task.ts";
import {
  type LostDigits,
  type NumbersOfText,
  numbersOf,
  numbersTask,
  precisionMessage,
  precisionWarning,
} from "../../vm/values/exact-numbers.ts";
import { faults } from "../wire/errors.ts";

/** By the object that was read. Nearly no body is in here. */
const numbers = new WeakMap<object, NumbersOfText>();

/** Notes the numbers of `text`, from which `body` was read. */
export function keepNumbers(body: object, text: string): void {
  keepText(body, text);
  const found = numbersOf(text);
  if (found !== null) numbers.set(body, found);
}

/** The same in pieces. `parse` reads JSON. */
export function* keepNumbersTask(body: object, text: string, parse: (text: string) => Task<Json>): Task<void> {
  keepText(body, text);
  const found = yield* numbersTask(text, parse);
  if (found !== null) numbers.set(body, found);
}

/** The numbers of `body` are also those of `copy`, which validation made from it. */
export function copyNumbers(body: object, copy: object): void {
  const found = numbers.get(body);
  if (found !== undefined) numbers.set(copy, found);
}

/** The body with every number that a double cannot hold as marked text; of a body with very many of them, its text. */
export function exactBody(body: Json | undefined): Json | undefined {
  return typeof body === "object" && body !== null ? ((numbers.get(body)?.exact as Json | undefined) ?? body) : body;
}

export function lostDigitsOf(body: object): readonly LostDigits[] {
  return numbers.get(body)?.lost ?? [];
}

/**
 * Of the canonical JSON of a body, of a large one made in pieces. Bodies whose numbers differ in the text alone have different hashes.
 */
export async function bodyHash(body: JsonObject, clock: Pick<Clock, "now">): Promise<string> {
  const found = numbers.get(body);
  // The body as well: it may have more members than the text that the numbers are from.
  const hashed = found === undefined ? body : ([found.exact, body] as Json);
  const text = await inTurns(canonicalTask(hashed), clock, setImmediate);
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

/**
 * Warnings about a body. Throws ServiceFault invalid_request when the request asks for strict checks. `program`: what the body is for; one of
 * the Python form loses nothing.
 */
export function precisionWarnings(body: object, program: AskedProgram = {}): readonly string[] {
  const lost = lostDigitsOf(body);
  if (lost.length === 0 || asksForPython(program)) return NOTHING;
  if (lost.length > 0 && asksForStrict(body)) throw faults.invalidRequest(precisionIssues(lost));
  return lost.map((one) => precisionWarning(one.path, one));
}

type AskedProgram = { readonly code?: unknown; readonly ir?: unknown };

function asksForPython({ code, ir }: AskedProgram): boolean {
  if (typeof code === "string") return isPython(code);
  return isObject(ir) && isObject(ir["labels"]) && isPythonIr(ir as unknown as Parameters<typeof isPythonIr>[0]);
}

const NOTHING: readonly string[] = Object.freeze([]);

/** `strict` is on by default, for source. Only a request that names it is refused, so that the default stays a warning. */
export function asksForStrict({ strict, code }: { readonly strict?: unknown; readonly code?: unknown }): boolean {
  return strict === true && typeof code === "string";
}

function precisionIssues(lost: readonly LostDigits[]) {
  return lost.map((one) => ({ path: one.path, code: "number_precision", message: precisionMessage(one) }));
}
