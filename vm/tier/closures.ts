/**
 * Plan → closures, one for each step: the tier without generated code. Half of what a generated function gains comes from not using a
 * machine, and this keeps it.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { isObject } from "../../compiler/json.ts";
import { bookedSize, exactSize } from "../memory/accounting.ts";
import { detached } from "../memory/copy-out.ts";
import { numberBytes, textBytes } from "../values/json-size.ts";
import type { BuiltRun } from "./build.ts";
import { isSized, Kind } from "./kinds.ts";
import { LEAVE, ownInput, partText } from "./natives.ts";
import type { Native, Operand, Plan, PlanStep } from "./plan.ts";
import { frameBytes, type Registers, read, readNumber, sizeOf, truthOf, valueKind } from "./registers.ts";

const MAX_JOINED = 4096;

type Open = { [key: string]: Json };

/** Does a step and returns the index of the next; OVER: the run has ended. Throws LEAVE. */
type Closure = (r: Registers) => number;
type StepOf<Name extends PlanStep["op"]> = Extract<PlanStep, { readonly op: Name }>;

const OVER = -1;

export function closures(plan: Plan): BuiltRun {
  const places = new Map<number, number>();
  for (const [index, step] of plan.steps.entries()) if (step.op === "land") places.set(step.at, index);
  const made = new Steps(plan, places);
  const code = plan.steps.map((step, index) => made.closure(step, index + 1));
  const template = templateOf(plan);
  const sizes = new Float64Array(plan.slots);
  for (const [at, value] of plan.constants.entries())
    if (typeof value === "string") sizes[plan.variables + at] = textBytes(value);
  const used = new Float64Array(3);
  return {
    used,
    run(frame, count, maxSteps, maxDepth, maxBytes, isSized) {
      const r = { v: template.slice(), z: sizes, steps: plan.charge, depth: 1, bytes: plan.fixedBytes };
      takeInputs(plan, frame, count, r);
      let last = 0;
      for (let at = 0; at !== OVER; ) {
        last = at;
        at = (code[at] as Closure)(r);
      }
      const { result, isFlat, variables } = plan.steps[last] as StepOf<"end">;
      if (r.steps > maxSteps || r.depth > maxDepth || r.bytes > maxBytes) return LEAVE;
      used[0] = r.steps;
      used[1] = r.depth;
      if (isSized) used[2] = frameBytes(r, variables);
      const out = read(r, result);
      return isFlat ? out : detached(out);
    },
  };
}

function templateOf({ variables, constants, slots }: Plan): (Json | undefined)[] {
  const template: (Json | undefined)[] = [];
  for (let slot = 0; slot < slots; slot++) template.push(slot < variables ? undefined : constants[slot - variables]);
  return template;
}

function takeInputs({ inputs, keys }: Plan, frame: JsonObject, count: number, r: Registers): void {
  let expected = inputs.length;
  for (const { slot, kind, key } of inputs) {
    const value = frame[keys[key] as string];
    if (value === undefined) {
      if (kind !== Kind.Optional) throw LEAVE;
      expected -= 1;
    } else if (kind === Kind.Number) {
      if (typeof value !== "number" || value - value !== 0) throw LEAVE;
      r.v[slot] = value + 0;
    } else {
      if (kind === Kind.Boolean && typeof value !== "boolean") throw LEAVE;
      const own = ownInput(value);
      r.v[slot] = own;
      if (kind !== Kind.Boolean) r.bytes += bookedSize(own);
    }
  }
  if (count !== expected) throw LEAVE;
}

/** Makes the closures of a plan. `next`: the index of the step after. */
class Steps {
  readonly #plan: Plan;
  readonly #places: ReadonlyMap<number, number>;

  constructor(plan: Plan, places: ReadonlyMap<number, number>) {
    this.#plan = plan;
    this.#places = places;
  }

  closure(step: PlanStep, next: number): Closure {
    switch (step.op) {
      case "copy": {
        const { d, a } = step;
        return this.#writes(d, a.kind, (r) => read(r, a), next, a.slot);
      }
      case "empty": {
        const { d, isList } = step;
        return (r) => {
          r.v[d] = isList ? [] : {};
          this.#resize(r, d, 2);
          return next;
        };
      }
      case "number":
        return arithmetic(step, next);
      case "compare":
        return compare(step, this.#native(step.native), next);
      case "logic":
        return logic(step, next);
      case "present":
        return (r) => {
          r.v[step.d] = read(r, step.a) !== null;
          return next;
        };
      case "same": {
        const { d, a, b, isNegated } = step;
        return (r) => {
          r.v[d] = (read(r, a) === read(r, b)) !== isNegated;
          return next;
        };
      }
      case "select": {
        const { d, kind, test, a, b } = step;
        const first = this.#writes(d, kind, (r) => read(r, a), next, a.slot);
        const second = this.#writes(d, kind, (r) => read(r, b), next, b.slot);
        return (r) => (truthOf(r, test) ? first(r) : second(r));
      }
      case "join":
        return this.#join(step, next);
      case "length":
        return (r) => {
          r.v[step.d] = (r.v[step.list] as readonly Json[]).length;
          return next;
        };
      case "call":
        return this.#call(step, next);
      default:
        return this.#container(step, next);
    }
  }

  #container(step: PlanStep, next: number): Closure {
    switch (step.op) {
      case "record":
        return this.#record(step, next);
      case "put":
        return this.#put(step, next);
      case "push": {
        const { d, value } = step;
        return (r) => {
          const element = read(r, value);
          const added = sizeOf(r, value.slot, valueKind(value), element) + (r.z[d] === 2 ? 0 : 1);
          this.#grow(r, d, added);
          (r.v[d] as Json[]).push(element);
          return next;
        };
      }
      case "get": {
        const { d, a, key, native } = step;
        const name = this.#plan.keys[key] as string;
        const found = this.#native(native);
        return this.#writes(
          d,
          Kind.Value,
          (r) => {
            const from = read(r, a);
            const member = isObject(from) ? (from as JsonObject)[name] : undefined;
            return member === undefined ? found(from, name) : member;
          },
          next,
          d,
        );
      }
      default:
        return this.#control(step, next);
    }
  }

  #control(step: PlanStep, next: number): Closure {
    switch (step.op) {
      case "charge":
        return (r) => {
          r.steps += step.steps;
          return next;
        };
      case "enter":
        return (r) => {
          if (r.depth < step.depth) r.depth = step.depth;
          return next;
        };
      case "jump": {
        const to = this.#places.get(step.to) as number;
        return () => to;
      }
      case "branch": {
        const { test, isNegated, yes, no } = step;
        const to = this.#places.get(step.to) as number;
        return (r) => {
          const isYes = truthOf(r, test) !== isNegated;
          r.steps += isYes ? yes : no;
          return isYes ? next : to;
        };
      }
      case "land":
        return () => next;
      case "end":
        return () => OVER;
      default:
        return () => {
          throw LEAVE;
        };
    }
  }

  #native(native: number): Native {
    return this.#plan.natives[native] as Native;
  }

  /** Writes what `value` returns. `from`: the slot whose size is the size of the value. */
  #writes(d: number, kind: Kind, value: (r: Registers) => Json, next: number, from: number): Closure {
    const isCounted = d < this.#plan.variables;
    if (isSized(kind))
      return (r) => {
        r.v[d] = value(r);
        this.#resize(r, d, r.z[from] as number);
        return next;
      };
    if (isCounted && (kind === Kind.Value || kind === Kind.Optional))
      return (r) => {
        const written = value(r);
        r.v[d] = written;
        r.bytes += bookedSize(written);
        return next;
      };
    return (r) => {
      r.v[d] = value(r);
      return next;
    };
  }

  #resize(r: Registers, d: number, size: number): void {
    r.z[d] = size;
    if (d < this.#plan.variables) r.bytes += size;
  }

  #grow(r: Registers, d: number, by: number): void {
    r.z[d] = (r.z[d] as number) + by;
    if (d < this.#plan.variables) r.bytes += by;
  }

  #join({ d, parts, isExact }: StepOf<"join">, next: number): Closure {
    return (r) => {
      let text = "";
      let size = 2;
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i] as Operand;
        const value = read(r, part);
        text += part.kind === Kind.Text ? (value as string) : partText(value);
        if (isExact) size += part.kind === Kind.Text ? (r.z[part.slot] as number) - 2 : numberBytes(value as number);
        if (text.length > MAX_JOINED) throw LEAVE;
      }
      r.v[d] = text;
      if (!isExact) {
        if (d < this.#plan.variables) r.bytes += bookedSize(text);
        return next;
      }
      if (size > MAX_JOINED) throw LEAVE;
      this.#resize(r, d, size);
      return next;
    };
  }

  #call({ d, kind, native, operands }: StepOf<"call">, next: number): Closure {
    const called = this.#native(native);
    return this.#writes(d, kind, (r) => called(...operands.map((operand) => read(r, operand))), next, d);
  }

  #record({ d, keys, values }: StepOf<"record">, next: number): Closure {
    const names = keys.map((key) => this.#plan.keys[key] as string);
    const known = keys.reduce((sum, key) => sum + (this.#plan.keyBytes[key] as number) + 2, 1);
    return (r) => {
      const object: Open = {};
      let size = known;
      for (let i = 0; i < names.length; i++) {
        const operand = values[i] as Operand;
        const value = read(r, operand);
        object[names[i] as string] = value;
        size += sizeOf(r, operand.slot, valueKind(operand), value);
      }
      r.v[d] = object;
      this.#resize(r, d, size);
      return next;
    };
  }

  #put({ d, key, value }: StepOf<"put">, next: number): Closure {
    const name = this.#plan.keys[key] as string;
    const keySize = (this.#plan.keyBytes[key] as number) + 1;
    return (r) => {
      const object = r.v[d] as Open;
      const member = read(r, value);
      const old: Json | undefined = object[name];
      const size = sizeOf(r, value.slot, valueKind(value), member);
      this.#grow(r, d, old === undefined ? keySize + (r.z[d] === 2 ? 0 : 1) + size : size - exactSize(old));
      object[name] = member;
      return next;
    };
  }
}

function arithmetic({ d, how, a, b }: StepOf<"number">, next: number): Closure {
  const written = (r: Registers, result: number): number => {
    if (result - result !== 0) throw LEAVE;
    r.v[d] = result + 0;
    return next;
  };
  switch (how) {
    case "add":
      return (r) => written(r, readNumber(r, a) + readNumber(r, b));
    case "sub":
      return (r) => written(r, readNumber(r, a) - readNumber(r, b));
    case "mul":
      return (r) => written(r, readNumber(r, a) * readNumber(r, b));
    default: {
      const isWhole = how === "idiv";
      return (r) => {
        const quotient = readNumber(r, a) / readNumber(r, b);
        // A divisor of 0 gives no finite number.
        return written(r, isWhole ? Math.floor(quotient) : quotient);
      };
    }
  }
}

function compare({ d, how, a, b }: StepOf<"compare">, native: Native, next: number): Closure {
  return (r) => {
    const x = read(r, a);
    const y = read(r, b);
    if (typeof x !== "number" || typeof y !== "number") r.v[d] = native(x, y);
    else r.v[d] = how === "lt" ? x < y : how === "lte" ? x <= y : how === "gt" ? x > y : x >= y;
    return next;
  };
}

function logic({ d, how, operands }: StepOf<"logic">, next: number): Closure {
  const [a, b = a] = operands;
  if (a === undefined || b === undefined) throw new Error("a step of logic has operands");
  return (r) => {
    const first = truthOf(r, a);
    if (how === "truthy") r.v[d] = first;
    else if (how === "not") r.v[d] = !first;
    else r.v[d] = how === "and" ? first && truthOf(r, b) : first || truthOf(r, b);
    return next;
  };
}
