/** The statements of the contract about the language: lines, operands, conditions. One test or more per statement. */
import { describe, expect, it } from "vitest";
import { verifies } from "../support/requirements.ts";
import { compiled, errorsOf, findingsOf, irOf, out, run, verdict, world } from "../support/world.ts";

const lines = (...text: string[]): string => `${text.join("\n")}\n`;

describe("lines", () => {
  const program = lines("S app api /api", "L1:", "R core.ADD 2 3 ->x", "J x");

  it("S, label, R and J make a program", async () => {
    verifies("language.line-kinds");
    expect(compiled(program).diagnostics.filter((finding) => finding.severity === "error")).toEqual([]);
    expect(await out(program)).toBe(5);
  });

  it("S declares name, kind and path", () => {
    verifies("language.s-line");
    expect(irOf(program).declarations).toEqual([{ op: "S", slots: ["app", "api", "/api"], line: 1 }]);
    expect(errorsOf(lines("S app", "L1:", "J 1"))).toEqual(["1 WF2004"]);
  });

  it("a label line is L, id and colon", async () => {
    verifies("language.label-line");
    const ir = irOf(lines("L1:", "Call L_two ->v", "J v", "L_two:", "J 2"));
    expect(Object.keys(ir.labels).sort()).toEqual(["1", "_two"]);
    expect(errorsOf(lines("1:", "J 1"))).toContain("1 WF2006");
    expect(await out(lines("L1:", "J 1", "LX9:", "J 9"), { label: "LX9" })).toBe(9);
  });

  it("R calls the verb with its arguments and binds the result", async () => {
    verifies("language.r-line");
    const seen: unknown[] = [];
    const place = world({ ext: { RUN: (args) => seen.push(args) && { got: args.length } } });
    const source = lines("L1:", '  Set a "one"', "  R ext.RUN a 2 $a [3] ->x", "  J x");
    expect(await out(source, { in: place })).toEqual({ got: 4 });
    expect(seen).toEqual([["one", 2, "one", [3]]]);
  });

  it("J gives the value of a variable as the label's result", async () => {
    verifies("language.j-line");
    expect(await out(lines("L1:", '  Set x {"k": [1]}', "  J x"))).toEqual({ k: [1] });
    expect(await out(lines("L1:", "  Call L2 ->y", '  J {"y": y}', "L2:", "  Set x 7", "  J x"))).toEqual({ y: 7 });
  });

  it("a step on the label line is the same node as one in a block", async () => {
    verifies("language.inline-block-same");
    const data = (source: string) => irOf(source).nodes.map(({ id, label, op, data }) => ({ id, label, op, data }));
    const inline = lines('L1: Set a "If" R core.CONCAT a " x" ->b If b="If x" ->L2 ->L3', "L2: J b", "L3: J 0");
    const block = lines(
      "L1:",
      'Set a "If"',
      'R core.CONCAT a " x" ->b',
      'If b="If x" ->L2 ->L3',
      "L2:",
      "J b",
      "L3:",
      "J 0",
    );
    expect(data(inline)).toEqual(data(block));
    expect(await out(inline)).toBe("If x");
    expect(errorsOf(lines("L1: Set a"))).toEqual(["1 WF2004"]);
    expect(errorsOf(lines("L1:", "Set a"))).toEqual(["2 WF2004"]);
  });

  it("ForEach is Loop and Filter is Filt, inline and in a block", async () => {
    verifies("language.aliases");
    const rows = [{ k: 1 }, { k: 2 }];
    for (const gap of [" ", "\n  "]) {
      const source = `L1:${gap}Filter two rows k == 2${gap}ForEach two r ->L2 ->L3\nL2:\n  J r\nL3:\n  J _loop_last\n`;
      expect(
        irOf(source, { inputs: ["rows"] })
          .nodes.slice(0, 2)
          .map((node) => node.op),
      ).toEqual(["Filt", "Loop"]);
      expect(await out(source, { frame: { rows } })).toEqual({ k: 2 });
    }
  });

  it("an include below other lines at top level counts", async () => {
    verifies("language.late-include");
    const files = { "m.wf": lines("LENTRY:", "  J 4", "LEXIT_OK:", "  J 1") };
    const source = lines("S app api /api", "Q mail", 'include "m.wf" as m', "L1:", "  Call m/ENTRY ->x", "  J x");
    expect(await out(source, { files })).toBe(4);
    const below = lines("L1:", "  Call m/ENTRY ->x", "  J x", 'include "m.wf" as m');
    expect(await out(below, { files, strict: false })).toBe(4);
  });

  it("carriage returns and a byte order mark change nothing", async () => {
    verifies("language.crlf-bom");
    const plain = lines("# frame: n", "L1:", "  If n > 1 ->L2 ->L3", "L2:", '  J "a b"', "L3:", "  J n");
    const odd = `\uFEFF${plain.replaceAll("\n", "\r\n")}`;
    expect(irOf(odd).checksum).toBe(irOf(plain).checksum);
    expect(irOf(odd).nodes).toEqual(irOf(plain).nodes);
    expect(await out(odd, { frame: { n: 2 } })).toBe("a b");
  });

  it("an unterminated string is a finding with line and column in both modes", () => {
    verifies("language.unterminated-string");
    const source = lines("L1:", '  Set a "open', "  J a");
    for (const strict of [true, false]) {
      const result = compiled(source, { strict });
      const found = result.diagnostics.find((finding) => finding.code === "WF1001");
      expect(found).toMatchObject({ severity: "error", span: { line: 2, column: 9 } });
      expect(result.ir).toBeNull();
    }
  });

  it("every finding and every node has the line of the text as written", () => {
    verifies("language.positions");
    const source = lines(
      "",
      "# a comment",
      "L1: Set a 1",
      "",
      "  Set b [",
      "    2,",
      "    3",
      "  ]",
      "  R ext.RUN a b ->c  # note",
      "  J c",
    );
    expect(irOf(source).nodes.map((node) => node.line)).toEqual([3, 5, 9, 10]);
    const faulty = compiled(source.replace("J c", "J nowhere")).diagnostics.filter((one) => one.severity === "error");
    expect(faulty.map(({ span }) => [span?.line, span?.column])).toEqual([[10, 5]]);
    const files = { "m.wf": lines("LENTRY:", "", "  J 4", "LEXIT_OK:", "  J 1") };
    const nodes = irOf(lines('include "m.wf" as m', "L1:", "  Call m/ENTRY ->x", "  J x"), { files }).nodes;
    expect(nodes.find((node) => node.label === "m/ENTRY")).toMatchObject({ line: 3, file: "m.wf" });
  });
});

describe("operands", () => {
  it("quoted text is always that text", async () => {
    verifies("language.operand.quoted");
    const source = lines("L1:", "  Set x 1", '  J ["x", "$x", "7", "true", "null", \'x\', "x.a"]');
    expect(await out(source)).toEqual(["x", "$x", "7", "true", "null", "x", "x.a"]);
    expect(await out(lines("L1:", '  Set t "5"', "  X k type t", "  J k"))).toBe("string");
  });

  it("$x reads the variable and is null when unset", async () => {
    verifies("language.operand.dollar");
    const source = lines("# frame: x", "L1:", "  J [$x, $x.a]");
    expect(await out(source, { frame: { x: { a: 3 } } })).toEqual([{ a: 3 }, 3]);
    expect(await out(source)).toEqual([null, null]);
  });

  it("numbers, true, false and null are constants whatever the frame holds", async () => {
    verifies("language.operand.literals");
    const frame = { "5": "five", true: "yes", false: "no", null: "none", "-1.5": "minus" };
    expect(await out(lines("L1:", "  J [5, true, false, null, -1.5, 2e3, .5]"), { frame })).toEqual([
      5,
      true,
      false,
      null,
      -1.5,
      2000,
      0.5,
    ]);
  });

  it("paths read into objects and lists, and a missing part is null", async () => {
    verifies("language.operand.path");
    const frame = { a: { b: [{ c: 1 }, 2], "two words": 3 } };
    const source = lines("L1:", '  J [a.b[0], a.b[0].c, a.b.1, a["two words"], a.b[9], a.no.thing, a.b[0].c.d]');
    expect(await out(source, { frame })).toEqual([{ c: 1 }, 1, 2, 3, null, null, null]);
  });

  it("list and object literals nest, in R, J, Set and X", async () => {
    verifies("language.operand.list-object");
    const place = world({ ext: { ECHO: (args) => args[0] } });
    const source = lines(
      "L1:",
      "  Set n 2",
      '  Set s {"a": [1, {"b": [n, []]}], "c": {}}',
      '  R ext.ECHO [{"s": s.a}, [[n]]] ->r',
      '  X x push [n, {"k": n}] {"deep": [{"er": n}]}',
      '  J {"s": s, "r": r, "x": x}',
    );
    expect(await out(source, { in: place })).toEqual({
      s: { a: [1, { b: [2, []] }], c: {} },
      r: [{ s: [1, { b: [2, []] }] }, [[2]]],
      x: [2, { k: 2 }, { deep: [{ er: 2 }] }],
    });
    const deep = "[".repeat(60) + "]".repeat(60);
    let value: unknown = await out(lines("L1:", `  J ${deep}`));
    let depth = 0;
    for (; Array.isArray(value); value = value[0]) depth += 1;
    expect(depth).toBe(60);
  });

  it("a nested call is an operand everywhere and no adapter call", async () => {
    verifies("language.operand.nested-call");
    const source = lines(
      "L1:",
      "  Set n (mul 2 (add 1 2))",
      "  X m add n (sub 10 n)",
      "  R core.ADD (mul n 2) m ->r",
      "  If (gt r (add n m)) ->L2 ->L4",
      "L2:",
      "  While (lt n 9) ->L3 ->L5",
      "L3:",
      "  X n add n 1",
      "  J n",
      "L4:",
      "  J 0",
      "L5:",
      "  J [n, m, r]",
    );
    const answer = await run(source);
    expect(answer).toMatchObject({ ok: true, out: [9, 10, 22], usage: { adapter_calls: 1, steps: 12 } });
  });

  it("a bare word is the variable when set, else its own text", async () => {
    verifies("language.operand.bare");
    const source = lines("# frame: x", "L1:", "  J [x, /orders, a-b, k=v]");
    expect(await out(source, { frame: { x: null } })).toEqual([null, "/orders", "a-b", "k=v"]);
    expect(await out(lines("L1:", "  J x"), { strict: false })).toBe("x");
    expect(await out(lines("L1:", "  J x"), { strict: false, frame: { x: 1 } })).toBe(1);
  });

  it("strict: an undefined bare word is an error that names word and line", () => {
    verifies("language.strict.undefined-bare");
    const found = compiled(lines("L1:", "  Set a 1", "  J pelican")).diagnostics.filter(
      (one) => one.severity === "error",
    );
    expect(found).toMatchObject([{ code: "WF4001", span: { line: 3, column: 5 } }]);
    expect(found[0]?.message).toContain("pelican");
    expect(errorsOf(lines("L1:", "  J pelican"), { strict: false })).toEqual([]);
  });

  it("a frame comment declares an input", async () => {
    verifies("language.frame-declaration");
    expect(errorsOf(lines("L1:", "  J amount"))).toEqual(["2 WF4001"]);
    for (const comment of [
      "# frame: amount",
      "# frame: amount: number",
      "#frame:amount:number",
      "# frame: other, amount: number",
    ]) {
      expect(errorsOf(lines(comment, "L1:", "  J amount"))).toEqual([]);
    }
    expect(await out(lines("# frame: amount: number", "L1:", "  J amount"), { frame: { amount: 4 } })).toBe(4);
  });
});

describe("conditions", () => {
  /** T or F for `If <condition>` with the given frame. */
  const holds = (condition: string, frame: Readonly<Record<string, never>> | Record<string, unknown> = {}) =>
    verdict(lines("# frame: x, y, mode", "L1:", `  If ${condition} ->L2 ->L3`, "L2:", '  J "T"', "L3:", '  J "F"'), {
      frame: JSON.parse(JSON.stringify(frame)),
    });

  it("one operand is true unless null, false, 0 or empty", async () => {
    verifies("language.condition.truthiness");
    for (const x of [null, false, 0, "", [], {}]) expect([x, await holds("x", { x })]).toEqual([x, "F"]);
    for (const x of [true, 1, -1, "0", "false", " ", [0], { a: null }])
      expect([x, await holds("x", { x })]).toEqual([x, "T"]);
  });

  it("name? is true when set and not null", async () => {
    verifies("language.condition.presence");
    expect(await holds("x?")).toBe("F");
    expect(await holds("x?", { x: null })).toBe("F");
    for (const x of [false, 0, "", []]) expect(await holds("x?", { x })).toBe("T");
    expect(await holds("x.id?", { x: { id: 0 } })).toBe("T");
    expect(await holds("x.id?", { x: {} })).toBe("F");
  });

  it("a=b compares texts", async () => {
    verifies("language.condition.equals");
    expect(await holds("x=1.0", { x: 1 })).toBe("T");
    expect(await holds("x=1", { x: "1" })).toBe("T");
    expect(await holds("x=null", { x: null })).toBe("T");
    expect(await holds("mode=fast", { mode: "fast" })).toBe("T");
    expect(await holds("mode=fast", { mode: "slow" })).toBe("F");
    expect(await holds("x=y", { x: [1, "a"], y: [1, "a"] })).toBe("T");
  });

  it("infix comparisons work between two operands of If and While", async () => {
    verifies("language.condition.infix");
    const table: [string, string, string][] = [
      ["==", "T", "F"],
      ["!=", "F", "T"],
      ["<", "F", "T"],
      ["<=", "T", "T"],
      [">", "F", "F"],
      [">=", "T", "F"],
    ];
    for (const [op, same, less] of table) {
      expect([op, await holds(`x ${op} y`, { x: 2, y: 2 })]).toEqual([op, same]);
      expect([op, await holds(`x ${op} y`, { x: 2, y: 10 })]).toEqual([op, less]);
      expect([op, await holds(`x${op}y`, { x: 2, y: 10 })]).toEqual([op, less]);
    }
    expect(await holds("x == y", { x: 1, y: true })).toBe("F");
    expect(await holds("x == y", { x: { a: 1, b: 2 }, y: { b: 2, a: 1 } })).toBe("T");
    const count = lines("L1:", "  Set i 0", "  While i < 3 ->L2 ->L3", "L2:", "  X i add i 1", "  J i", "L3:", "  J i");
    expect(await out(count)).toBe(3);
    expect(await out(count.replace("i < 3", "i != 4"))).toBe(4);
  });

  it("not negates every form", async () => {
    verifies("language.condition.not");
    expect(await holds("not x", { x: 0 })).toBe("T");
    expect(await holds("!x", { x: 1 })).toBe("F");
    expect(await holds("not x?")).toBe("T");
    expect(await holds("not x > 3", { x: 5 })).toBe("F");
    expect(await holds("not mode=fast", { mode: "slow" })).toBe("T");
    expect(await holds("not (eq x 1)", { x: 2 })).toBe("T");
  });

  it("an absent bare name is null, hence false", async () => {
    verifies("language.condition.absent");
    expect(await holds("x")).toBe("F");
    expect(await holds("x == null")).toBe("T");
    expect(await holds("x=null")).toBe("T");
    const source = lines("L1:", "  If ghost ->L2 ->L3", "L2:", "  J 1", "L3:", "  J 0");
    expect(await out(source, { strict: false })).toBe(0);
  });
});

describe("predecessor", () => {
  it("its programs compile and have their evident meaning", async () => {
    verifies("language.predecessor-programs");
    const shop = lines(
      "S core web /api",
      "D Order id:I total:F",
      "E /orders G ->L1 ->orders",
      "L1: R db.F Order * ->orders J orders",
    );
    expect(errorsOf(shop)).toEqual([]);
    const place = world({ db: { F: (args) => [{ asked: args }] } });
    expect(await out(shop, { in: place })).toEqual([{ asked: ["Order", "*"] }]);
    const retry = lines("L1:", "  R ext.OP 1 ->x", "  Retry @n1 2 0", "  Err @n1 ->L9", "  J x", "L9:", "  J _error");
    let failures = 2;
    const flaky = world({
      ext: {
        OP: () => {
          failures -= 1;
          if (failures >= 0) throw new Error("flaky");
          return "fine";
        },
      },
    });
    expect(await out(retry, { in: flaky })).toBe("fine");
    const legacy = lines(
      "L1:",
      "  R core ADD 2 3 ->x",
      "  Set y (mul x 2)",
      "  If y=10 ->L2 ->L3",
      "L2: J y",
      "L3: J 0",
    );
    expect(await out(legacy)).toBe(10);
  });

  it("words tied to products are unknown words", () => {
    verifies("language.vendor-ops");
    for (const word of ["memory.merge", "persona.update", "Ret", "END"]) {
      expect([word, errorsOf(lines("L1:", `  ${word} a b`, "  J 1"))]).toEqual([word, ["2 WF2001"]]);
    }
  });
});

describe("modes", () => {
  it("strict: an unknown op word is an error, dotted or not", () => {
    verifies("language.strict.unknown-word");
    expect(errorsOf(lines("Frobnicate a", "L1:", "  J 1"))).toEqual(["1 WF2001"]);
    expect(errorsOf(lines("zoo.Feed a", "L1:", "  J 1"))).toEqual(["1 WF2001"]);
    expect(errorsOf(lines("L1:", "  frob 1", "  J 1"))).toEqual(["2 WF2001"]);
  });

  it("loose: an unknown word warns, is skipped and leaves the label open", async () => {
    verifies("language.loose.unknown-word");
    const source = lines("L1:", "  Set a 1", "  frob a", "  X a add a 1", "  J a");
    expect(errorsOf(source, { strict: false })).toEqual([]);
    expect(findingsOf(source, { strict: false }, "warning")).toEqual(["3 WF2001"]);
    expect(await out(source, { strict: false })).toBe(2);
  });

  it("strict: undefined reads in R, X, Loop and While are errors like those in J and Set", () => {
    verifies("language.strict.operand-reads");
    const tail = ["L2:", "  J 1"];
    const steps = ["R ext.ECHO gone ->r", "X r add gone 1", "Set r gone", "Filt r gone k == 1", "Sort r gone k"];
    for (const step of steps)
      expect([step, errorsOf(lines("L1:", `  ${step}`, "  J r"))]).toEqual([step, ["2 WF4001"]]);
    for (const step of [
      "Loop gone i ->L2 ->L2",
      "While gone ->L2 ->L2",
      "While gone < 3 ->L2 ->L2",
      "If gone ->L2 ->L2",
      "J gone",
    ]) {
      expect([step, errorsOf(lines("L1:", `  ${step}`, ...tail))]).toEqual([step, ["2 WF4001"]]);
    }
  });

  it("strict: steps after J, If, Loop and While are errors", () => {
    verifies("language.strict.unreachable");
    const ends = ["J xs", "If xs ->L2 ->L2", "Loop xs i ->L2 ->L2", "While xs ->L2 ->L2"];
    for (const end of ends) {
      const source = lines("# frame: xs", "L1:", `  ${end}`, "  Set a 1", "L2:", "  J 1");
      expect([end, errorsOf(source)]).toEqual([end, ["4 WF2009"]]);
      expect([end, errorsOf(source, { strict: false })]).toEqual([end, []]);
    }
  });

  it("strict: an endpoint's label may end in If, Loop or While", () => {
    verifies("language.strict.endpoint-if");
    for (const end of ["If xs ->L2 ->L2", "Loop xs i ->L2 ->L2", "While xs ->L2 ->L2"]) {
      expect([end, errorsOf(lines("# frame: xs", "E /x G ->L1", "L1:", `  ${end}`, "L2:", "  J 1"))]).toEqual([
        end,
        [],
      ]);
    }
    expect(errorsOf(lines("E /x G ->L1", "L1:", "  Set a 1"))).toEqual(["2 WF2011"]);
  });

  it("strict: what a called label defines counts as defined after the Call", () => {
    verifies("language.strict.callee-definitions");
    const source = lines(
      "# frame: c",
      "L1:",
      "  Call L2",
      "  J v",
      "L2:",
      "  If c ->L3 ->L4",
      "L3:",
      "  Set v 1",
      "  J v",
      "L4:",
      "  Set v 2",
      "  J v",
    );
    expect(errorsOf(source)).toEqual([]);
    expect(errorsOf(source.replace("J v", "J w"))).toEqual(["4 WF4001"]);
  });

  it("strict: a handler may have effects its label lacks", () => {
    verifies("language.strict.handler-effects");
    const source = lines(
      "# frame: a",
      "L1:",
      "  X q div 1 a",
      "  Err ->L9",
      "  J q",
      "L9:",
      '  R http.Get "https://a.example/" ->p',
      "  J p",
    );
    expect(errorsOf(source)).toEqual([]);
  });
});

describe("declarations and entry", () => {
  it("only S, E, Q, C, Pol, Txn, Cr and D change what is checked or run", () => {
    verifies("language.declarations.meaning");
    expect(errorsOf(lines("L1:", "  QueuePut mail 1", "  J 1"))).toEqual(["2 WF3008"]);
    expect(errorsOf(lines("Q mail", "L1:", "  QueuePut mail 1", "  J 1"))).toEqual([]);
    expect(errorsOf(lines("L1:", '  CacheGet c "k" ->v', "  J v"))).toEqual(["2 WF3007"]);
    expect(errorsOf(lines("C c key 60", "L1:", '  CacheGet c "k" ->v', "  J v"))).toEqual([]);
    expect(errorsOf(lines("L1:", "  Enf p", "  J 1"))).toEqual(["2 WF3010"]);
    expect(errorsOf(lines("Pol p auth=true", "L1:", "  Enf p", "  J 1"))).toEqual([]);
    expect(errorsOf(lines("L1:", "  Tx begin t", "  J 1"))).toEqual(["2 WF3009"]);
    expect(errorsOf(lines("Txn t", "L1:", "  Tx begin t", "  J 1"))).toEqual([]);
    expect(errorsOf(lines("Cr L7 * * * * *", "L1:", "  J 1"))).toEqual(["1 WF3020"]);
    expect(errorsOf(lines("E /x G ->L7", "L1:", "  J 1"))).toEqual(["1 WF3001"]);
    const body = ["L1:", "  J 1"];
    const meaning = irOf(lines(...body));
    for (const other of ["Ver 1.2", "Desc hello there", "Role admin", "Tok a b"]) {
      const result = compiled(lines(other, ...body), { strict: false });
      expect([other, result.ir?.checksum]).toEqual([other, meaning.checksum]);
    }
  });

  it("the default entry is the main file's first label, else the first endpoint's target, else the anonymous steps", async () => {
    verifies("language.default-entry");
    expect(await out(lines("S a api /a", "E /x G ->L8", "L_b:", "  J 1", "L8:", "  J 8", "L1:", "  J 3"))).toBe(1);
    const files = {
      "m.wf": lines("LENTRY:", '  J "module"', "LEXIT_OK:", "  J 1"),
      "n.wf": lines("LENTRY:", '  J "other"', "LEXIT_OK:", "  J 1"),
    };
    const included = ['include "m.wf" as m', 'include "n.wf" as n'];
    expect(await out(lines(...included, "L5:", '  J "main"'), { files })).toBe("main");
    expect(await out(lines(...included, "E /n G ->n/ENTRY"), { files })).toBe("other");
    expect(await out(lines('Set x "top"', "J x"), { strict: false })).toBe("top");
  });
});
