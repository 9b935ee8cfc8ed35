/** Lines, labels, steps, declarations, includes and inputs (docs/language.md). */
import { describe, expect, it } from "vitest";
import { parse } from "../../grammar/parse.ts";
import { stepOf, stepsOf } from "./reading.ts";

describe("labels", () => {
  it.each([
    ["L1:", "1"],
    ["L_a:", "_a"],
    ["LCHECK:", "CHECK"],
    ["Live:", "ive"],
    ["Lpkg/RUN:", "pkg/RUN"],
    ["L01:", "01"],
    ["La.b:", "a.b"],
    ["1:", "1"],
    ["L1 :", "1"],
  ])("%s", (text, id) => {
    expect(parse(text).lines).toMatchObject([{ kind: "label", id, steps: [] }]);
  });

  it("ends an inline step at an op word once its required slots are filled", () => {
    const file = parse("L1: R core.MUL 6 7 ->n If n ->L2 ->L3");
    expect(stepsOf(file)).toMatchObject([
      { op: "R", args: [{ v: 6 }, { v: 7 }], out: { name: "n" } },
      { op: "If", then: { text: "L2" }, else: { text: "L3" } },
    ]);
    expect(stepsOf(parse("L1: Set R J J R"))).toMatchObject([
      { op: "Set", name: { name: "R" }, value: { k: "name", v: "J" } },
      { op: "J", value: null },
      { op: "broken", broken_op: "R" },
    ]);
    expect(stepsOf(parse('L1: R ext.E "J" $J J 1'))).toMatchObject([
      { op: "R", args: [{ v: "J" }, { v: "J" }] },
      { op: "J" },
    ]);
    expect(stepsOf(parse("L1: R core.NOW ->J J 1"))).toMatchObject([{ out: { name: "J" } }, { op: "J" }]);
  });

  it("keeps words that start no step as an unknown line", () => {
    const file = parse("L1: foo bar J 1");
    expect(file.lines).toMatchObject([
      { kind: "label", steps: [] },
      { kind: "unknown", word: { text: "foo" }, slots: [{ text: "bar" }] },
      { kind: "step", step: { op: "J" } },
    ]);
  });
});

describe("steps", () => {
  it.each([
    [
      "R a.B",
      { op: "R", adapter: { text: "a" }, verb: { text: "B" }, split: false, args: [], out: null, writes: ["res"] },
    ],
    ["R a B 1", { op: "R", adapter: { text: "a" }, verb: { text: "B" }, split: true, args: [{ v: 1 }] }],
    ["R s.streams.subscribe", { adapter: { text: "s" }, verb: { text: "streams.subscribe" } }],
    ["R $a.B x", { adapter: { text: "$a" }, verb: { text: "B" } }],
    ["R ->x core.NOW", { op: "R", verb: { text: "NOW" }, out: { name: "x" } }],
    ['R a.B "->x"', { args: [{ k: "str", v: "->x" }], out: null }],
    ["J", { op: "J", value: null }],
    ["J->x", { op: "J", faulty: true }],
    ["If true L2 3", { then: { text: "L2", arrow: false }, else: { text: "3", arrow: false } }],
    ["If true ->L2:", { then: { text: "L2", arrow: true }, else: null }],
    ["Err ->L9", { op: "Err", protects: null, handler: { text: "L9" } }],
    ["Err @n6 ->L9", { op: "Err", protects: { number: 6 } }],
    ["Err n2 9", { op: "Err", protects: { number: 2 }, handler: { text: "9" } }],
    ["Err @n1", { op: "Err", handler: null, node: false, faulty: true }],
    ["Retry", { op: "Retry", protects: null, count: null, backoff_ms: null, strategy: null }],
    ["Retry @n1 4 100 exponential", { protects: { number: 1 }, count: { v: 4 }, strategy: { text: "exponential" } }],
    ["Retry 3 5 jitter", { strategy: null, extra: [{ text: "jitter" }] }],
    ["Call L2", { op: "Call", label: { text: "L2" }, out: null, writes: ["_call_result"] }],
    ["Call ->chk/ENTRY ->r", { label: { text: "chk/ENTRY", arrow: true }, out: { name: "r" } }],
    ["Call L2 v", { out: { name: "v" }, faulty: false }],
    ["X n add 1 2", { op: "X", first: { k: "name", v: "add" }, args: [{ v: 1 }, { v: 2 }] }],
    ["X n (add 1)", { first: { k: "call" }, args: [] }],
    [
      "Filter a b c = d",
      { op: "Filt", word: { text: "Filter" }, cmp: { text: "=" }, field: { text: "c", quoted: false } },
    ],
    ['Filt a b "c d" in [1]', { field: { text: "c d", quoted: true }, cmp: { text: "in" } }],
    ["Sort a b c DESC", { op: "Sort", order: { text: "DESC" } }],
    ["Loop xs it ->L2 ->L3", { op: "Loop", item: { name: "it" }, body: { text: "L2" }, after: { text: "L3" } }],
    ["Loop xs as it L2 L3", { op: "Loop", item: { name: "it" }, body: { text: "L2" } }],
    ["ForEach xs as ->L2 ->L3", { op: "Loop", item: { name: "as" } }],
    ["Loop xs as as L2 L3", { op: "Loop", item: { name: "as" }, body: { text: "L2" }, after: { text: "L3" } }],
    ["While a < 3 ->L2 ->L3 limit=25", { op: "While", limit: 25, limit_slot: { text: "limit=25" } }],
    ["While a ->L2 ->L3 limit=0", { op: "While", limit: null, limit_slot: { text: "limit=0" } }],
    ["CacheGet c k ->v 1", { op: "CacheGet", out: { name: "v" }, fallback: { v: 1 } }],
    ["CacheGet c k 1 ->v", { op: "CacheGet", out: { name: "v" }, fallback: { v: 1 } }],
    ["CacheGet c k", { out: null, fallback: null, writes: ["data"] }],
    ["CacheSet c k v 60", { op: "CacheSet", ttl_s: { text: "60" } }],
    ["QueuePut q v", { op: "QueuePut", out: null, writes: [] }],
    ["Tx BEGIN pay", { op: "Tx", action: { text: "BEGIN" }, name: { text: "pay" }, writes: ["_txid"] }],
    ["Enf admins", { op: "Enf", policy: { text: "admins" } }],
    ["Loop xs it ->L2", { op: "broken", broken_op: "Loop", node: false, faulty: true, writes: ["it"] }],
    ["R db ->rows", { op: "broken", broken_op: "R", writes: ["rows"] }],
    ["Set", { op: "broken", broken_op: "Set", slots: [], writes: [] }],
    ["J a b [c]", { value: { v: "a" }, extra: [{ text: "b" }, { text: "[c]" }] }],
  ])("%s", (text, expected) => {
    expect(stepOf(text)).toMatchObject(expected);
  });
});

describe("lines in slot mode", () => {
  it.each([
    ["E /x G ->L1 ->rows A[Order] 'all of it'", "E", ["/x", "G", "->L1", "->rows", "A[Order]", "all of it"]],
    ["Cr L1 */5 * * * *", "Cr", ["L1", "*/5", "*", "*", "*", "*"]],
    ['Pol a role="x y"', "Pol", ["a", "role=x y"]],
    ["Env TOKEN", "ops.Env", ["TOKEN"]],
    ["arch.Svc b /b", "Svc", ["b", "/b"]],
    ["test.D Order id:I", "D", ["Order", "id:I"]],
    ["D Order lines:A[Line]", "D", ["Order", "lines:A[Line]"]],
  ])("%s", (text, op, slots) => {
    const [line] = parse(text).lines;
    expect(line).toMatchObject({ kind: "declaration", op, too_short: false });
    expect(line?.kind === "declaration" && line.slots.map((slot) => slot.text)).toEqual(slots);
  });

  it.each([
    ["include lib/a.wf", "lib/a.wf", null],
    ['include "lib a.wf" as chk', "lib a.wf", "chk"],
    ["INCLUDE a.wf AS chk", "a.wf", "chk"],
    ["include a.wf chk", null, null],
    ["include a.wf as 1x", null, null],
    ["include", null, null],
  ])("%s", (text, path, alias) => {
    const [line] = parse(text).lines;
    expect(line).toMatchObject({
      kind: "include",
      path: path === null ? null : { text: path },
      alias: alias === null ? null : { text: alias },
    });
  });

  it("keeps unknown lines", () => {
    expect(parse('Ret a "b c"').lines).toMatchObject([
      { kind: "unknown", word: { text: "Ret" }, slots: [{ text: "a" }, { text: "b c", quoted: true }] },
    ]);
    expect(parse('"R" core.NOW').lines).toMatchObject([{ kind: "unknown", word: { text: "R", quoted: true } }]);
  });
});

describe("inputs", () => {
  it.each([
    ["# frame: a", [["a", "any"]]],
    [
      "#frame : a : number , b:list",
      [
        ["a", "number"],
        ["b", "list"],
      ],
    ],
    [
      "# frame: s: E[new,old], o: A[Order]\nD Order id:I",
      [
        ["s", "E[new,old]"],
        ["o", "A[Order]"],
      ],
    ],
    ["# frame: n: I", [["n", "I"]]],
    ["J 1 # frame: a", [["a", "any"]]],
    ["# frames: a", []],
  ])("%s", (text, expected) => {
    const file = parse(text);
    expect(file.inputs.map(({ name, type }) => [name, type])).toEqual(expected);
    expect(file.findings.filter(({ code }) => code === "WF9025")).toEqual([]);
  });

  it("gives the place of the declaration inside the comment", () => {
    expect(parse("# frame: a, bc: text").inputs[1]?.span).toMatchObject({ line: 1, column: 13, end_column: 21 });
  });
});
