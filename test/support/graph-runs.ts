/**
 * A second generator of runs, built unlike the first (`generators.ts`): it draws graphs instead of text, so that it makes what no
 * source can say too (names computed for calls, nodes that nothing leads to, written variables of the machine), every function with any
 * arguments, hostile names, values at the edges of sizes, numbers and nesting. One number draws one run.
 */
import { FUNCTIONS, findFunction, isHostCall, maxArguments, minArguments } from "../../compiler/functions.ts";
import type { Ir, NodeOp } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Limits } from "../../vm/run.ts";
import type { GeneratedRun } from "./generators.ts";
import { testCatalog } from "./run-case.ts";

export type GraphRun = GeneratedRun & {
  readonly ir: Ir;
  readonly frameCeilingBytes: number;
  /** A value of the frame is so deep that no stored run can hold what is made of it. */
  readonly deep: boolean;
};

/** Draws from a number (mulberry32). */
class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995;
  }

  /** From 0 to below `most`. */
  below(most: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * most);
  }

  chance(percent: number): boolean {
    return this.below(1000) < percent * 10;
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }

  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

const NAMES = ["a", "b", "o", "xs", "s", "n", "a", "b", "o", "xs", "__proto__", "constructor"] as const;
const MACHINE_NAMES = ["_call_result", "_loop_last", "_while_last", "_error", "_error_info", "_txid"] as const;
const KEYS = "k,x,k,__proto__,constructor,toString,0,1,01,a.b,,é,\ud83d,4294967295,-1,length".split(",");
/** 3 and 22 units have the sizes that booleans and numbers are booked with, 64 is where texts are measured later. */
const TEXTS = [
  ...[
    "",
    "x",
    "1",
    " 3 ",
    "é😀",
    "\ud83d",
    "\ude00",
    "a\ud83d",
    "\ude00b",
    "a.b",
    '"\\\n',
    "\u0000",
    "-0",
    "1e400",
    "0x1",
  ],
  ...["abc", "true", "null", "i".repeat(22), "w".repeat(64), "é".repeat(65), "\ud83d".repeat(33), "l".repeat(1100)],
  ...["k.x", "0.1", ".", "%", "{} {0}", "ECHO", "ext", "[1,[2]]", '{"__proto__":{"k":1}}'],
] as const;
const NUMBERS = [
  ...[0, 1, 2, 3, -1, 0.5, -2.5, 7, 10, 100, 1e21, -1e-7, 1e308, -1e308, 5e-324, 0.1, 123_456_789.125],
  ...[2 ** 31, 2 ** 31 - 1, -(2 ** 31), 2 ** 32, 2 ** 53, -(2 ** 53)],
] as const;
const FUNCTION_NAMES = FUNCTIONS.map(({ name }) => name);
/** They make values of values, and rarely fail. */
const CONTAINING = "push put get arr obj ite concat eq type len stringify push put arr bool not str".split(" ");
const COMPARATORS = ["==", "!=", "<", "<=", ">", ">="] as const;
const CALM_VERBS = ["ECHO", "RUN", "OP", "NEXT", "LATER", "SLOW", "TARDY", "CALLID"];
/** Their first argument is a time, or how often they fail. */
const TIMED_VERBS = ["OP", "SLOW", "TARDY", "WAITS"];
const FAILING_VERBS = ["G", "P", "CRASH", "ODD", "WAITS", "UNKNOWN"];
const RETRY_WORDS: readonly Json[] = [0, 1, 2, 3, -1, 1.9, "2", "x", null, true, [1]];

/** Lists around null. */
function nested(depth: number): Json {
  let value: Json = null;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { k: value };
  return value;
}

class Maker {
  readonly d: Draw;
  readonly ids: readonly string[];

  constructor(d: Draw, labels: number) {
    this.d = d;
    this.ids = Array.from({ length: labels }, (_, at) => `${at + 1}`);
  }

  name(): string {
    return this.d.chance(10) ? this.d.of(MACHINE_NAMES) : this.d.of(NAMES);
  }

  value(deep = 2): Json {
    const { d } = this;
    const kind = d.below(deep > 0 ? 9 : 6);
    if (kind < 2) return d.of(NUMBERS);
    if (kind < 5) return d.of(TEXTS);
    if (kind === 5) return d.of([null, true, false, [], {}]);
    if (kind < 8) return d.list(4, () => this.value(deep - 1));
    return Object.fromEntries(d.list(4, () => [d.of(KEYS), this.value(deep - 1)]));
  }

  operand(deep = 3): JsonObject {
    const { d } = this;
    const kind = d.below(deep > 0 ? 20 : 13);
    if (kind < 5) return { k: "var", v: this.name() };
    if (kind < 7) return { k: "name", v: this.name() };
    if (kind < 8) return { k: "num", v: d.of(NUMBERS) };
    if (kind < 10) return { k: "str", v: d.of(TEXTS) };
    if (kind < 11) return d.of([{ k: "null" }, { k: "bool", v: true }, { k: "bool", v: false }]);
    if (kind < 13) return this.path();
    if (kind < 15) return { k: "list", items: d.list(3, () => this.operand(deep - 1)) };
    if (kind < 16) return this.map(deep - 1);
    return this.call(deep - 1);
  }

  path(): JsonObject {
    const { d } = this;
    const path = { k: "path", root: this.name(), segments: [d.of(KEYS), ...d.list(2, () => d.of(KEYS))] };
    return d.chance(60) ? { ...path, text: d.of(TEXTS) } : path;
  }

  map(deep: number): JsonObject {
    const keys = new Set(this.d.list(3, () => this.d.of(KEYS)));
    return { k: "map", entries: [...keys].map((key) => [key, this.operand(deep)]) };
  }

  /** A call of a pure function; `whole` ones may be any. */
  call(deep: number, whole = false): JsonObject {
    const { d } = this;
    for (;;) {
      const fn = d.chance(0.5) ? "nope" : d.chance(50) ? d.of(CONTAINING) : d.of(FUNCTION_NAMES);
      const signature = findFunction(fn);
      const fits = signature !== undefined && d.chance(85);
      const least = fits ? minArguments(signature) : 0;
      const count = Math.min(least + d.below(fits ? 3 : 5), fits ? maxArguments(signature) : 4);
      if (isHostCall(fn, count) && !whole) continue;
      const group = fits && d.chance(75) ? signature.group : "value";
      return { k: "call", fn, args: Array.from({ length: count }, () => this.argument(group, deep)) };
    }
  }

  /** An operand as functions of the group take it, mostly. */
  argument(group: string, deep: number): JsonObject {
    const { d } = this;
    if (group === "number") return d.chance(60) ? { k: "num", v: d.of(NUMBERS) } : { k: "var", v: "n" };
    if (group === "text") return d.chance(60) ? { k: "str", v: d.of(TEXTS) } : { k: "var", v: "s" };
    if (group === "list" && d.chance(50)) return { k: "var", v: d.of(["xs", "o", "xs", "o", "a"]) };
    return this.operand(deep);
  }

  condition(negated = false): JsonObject {
    const { d } = this;
    const kind = d.below(negated ? 9 : 11);
    if (kind < 3) return { c: "truthy", of: this.operand(1) };
    if (kind < 4) return { c: "present", of: this.operand(1) };
    if (kind < 5) return { c: "text_eq", left: this.operand(1), right: this.operand(1) };
    if (kind < 9) return { c: "cmp", op: d.of(COMPARATORS), left: this.operand(1), right: this.operand(1) };
    return { c: "not", of: this.condition(true) };
  }

  /** A computed name is one that exists, mostly. */
  word(words: readonly string[]): Json {
    const word = this.d.of(words);
    if (this.d.chance(70)) return word;
    return this.d.chance(50) ? { k: "str", v: word } : { k: "call", fn: "concat", args: [{ k: "str", v: word }] };
  }

  remote(): JsonObject {
    const { d } = this;
    const out = this.name();
    if (d.chance(30)) {
      const verb = this.word(d.chance(30) ? ["SLEEP", "UUID", "ISO_TS", "NOPE", "ENV"] : FUNCTION_NAMES);
      return { adapter: this.word(["core"]), verb, args: d.list(3, () => this.operand(1)), out };
    }
    if (d.chance(5))
      return { adapter: this.word(["auth"]), verb: "enforce", args: d.list(3, () => this.operand(1)), out };
    const verb = d.of(d.chance(85) ? CALM_VERBS : FAILING_VERBS);
    const args = d.list(3, () => this.operand(1));
    if (TIMED_VERBS.includes(verb)) args[0] = { k: "num", v: d.of([1, 2, 30, 90]) };
    return { adapter: this.word(d.chance(97) ? ["ext"] : ["nosuch"]), verb: this.word([verb]), args, out };
  }

  node(): readonly [op: NodeOp, data: JsonObject] {
    const { d } = this;
    const kind = d.below(100);
    const out = d.chance(50) ? this.name() : null;
    if (kind < 12) return ["Set", { name: this.name(), value: this.operand() }];
    if (kind < 30) return ["X", { name: this.name(), value: this.call(2, d.chance(20)) }];
    if (kind < 48) return ["X", this.own()];
    if (kind < 52) {
      const cmp = d.of([...COMPARATORS, "in", "contains", "~"]);
      return ["Filt", { name: this.name(), list: this.operand(1), field: d.of(KEYS), cmp, value: this.operand(1) }];
    }
    if (kind < 55)
      return ["Sort", { name: this.name(), list: this.operand(1), field: d.of(KEYS), order: d.of(["asc", "desc"]) }];
    if (kind < 70) return ["R", this.remote()];
    if (kind < 72) return ["CacheSet", this.cache("set", [this.operand(1), this.operand(1), { k: "num", v: 5 }], null)];
    if (kind < 74) {
      const fallback = d.chance(50) ? this.operand(1) : null;
      return ["CacheGet", { ...this.cache("get", [this.operand(1)], this.name()), fallback }];
    }
    if (kind < 75)
      return ["QueuePut", { adapter: "queue", verb: "Put", args: [{ k: "str", v: "q" }, this.operand(1)], out }];
    if (kind < 76)
      return ["Tx", { adapter: "txn", verb: d.of(["begin", "commit"]), args: [{ k: "str", v: "t" }], out }];
    if (kind < 77) {
      const args = [{ k: "str", v: "P" }, this.map(1), this.map(1)];
      return ["Enf", { adapter: "auth", verb: "enforce", args, out: null }];
    }
    if (kind < 85) return ["Call", { out: this.name(), ...this.inputs() }];
    if (kind < 93) return ["Err", {}];
    const strategy = d.of(["fixed", "exponential"]);
    return ["Retry", { count: this.plan(), backoff_ms: this.plan(), strategy }];
  }

  /** A variable that is changed where it is: what the machine does in place. */
  own(): JsonObject {
    const { d } = this;
    const name = this.name();
    const fn = d.of(["push", "push", "put", "put", "concat", "add", "obj", "arr", "sub", "merge"]);
    const self = { k: "var", v: name };
    const key = d.chance(70) ? { k: "str", v: d.of(KEYS) } : this.operand(1);
    const args = fn === "put" ? [self, key, this.operand(1)] : fn === "obj" ? [key, self] : [self, this.operand(1)];
    return { name, value: { k: "call", fn, args } };
  }

  cache(verb: string, args: readonly Json[], out: string | null): JsonObject {
    return { adapter: "cache", verb, args: [{ k: "str", v: "c" }, ...args], out };
  }

  /** For some calls: variables of their own. */
  inputs(): JsonObject {
    const d = this.d;
    if (d.chance(40)) return {};
    const names = [...new Set(d.list(3, () => this.name()))];
    return { inputs: names.map((name): Json => [name, this.operand(1)]) };
  }

  /** For some loops: a variable that ends them. */
  until(): JsonObject {
    return this.d.chance(40) ? { until: this.name() } : {};
  }

  plan(): JsonObject {
    const { d } = this;
    const word = d.of(RETRY_WORDS);
    if (typeof word === "number") return { k: "num", v: word };
    return typeof word === "string" ? { k: "str", v: word } : this.operand(1);
  }

  ending(): readonly [op: NodeOp, data: JsonObject] | null {
    const { d } = this;
    const kind = d.below(10);
    if (kind < 3) return ["J", { value: this.operand() }];
    if (kind < 6) return ["If", { cond: this.condition() }];
    if (kind < 8) {
      const list = d.chance(60) ? { k: "list", items: d.list(3, () => this.operand(0)) } : this.operand(1);
      return ["Loop", { list, item: this.name(), ...this.until() }];
    }
    if (kind < 9)
      return ["While", { cond: this.condition(), limit: d.of([1, 2, 3, 5, 2 ** 31, 2 ** 40]), ...this.until() }];
    return null;
  }
}

type Place = { readonly label: string; readonly id: string; readonly op: NodeOp };

function edgesOf(m: Maker, places: readonly Place[]): Json[] {
  const { d } = m;
  const edges: Json[] = [];
  const protectors = places.filter(({ op }) => op === "Err" || op === "Retry");
  places.forEach(({ label, id, op }, at) => {
    const edge = (port: string, to: string, kind = "label") => edges.push({ label, from: id, to, to_kind: kind, port });
    const ends = op === "J" || op === "If" || op === "Loop" || op === "While";
    const next = places[at + 1 + (d.chance(4) ? 1 : 0)];
    if (!ends && next !== undefined && !d.chance(2)) edge("next", next.id, "node");
    if (op === "If") edge("then", d.of(m.ids));
    if (op === "If" && d.chance(80)) edge("else", d.of(m.ids));
    if (op === "Loop" || op === "While") edge("body", d.of(m.ids));
    if (op === "Loop" || op === "While") edge("after", d.of(m.ids));
    if (op === "Call") edge("call", d.of(m.ids));
    if (op === "Err") edge("handler", d.of(m.ids));
    if (op === "Err" || op === "Retry") return;
    const err = d.of(protectors.filter((one) => one.op === "Err"));
    const retry = d.of(protectors.filter((one) => one.op === "Retry"));
    if (err !== undefined && d.chance(35)) edge("err", err.id, "node");
    if (retry !== undefined && d.chance(50)) edge("retry", retry.id, "node");
  });
  return edges;
}

function frameOf(m: Maker): JsonObject {
  const { d } = m;
  const entries: [string, Json][] = [
    ["n", d.of(NUMBERS)],
    ["s", d.of(TEXTS)],
    ["xs", d.list(4, () => m.value())],
    ["o", Object.fromEntries(d.list(4, () => [d.of(KEYS), m.value()]))],
  ];
  const kept = entries.filter(() => d.chance(75));
  kept.push(...d.list(5, (): [string, Json] => [d.chance(85) ? m.name() : d.of(KEYS), m.value()]));
  return Object.fromEntries(kept);
}

function limitsOf(d: Draw): Limits {
  return {
    max_steps: d.of([60, 120, 250]),
    max_depth: 5 + d.below(30),
    ...(d.chance(40) ? { max_frame_bytes: d.of([300, 1000, 3000]) + d.below(300) } : {}),
    ...(d.chance(25) ? { max_adapter_calls: d.below(12) } : {}),
    ...(d.chance(25) ? { max_loop_iters: 1 + d.below(8) } : {}),
    ...(d.chance(15) ? { max_time_ms: 5 + d.below(300) } : {}),
  };
}

/** The run that `seed` draws. */
export function graphRun(seed: number): GraphRun {
  const d = new Draw(seed);
  const m = new Maker(d, 2 + d.below(5));
  const nodes: Json[] = [];
  const edges: Json[] = [];
  for (const label of m.ids) {
    const steps = Array.from({ length: d.below(7) }, () => m.node());
    const end = m.ending();
    if (end !== null) steps.push(end);
    if (end !== null && d.chance(30)) steps.push(["Err", {}]);
    if (label === "1" && steps.length === 0) steps.push(["J", { value: m.operand() }]);
    const places = steps.map(([op], at): Place => ({ label, id: `n${at + 1}`, op }));
    for (const [at, [op, data]] of steps.entries())
      nodes.push({ label, id: `n${at + 1}`, op, data, line: nodes.length + 1 });
    edges.push(...edgesOf(m, places));
  }
  const given = {
    ir_version: "1.0",
    entry: "1",
    labels: Object.fromEntries(m.ids.map((id) => [id, {}])),
    nodes,
    edges,
  };
  const read = normalize(given, testCatalog);
  if (!read.ok) throw new Error(`no program: ${JSON.stringify(read.issues)}\n${JSON.stringify(given)}`);
  const deep = d.chance(8);
  return {
    ir: read.ir,
    source: JSON.stringify(given),
    frame: { ...frameOf(m), ...(deep ? { [m.name()]: nested(509 + d.below(6)) } : {}) },
    limits: limitsOf(d),
    allowedAdapters: d.chance(92) ? null : d.list(4, () => d.of(["core", "ext", "cache", "queue", "txn", "auth"])),
    frameCeilingBytes: d.of([2000, 6000, 20_000]),
    deep,
  };
}
