/**
 * What an adapter answered, taken over as a value of our own: JSON only, nested and sized within bounds, copied so that nothing an
 * adapter holds is shared with a frame. The size is counted while copying, so an answer that holds one part very often costs no
 * more than its bound.
 */
import type { Json } from "../../compiler/json.ts";
import { setMember } from "../../compiler/json.ts";
import { AdapterError } from "../errors/failures.ts";
import { exactJson, exactly, isNumberObject, saysMore } from "../inputs/exact-text.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { numberBytes, textBytes } from "../values/json-size.ts";
import { KEY_WORK, MAX_NESTING, MAX_TEXT_UNITS, type OpenObject } from "../values/values.ts";

/** Bound of answers whose verb names none. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * A copy of `answer`. Throws ADAPTER_BAD_DATA for a value that is not JSON and ADAPTER_TOO_LARGE beyond `maxBytes` of JSON. `isExact`: it is for a
 * program in Python, and keeps the texts of its parts that say more.
 */
export function takenAnswer(answer: unknown, maxBytes: number | null, isExact = false): Json {
  if (typeof answer === "boolean" || answer === null || answer === undefined) return answer ?? null;
  try {
    const taken = new Taking(maxBytes ?? MAX_ANSWER_BYTES).value(answer, 0);
    return isExact ? exactlyAs(answer, taken) : taken;
  } catch (thrown) {
    throw cycleOr(thrown, answer);
  }
}

/** The same in pieces, for large answers. */
export function* takenInPieces(answer: unknown, maxBytes: number | null, pace: Pace, isExact = false): Task<Json> {
  try {
    const taken = yield* new Taking(maxBytes ?? MAX_ANSWER_BYTES).task(answer, pace);
    return isExact ? exactlyAs(answer, taken) : taken;
  } catch (thrown) {
    throw cycleOr(thrown, answer);
  }
}

/** `taken`, with the text that the parts of `answer` give it where some of them have one. */
export function exactlyAs(answer: unknown, taken: Json): Json {
  return saysMore(answer) ? exactly(taken, exactJson(answer)) : taken;
}

/** Values that are taken in one go: a millisecond or two. */
const FEW_VALUES = 20_000;

/** Whether an answer is so large that it is taken in pieces. */
export function isLargeAnswer(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && valuesLeft(answer, FEW_VALUES, 0) < 0;
}

/** `left` less the values in a container; below zero as soon as there are more. */
function valuesLeft(container: object, left: number, depth: number): number {
  if (depth > MAX_NESTING) return left;
  const keys = Array.isArray(container) ? null : Object.keys(container);
  const length = keys?.length ?? (container as readonly unknown[]).length;
  let after = left - length;
  for (let at = 0; at < length && after >= 0; at++) {
    const member = (container as { readonly [key: string | number]: unknown })[keys?.[at] ?? at];
    if (typeof member === "object" && member !== null) after = valuesLeft(member, after, depth + 1);
  }
  return after;
}

/** A cycle is as deep or as large as one likes, so it is found by the bounds. */
function cycleOr(thrown: unknown, answer: unknown): unknown {
  const isTooLarge = thrown instanceof AdapterError && thrown.code === "ADAPTER_TOO_LARGE";
  return isTooLarge && holdsCycle(answer) ? badAnswer("a cycle") : thrown;
}

/** A container that is being taken; `keys`: null for a list. */
type Open = {
  readonly given: { readonly [key: string | number]: unknown };
  readonly keys: readonly string[] | null;
  readonly length: number;
  readonly copy: Json[] | OpenObject;
  at: number;
};

/** Whether a list or object is part of itself. Each is visited once, however often it is shared. */
function holdsCycle(answer: unknown): boolean {
  const done = new Set<object>();
  const above = new Set<object>();
  const pending: { readonly value: object; readonly left: boolean }[] = [];
  const visit = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null || done.has(value)) return false;
    if (above.has(value)) return true;
    pending.push({ value, left: false });
    return false;
  };
  visit(answer);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, left } = next;
    if (left) {
      above.delete(value);
      done.add(value);
    } else if (!done.has(value)) {
      above.add(value);
      pending.push({ value, left: true });
      if (Object.values(value).some(visit)) return true;
    }
  }
  return false;
}

class Taking {
  readonly bound: number;
  left: number;

  constructor(bound: number) {
    this.bound = bound;
    this.left = bound;
  }

  value(given: unknown, depth: number): Json {
    switch (typeof given) {
      case "string":
        if (given.length > MAX_TEXT_UNITS) throw this.tooLarge();
        this.spend(textBytes(given));
        return given;
      case "number":
        if (given - given !== 0) throw badAnswer("a number that is not finite");
        this.spend(numberBytes(given));
        // -0 is not a value of the language.
        return given + 0;
      case "boolean":
        this.spend(given ? 4 : 5);
        return given;
      case "undefined":
        this.spend(4);
        return null;
      case "object":
        if (given === null) {
          this.spend(4);
          return null;
        }
        if (isNumberObject(given)) return this.value(given.valueOf(), depth);
        this.container(given, depth);
        return Array.isArray(given) ? this.list(given, depth) : this.object(given, depth);
      default:
        throw badAnswer(`a ${typeof given}`);
    }
  }

  *task(given: unknown, pace: Pace): Task<Json> {
    const open: Open[] = [];
    const taken = this.begun(given, open, pace);
    if (pace.isDue()) yield;
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      if (top.at === top.length) {
        open.pop();
        continue;
      }
      const at = top.at++;
      const key = top.keys === null ? at : (top.keys[at] as string);
      if (typeof key === "string") this.spend(textBytes(key) + (at === 0 ? 1 : 2));
      else if (at > 0) this.spend(1);
      const child = top.given[key];
      const value = this.begun(child, open, pace);
      if (typeof key === "string") setMember(top.copy as OpenObject, key, value);
      else (top.copy as Json[]).push(value);
      if (pace.add(typeof child === "string" ? 2 + (child.length >> 4) : 2)) yield;
    }
    pace.end();
    return taken;
  }

  /** A scalar, or the empty copy of a container that is filled later. */
  private begun(given: unknown, open: Open[], pace: Pace): Json {
    if (typeof given !== "object" || given === null || isNumberObject(given)) return this.value(given, open.length);
    this.container(given, open.length);
    const keys = Array.isArray(given) ? null : Object.keys(given);
    const copy: Json[] | OpenObject = keys === null ? [] : {};
    const length = keys === null ? (given as readonly unknown[]).length : keys.length;
    if (keys !== null) pace.note(KEY_WORK * length);
    open.push({ given: given as Open["given"], keys, length, copy, at: 0 });
    return copy;
  }

  /** Checks a container before it is copied. */
  private container(given: object, depth: number): void {
    if (depth >= MAX_NESTING) throw new AdapterError("ADAPTER_TOO_LARGE", "the answer is nested too deeply", FINAL);
    this.spend(2);
    if (Array.isArray(given)) return;
    const prototype: unknown = Object.getPrototypeOf(given);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw badAnswer("an object of a class");
  }

  private list(given: readonly unknown[], depth: number): Json {
    const list: Json[] = [];
    for (let at = 0; at < given.length; at++) {
      if (at > 0) this.spend(1);
      list.push(this.value(given[at], depth + 1));
    }
    return list;
  }

  private object(given: object, depth: number): Json {
    const copy: OpenObject = {};
    let separator = 1;
    for (const key of Object.keys(given)) {
      this.spend(textBytes(key) + separator);
      separator = 2;
      setMember(copy, key, this.value((given as { readonly [key: string]: unknown })[key], depth + 1));
    }
    return copy;
  }

  private spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw this.tooLarge();
  }

  private tooLarge(): AdapterError {
    const data = { max_result_bytes: this.bound };
    return new AdapterError("ADAPTER_TOO_LARGE", "the answer is larger than the verb may give", { ...FINAL, data });
  }
}

const FINAL = { retryable: false } as const;

function badAnswer(what: string): AdapterError {
  return new AdapterError("ADAPTER_BAD_DATA", `the answer holds ${what}, which is not a JSON value`, FINAL);
}
