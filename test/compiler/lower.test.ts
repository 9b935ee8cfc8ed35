/** Lowering: operands by slot class, node data, numbering, edges, references, declarations, entry. */
import { describe, expect, it } from "vitest";
import { compileText, dataOf, edgesOf, irOf, lines, reported } from "./compiling.ts";

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

describe("edges", () => {
  it("chains steps and ends the chain at steps that end the label", () => {
    const ir = irOf(lines("L1:", "  Set a 1", "  If a ->L2 ->L3", "  Err ->L3", "L2:", "  J 1", "L3:", "  J 2"));
    expect(edgesOf(ir, "1")).toEqual([
      "n1 -next-> n2",
      "n2 -else-> 3",
      "n2 -err-> n3",
      "n2 -then-> 2",
      "n3 -handler-> 3",
    ]);
  });

  it("attaches Err and Retry to the nearest step above, whatever their order", () => {
    const ir = irOf(lines("L1:", "  R core.ADD 1 2 ->a", "  Err ->L2", "  Retry 2", "  J a", "L2:", "  J 1"));
    expect(edgesOf(ir, "1")).toEqual([
      "n1 -err-> n2",
      "n1 -next-> n2",
      "n1 -retry-> n3",
      "n2 -handler-> 2",
      "n2 -next-> n3",
      "n3 -next-> n4",
    ]);
  });

  it("attaches by node number, counted over all steps", () => {
    const ir = irOf(
      lines(
        "L1:",
        "  R core.ADD 1 2 ->a",
        "  Retry 1",
        "  R core.ADD a 2 ->b",
        "  Err @n1 ->L2",
        "  J b",
        "L2:",
        "  J 1",
      ),
    );
    expect(edgesOf(ir, "1")).toContain("n1 -err-> n4");
    expect(edgesOf(ir, "1")).not.toContain("n3 -err-> n4");
  });

  it("refuses numbers of later steps and of Err or Retry", () => {
    const source = (node: string) =>
      lines("L1:", "  R core.ADD 1 2 ->a", "  Retry 1", `  Err ${node} ->L2`, "  J a", "L2:", "  J 1");
    for (const node of ["@n2", "@n3", "@n4", "@n9", "@n0"]) {
      expect(reported(compileText(source(node), loose)), node).toContain("WF3002 4:7");
    }
  });

  it("reports a second handler and a Retry with nothing above", () => {
    const result = compileText(
      lines(
        "L1:",
        "  Retry 2",
        "  R core.ADD 1 2 ->a",
        "  Err ->L2",
        "  Err ->L2",
        "  Retry",
        "  Retry 2",
        "  J a",
        "L2:",
        "  J 1",
      ),
    );
    expect(reported(result)).toEqual(["WF9024 2:3", "WF9023 5:3", "WF9023 7:3"]);
    expect(result.diagnostics.find(({ code }) => code === "WF9023")?.message).toBe(
      "'Err' on n2 is ignored: line 4 protects it",
    );
  });

  it("lets a bare Err with nothing above be the active handler only", () => {
    const ir = irOf(lines("L1:", "  Err ->L2", "  R core.ADD 1 2 ->a", "  J a", "L2:", "  J 1"));
    expect(edgesOf(ir, "1")).toEqual(["n1 -handler-> 2", "n1 -next-> n2", "n2 -next-> n3"]);
  });
});

describe("labels and references", () => {
  it.each(["->L2", "L2", "2", "->2", "L2:", "->L2:"])("%s is label 2", (ref) => {
    expect(edgesOf(irOf(lines("L1:", `  Call ${ref} ->v`, "  J v", "L2:", "  J 1")), "1")[0]).toBe("n1 -call-> 2");
  });

  it("prefers the id without L", () => {
    const ir = irOf(lines("L1:", "  If true ->LLATE ->LATE", "LLATE:", "  J 1", "LATE:", "  J 2"));
    expect(edgesOf(ir, "1")).toEqual(["n1 -else-> ATE", "n1 -then-> LATE"]);
  });

  it("reports a missing label with the nearest one and keeps the edge in non-strict mode", () => {
    const source = lines("L1:", "  Call ->L_donw ->v", "  J v", "L_down:", "  J 1");
    const result = compileText(source);
    expect(reported(result)).toEqual(["WF3001 2:8"]);
    expect(result.diagnostics[0]?.fix?.edits[0]?.new_text).toBe("->L_down");
    const ir = irOf(source, loose);
    expect(edgesOf(ir, "1")[0]).toBe("n1 -call-> _donw");
    expect(Object.keys(ir.labels)).toEqual(["1", "_down"]);
  });

  it("reports an empty reference", () => {
    expect(reported(compileText(lines("L1:", "  Call ->L ->v", "  J v")))).toEqual(["WF3004 2:8"]);
  });

  it("joins the bodies of a label that is declared twice", () => {
    const source = lines("L1:", "  Set a 1", "L2:", "  J 2", "L1:", "  J a");
    expect(reported(compileText(source))).toContain("WF2005 5:1");
    const ir = irOf(source, loose);
    expect(ir.nodes.map(({ label, id, op }) => `${label}.${id} ${op}`)).toEqual(["1.n1 Set", "1.n2 J", "2.n1 J"]);
  });

  it("keeps labels without steps and ids that are names of object members", () => {
    const ir = irOf(lines("L__proto__:", "  J 1", "Lconstructor:", "L3:"), loose);
    expect(Object.keys(ir.labels)).toEqual(
      ["3", "__proto__", "constructor"].sort((a, b) => (a === "3" ? -1 : b === "3" ? 1 : 0)),
    );
    expect(ir.labels["3"]).toEqual({ entry: null, exits: [] });
    expect(ir.entry).toBe("__proto__");
  });
});

describe("declarations", () => {
  it("lowers endpoints", () => {
    const ir = irOf(
      lines(
        "S core web /api",
        'E /a G ->L_a ->rows A[Order] "all of them"',
        'E /b patch ->L_a "no result name"',
        "L_a:",
        "  Set rows []",
        "  J rows",
      ),
    );
    expect(ir.endpoints).toEqual([
      {
        method: "GET",
        path: "/a",
        label: "_a",
        returns: "rows",
        type: "A[Order]",
        description: "all of them",
        line: 2,
      },
      { method: "PATCH", path: "/b", label: "_a", returns: null, type: null, description: "no result name", line: 3 },
    ]);
    expect(ir.declarations).toEqual([{ op: "S", slots: ["core", "web", "/api"], line: 1 }]);
  });

  it("reports repeated endpoints, odd targets and missing labels", () => {
    const result = compileText(
      lines("S c web /", "E /a G ->L1", "E /a GET ->L1", "E /b G 1", "E /c G ->L9", "L1:", "  J 1"),
    );
    expect(reported(result)).toEqual(["WF3005 3:1", "WF3003 4:8", "WF3001 5:8"]);
    expect(result.diagnostics[1]?.fix?.edits[0]?.new_text).toBe("->L1");
  });

  it.each(["*/5 * * * *", "0 2 1-7 jan,feb mon-fri", "@hourly", "0-30/10 0 ? * 7"])(
    "accepts the schedule %s",
    (expr) => {
      expect(reported(compileText(lines(`Cr L1 ${expr}`, `S s cron "${expr}"`, "L1:", "  J 1")))).toEqual([]);
    },
  );

  it.each(["* * * *", "61 * * * *", "@often", "a b c d e", "5-1 * * * *", "*/0 * * * *"])(
    "warns of the schedule %s",
    (expr) => {
      expect(reported(compileText(lines(`Cr L1 ${expr}`, "L1:", "  J 1")))).toEqual(["WF3021 1:7"]);
    },
  );

  it("reports labels of Cr and Tst that do not exist", () => {
    expect(reported(compileText(lines("Cr L_nigthly @daily", "Tst L7", "L_nightly:", "  J 1")))).toEqual([
      "WF3020 1:4",
      "WF3020 2:5",
    ]);
  });
});

describe("default entry", () => {
  it.each([
    ["the first label", lines("L_b:", "  J 1", "L1:", "  J 2"), "_b"],
    ["not the anonymous label", lines("R core.NOW ->t", "L1:", "  J 2"), "1"],
    ["the anonymous label when there is no other", lines("J 5"), "_anon"],
    ["nothing", lines("S a core noop"), null],
  ])("is %s", (_, source, entry) => {
    expect(irOf(source, loose).entry).toBe(entry);
  });

  it("says so when readers may expect another one", () => {
    const codes = (source: string) => compileText(source).diagnostics.map(({ code }) => code);
    expect(codes(lines("L_b:", "  J 1", "L1:", "  J 2"))).toContain("WF9027");
    expect(codes(lines("S a web /", "E /x G ->L2", "L1:", "  J 1", "L2:", "  J 2"))).toContain("WF9027");
    expect(codes(lines("L1:", "  Call L2 ->v", "  J v", "L2:", "  J 2"))).not.toContain("WF9027");
    expect(codes("")).toEqual(["WF9015"]);
  });
});
