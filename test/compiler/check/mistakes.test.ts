/** What is said of a step that is written wrongly: one finding for each mistake, and where a repair is certain it compiles. */
import { describe, expect, it } from "vitest";
import { withoutCovered } from "../../../compiler/diagnostics.ts";
import type { Diagnostic, Fix } from "../../../grammar/diagnostic.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { lines } from "../compiling.ts";
import { diagnose } from "../found.ts";

/** Errors and warnings; hints are about style. */
function mainFindings(source: string): readonly Diagnostic[] {
  return diagnose(source).filter(({ severity }) => severity !== "hint");
}

function repaired(source: string, { edits }: Fix): string {
  return [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((text, { span, new_text }) => text.slice(0, span.start) + new_text + text.slice(span.end), source);
}

/** A line of label 1, the code, the suggestion, and the line after its fix (null: no fix). */
type Row = readonly [line: string, code: string, suggestion: string, fixed: string | null];

const WORDS_SET = ["  Set a 1", "  Set b 2", "  Set n 4", "  Set xs [1, 2]", '  Set s "text"'];
const TARGETS = ["L_yes:", "  J 1", "L_no:", "  J 2"];

function inLabel(line: string): string {
  return lines("L1:", ...WORDS_SET, `  ${line}`, ...TARGETS);
}

function expectRow([line, code, suggestion, fixed]: Row): void {
  const source = inLabel(line);
  const found = mainFindings(source);
  expect(found.map((one) => one.code)).toEqual([code]);
  const [finding] = found;
  expect(finding?.suggestion).toBe(suggestion);
  expect(finding?.fix == null ? null : repaired(source, finding.fix)).toBe(fixed === null ? null : inLabel(fixed));
  if (fixed !== null) expect(mainFindings(inLabel(fixed))).toEqual([]);
}

const ROWS: readonly Row[] = [
  ["While n > 3 ->L_yes ->L_no limit=many", "WF2013", "limit= takes a positive whole number", null],
  ["X y (0)", "WF1008", "write the value without brackets", "X y 0"],
  ["J [1 2]", "WF1004", "write [a, b]", "J [1, 2]"],
  ['Set y (["x"])', "WF1008", "write the value without brackets", 'Set y ["x"]'],
  ["J (a)", "WF5004", "write the value without brackets", null],
  ["J (wasm.CALL s)", "WF5004", "an adapter is called by a step of its own: R wasm.VERB … ->name", null],
  ["Call L_yes r", "WF2008", "write ->r", "Call L_yes ->r"],
  ["J L_yes", "WF9008", "J returns a value; to continue at a label use If true ->L_yes or Call L_yes", null],
  ["J error", "WF4001", "did you mean '_error'?", "J _error"],
  ["J q", "WF4001", "quote it if it is text, or declare it with '# frame: q'", 'J "q"'],
  ["if a ->L_yes", "WF2001", "did you mean If?", "If a ->L_yes"],
  ["EndFor", "WF2001", "labels need no closing word; remove the line", null],
  ["Ret a", "WF2001", "use J to end a label with a value", null],
  ["rescue:", "WF2001", "a label's steps need no block words; use Err and If with labels", null],
  ["memory.merge a", "WF2001", "use R memory.… to reach the memory adapter", null],
  ['R cache.set "k" 1 {"ttl_s": 60}', "WF5022", 'write the namespace too: cache.set("default", key, value, {…})', null],
  ["R cache.incr s 5 ->y", "WF5022", 'write it as an option: cache.incr(key, {"by": …})', null],
  ['R cache.get s "none" ->y', "WF5022", 'write it as an option: cache.get(key, {"default": …})', null],
  ["R ADD 2 3 ->y", "WF5001", "write core.ADD", "R core.ADD 2 3 ->y"],
  ["R upper s ->y", "WF5001", "write core.UPPER", "R core.UPPER s ->y"],
];

describe("one mistake", () => {
  it.each(ROWS)("%s", (...row) => expectRow(row));

  it.each([
    ["# frame: q: numbr", "did you mean 'number'?"],
    ["# frame: q: sequence", "use one of any, text, number, integer, boolean, list, map"],
    ["# frame: q - asked, or not", null],
  ])("input: %s", (comment, suggestion) => {
    const [first] = mainFindings(lines(comment, "L1:", "  Set q 1", "  J q"));
    expect(first?.code).toBe("WF9025");
    if (suggestion !== null) expect(first?.suggestion).toBe(suggestion);
    expect(first?.fix).toBeNull();
  });

  it("declares an input that has a description", () => {
    const found = mainFindings(lines("# frame: url — where (say), n", "L1:", "  J [url, n]"));
    expect(found.map(({ code }) => code)).toEqual(["WF9025"]);
  });

  it("leaves words alone that name labels", () => {
    expect(mainFindings(lines("L1:", "  If true then else", "Lthen:", "  J 1", "Lelse:", "  J 2"))).toEqual([]);
  });

  it("leaves words alone that may be unquoted text", () => {
    const found = mainFindings(lines("L1:", "  Set is 1", "  Set a 1", "  J a is wrong"));
    expect(found.map(({ code, suggestion }) => `${code} ${suggestion?.slice(0, 9)}`)).toEqual([
      "WF9001 remove it",
      "WF9001 remove it",
    ]);
  });

  it("hides no finding that is more severe than the one that explains a step", () => {
    const span = { file: null, line: 2, column: 3, end_line: 2, end_column: 8, start: 6, end: 11 };
    const found = [
      { code: "WF9008", span, covers: span },
      { code: "WF4001", span },
      { code: "WF9009", span },
    ];
    expect(withoutCovered(found, { strict: true }).map(({ code }) => code)).toEqual(["WF9008", "WF4001"]);
  });
});

describe("what follows from a mistake", () => {
  const source = lines("L1:", "  Set n 1", "  While n > 3 limit=2 ->L_missing", "  J n");

  it("is said where the program may run", () => {
    const codes = diagnose(source, { strict: false }).map(({ code }) => code);
    expect(codes.filter((code) => code === "WF3001")).toHaveLength(2);
  });

  it("leaves an existing label of that name alone", () => {
    expect(
      mainFindings(lines("# frame: n", "L1:", "  While n? ->L2 limit=2", "L2:", "  J null", "Llimit=2:", "  J 1")),
    ).toEqual([]);
  });
});

describe("results without an arrow", () => {
  it("does not take a needed argument for a result", () => {
    const found = mainFindings(lines("L1:", "  R http.GET address", "  J address"));
    expect(found[0]?.suggestion).toMatch(/^quote it if it is text/);
  });
});

describe("lines that are not statements", () => {
  it("words that mean nothing come with those that steps begin with", () => {
    const [finding] = mainFindings(lines("L1:", "  workflow hello", "  J 1"));
    expect(finding).toMatchObject({ code: "WF2001", suggestion: null });
    expect(finding?.expected).toEqual(expect.arrayContaining(["R", "X", "Set", "If", "Loop", "Call", "J"]));
  });

  it("never declarations for short or lower-case words", () => {
    for (const word of ["b", "dep", "brk", "tx", "Bq", "role"]) {
      const [finding] = mainFindings(lines("L1:", `  ${word} a b`, "  J 1"));
      expect(finding?.code).toBe("WF2001");
      expect(finding?.suggestion ?? "did you mean Tx?").toMatch(/^did you mean Tx\?$/);
    }
  });
});

describe("a label that does not exist", () => {
  const advice = (source: string) => mainFindings(source).find(({ code }) => code === "WF3001")?.suggestion;

  it("is reported with the existing labels when none is near", () => {
    const source = lines("L1:", "  If true ->L_elsewhere", "L2:", "  J 1");
    expect(advice(source)).toBe("write L_elsewhere: with its steps, or use one of L1, L2");
  });

  it("names the first twelve", () => {
    const many = Array.from({ length: 15 }, (_, at) => lines(`L_part${at}:`, "  J 1")).join("");
    expect(advice(lines("L1:", "  Call L_elsewhere ->x", "  J x") + many)).toMatch(
      /L1, L_part0, .*L_part10 and 4 more$/,
    );
  });
});

describe("places", () => {
  function columns(source: string, code: string): readonly unknown[] {
    return diagnose(source)
      .filter((one) => one.code === code)
      .map(({ span, suggestion }) => [span?.column, span?.end_column, suggestion]);
  }

  it("points at the argument that is too much", () => {
    expect(columns(lines("L1:", "  X y len [1] 2", "  J y"), "WF5012")).toEqual([[15, 16, "remove the last argument"]]);
    expect(columns(lines("L1:", "  X y add 1", "  J y"), "WF5007")).toEqual([[7, 10, "add b"]]);
  });

  it("points at the alias of an include", () => {
    const advice = "an alias has letters, digits and _: write as my_alias";
    expect(columns(lines('include "a.wf" as my-alias', "L1:", "  J 1"), "WF3011")).toEqual([[19, 27, advice]]);
  });

  it("says how to continue after an If", () => {
    const source = lines("L1:", "  If true ->L2", "  J 1", "L2:", "  J 1");
    expect(columns(source, "WF2009")).toEqual([
      [3, 4, "move them above If, or into a label of their own, or put the If in a label of its own and Call it"],
    ]);
  });
});

describe("near words", () => {
  it("keep at least one letter", () => {
    expect(nearest("x", ["a", "b"])).toBeNull();
    expect(nearest("x", ["X"])).toBe("X");
    expect(nearest("If", ["Is"])).toBe("Is");
    expect(nearest("ab", ["xy"])).toBeNull();
  });
});
