/** Defined before use: what counts as possibly set, and what is said about the rest. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { diagnose, found } from "../found.ts";
import { includeFiles } from "../lower/include-files.ts";
import { testCatalog } from "../test-catalog.ts";

const codes = ["WF4001", "WF4002", "WF9008"];
const CALL_HTTP = 'R http.GET "https://example.com/"';

describe("names that count as set", () => {
  it.each([
    ["inputs", "# frame: a\nL1:\n  J a"],
    ["predefined names", "L1:\n  J [_error, _error_info, _role, _auth_present, _txid, _call_result, _loop_last]"],
    ["the step's own result", "L1:\n  Set x x\n  X n add n 1\n  J [x, n]"],
    ["what an earlier step set", `L1:\n  ${CALL_HTTP} ->page\n  J page`],
    ["the default result", `L1:\n  ${CALL_HTTP}\n  J res`],
    ["what was set before a branch", "L1:\n  Set a 1\n  If true ->L2\nL2:\n  J a"],
    [
      "what one of two branches sets",
      "L1:\n  If true ->L2 ->L3\nL2:\n  Set a 1\n  If true ->L4\nL3:\n  J 0\nL4:\n  J a",
    ],
    ["what a callee sets", "L1:\n  Call L2 ->v\n  J a\nL2:\n  Set a 1\n  J 0"],
    ["what a callee's callee sets", "L1:\n  Call L2 ->v\n  J a\nL2:\n  Call L3 ->w\n  J w\nL3:\n  Set a 1\n  J 0"],
    ["arguments of a callee", "L1:\n  Set a 1\n  Call L2 ->v\n  J v\nL2:\n  J a"],
    ["the item after its loop", "L1:\n  Set xs []\n  Loop xs x ->L2 ->L3\nL2:\n  J x\nL3:\n  J x"],
    ["the item in a body", "L1:\n  Set xs []\n  Loop xs x ->L2 ->L3\nL2:\n  J x\nL3:\n  J 1"],
    [
      "the outer item after an inner loop",
      "L1:\n  Set xs []\n  Loop xs x ->L2 ->L5\nL2:\n  Loop xs y ->L3 ->L4\nL3:\n  J y\nL4:\n  J x\nL5:\n  J 1",
    ],
    ["what a body sets, after the loop", "L1:\n  Set xs []\n  Loop xs x ->L2 ->L3\nL2:\n  Set a 1\n  J 1\nL3:\n  J a"],
    [
      "what a body sets, in its next turn",
      "L1:\n  Set go 1\n  While go ->L2 ->L3\nL2:\n  If go ->L4 ->L5\nL4:\n  J a\nL5:\n  Set a 1\n  J 1\nL3:\n  J 1",
    ],
    ["what was set before a failure", `L1:\n  Set a 1\n  ${CALL_HTTP} ->p\n  Err ->L2\n  J p\nL2:\n  J a`],
    ["what a failing callee set", "L1:\n  Call L2 ->v\n  Err ->L3\n  J v\nL2:\n  Set a 1\n  J a\nL3:\n  J a"],
    ["what a failing branch set", "L1:\n  If true ->L2\n  Err ->L3\nL2:\n  Set a 1\n  J a\nL3:\n  J a"],
    ["what later steps of a bare Err set", `L1:\n  Err ->L2\n  Set a 1\n  ${CALL_HTTP} ->p\n  J p\nL2:\n  J a`],
    ["a recursion", "L1:\n  Call L2 ->v\n  J a\nL2:\n  Call L1 ->w\n  Set a 1\n  J w"],
    ["right sides of conditions", "# frame: m\nL1:\n  If m == fast ->L2\nL2:\n  J 1"],
    ["paths of get", "# frame: o\nL1:\n  J (get o a.b)"],
    ["names of steps with an error", "L1:\n  Set a (add 1\n  J a"],
  ])("%s", (_, source) => {
    expect(found(source, codes)).toEqual([]);
  });
});

describe("names that nothing sets", () => {
  it.each([
    ["a bare word", "L1:\n  J ghost", ["2 WF4001"]],
    ["a variable", "L1:\n  Set a $ghost\n  J a", ["2 WF4001"]],
    ["a path", "L1:\n  Set a $ghost.x\n  Set b ghost[0]\n  J [a, b]", ["2 WF4001", "3 WF4001"]],
    ["a dotted word", "L1:\n  J ghost.x", ["2 WF4002"]],
    ["J alone", "L1:\n  J", ["2 WF4001"]],
    ["the subject of a condition", "L1:\n  If ghost ->L2\nL2:\n  J 1", ["2 WF4001"]],
    ["a variable on the right of a condition", "# frame: m\nL1:\n  If m == $ghost ->L2\nL2:\n  J 1", ["3 WF4001"]],
    ["a list", "L1:\n  Loop ghost x ->L2 ->L2\nL2:\n  J 1", ["2 WF4001"]],
    ["what is set later", "L1:\n  Set b a\n  Set a 1\n  J b", ["2 WF4001"]],
    ["what another branch sets", "L1:\n  If true ->L2 ->L3\nL2:\n  Set a 1\n  J a\nL3:\n  J a", ["7 WF4001"]],
    ["what the caller sets after the call", "L1:\n  Call L2 ->v\n  Set a 1\n  J v\nL2:\n  J a", ["6 WF4001"]],
    ["nested in literals and calls", 'L1:\n  J {"a": [(add ghost 1)]}', ["2 WF4001"]],
    ["one finding per name and step", "L1:\n  J [ghost, ghost, $ghost]", ["2 WF4001"]],
  ])("%s", (_, source, expected) => {
    expect(found(source, codes)).toEqual(expected);
  });

  it("are warnings or silent in a non-strict program", () => {
    const [unset] = diagnose("L1:\n  J ghost", { strict: false }).filter(({ code }) => code === "WF4001");
    expect(unset?.severity).toBe("warning");
    expect(found("L1:\n  J ghost.x", codes, { strict: false })).toEqual([]);
  });
});

describe("a word that names a label", () => {
  it("is taken for a jump where J says nothing else", () => {
    expect(found("L1:\n  J _many\nL_many:\n  J 1", codes)).toEqual(["2 WF9008"]);
    expect(found("L1:\n  J L_many\nL_many:\n  J 1", codes)).toEqual(["2 WF9008"]);
    expect(found("L1:\n  J [_many]\nL_many:\n  J 1", codes)).toEqual(["2 WF4001"]);
    expect(found("L1:\n  Set _many 1\n  J _many\nL_many:\n  J 1", codes)).toEqual([]);
  });
});

describe("the repair", () => {
  const repair = (source: string) => {
    const [first] = diagnose(source).filter(({ code }) => codes.includes(code));
    return [first?.suggestion, first?.fix?.title, first?.fix?.edits.map(({ new_text }) => new_text)];
  };

  it("quotes text", () => {
    const suggestion = "quote it if it is text, or declare it with '# frame: ghost'";
    expect(repair("L1:\n  J ghost")).toEqual([suggestion, "quote 'ghost'", ['"ghost"']]);
    expect(repair("L1:\n  J [ghost, ghost]")).toEqual([suggestion, "quote 'ghost'", ['"ghost"', '"ghost"']]);
  });

  it("offers a name that is set there, and its line", () => {
    expect(repair("L1:\n  Set total 1\n  J totl")).toEqual([
      "did you mean 'total', set on line 2?",
      "replace with total",
      ["total"],
    ]);
    expect(repair("# frame: total\nL1:\n  J $totl.a")).toEqual([
      "did you mean 'total'?",
      "replace with total",
      ["$total.a"],
    ]);
    expect(repair("L1:\n  J totl\nL2:\n  Set total 1\n  J total")[0]).toMatch(/^quote it/);
  });

  it("names the result of the call above", () => {
    expect(repair("L1:\n  R core.ADD 1 2\n  J sum")).toEqual([
      "name the result: add ->sum on line 2",
      "add ->sum",
      [" ->sum"],
    ]);
    expect(repair("L1:\n  R core.ADD 1 2\n  J [res, sum]")[0]).toMatch(/^quote it/);
  });

  it.each([
    ["later in its label", "L1:\n  Set b count\n  Set count 1\n  J [b, count]", "line 3"],
    ["in another branch", "L1:\n  If true ->L2 ->L3\nL2:\n  Set count 1\n  J count\nL3:\n  J count", "line 4"],
    ["by the result of a call", "L1:\n  J count\nL2:\n  R core.NOW ->count\n  J count", "line 4"],
    ["by a loop", "L1:\n  J count\nL2:\n  Loop [1] count ->L3\nL3:\n  J count", "line 4"],
    ["as the root of a path", "L1:\n  J count.a\nL2:\n  Set count {}\n  J count", "line 4"],
    [
      "though another name is near",
      "L1:\n  Set counts 1\n  J [counts, count]\nL2:\n  Set count 1\n  J count",
      "line 5",
    ],
    ["under a reserved name", "L1:\n  J _done\nL2:\n  Set _done 1\n  J _done", "line 4"],
  ])("offers no guess for a name that a step sets %s", (_, source, place) => {
    const name = source.includes("_done") ? "_done" : "count";
    expect(repair(source)).toEqual([
      `${place} sets it, but never before this step; set it earlier, or declare it with '# frame: ${name}'`,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["an included file sets it", "J m_total", "Set m_total 1", "lib.wf line 2"],
    ["another name is near", "J totals", "Set totals 1", "lib.wf line 2"],
  ])("offers no guess where %s", (_, read, set, place) => {
    const lib = `LENTRY:\n  ${set}\n  J 1\n`;
    const source = `include "lib.wf" as lib\nL1:\n  Set total 1\n  ${read}\n`;
    const [first] = diagnose(source, { includes: includeFiles({ "lib.wf": lib }) }).filter(
      ({ code }) => code === "WF4001",
    );
    expect(first?.suggestion).toContain(`${place} sets it, but never before this step`);
    expect(first?.fix).toBeNull();
  });

  it.each([
    ["with a dollar sign elsewhere", "L1:\n  Set a ghost\n  J [a, $ghost]"],
    ["by an index elsewhere", "L1:\n  Set a ghost\n  J [a, ghost[0]]"],
    ["in a condition elsewhere", "L1:\n  Set a ghost\n  If ghost=1 ->L2\nL2:\n  J a"],
  ])("never quotes a name that is read %s", (_, source) => {
    expect(repair(source).slice(1)).toEqual([undefined, undefined]);
  });

  it("suggests a predefined name only when it is near without the underscore", () => {
    expect(repair("L1:\n  J _done")[0]).not.toContain("_role");
    expect(repair("L1:\n  J _rol")[0]).toBe("did you mean '_role'?");
  });

  it("never quotes a variable or a subject", () => {
    expect(repair("L1:\n  J [ghost, $ghost]").slice(1)).toEqual([undefined, undefined]);
    expect(repair("L1:\n  If ghost=1 ->L2\nL2:\n  J 1")).toEqual([
      "set it first, or declare it with '# frame: ghost'",
      undefined,
      undefined,
    ]);
  });
});

describe("reads that a caller's frame could satisfy", () => {
  const source = "L1:\n  J [ghost, spirit]";
  it("are listed, and go with the names of a frame", () => {
    const { undeclared_reads } = compile(source, { catalog: testCatalog });
    expect(undeclared_reads.map(({ name, label_id, node_id }) => [name, label_id, node_id])).toEqual([
      ["ghost", "1", "n1"],
      ["spirit", "1", "n1"],
    ]);
    expect(compile(source, { catalog: testCatalog, inputs: ["ghost", "spirit"] }).ok).toBe(true);
    expect(found(source, codes, { inputs: ["spirit"] })).toEqual(["2 WF4001"]);
  });
});

describe("included modules", () => {
  const module = (input: string) => `${input}LENTRY:\n  J amount\nLEXIT_OK:\n  J 1\n`;
  const main = 'include "m.wf" as m\nL1:\n  Set amount 1\n  Call m/ENTRY ->v\n  J v';

  it("are checked on their own: they declare what they are given", () => {
    const check = (text: string) => found(main, codes, { includes: includeFiles({ "m.wf": text }) });
    expect(check(module(""))).toEqual(["2 WF4001"]);
    expect(check(module("# frame: amount\n"))).toEqual([]);
  });

  it("set names for their caller", () => {
    const text = "LENTRY:\n  Set total 1\n  J 1\nLEXIT_OK:\n  J 1\n";
    const source = 'include "m.wf" as m\nL1:\n  Call m/ENTRY ->v\n  J total';
    expect(found(source, codes, { includes: includeFiles({ "m.wf": text }) })).toEqual([]);
  });
});

describe("inputs", () => {
  it("have one type; short letters are the same type", () => {
    expect(found("# frame: a: number\n# frame: a: text\nL1:\n  J a", ["WF4003"])).toEqual(["2 WF4003"]);
    expect(found("# frame: a: number\n# frame: a: F\nL1:\n  J a", ["WF4003"])).toEqual([]);
  });
});

describe("long programs", () => {
  it("are followed without recursion: a name goes through 10 000 labels", () => {
    const chain = Array.from({ length: 10_000 }, (_, k) => `L${k + 1}:\n  Set a${k} 1\n  If a0 ->L${k + 2}\n`);
    const source = `${chain.join("")}L10001:\n  J [a0, a9999, ghost]`;
    expect(found(source, codes)).toEqual(["30002 WF4001"]);
  });
});
