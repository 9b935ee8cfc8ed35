/** Lowering, what links steps: edges, labels and references, declarations, the default entry. */
import { describe, expect, it } from "vitest";
import { compileText, edgesOf, irOf, lines, reported } from "../compiling.ts";

const loose = { strict: false } as const;

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
    const ir = irOf(lines("LtoString:", "  J 1", "LhasOwnProperty:", "L3:"), loose);
    expect(Object.keys(ir.labels)).toEqual(["3", "toString", "hasOwnProperty"]);
    expect(ir.labels["3"]).toEqual({ entry: null, exits: [] });
    expect(ir.entry).toBe("toString");
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

  it.each(["* * * *", "61 * * * *", "@often", "a b c d e", "5-1 * * * *", "*/0 * * * *", "0 0 31 2 *"])(
    "refuses the schedule %s",
    (expr) => {
      expect(reported(compileText(lines(`Cr L1 ${expr}`, "L1:", "  J 1")))).toEqual(["WF3021 1:7"]);
    },
  );

  it("reports words of a policy that are not constraints", () => {
    expect(reported(compileText(lines("Pol p auth role=x", "L1:", "  Enf p", "  J 1")))).toEqual(["WF9001 1:7"]);
  });

  it("makes no node of a step with an invalid name", () => {
    const ir = irOf(lines("L1:", "  Set a-b 1", "  Loop [] it: L1 L1", "  J 1"), loose);
    expect(ir.nodes.map(({ id, op }) => `${id} ${op}`)).toEqual(["n1 J"]);
  });

  it("reports labels of Cr and Tst that do not exist", () => {
    expect(reported(compileText(lines("Cr L_nigthly @daily", "Tst L7", "L_nightly:", "  J 1")))).toEqual([
      "WF3020 1:4",
      "WF3020 2:5",
    ]);
  });

  it.each([
    ['Cr "*/5 * * * *" ->L1', 'Cr L1 "*/5 * * * *"'],
    ["Cr 0 2 * * * =>L1", "Cr L1 0 2 * * *"],
  ])("says of %s that the label stands first", (line, better) => {
    const result = compileText(lines(line, "L1:", "  J 1"));
    expect(reported(result)).toEqual(["WF3020 1:4"]);
    const [found] = result.diagnostics;
    expect(found?.suggestion).toBe(`the label stands first: write ${better}`);
    expect(found?.fix?.edits.map(({ new_text }) => `Cr ${new_text}`)).toEqual([better]);
  });
});

describe("default entry", () => {
  it.each([
    ["the first label", lines("L_b:", "  J 1", "L1:", "  J 2"), "_b"],
    ["not the anonymous label", lines("R core.NOW ->t", "L1:", "  J 2"), "1"],
    ["the anonymous label when it is the only one", lines("J 5"), "_anon"],
    ["nothing", lines("S a core noop"), null],
  ])("is %s", (_, source, entry) => {
    expect(irOf(source, loose).entry).toBe(entry);
  });

  it("is reported when readers may expect another one", () => {
    const codes = (source: string) => compileText(source).diagnostics.map(({ code }) => code);
    expect(codes(lines("L_b:", "  J 1", "L1:", "  J 2"))).toContain("WF9027");
    expect(codes(lines("S a web /", "E /x G ->L2", "L1:", "  J 1", "L2:", "  J 2"))).toContain("WF9027");
    expect(codes(lines("L1:", "  Call L2 ->v", "  J v", "L2:", "  J 2"))).not.toContain("WF9027");
    expect(codes("")).toEqual(["WF9015"]);
  });
});
