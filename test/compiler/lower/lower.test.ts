/** Lowering, what a step becomes: operands by slot class, conditions, adapter calls, node data. */
import { describe, expect, it } from "vitest";
import { compileText, dataOf, irOf, lines, reported } from "../compiling.ts";

const loose = { strict: false } as const;

describe("operands", () => {
  it("keeps the kind each spelling has", () => {
    const ir = irOf(lines("L1:", '  J ["t", 1.5, true, null, $x, x, $x.a[0], x.a[0], /w, {"k": 1, n: -0}]'), loose);
    expect(dataOf(ir, "1", "n1")).toEqual({
      value: {
        k: "list",
        items: [
          { k: "str", v: "t" },
          { k: "num", v: 1.5 },
          { k: "bool", v: true },
          { k: "null" },
          { k: "var", v: "x" },
          { k: "name", v: "x" },
          { k: "path", root: "x", segments: ["a", "0"] },
          { k: "path", root: "x", segments: ["a", "0"], text: "x.a[0]" },
          { k: "str", v: "/w" },
          {
            k: "map",
            entries: [
              ["k", { k: "num", v: 1 }],
              ["n", { k: "num", v: 0 }],
            ],
          },
        ],
      },
    });
  });

  it("writes a bare path in a key slot as text", () => {
    const ir = irOf(
      lines(
        "L1:",
        "  Set o {}",
        "  X a get o items[0].name",
        "  R core.GET o b.2 ->c",
        "  X d pick o [k.l, m]",
        "  J a",
      ),
      loose,
    );
    expect(dataOf(ir, "1", "n2")).toMatchObject({
      value: {
        args: [
          { k: "name", v: "o" },
          { k: "str", v: "items.0.name" },
        ],
      },
    });
    expect(dataOf(ir, "1", "n3")).toMatchObject({
      args: [
        { k: "name", v: "o" },
        { k: "str", v: "b.2" },
      ],
    });
    expect(dataOf(ir, "1", "n4")).toMatchObject({
      value: {
        args: [
          { k: "name" },
          {
            k: "list",
            items: [
              { k: "str", v: "k.l" },
              { k: "name", v: "m" },
            ],
          },
        ],
      },
    });
  });

  it("reads word parameters of verbs as text", () => {
    const ir = irOf(lines("L1:", "  R db.F Order * ->rows", "  J rows"));
    expect(dataOf(ir, "1", "n1")).toEqual({
      adapter: "db",
      verb: "F",
      args: [
        { k: "str", v: "Order" },
        { k: "str", v: "*" },
      ],
      out: "rows",
    });
  });

  it("stores functions in their canonical spelling and comparisons as functions", () => {
    const ir = irOf(lines("L1:", '  X a core.Starts_With "ab" "a"', "  Set b (a != true)", "  X c neq 1 2", "  J b"));
    expect(dataOf(ir, "1", "n1")).toMatchObject({ value: { k: "call", fn: "startswith" } });
    expect(dataOf(ir, "1", "n2")).toMatchObject({ value: { k: "call", fn: "ne" } });
    expect(dataOf(ir, "1", "n3")).toMatchObject({ value: { k: "call", fn: "ne" } });
  });

  it("takes X with a single operand as an assignment", () => {
    const ir = irOf(lines("L1:", "  X a 5", "  X b a", "  X c now", '  X d {"k": a}', "  J [b, c, d]"));
    expect(dataOf(ir, "1", "n1")).toEqual({ name: "a", value: { k: "num", v: 5 } });
    expect(dataOf(ir, "1", "n2")).toEqual({ name: "b", value: { k: "name", v: "a" } });
    expect(dataOf(ir, "1", "n3")).toEqual({ name: "c", value: { k: "call", fn: "now", args: [] } });
  });

  it("refuses host functions inside operands only", () => {
    expect(
      reported(compileText(lines("L1:", "  Set t (now)", "  X u core.uuid", "  X d iso_ts 5", "  J [t, u, d]"))),
    ).toEqual([]);
    expect(reported(compileText(lines("L1:", "  J (now)")))).toEqual(["WF5005 2:6"]);
    expect(reported(compileText(lines("L1:", "  Set t (add 1 (now))", "  J t"), loose))).toEqual(["WF5005 2:17"]);
    expect(reported(compileText(lines("L1:", "  Set t [(iso_ts), (iso_ts 5)]", "  J t")))).toEqual(["WF5005 2:11"]);
  });

  it("reports unknown functions with the nearest one", () => {
    const result = compileText(lines("L1:", "  X a ad 1 2", "  J a"));
    expect(reported(result)).toEqual(["WF5004 2:7"]);
    expect(result.diagnostics[0]?.fix?.edits[0]?.new_text).toBe("add");
    expect(dataOf(irOf(lines("L1:", "  X a frob 1", "  J a"), loose), "1", "n1")).toMatchObject({
      value: { fn: "frob" },
    });
  });

  it("keeps the last of repeated keys", () => {
    const ir = irOf(lines("L1:", '  J {"a": 1, "b": 2, "a": 3}'));
    expect(dataOf(ir, "1", "n1")).toEqual({
      value: {
        k: "map",
        entries: [
          ["b", { k: "num", v: 2 }],
          ["a", { k: "num", v: 3 }],
        ],
      },
    });
  });
});

describe("conditions", () => {
  const condition = (text: string) => {
    const ir = irOf(lines("# frame: x, y, s", "L1:", `  If ${text} ->L2`, "L2:", "  J 1"));
    return (dataOf(ir, "1", "n1") as { cond: unknown }).cond;
  };
  const x = { k: "var", v: "x" };

  it.each([
    ["x", { c: "truthy", of: x }],
    ["$x", { c: "truthy", of: x }],
    ["x.a", { c: "truthy", of: { k: "path", root: "x", segments: ["a"] } }],
    ["x?", { c: "present", of: x }],
    ["x=open", { c: "text_eq", left: x, right: { k: "name", v: "open" } }],
    ["x=", { c: "text_eq", left: x, right: { k: "str", v: "" } }],
    ["x = y", { c: "text_eq", left: x, right: { k: "name", v: "y" } }],
    ["x>=10", { c: "cmp", op: ">=", left: x, right: { k: "num", v: 10 } }],
    ["x == y.a", { c: "cmp", op: "==", left: x, right: { k: "path", root: "y", segments: ["a"], text: "y.a" } }],
    ["(x < 3)", { c: "cmp", op: "<", left: x, right: { k: "num", v: 3 } }],
    [
      "(gt x 3)",
      {
        c: "truthy",
        of: {
          k: "call",
          fn: "gt",
          args: [
            { k: "name", v: "x" },
            { k: "num", v: 3 },
          ],
        },
      },
    ],
    ["not x", { c: "not", of: { c: "truthy", of: x } }],
    ["!x?", { c: "not", of: { c: "present", of: x } }],
  ])("%s", (text, expected) => {
    expect(condition(text)).toEqual(expected);
  });
});

describe("adapter calls", () => {
  it("stores the catalog's spelling", () => {
    const result = compileText(lines("L1:", '  R HTTP.get "u" ->a', "  J a"), loose);
    expect(result.ir?.nodes[0]?.data).toMatchObject({ adapter: "http", verb: "Get" });
    expect(result.diagnostics.map(({ code }) => code)).toEqual(["WF5009", "WF9004"]);
    expect(reported(compileText(lines("L1:", '  R HTTP.Get "u" ->a', "  J a")))).toEqual(["WF5009 2:5"]);
  });

  it("keeps unknown names as written and reports them", () => {
    expect(reported(compileText(lines("L1:", "  R ledger.Post 1 ->x", "  J x")))).toEqual(["WF5001 2:5"]);
    expect(reported(compileText(lines("L1:", '  R http.FETCH "u" ->x', "  J x")))).toEqual(["WF5002 2:10"]);
    expect(reported(compileText(lines("L1:", "  R core.MAP [] ->x", "  J x")))).toEqual(["WF5003 2:10"]);
    const ir = irOf(lines("L1:", "  R ledger.Post 1 ->x", "  J x"), loose);
    expect(dataOf(ir, "1", "n1")).toMatchObject({ adapter: "ledger", verb: "Post" });
  });

  it("makes a computed target an operand", () => {
    const result = compileText(lines("# frame: verb", "L1:", "  R http.$verb 1 ->x", "  J x"), loose);
    expect(reported(result)).toContain("WF5006 3:10");
    expect(result.ir?.nodes[0]?.data).toMatchObject({ adapter: "http", verb: { k: "var", v: "verb" } });
  });

  it("does not take a word with other characters after a $ for a computed target", () => {
    const source = lines("# frame: x", "L1:", "  R $x-y.Get 1 ->a", "  R http.$x(y 1 ->a", "  J a");
    expect(reported(compileText(source))).toEqual(["WF5001 3:5", "WF5002 4:10"]);
    expect(dataOf(irOf(source, loose), "1", "n1")).toMatchObject({ adapter: "$x-y", verb: "Get" });
    expect(dataOf(irOf(source, loose), "1", "n2")).toMatchObject({ adapter: "http", verb: "$x(y" });
  });
});

describe("steps that are calls under another name", () => {
  const ir = irOf(
    lines(
      "C rates pair 300 1.5",
      "Q mail",
      "Txn pay sqlite immediate",
      "Txn plain",
      "Pol admins role=admin auth=true",
      "L1:",
      '  CacheGet rates "eur"',
      '  CacheGet rates "eur" ->a "none"',
      '  CacheSet rates "eur" 1',
      '  CacheSet rates "eur" 1 60',
      "  QueuePut mail 1",
      "  Tx BEGIN pay",
      "  Tx begin plain",
      "  Tx commit pay",
      "  Enf admins",
      "  J data",
    ),
  );
  const str = (v: string) => ({ k: "str", v });
  it.each([
    [
      "n1",
      { adapter: "cache", verb: "get", args: [str("rates"), str("eur")], out: "data", fallback: { k: "num", v: 1.5 } },
    ],
    ["n2", { adapter: "cache", verb: "get", args: [str("rates"), str("eur")], out: "a", fallback: str("none") }],
    [
      "n3",
      {
        adapter: "cache",
        verb: "set",
        args: [str("rates"), str("eur"), { k: "num", v: 1 }, { k: "num", v: 300 }],
        out: null,
      },
    ],
    [
      "n4",
      {
        adapter: "cache",
        verb: "set",
        args: [str("rates"), str("eur"), { k: "num", v: 1 }, { k: "num", v: 60 }],
        out: null,
      },
    ],
    ["n5", { adapter: "queue", verb: "Put", args: [str("mail"), { k: "num", v: 1 }], out: null }],
    [
      "n6",
      {
        adapter: "txn",
        verb: "begin",
        args: [
          str("pay"),
          {
            k: "map",
            entries: [
              ["resource", str("sqlite")],
              ["mode", str("immediate")],
            ],
          },
        ],
        out: "_txid",
      },
    ],
    ["n7", { adapter: "txn", verb: "begin", args: [str("plain")], out: "_txid" }],
    ["n8", { adapter: "txn", verb: "commit", args: [str("pay")], out: null }],
    [
      "n9",
      {
        adapter: "auth",
        verb: "enforce",
        args: [
          str("admins"),
          {
            k: "map",
            entries: [
              ["role", str("admin")],
              ["auth", str("true")],
            ],
          },
          {
            k: "map",
            entries: [
              ["auth_present", { k: "var", v: "_auth_present" }],
              ["role", { k: "var", v: "_role" }],
            ],
          },
        ],
        out: null,
      },
    ],
  ])("%s", (id, expected) => {
    expect(dataOf(ir, "1", id)).toEqual(expected);
  });

  it("reports names that are not declared", () => {
    const source = lines("L1:", '  CacheGet c "k"', "  QueuePut q 1", "  Tx begin t", "  Enf p", "  J data");
    const result = compileText(source);
    expect(reported(result)).toEqual(["WF3007 2:12", "WF3008 3:12", "WF3009 4:12", "WF3010 5:7"]);
    expect(result.diagnostics.map(({ fix }) => fix?.edits[0]?.new_text ?? null)).toEqual([
      null,
      "Q q\n",
      "Txn t\n",
      null,
    ]);
    expect(compileText(source, loose).ok).toBe(true);
  });
});
