/** Calls with variables of their own, loops that end early and lazy logic: by hand, on the machine and the reference. */
import { describe, expect, it } from "vitest";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Outcome } from "../../vm/run.ts";
import { comparable, executor } from "../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { testCatalog } from "../support/run-case.ts";

type Step = readonly [op: string, data: JsonObject, ports?: Readonly<Record<string, string>>];

const ENDS = new Set(["J", "If", "Loop", "While"]);

/** The IR of labels with steps; an Err protects the step above it. */
function irOf(labels: Readonly<Record<string, readonly Step[]>>): JsonObject {
  const nodes: Json[] = [];
  const edges: Json[] = [];
  for (const [label, steps] of Object.entries(labels)) {
    for (const [at, [op, data, ports = {}]] of steps.entries()) {
      const from = `n${at + 1}`;
      nodes.push({ id: from, label, op, data, line: nodes.length + 1 });
      for (const [port, to] of Object.entries(ports)) edges.push({ label, from, to, to_kind: "label", port });
      const next = steps[at + 1];
      if (next === undefined || ENDS.has(op)) continue;
      edges.push({ label, from, to: `n${at + 2}`, to_kind: "node", port: "next" });
      if (next[0] === "Err") edges.push({ label, from, to: `n${at + 2}`, to_kind: "node", port: "err" });
    }
  }
  return { ir_version: "1.1", entry: Object.keys(labels)[0] ?? null, labels: {}, nodes, edges };
}

const num = (v: number): Json => ({ k: "num", v });
const str = (v: string): Json => ({ k: "str", v });
const ref = (v: string): Json => ({ k: "var", v });
const fn = (name: string, ...args: Json[]): Json => ({ k: "call", fn: name, args });
const list = (...items: Json[]): Json => ({ k: "list", items });
const set = (name: string, value: Json): Step => ["Set", { name, value }];
const give = (value: Json): Step => ["J", { value }];
const own = (label: string, inputs: Readonly<Record<string, Json>>, out: string): Step => [
  "Call",
  { out, inputs: Object.entries(inputs).map(([name, value]) => [name, value]) },
  { call: label },
];
const when = (of: Json, then: string, otherwise: string): Step => [
  "If",
  { cond: { c: "truthy", of } },
  { then, else: otherwise },
];

type Expected = {
  readonly out?: Json;
  readonly steps?: number;
  readonly frame?: JsonObject;
  readonly error?: string;
  readonly depth?: number;
};

async function both(labels: Readonly<Record<string, readonly Step[]>>, limits: JsonObject = {}): Promise<Outcome> {
  const { labels: _none, ...document } = irOf(labels);
  const normalized = normalize(document, testCatalog);
  if (!normalized.ok) throw new Error(JSON.stringify(normalized.issues));
  const run = (name: "machine" | "reference", trace: boolean): Promise<Outcome> => {
    const clock = fakeClock();
    return executor(name, testCatalog)(normalized.ir, {
      frame: {},
      limits,
      allowedAdapters: null,
      adapters: mockAdapters(clock),
      clock,
      facts: fakeFacts(),
      trace: trace && { frame_keys: true },
      finalFrame: true,
    });
  };
  for (const trace of [true, false]) {
    expect(comparable(await run("machine", trace))).toBe(comparable(await run("reference", trace)));
  }
  return run("machine", false);
}

const FACTORIAL = {
  main: [own("f", { n: num(10) }, "r"), give(ref("r"))],
  f: [when(fn("lt", ref("n"), num(2)), "one", "more")],
  one: [give(num(1))],
  more: [own("f", { n: fn("sub", ref("n"), num(1)) }, "rest"), give(fn("mul", ref("n"), ref("rest")))],
} satisfies Record<string, readonly Step[]>;

const CASES: readonly (readonly [string, Readonly<Record<string, readonly Step[]>>, Expected])[] = [
  [
    "a call starts with its inputs and nothing else, and gives back its result and nothing else",
    {
      main: [
        set("a", num(1)),
        set("b", num(2)),
        own("f", { x: ref("a") }, "r"),
        give(list(ref("a"), ref("b"), ref("r"), ref("x"))),
      ],
      f: [set("a", num(9)), give(list(ref("x"), ref("a"), ref("b"), ref("_call_result")))],
    },
    { out: [1, 2, [1, 9, null, null], null], steps: 6, frame: { a: 1, b: 2, r: [1, 9, null, null] } },
  ],
  ["recursion has its variables once for each call", FACTORIAL, { out: 3628800, depth: 21 }],
  [
    "a failure in a call is handled with the caller's variables",
    {
      main: [set("a", num(1)), own("f", { a: num(5) }, "r"), ["Err", {}, { handler: "h" }], give(num(0))],
      f: [set("b", num(7)), set("c", fn("div", ref("a"), num(0))), give(ref("c"))],
      h: [give(list(ref("a"), ref("b"), ref("_error")))],
    },
    { out: [1, null, "division by zero"] },
  ],
  [
    "a handler inside of a call sees the call's variables",
    {
      main: [set("a", num(1)), own("f", { a: num(5) }, "r"), give(list(ref("a"), ref("r"), ref("_error")))],
      f: [set("c", fn("div", ref("a"), num(0))), ["Err", {}, { handler: "h" }], give(ref("c"))],
      h: [give(ref("a"))],
    },
    { out: [1, 5, null] },
  ],
  [
    "a run that fails in a call shows the variables of the program",
    { main: [set("a", num(1)), own("f", { x: num(2) }, "r")], f: [set("c", fn("fail", str("no")))] },
    { error: "no", frame: { a: 1 } },
  ],
  [
    "a value that is passed is not changed in place",
    {
      main: [
        set("xs", list(num(1))),
        own("f", { ys: ref("xs") }, "r"),
        set("xs", fn("push", ref("xs"), num(3))),
        give(list(ref("xs"), ref("r"))),
      ],
      f: [set("ys", fn("push", ref("ys"), num(2))), give(ref("ys"))],
    },
    {
      out: [
        [1, 3],
        [1, 2],
      ],
    },
  ],
  [
    "a loop ends after the pass that sets its variable, without a step for the rest",
    {
      main: [["Loop", { list: fn("range", num(1000)), item: "i", until: "stop" }, { body: "b", after: "z" }]],
      b: [set("last", ref("i")), when(fn("gte", ref("i"), num(2)), "stop", "go")],
      stop: [set("stop", { k: "bool", v: true }), give({ k: "null" })],
      go: [give({ k: "null" })],
      z: [give(list(ref("last"), ref("stop"), ref("i")))],
    },
    { out: [2, false, null], steps: 12 },
  ],
  [
    "a While that is ended does not ask its condition again",
    {
      main: [
        set("n", num(0)),
        [
          "While",
          {
            cond: { c: "truthy", of: fn("lt", num(0), fn("div", num(9), fn("sub", num(2), ref("n")))) },
            limit: 9,
            until: "stop",
          },
          { body: "b", after: "z" },
        ],
      ],
      b: [set("n", fn("add", ref("n"), num(1))), when(fn("eq", ref("n"), num(2)), "stop", "go")],
      stop: [set("stop", { k: "bool", v: true }), give({ k: "null" })],
      go: [give({ k: "null" })],
      z: [give(ref("n"))],
    },
    { out: 2 },
  ],
  [
    "and, or and ite evaluate only what they need",
    {
      main: [
        set("f", { k: "bool", v: false }),
        set("x", fn("and", ref("f"), fn("fail", str("and")))),
        set("y", fn("or", fn("not", ref("f")), fn("fail", str("or")))),
        set("z", fn("ite", ref("f"), fn("fail", str("ite")), list(fn("ite", num(1), str("a"), fn("fail", str("b")))))),
        give(list(ref("x"), ref("y"), ref("z"), fn("ite", ref("f"), fn("len", str("abc"))))),
      ],
    },
    { out: [false, true, ["a"], null] },
  ],
  [
    "what is needed still fails",
    { main: [set("x", fn("or", fn("len", str("")), fn("fail", str("second"))))] },
    { error: "second" },
  ],
];

describe("IR 1.1", () => {
  it.each(CASES)("%s", async (_, labels, expected) => {
    const outcome = await both(labels);
    const error = outcome.ok ? undefined : (outcome.error.data["cause"] ?? outcome.error.message);
    const found = { out: outcome.ok ? outcome.out : undefined, error, ...outcome.usage, frame: outcome.frame };
    for (const [key, value] of Object.entries(expected))
      expect([key, JSON.stringify(found[key as keyof Expected])]).toEqual([key, JSON.stringify(value)]);
  });

  it("limits cut a recursion at every step, and at every size, the same way", async () => {
    for (let most = 1; most < 45; most += 3) {
      await both(FACTORIAL, { max_steps: most });
      await both(FACTORIAL, { max_depth: most });
      await both(FACTORIAL, { max_frame_bytes: 4 * most });
    }
  });

  it("names its version only where it is used", () => {
    const plain = normalize({ ...irOf({ main: [give(num(1))] }), labels: undefined }, testCatalog);
    const { labels: _none, ...document } = irOf(FACTORIAL);
    const own = normalize(document, testCatalog);
    expect([plain.ok && plain.ir.ir_version, own.ok && own.ir.ir_version]).toEqual(["1.0", "1.1"]);
  });

  it.each([
    [
      "an input twice",
      {
        out: "r",
        inputs: [
          ["a", num(1)],
          ["a", num(2)],
        ],
      },
    ],
    ["an input that is not a pair", { out: "r", inputs: [["a"]] }],
    ["inputs that are not a list", { out: "r", inputs: { a: num(1) } }],
    ["an input whose name is not a name", { out: "r", inputs: [["a b", num(1)]] }],
  ])("refuses %s", (_, data) => {
    const { labels: _none, ...document } = irOf({ main: [["Call", data as JsonObject, { call: "main" }]] });
    expect(normalize(document, testCatalog).ok).toBe(false);
  });
});
