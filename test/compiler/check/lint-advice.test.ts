/** Advice on request: inputs overwritten unread (WF9028), calls that nothing handles (WF9029); docs/diagnostics.md has both. */
import { describe, expect, it } from "vitest";
import { diagnose, found } from "../found.ts";
import { includeFiles } from "../lower/include-files.ts";

const ADVICE = { advice: true } as const;

function program(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

describe("inputs overwritten unread", () => {
  const shadowed = ["WF9028"];
  it.each<[string, string, string[]]>([
    ["by Set", program("# frame: city", "L1:", '  Set city "Oslo"', "  J city"), ["3 WF9028"]],
    ["by a result", program("# frame: n", "L1:", "  R core.ADD 1 2 ->n", "  J n"), ["3 WF9028"]],
    ["by the default result", program("# frame: res", "L1:", "  R core.ADD 1 2", "  J res"), ["3 WF9028"]],
    ["by X", program("# frame: n", "L1:", "  X n add 1 2", "  J n"), ["3 WF9028"]],
    [
      "by the item of a Loop",
      program("# frame: x", "L1:", "  Loop [1] x ->L2 ->L3", "L2:", "  J x", "L3:", "  J 1"),
      ["3 WF9028"],
    ],
    [
      "in every branch",
      program("# frame: n", "L1:", "  If true ->L2 ->L3", "L2:", "  Set n 1", "  J n", "L3:", "  Set n 2", "  J n"),
      ["5 WF9028", "8 WF9028"],
    ],
    [
      "after the copy that says it is an input",
      program("# frame: n", "L1:", "  Set n $n", "  Set n 1", "  J n"),
      ["4 WF9028"],
    ],
    [
      "in a label that is called",
      program("# frame: n", "L1:", "  Call L2 ->v", "  J v", "L2:", "  Set n 1", "  J n"),
      ["6 WF9028"],
    ],
  ])("%s", (_, source, expected) => {
    expect(found(source, shadowed, ADVICE)).toEqual(expected);
  });

  it.each<[string, string]>([
    ["read first", program("# frame: n", "L1:", "  Set m n", "  Set n 1", "  J [n, m]")],
    ["read by the step itself", program("# frame: n", "L1:", "  X n add n 1", "  J n")],
    [
      "a default",
      program("# frame: n", "L1:", "  If n? ->L3 ->L2", "L2:", "  Set n 1", "  If true ->L3", "L3:", "  J n"),
    ],
    [
      "an override in one branch",
      program("# frame: n, fast", "L1:", "  If fast ->L2 ->L3", "L2:", "  Set n 1", "  If true ->L3", "L3:", "  J n"),
    ],
    ["the copy that says it is an input", program("# frame: n", "L1:", "  Set n n", "  J n")],
    ["never written", program("# frame: n", "L1:", "  J 1")],
    ["no input", program("L1:", "  Set n 1", "  J n")],
    ["read by a label that a request may name", program("# frame: n", "L1:", "  Set n 1", "  J n", "L2:", "  J n")],
    [
      "read after the Loop that hid it",
      program("# frame: x", "L1:", "  Loop [1] x ->L2 ->L3", "L2:", "  J x", "L3:", "  J x"),
    ],
    [
      "read by the handler of the step that overwrites it",
      program("# frame: n", "L1:", '  R http.GET "https://example.com/" ->n', "  Err ->L2", "  J n", "L2:", "  J n"),
    ],
    [
      "bare on the right of a comparison",
      program("# frame: n, m", "L1:", "  If m=n ->L2", "L2:", "  Set n 1", "  J n"),
    ],
    ["by J alone", program("# frame: data", "L1:", "  If true ->L2 ->L3", "L2:", "  Set data 1", "  J", "L3:", "  J")],
  ])("not %s", (_, source) => {
    expect(found(source, shadowed, ADVICE)).toEqual([]);
  });

  it("also those that the caller names", () => {
    const source = program("L1:", "  Set n 1", "  J n");
    expect(found(source, shadowed, { ...ADVICE, inputs: ["n"] })).toEqual(["2 WF9028"]);
    expect(found(source, shadowed, { ...ADVICE, inputs: ["m"] })).toEqual([]);
  });

  it("not those of a module, which its program sets", () => {
    const includes = includeFiles({
      "m.wf": program("# frame: amount", "LENTRY:", "  If amount ->LEXIT_A", "LEXIT_A:", "  J amount"),
    });
    const source = program('include "m.wf" as m', "L1:", "  Set amount 5", "  Call m/ENTRY ->r", "  J r");
    expect(found(source, shadowed, { ...ADVICE, includes })).toEqual([]);
  });

  it("point at the name, and at its declaration", () => {
    const [finding] = diagnose(program("# frame: city", "L1:", '  Set city "Oslo"', "  J city"), ADVICE);
    expect(finding).toMatchObject({ severity: "hint", span: { line: 3, column: 7 }, related: [{ span: { line: 1 } }] });
    expect(finding?.message).toBe("input 'city' is overwritten before anything reads it");
  });

  it("take time that stays in bounds for very many inputs and labels", { timeout: 120_000 }, () => {
    const names = Array.from({ length: 2000 }, (_, n) => `n${n}`);
    const labels = names.map((name, n) => `L${n}:\n  If ${n} ->L${n + 1}\nL_w${n}:\n  Set ${name} 1\n  J 1`);
    const source = program(`# frame: ${names.join(", ")}`, ...labels, "L2000:", "  J 1");
    expect(diagnose(source, ADVICE).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("calls that nothing handles", () => {
  const unhandled = ["WF9029"];
  const CALL = '  R http.GET "https://example.com/" ->p';
  it.each<[string, string, string[]]>([
    ["an R", program("L1:", CALL, "  J p"), ["2 WF9029"]],
    ["steps that are calls", program("Q mail", "L1:", "  QueuePut mail 1", "  J 1"), ["3 WF9029"]],
    ["once for each label", program("L1:", CALL, CALL, "  If p ->L2", "L2:", CALL, "  J p"), ["2 WF9029", "6 WF9029"]],
    [
      "next to one that is handled",
      program("L1:", CALL, "  Err ->L2", "  J p", "L2:", "  J 1", "L3:", CALL, "  J p"),
      ["8 WF9029"],
    ],
    [
      "above an Err that is for another step",
      program("L1:", CALL, "  Set n 1", "  Err ->L2", "  J p", "L2:", "  J 1"),
      ["2 WF9029"],
    ],
    [
      "in a label whose caller handles nothing",
      program("L1:", "  Call L2 ->v", "  J v", "L2:", CALL, "  J p"),
      ["5 WF9029"],
    ],
  ])("%s", (_, source, expected) => {
    expect(found(source, unhandled, ADVICE)).toEqual(expected);
  });

  it.each<[string, string]>([
    ["with an Err", program("L1:", CALL, "  Err ->L2", "  J p", "L2:", "  J 1")],
    ["with an Err that names it", program("L1:", CALL, "  Set n 1", "  Err @n1 ->L2", "  J p", "L2:", "  J 1")],
    ["below an Err", program("L1:", "  Err ->L2", CALL, CALL, "  J p", "L2:", "  J 1")],
    ["with a Retry", program("L1:", CALL, "  Retry 2", "  J p")],
    [
      "in what a protected Call runs",
      program(
        "L1:",
        "  Call L2 ->v",
        "  Err ->L4",
        "  J v",
        "L2:",
        "  If true ->L3",
        "L3:",
        CALL,
        "  J p",
        "L4:",
        "  J 1",
      ),
    ],
    ["in a handler", program("Q mail", "L1:", CALL, "  Err ->L2", "  J p", "L2:", "  QueuePut mail 1", "  J 1")],
    ["of core", program("L1:", "  R core.NOW ->t", "  J t")],
    ["of policies, which are meant to fail", program("Pol own role=admin", "L1:", "  Enf own", "  J 1")],
    ["of an unknown adapter, which is said already", program("L1:", "  R nothing.AT ->t", "  J t")],
    ["of a module, whose caller decides", program("LENTRY:", CALL, "  If p ->LEXIT_A", "LEXIT_A:", "  J p")],
  ])("not %s", (_, source) => {
    expect(found(source, unhandled, ADVICE)).toEqual([]);
  });

  it("says how many there are", () => {
    const message = (...calls: string[]) =>
      diagnose(program("L1:", ...calls, "  J p"), ADVICE).find(({ code }) => code === "WF9029")?.message;
    expect(message(CALL)).toBe("nothing handles a failure of http.Get");
    expect(message(CALL, CALL)).toBe("nothing handles a failure of http.Get and 1 more call of the label");
    expect(message(CALL, CALL, CALL)).toBe("nothing handles a failure of http.Get and 2 more calls of the label");
  });
});

describe("advice", () => {
  const source = program(
    "# frame: n",
    "L1:",
    "  Set n 1",
    '  R http.Post "https://example.com/" n ->p',
    "  Retry 2",
    "  J p",
    "L2:",
    '  R http.GET "https://example.com/" ->p',
    "  J p",
  );
  const codes = ["WF5010", "WF9014", "WF9028", "WF9029"];

  it("comes on request only", () => {
    expect(found(source, ["WF9028", "WF9029"])).toEqual([]);
    expect(found(source, ["WF9028", "WF9029"], { strict: false })).toEqual([]);
  });

  it("comes in both modes, where loose mode alone says nothing", () => {
    const all = ["3 WF9028", "5 WF5010", "7 WF9014", "8 WF9029"];
    expect(found(source, codes, ADVICE)).toEqual(all);
    expect(found(source, codes, { ...ADVICE, strict: false })).toEqual(all);
    expect(found(source, codes, { strict: false })).toEqual([]);
  });

  it("changes no outcome", () => {
    for (const strict of [true, false]) {
      const severities = diagnose(source, { ...ADVICE, strict }).map(({ severity }) => severity);
      expect(severities).not.toContain("error");
      if (!strict) expect(new Set(severities)).toEqual(new Set(["hint"]));
    }
  });
});
