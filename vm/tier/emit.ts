/**
 * Plan → source of a function: integers and the vocabulary of `gate.ts`. Constants, keys and natives are reached by number, so no text of
 * a program is in it. `build.ts` makes it a function. Names: `v12` the value of slot 12, `z12` its size, `c`, `k` and `n` with a number a constant,
 * a key and a native, `b30` the place of bytecode 30.
 */
import type { Json } from "../../compiler/json.ts";
import { numberBytes, textBytes } from "../values/json-size.ts";
import { isScalar, isSized, Kind, kindOf } from "./kinds.ts";
import type { Arithmetic, Comparison, Operand, Plan, PlanStep } from "./plan.ts";

const OPERATORS: Readonly<Record<Arithmetic | Comparison, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  idiv: "/",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};

type StepOf<Name extends PlanStep["op"]> = Extract<PlanStep, { readonly op: Name }>;

export function emit(plan: Plan): string {
  return new Emitter(plan).source();
}

class Emitter {
  readonly #plan: Plan;
  readonly #slots = new Set<number>();
  readonly #sizes = new Set<number>();
  readonly #constants = new Set<number>();
  readonly #keys = new Set<number>();
  readonly #natives = new Set<number>();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  source(): string {
    const { steps, charge } = this.#plan;
    const inputs = this.#inputs();
    const lines = steps.map((step) => this.#step(step));
    // Blocks end at the places that jumps lead to, the first one innermost.
    const blocks = steps.flatMap((step) => (step.op === "land" ? [`b${step.at}:{`] : [])).reverse();
    const locals = [...this.#slots].map((slot) => `v${slot}`).concat([...this.#sizes].map((slot) => `z${slot}=0`));
    return [
      ...[...this.#constants].map((slot) => `const c${slot}=C[${slot - this.#plan.variables}];`),
      ...[...this.#keys].map((key) => `const k${key}=K[${key}];`),
      ...[...this.#natives].map((native) => `const n${native}=N[${native}];`),
      "return function(frame,count,maxSteps,maxDepth,maxBytes,isSized){",
      `let steps=${charge},depth=1,bytes=${this.#plan.fixedBytes},a,b${locals.map((name) => `,${name}`).join("")};`,
      ...inputs,
      blocks.join(""),
      ...lines,
      "};",
    ].join("\n");
  }

  /** Reads the frame, and leaves unless it has exactly the members that are expected. */
  #inputs(): string[] {
    const lines = this.#plan.inputs.map(({ slot, kind, key }) => {
      this.#slots.add(slot);
      const read = `v${slot}=frame[${this.#key(key)}];`;
      const isAbsent = `v${slot}===undefined`;
      if (kind === Kind.Number)
        return `${read}if(!isNumber(v${slot})||v${slot}-v${slot}!==0)return LEAVE;v${slot}=v${slot}+0;`;
      if (kind === Kind.Boolean) return `${read}if(!isBoolean(v${slot}))return LEAVE;`;
      const taken = `v${slot}=ownInput(v${slot});bytes=bytes+bookedSize(v${slot});`;
      if (kind === Kind.Optional) return `${read}if(${isAbsent})count=count+1;else{${taken}}`;
      return `${read}if(${isAbsent})return LEAVE;${taken}`;
    });
    // Absent ones were counted as if they were there.
    return [...lines, `if(count!==${this.#plan.inputs.length})return LEAVE;`];
  }

  #step(step: PlanStep): string {
    switch (step.op) {
      case "copy":
        return this.#copy(step.d, step.a);
      case "empty":
        return this.#write(step.d, step.isList ? Kind.List : Kind.Record, step.isList ? "[]" : "{}", "2");
      case "number":
        return this.#number(step);
      case "compare":
        return this.#compare(step);
      case "logic":
        return this.#logic(step);
      case "present":
        return `${this.#slot(step.d)}=${this.#value(step.a)}!==null;`;
      case "same":
        return `${this.#slot(step.d)}=${this.#value(step.a)}${step.isNegated ? "!==" : "==="}${this.#value(step.b)};`;
      case "select":
        return `if(${this.#truth(step.test)}){${this.#as(step, step.a)}}else{${this.#as(step, step.b)}}`;
      case "join":
        return this.#join(step);
      case "length":
        return `${this.#slot(step.d)}=${this.#slot(step.list)}.length;`;
      case "call": {
        const call = `${this.#native(step.native)}(${step.operands.map((operand) => this.#value(operand)).join(",")})`;
        return this.#write(step.d, step.kind, call, "");
      }
      default:
        return this.#container(step);
    }
  }

  #container(step: PlanStep): string {
    switch (step.op) {
      case "record":
        return this.#record(step);
      case "put": {
        const [d, key] = [this.#slot(step.d), this.#key(step.key)];
        const size = this.#size(step.value);
        // The first member has no comma.
        const added = `${(this.#plan.keyBytes[step.key] as number) + 1}+(z${step.d}===2?0:1)+a`;
        return `a=${size};b=${d}[${key}];a=b===undefined?${added}:a-exactSize(b);${this.#grow(step.d, "a")}${d}[${key}]=${this.#value(step.value)};`;
      }
      case "push": {
        const d = this.#slot(step.d);
        const comma = `(z${step.d}===2?0:1)`;
        return `a=${this.#size(step.value)}+${comma};${this.#grow(step.d, "a")}${d}.push(${this.#value(step.value)});`;
      }
      case "get": {
        const key = this.#key(step.key);
        const found = `b===undefined?${this.#native(step.native)}(a,${key}):b`;
        const read = step.a.kind === Kind.Record ? `a[${key}]` : `isObject(a)?a[${key}]:undefined`;
        return `a=${this.#value(step.a)};b=${read};${this.#write(step.d, Kind.Value, found, "")}`;
      }
      default:
        return this.#control(step);
    }
  }

  #control(step: PlanStep): string {
    switch (step.op) {
      case "charge":
        return `steps=steps+${step.steps};`;
      case "enter":
        return `if(depth<${step.depth})depth=${step.depth};`;
      case "jump":
        return `break b${step.to};`;
      case "land":
        return "}";
      case "branch": {
        const test = step.isNegated ? this.#truth(step.test) : `!${this.#truth(step.test)}`;
        const [yes, no] = [step.yes, step.no].map((steps) => (steps === 0 ? "" : `steps=steps+${steps};`));
        return `if(${test}){${no}break b${step.to};}${yes}`;
      }
      case "end":
        return this.#end(step);
      case "leave":
        return "return LEAVE;";
      default:
        throw new Error(`no source for ${step.op}`);
    }
  }

  #copy(d: number, a: Operand): string {
    return this.#write(d, a.kind, this.#value(a), isSized(a.kind) ? this.#size(a) : "");
  }

  /** `operand` as the result of a `select`. */
  #as({ d, kind }: StepOf<"select">, operand: Operand): string {
    return this.#write(d, kind, this.#value(operand), isSized(kind) ? this.#size(operand) : "");
  }

  /** Writes a value of a kind to a slot; `size`: of a kind that is sized. */
  #write(d: number, kind: Kind, value: string, size: string): string {
    const written = `${this.#slot(d)}=${value};`;
    if (isSized(kind)) {
      this.#sizes.add(d);
      return `${written}z${d}=${size};${this.#counts(d) ? `bytes=bytes+z${d};` : ""}`;
    }
    const isMeasured = (kind === Kind.Value || kind === Kind.Optional) && this.#counts(d);
    return isMeasured ? `${written}bytes=bytes+bookedSize(v${d});` : written;
  }

  #counts(d: number): boolean {
    return d < this.#plan.variables;
  }

  /** The container of a slot becomes larger. */
  #grow(d: number, by: string): string {
    this.#sizes.add(d);
    return `z${d}=z${d}+${by};${this.#counts(d) ? `bytes=bytes+${by};` : ""}`;
  }

  #number({ d, how, a, b }: StepOf<"number">): string {
    const guards = [a, b]
      .filter(({ kind }) => kind !== Kind.Number)
      .map((operand) => `if(!isNumber(${this.#value(operand)}))return LEAVE;`);
    const divisor = how === "div" || how === "idiv" ? `if(${this.#value(b)}===0)return LEAVE;` : "";
    const result = `${this.#value(a)}${OPERATORS[how]}${this.#value(b)}`;
    const rounded = how === "idiv" ? `floor(${result})` : result;
    // Adding 0 turns -0 into 0, and only a finite number gives 0 here.
    return `${guards.join("")}${divisor}a=${rounded}+0;if(a-a!==0)return LEAVE;${this.#slot(d)}=a;`;
  }

  #compare({ d, how, a, b, native }: StepOf<"compare">): string {
    const [x, y] = [this.#value(a), this.#value(b)];
    const tests = [a, b]
      .filter(({ kind }) => kind !== Kind.Number)
      .map((operand) => `isNumber(${this.#value(operand)})`);
    const numbers = `${x}${OPERATORS[how]}${y}`;
    if (tests.length === 0) return `${this.#slot(d)}=${numbers};`;
    return `${this.#slot(d)}=${tests.join("&&")}?${numbers}:${this.#native(native)}(${x},${y});`;
  }

  #logic({ d, how, operands }: StepOf<"logic">): string {
    const truths = operands.map((operand) => this.#truth(operand));
    if (how === "not") return `${this.#slot(d)}=!${truths[0]};`;
    return `${this.#slot(d)}=${truths.join(how === "and" ? "&&" : "||")};`;
  }

  #join({ d, parts, isExact }: StepOf<"join">): string {
    // Joined to the empty text from the left, so that numbers are not added.
    const texts = parts.map((part) => (isScalarText(part) ? this.#value(part) : `partText(${this.#value(part)})`));
    const text = ["EMPTY", ...texts].join("+");
    if (!isExact) return `a=${text};if(a.length>4096)return LEAVE;${this.#write(d, Kind.Value, "a", "")}`;
    const sizes = parts.map((part) => (part.kind === Kind.Text ? `${this.#size(part)}-2` : this.#size(part)));
    return `a=${["2", ...sizes].join("+")};if(a>4096)return LEAVE;${this.#write(d, Kind.Text, text, "a")}`;
  }

  #record({ d, keys, values }: StepOf<"record">): string {
    const members = keys.map((key, at) => `b[${this.#key(key)}]=${this.#value(values[at] as Operand)};`);
    const known = keys.reduce((sum, key) => sum + (this.#plan.keyBytes[key] as number) + 2, 1);
    const sizes = values.map((value) => this.#size(value));
    return `a=${[known, ...sizes].join("+")};b={};${members.join("")}${this.#write(d, Kind.Record, "b", "a")}`;
  }

  #end({ result, isFlat, variables }: StepOf<"end">): string {
    const known = variables.reduce((sum, { kind, keyBytes }) => sum + (kind === Kind.Optional ? 0 : keyBytes), 1);
    const sizes = variables.map(({ slot, kind, keyBytes }) => {
      if (kind !== Kind.Optional) return this.#size({ slot, kind, otherwise: -1 });
      return `(${this.#slot(slot)}===undefined?0:${keyBytes}+exactSize(v${slot}))`;
    });
    const value = this.#value(result);
    return [
      "if(steps>maxSteps||depth>maxDepth||bytes>maxBytes)return LEAVE;",
      `used[0]=steps;used[1]=depth;if(isSized)used[2]=${[known, ...sizes].join("+")};`,
      `return ${isFlat ? value : `detached(${value})`};`,
    ].join("");
  }

  #constant(slot: number): Json | undefined {
    return slot < this.#plan.variables ? undefined : this.#plan.constants[slot - this.#plan.variables];
  }

  #slot(slot: number): string {
    if (this.#constant(slot) !== undefined) {
      this.#constants.add(slot);
      return `c${slot}`;
    }
    this.#slots.add(slot);
    return `v${slot}`;
  }

  #value({ slot, otherwise }: Operand): string {
    const value = this.#slot(slot);
    return otherwise < 0 ? value : `(${value}===undefined?${this.#slot(otherwise)}:${value})`;
  }

  #key(key: number): string {
    this.#keys.add(key);
    return `k${key}`;
  }

  #native(native: number): string {
    this.#natives.add(native);
    return `n${native}`;
  }

  #truth(operand: Operand): string {
    const constant = operand.otherwise < 0 ? this.#constant(operand.slot) : undefined;
    if (constant !== undefined && isScalar(kindOf(constant))) return constant ? "true" : "false";
    const value = this.#value(operand);
    if (operand.kind === Kind.Boolean) return value;
    if (operand.kind === Kind.Null) return "false";
    if (operand.kind === Kind.Number) return `(${value}!==0)`;
    // The empty string, list and object are two bytes.
    return isSized(operand.kind) ? `(${this.#size(operand)}!==2)` : `truthy(${value})`;
  }

  /** The exact size of an operand. */
  #size(operand: Operand): string {
    const { slot, kind, otherwise } = operand;
    const constant = otherwise < 0 ? this.#constant(slot) : undefined;
    if (kind === Kind.Null) return "4";
    if (kind === Kind.Number)
      return String(constant === undefined ? `numberBytes(${this.#value(operand)})` : numberBytes(constant as number));
    if (kind === Kind.Boolean) return `(${this.#value(operand)}?4:5)`;
    if (kind === Kind.Text && constant !== undefined) return String(textBytes(constant as string));
    if (!isSized(kind)) return `exactSize(${this.#value(operand)})`;
    this.#sizes.add(slot);
    return `z${slot}`;
  }
}

function isScalarText({ kind }: Operand): boolean {
  return kind === Kind.Number || kind === Kind.Text;
}
