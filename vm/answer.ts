/**
 * What an adapter answered, taken over as a value of our own: JSON only, nested and sized within bounds, copied so that nothing an
 * adapter holds is shared with a frame. The size is counted while copying, so an answer that holds one part very often costs no
 * more than its bound.
 */
import type { Json } from "../compiler/json.ts";
import { setMember } from "../compiler/json.ts";
import { AdapterError } from "./errors.ts";
import { numberBytes, textBytes } from "./frame-size.ts";
import { MAX_NESTING, MAX_TEXT_UNITS, type OpenObject } from "./values.ts";

/** Bound of answers whose verb names none. */
const LARGEST_ANSWER = 256 * 1024 * 1024;

/** A copy of `answer`. Throws ADAPTER_BAD_DATA for what is no JSON value and ADAPTER_TOO_LARGE beyond `maxBytes` of JSON. */
export function takenAnswer(answer: unknown, maxBytes: number | null): Json {
  if (typeof answer === "boolean" || answer === null || answer === undefined) return answer ?? null;
  try {
    return new Taking(maxBytes ?? LARGEST_ANSWER).value(answer, 0);
  } catch (thrown) {
    // A cycle is as deep or as large as one likes, so it is found by the bounds.
    if (thrown instanceof AdapterError && thrown.code === "ADAPTER_TOO_LARGE" && holdsCycle(answer))
      throw badAnswer("a cycle");
    throw thrown;
  }
}

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
        // -0 is no value of the language.
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
        if (depth >= MAX_NESTING) throw new AdapterError("ADAPTER_TOO_LARGE", "the answer is nested too deeply", FINAL);
        this.spend(2);
        return Array.isArray(given) ? this.list(given, depth) : this.object(given, depth);
      default:
        throw badAnswer(`a ${typeof given}`);
    }
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
    const prototype: unknown = Object.getPrototypeOf(given);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw badAnswer("an object of a class");
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
  return new AdapterError("ADAPTER_BAD_DATA", `the answer holds ${what}, which is no JSON value`, FINAL);
}
