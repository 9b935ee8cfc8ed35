/**
 * What people and language models write by habit of other languages: every mistake gives one main finding, which says the
 * form Weft has for it, and where that is certain its repair compiles.
 */
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

const AND = "(and (gt n 3) (lt n 5))";

const CONDITIONS: readonly Row[] = [
  ["If n > 3 and n < 5 ->L_yes ->L_no", "WF1009", `write ${AND}`, `If ${AND} ->L_yes ->L_no`],
  ["If n > 3 && n < 5 ->L_yes ->L_no", "WF1009", `write ${AND}`, `If ${AND} ->L_yes ->L_no`],
  ["If (n > 3) and (n < 5) ->L_yes", "WF1009", "write (and (gt n 3) (n < 5))", "If (and (gt n 3) (n < 5)) ->L_yes"],
  ["If (n > 3 and n < 5) ->L_yes", "WF1009", `write ${AND}`, `If ${AND} ->L_yes`],
  ["If a or b ->L_yes", "WF1009", "write (or a b)", "If (or a b) ->L_yes"],
  ["If not a and b ->L_yes", "WF1009", "write (and (not a) b)", "If (and (not a) b) ->L_yes"],
  ["If s == ok && a ->L_yes", "WF1009", "write (and (eq s ok) a)", null],
  ["If n === 4 ->L_yes ->L_no", "WF1009", "write n == 4", "If n == 4 ->L_yes ->L_no"],
  ["If n !== 4 ->L_yes ->L_no", "WF1009", "write n != 4", "If n != 4 ->L_yes ->L_no"],
  ["If n <> 4 ->L_yes ->L_no", "WF1009", "write n != 4", "If n != 4 ->L_yes ->L_no"],
  ["If n => 4 ->L_yes ->L_no", "WF1009", "write n >= 4", "If n >= 4 ->L_yes ->L_no"],
  ["If n is null ->L_yes ->L_no", "WF1009", "write n == null", "If n == null ->L_yes ->L_no"],
  ["If n is not null ->L_yes ->L_no", "WF1009", "write n != null", "If n != null ->L_yes ->L_no"],
  ["If n in xs ->L_yes ->L_no", "WF1009", "write (contains xs n)", "If (contains xs n) ->L_yes ->L_no"],
  ['If s contains "x" ->L_yes', "WF1009", 'write (contains s "x")', 'If (contains s "x") ->L_yes'],
  ["If n % 2 == 0 ->L_yes", "WF1009", "write (mod n 2) == 0", "If (mod n 2) == 0 ->L_yes"],
  ["If n > 3 then ->L_yes else ->L_no", "WF1009", "write If n > 3 ->L_yes ->L_no", "If n > 3 ->L_yes ->L_no"],
  ["If n > 3 ->L_yes else ->L_no", "WF1009", "write If n > 3 ->L_yes ->L_no", "If n > 3 ->L_yes ->L_no"],
  ["If a and b then L_yes else L_no", "WF1009", "write (and a b)", "If (and a b) L_yes L_no"],
  [
    "While n > 3 limit=20 ->L_yes ->L_no",
    "WF1009",
    "put limit= last: While n > 3 ->L_yes ->L_no limit=20",
    "While n > 3 ->L_yes ->L_no limit=20",
  ],
  [
    "While n > 3 ->L_yes limit=20",
    "WF1009",
    "name the label that runs afterwards: While n > 3 ->L_yes ->L_no limit=20",
    "While n > 3 ->L_yes ->L_no limit=20",
  ],
  [
    "While n > 3 L_yes limit=20",
    "WF1009",
    "name the label that runs afterwards: While n > 3 L_yes ->L_no limit=20",
    "While n > 3 L_yes ->L_no limit=20",
  ],
  [
    "While n > 3 limit=20 ->L_yes",
    "WF1009",
    "name the label that runs afterwards: While n > 3 ->L_yes ->L_no limit=20",
    "While n > 3 ->L_yes ->L_no limit=20",
  ],
  [
    "While n > 3 ->L_yes limit=20 ->L_no",
    "WF1009",
    "put limit= last: While n > 3 ->L_yes ->L_no limit=20",
    "While n > 3 ->L_yes ->L_no limit=20",
  ],
  ["While n > 3 ->L_yes ->L_no limit=many", "WF2013", "limit= takes a positive whole number", null],
];

const VALUES: readonly Row[] = [
  ["Set y a + 1", "WF9001", "write (add a 1)", "Set y (add a 1)"],
  ["Set y a + b * 2", "WF9001", "write (add a (mul b 2))", "Set y (add a (mul b 2))"],
  ["Set y a + b", "WF9001", "write (add a b)", null],
  ['Set y "n" + s', "WF9001", 'write (concat "n" s)', 'Set y (concat "n" s)'],
  ["J a + 1", "WF9001", "write (add a 1)", "J (add a 1)"],
  ["J a == 1", "WF1009", "write (eq a 1)", "J (eq a 1)"],
  ["J (a + 1)", "WF5004", "write (add a 1)", "J (add a 1)"],
  ["J (1 + a)", "WF1008", "write (add 1 a)", "J (add 1 a)"],
  ["X y (0)", "WF1008", "write the value without brackets", "X y 0"],
  ["J (- a b)", "WF1008", "write (sub a b)", "J (sub a b)"],
  ["X y (* a (sub b 1))", "WF1008", "write (mul a (sub b 1))", "X y (mul a (sub b 1))"],
  ["J (>= a b)", "WF1008", "write (gte a b)", "J (gte a b)"],
  ["J (+ a 1)", "WF1008", "write (add a 1)", "J (add a 1)"],
  ["J (+ a b)", "WF1008", "write (add a b)", null],
  ['J (+ "n" s)', "WF1008", 'write (concat "n" s)', 'J (concat "n" s)'],
  ["J (= a b)", "WF1008", "write (eq a b)", null],
  ["J [a, core.str n]", "WF1004", "write (core.str n)", "J [a, (core.str n)]"],
  ["J [core.add a 1, core.str n]", "WF1004", "write (core.add a 1)", "J [(core.add a 1), (core.str n)]"],
  ["J [core.add core.len xs 1]", "WF1004", "write (core.add core.len xs 1)", null],
  ["J [core.str n a b, s xs]", "WF1004", "write (core.str n a b)", null],
  ['J {"n": core.str n}', "WF1004", "write (core.str …)", null],
  ['J {"n": core.str n, "a": a}', "WF1004", "write (core.str …)", null],
  ['X y add [get s "i"] 1', "WF1004", 'write (get s "i") to call a function, [get, s, "i"] for a list', null],
  ["J [1 2]", "WF1004", "write [a, b]", "J [1, 2]"],
  ["X y a == b", "WF1009", "write (eq a b)", "X y (eq a b)"],
  ["X y a >= 3", "WF1009", "write (gte a 3)", "X y (gte a 3)"],
  ["X y ite a == 1 s xs", "WF1009", "write (eq a 1)", "X y ite (eq a 1) s xs"],
  ["R core.ITE a != b s xs ->y", "WF1009", "write (ne a b)", "R core.ITE (ne a b) s xs ->y"],
  ["Set s.n 5", "WF1009", 'write X s put $s "n" value', null],
  ["X s.n.m add 1 2", "WF1009", 'write X s put $s "n.m" value', null],
  ['Set y (["x"])', "WF1008", "write the value without brackets", 'Set y ["x"]'],
  ["J (a)", "WF5004", "write the value without brackets", null],
  ["X y a + 1", "WF5004", "write (add a 1)", "X y add a 1"],
  ["X y + a 1", "WF5004", "write add", "X y add a 1"],
  ["Set y add 1 2", "WF4001", "use X: X y add 1 2", "X y add 1 2"],
  ["Set y = 5", "WF1009", "write Set y 5", "Set y 5"],
  ["Set y: 5", "WF1009", "write y", "Set y 5"],
  ["Call L_yes 1 2 ->r", "WF9001", "labels take no arguments: Set them before the Call", null],
  ["Call L_yes 1 2", "WF2008", "labels take no arguments: Set them before the Call", null],
  ["Call L_yes r", "WF2008", "write ->r", "Call L_yes ->r"],
  ["J L_yes", "WF9008", "J returns a value; to continue at a label use If true ->L_yes or Call L_yes", null],
  ["J ->L_yes", "WF1009", "J returns a value; to continue at a label use If true ->L_yes or Call L_yes", null],
];

const IN_PLACE =
  "no function is written in place: use Loop or for, with the steps in a label or block of their own, or Filt";

const FUNCTIONS: readonly Row[] = [
  ["X y toUpperCase s", "WF5004", "write upper", "X y upper s"],
  ['X y json_parse "{}"', "WF5004", "write parse", 'X y parse "{}"'],
  ["X y dumps xs", "WF5004", "write stringify", "X y stringify xs"],
  ["J (math.floor 2.5)", "WF5004", "write floor", "J (floor 2.5)"],
  ["J (zfill s 5)", "WF5004", 'write pad text width "0" "start"', null],
  ["X y pop xs", "WF5004", "write drop list 1, or slice list 0 -1 for all but the last element", null],
  [
    "X y sin 1",
    "WF5004",
    "this function does not exist; compute it with add, mul and pow, or get it from a tool",
    null,
  ],
  ["X y map xs", "WF5004", "use Loop with a label that runs for each element", null],
  ["X y exists a", "WF5004", "use If x? to ask whether x is set", null],
  ["X y lambda xs", "WF5004", IN_PLACE, null],
  ["J (lambda x: add x 1)", "WF5004", IN_PLACE, null],
  ["J (xs 0)", "WF5004", "write get xs 0 to read what is in xs", null],
  ['X y s "name"', "WF5004", 'write get s "name" to read what is in s', null],
  ["J (cache s)", "WF5004", "an adapter is called by R: R cache.VERB … ->name, in a step of its own", null],
  ["J (R s)", "WF5004", "an adapter is called by R: R … ->name, in a step of its own", null],
  ["R core.RETURN s", "WF5002", "use J to give a result", null],
  ["X y cache.get s", "WF5004", "an adapter is called by R: R cache.get … ->name, in a step of its own", null],
  ["J (wasm.CALL s)", "WF5004", "an adapter is called by R: R wasm.CALL … ->name, in a step of its own", null],
];

const NAMES: readonly Row[] = [
  ["Set y lambda x: add x 1", "WF4001", IN_PLACE, null],
  ["X y add fn x", "WF4001", IN_PLACE, null],
  ["J True", "WF4001", "write true", "J true"],
  ["J FALSE", "WF4001", "write false", "J false"],
  ["J None", "WF4001", "write null", "J null"],
  ["J nil", "WF4001", "write null", "J null"],
  ["J NULL", "WF4001", "write null", "J null"],
  ["J undefined", "WF4001", "write null", "J null"],
  ["J _err", "WF4001", "did you mean '_error'?", "J _error"],
  ["J error", "WF4001", "did you mean '_error'?", "J _error"],
  ["J q", "WF4001", "quote it if it is text, or declare it with '# frame: q'", 'J "q"'],
];

const STATEMENTS: readonly Row[] = [
  ["y = 5", "WF2001", "write Set y 5", "Set y 5"],
  ["y=5", "WF2001", "write Set y 5", "Set y 5"],
  ['let y = "a b"', "WF2001", 'write Set y "a b"', 'Set y "a b"'],
  ["y = a + 1", "WF2001", "write Set y and one value, or X with a function", null],
  ['S y "a b"', "WF2002", 'write Set y "a b" if it sets a variable, else move it above the first label', null],
  ["// a note", "WF2001", "a comment begins with #", "# a note"],
  ["//note", "WF2001", "a comment begins with #", "#note"],
  ['Cache.set s "k" 1', "WF2001", "write R cache.set …", 'R cache.set s "k" 1'],
  ["break", "WF2001", "a loop cannot be left early; use While with a condition, or Filt the list first", null],
  ["def f", "WF2001", "write a label, L_name: on a line of its own, with its steps below", null],
  ["return a", "WF2001", "use J to end a label with a value", null],
  ['print("hello")', "WF2001", "use J to give a result, or R with an adapter to write somewhere", null],
  ["out a", "WF2001", "use J to end a label with a value", null],
  ["for x in xs", "WF2001", "write Loop list item ->L_body ->L_after", null],
  ["if a ->L_yes", "WF2001", "did you mean If?", "If a ->L_yes"],
];

const SEPARATE = "remove it: blanks separate operands; quote the word if it is text";
const CLOSED = "remove it: it closes nothing; quote the word if it is text";
const COLON = "remove it: the labels follow the condition directly; quote the word if it is text";
const JOIN = (written: string): string => `write ${written}; quote it if it is text`;
const NUMBER = (written: string): string => `write ${written} if it is a number; quote it if it is text`;
const ASK = (written: string): string => `write ${written} to ask whether it is set; quote it if it is text`;
const CALL = (written: string): string => `write ${written} to call the function; quote it if it is text`;
const BY_ORDER = (call: string): string => `leave the names out: arguments go by their order, ${call}`;
const MARKS: readonly Row[] = [
  ["R core.ADD 2, 3 ->y", "WF9030", SEPARATE, "R core.ADD 2 3 ->y"],
  ["R core.ADD a, b ->y", "WF9030", SEPARATE, "R core.ADD a b ->y"],
  ['R core.CONCAT "a", "b" ->y', "WF9030", SEPARATE, 'R core.CONCAT "a" "b" ->y'],
  ["X y add a, 2", "WF9030", SEPARATE, "X y add a 2"],
  ["Set y 5;", "WF9030", SEPARATE, "Set y 5"],
  ["J a;", "WF9030", SEPARATE, "J a"],
  ["X y add a 2)", "WF9030", CLOSED, "X y add a 2"],
  ["R core.ADD a n]) ->y", "WF9030", CLOSED, "R core.ADD a n ->y"],
  [
    'R http.GET "https://a.b/" + s ->y',
    "WF9030",
    JOIN('(concat "https://a.b/" s)'),
    'R http.GET (concat "https://a.b/" s) ->y',
  ],
  [
    'R http.GET s + "/" + a ->y',
    "WF9030",
    JOIN('(concat (concat s "/") a)'),
    'R http.GET (concat (concat s "/") a) ->y',
  ],
  ['R queue.Put "q" n + 1 ->y', "WF9030", JOIN("(add n 1)"), 'R queue.Put "q" (add n 1) ->y'],
  ["If n > 3: ->L_yes ->L_no", "WF9030", COLON, "If n > 3 ->L_yes ->L_no"],
  ["If a: ->L_yes", "WF9030", COLON, "If a ->L_yes"],
  ["If not s=open: ->L_yes", "WF9030", COLON, "If not s=open ->L_yes"],
  ["Set y 1_000", "WF9030", NUMBER("1000"), "Set y 1000"],
  ["Set y -1,000,000.5", "WF9030", NUMBER("-1000000.5"), "Set y -1000000.5"],
  ["Set y 0xFF", "WF9030", NUMBER("255"), "Set y 255"],
  ["If n > 1_000 ->L_yes", "WF9030", NUMBER("1000"), "If n > 1000 ->L_yes"],
  [
    "Set y 1..5",
    "WF9030",
    "write (range 1 6) for all numbers from first to last; quote it if it is text",
    "Set y (range 1 6)",
  ],
  ["J -n", "WF9030", JOIN("(sub 0 n)"), "J (sub 0 n)"],
  ["J n-1", "WF9030", JOIN("(sub n 1)"), "J (sub n 1)"],
  ["X y max n*2 (add a b)", "WF9030", JOIN("(mul n 2)"), "X y max (mul n 2) (add a b)"],
  ["Set y [a+b]", "WF9030", JOIN("(plus a b)"), "Set y [(plus a b)]"],
  ["Set y [!a]", "WF9030", JOIN("(not a)"), "Set y [(not a)]"],
  ["If n == -n ->L_yes", "WF9030", JOIN("(sub 0 n)"), null],
  ["Set y `Hello World`", "WF9030", 'write straight quotes: "Hello World"', 'Set y "Hello World"'],
  ["Loop x in xs ->L_yes ->L_no", "WF1009", "write Loop xs x and the labels", "Loop xs x ->L_yes ->L_no"],
  ["sleep 5", "WF2001", "use X x sleep milliseconds", null],
  ["/* note */", "WF2001", "a comment begins with #", null],
  ["-- note", "WF2001", "a comment begins with #", "# note"],
  ["J a?", "WF9030", ASK("(ne $a null)"), "J (ne $a null)"],
  ["Set y (and a? n)", "WF9030", ASK("(ne $a null)"), "Set y (and (ne $a null) n)"],
  ['J {"y": [a.z?]}', "WF9030", ASK("(ne $a.z null)"), 'J {"y": [(ne $a.z null)]}'],
  ["Set y len(xs)", "WF9030", CALL("(len xs)"), "Set y (len xs)"],
  ["X y add(a,2)", "WF9030", CALL("(add a 2)"), "X y (add a 2)"],
  ["Set y add(a, n)", "WF9030", CALL("(add a n)"), "Set y (add a n)"],
  ["J len(xs)", "WF9030", CALL("(len xs)"), "J (len xs)"],
  ["X y add(a, 2)", "WF5004", "write add a 2", "X y add a 2"],
  ["R core.ADD len(xs) 2 ->y", "WF9030", CALL("(len xs)"), "R core.ADD (len xs) 2 ->y"],
  ["R core.ADD(2, 3) ->y", "WF5002", "write core.ADD 2 3", "R core.ADD 2 3 ->y"],
  ["R core.add(2,3) ->y", "WF5002", "write core.ADD 2 3", "R core.ADD 2 3 ->y"],
  ["R core.NOW() ->y", "WF5002", "write core.NOW", "R core.NOW ->y"],
  ["R core.ADD(2 ->y", "WF5002", "write core.ADD …", null],
  ['R http.G "https://a.example/" ->y', "WF5002", "did you mean 'Get'?", 'R http.Get "https://a.example/" ->y'],
  ['R core.UPPER("a") ->y', "WF1003", "write the arguments after core.UPPER, without brackets", 'R core.UPPER "a" ->y'],
  ['Set y upper("a")', "WF1003", "write (upper …) to call a function", 'Set y (upper "a")'],
  ["R core.ADD a=2 b=3 ->y", "WF9030", BY_ORDER("core.ADD a b"), "R core.ADD 2 3 ->y"],
  [
    'R http.GET url="https://example.com/" ->y',
    "WF9030",
    BY_ORDER("http.Get url headers? timeout_s? options?"),
    'R http.GET "https://example.com/" ->y',
  ],
  ["R core.ADD b=3 a=2 ->y", "WF9030", BY_ORDER("core.ADD a b"), null],
  ["X y add a=2 b=3", "WF9030", BY_ORDER("add a b"), "X y add 2 3"],
  ["Set y ${a}", "WF1005", "write $a", "Set y $a"],
  ['J {"y": ${a}}', "WF1005", "write $a", 'J {"y": $a}'],
  ['Set y f"Hello {a}"', "WF4001", 'texts have no templates: use X name concat "Hello " other', null],
  ["Call L_yes(5) ->y", "WF3001", "labels take no arguments: Set them before the Call", null],
  ["R ADD 2 3 ->y", "WF5001", "write core.ADD", "R core.ADD 2 3 ->y"],
  ["R upper s ->y", "WF5001", "write core.UPPER", "R core.UPPER s ->y"],
  ["J “Hello”", "WF9030", 'write straight quotes: "Hello"', 'J "Hello"'],
  ["Set y “Hello World”", "WF9030", 'write straight quotes: "Hello World"', 'Set y "Hello World"'],
  [
    "R core.UPPER ‘Hello World’ ->y",
    "WF9030",
    'write straight quotes: "Hello World"',
    'R core.UPPER "Hello World" ->y',
  ],
];

describe("habits of other languages", () => {
  it.each(MARKS)("mark: %s", (...row) => expectRow(row));
  it.each(CONDITIONS)("condition: %s", (...row) => expectRow(row));
  it.each(VALUES)("value: %s", (...row) => expectRow(row));
  it.each(FUNCTIONS)("function: %s", (...row) => expectRow(row));
  it.each(NAMES)("name: %s", (...row) => expectRow(row));
  it.each(STATEMENTS)("statement: %s", (...row) => expectRow(row));

  it("suggests moving a second step on a line to the next line", () => {
    const source = lines("L1:", "  Set xs [1]", "  R core.LEN xs ->n J n");
    const found = mainFindings(source);
    expect(found.map(({ code, suggestion }) => [code, suggestion])).toEqual([
      ["WF9018", "J begins a step of its own: write it on the next line"],
      ["WF4001", "J begins a step of its own: write it on the next line, or quote it if it is text"],
    ]);
    const fix = found[1]?.fix;
    const better = fix == null ? "" : repaired(source, fix);
    expect(mainFindings(better)).toEqual([]);
  });

  it.each([
    ["# frame: q: string", "write text", "# frame: q: text"],
    ["# frame: n: int, q: dict", "write integer", "# frame: n: integer, q: dict"],
    ["# frame: q: dict (optional)", "write map", "# frame: q: map\n# q (optional)"],
    ["# frame: q: number in seconds", "write number", "# frame: q: number\n# q in seconds"],
    [
      "# frame: q - asked, or not",
      "declare q alone; what it is goes into another comment",
      "# frame: q\n# q - asked, or not",
    ],
    ["# frame: q - what is asked, n", "declare q alone; what it is goes into another comment", null],
  ])("input: %s", (comment, suggestion, fixed) => {
    const source = lines(comment, "L1:", "  Set q 1", "  J q");
    const [first] = mainFindings(source);
    expect([first?.code, first?.suggestion]).toEqual(["WF9025", suggestion]);
    const better = first?.fix == null ? null : repaired(source, first.fix);
    expect(better).toBe(fixed === null ? null : lines(fixed, "L1:", "  Set q 1", "  J q"));
  });

  it("declares an input that has a description", () => {
    const found = mainFindings(lines("# frame: url — where (say), n", "L1:", "  J [url, n]"));
    expect(found.map(({ code }) => code)).toEqual(["WF9025"]);
  });

  it("reports that a step in the place of a label needs a label", () => {
    const found = mainFindings(lines("L1:", "  If true ->L2 ->J done", "L2:", "  J 1"));
    expect(found.map(({ code, suggestion, fix }) => [code, suggestion, fix])).toEqual([
      ["WF3001", "a label is named here: put J into a label of its own", null],
      ["WF9001", "put J done into a label of its own", null],
    ]);
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

  it("is left out where the program is refused", () => {
    expect(mainFindings(source).map(({ code }) => code)).toEqual(["WF1009", "WF2009"]);
  });

  it("is said where the program may run", () => {
    const codes = diagnose(source, { strict: false }).map(({ code }) => code);
    expect(codes.filter((code) => code === "WF3001")).toHaveLength(2);
  });

  it("does not report a missing label named limit=2, and offers none without a label below", () => {
    const [found, ...others] = mainFindings(lines("# frame: n", "L2:", "  J null", "L1:", "  While n? ->L2 limit=2"));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: "WF1009", message: "unexpected 'limit=2'", fix: null });
    expect(found?.suggestion).toBe("name the label that runs afterwards: While n? ->L2 ->L_after limit=2");
  });

  it("leaves an existing label of that name alone", () => {
    expect(
      mainFindings(lines("# frame: n", "L1:", "  While n? ->L2 limit=2", "L2:", "  J null", "Llimit=2:", "  J 1")),
    ).toEqual([]);
  });
});

describe("results without an arrow", () => {
  const source = lines("L1:", "  R core.ADD 1 2 x", "  J x");

  it("asks for the arrow, not for quotes", () => {
    const [argument, use, ...others] = mainFindings(source);
    expect(others).toEqual([]);
    expect([argument?.suggestion, use?.suggestion]).toEqual([
      "write ->x if it names the result",
      "write ->x on line 2",
    ]);
    expect(use?.fix).toBeNull();
    expect(argument?.fix && mainFindings(repaired(source, argument.fix))).toEqual([]);
  });

  it("does not take a needed argument for a result", () => {
    const found = mainFindings(lines("L1:", "  R http.GET address", "  J address"));
    expect(found[0]?.suggestion).toMatch(/^quote it if it is text/);
  });
});

describe("results after another form of arrow", () => {
  const NAMES = "write ->x if it names the result";

  it.each(["R tools.call t =>x", "R tools.call t => x"])("leave a call what it is: %s", (line) => {
    const source = lines("# frame: t: any", "L1:", "  Set x 1", `  ${line}`, "  J x");
    expect(mainFindings(source).map(({ code, severity }) => [code, severity])).toEqual([["WF9030", "error"]]);
  });

  it.each([
    ["=>x", "WF9030", `${NAMES}; quote it if it is text`],
    ["→x", "WF9030", `${NAMES}; quote it if it is text`],
    ["–>x", "WF9030", `${NAMES}; quote it if it is text`],
    ["~>x", "WF9030", `${NAMES}; quote it if it is text`],
    [">x", "WF9030", `${NAMES}; quote it if it is text`],
    ["=> x", "WF9030", `${NAMES}; quote it if it is text`],
    ["→ x", "WF9030", `${NAMES}; quote it if it is text`],
  ])("%s", (arrow, code, suggestion) => {
    const source = lines("L1:", `  R core.ADD 1 2 ${arrow}`, "  J x");
    const [result, use, ...others] = mainFindings(source);
    expect(others).toEqual([]);
    expect([result?.code, result?.suggestion, use?.suggestion]).toEqual([code, suggestion, "write ->x on line 2"]);
    expect(use?.fix).toBeNull();
    expect(result?.fix && repaired(source, result.fix)).toBe(lines("L1:", "  R core.ADD 1 2 ->x", "  J x"));
  });

  it.each([
    'R core.CONCAT "a" "=>x" ->y',
    "R core.CONCAT a =>",
    "R core.CONCAT a > b",
    'R core.CONCAT "=>" ->y',
    "Set y =>",
  ])("is not a string: %s", (line) => {
    expect(mainFindings(inLabel(line)).map(({ code }) => code)).not.toContain("WF9030");
  });
});

describe("marks that are part of a text", () => {
  it("are reported once for a step", () => {
    expectRow(["R core.MERGE a, b, n ->y", "WF9030", SEPARATE, "R core.MERGE a b n ->y"]);
    expect(mainFindings(inLabel("R core.MERGE a, b, n ->y"))[0]).toMatchObject({
      message: "',' is part of the text 'a,'",
      severity: "error",
      span: { line: 7, column: 17, end_column: 18 },
    });
  });

  it("leave out further findings when they are too many", () => {
    expect(mainFindings(inLabel("J a, b")).map(({ code }) => code)).toEqual(["WF9030", "WF9001"]);
  });

  it("are not reported in quotes, alone between spaces, inside a word, or in places without operands", () => {
    for (const line of [
      'J "a,"',
      "R core.JOIN xs , ->y",
      "J a,b",
      "J 'it’s'",
      "J it’s",
      "J f(x)",
      "J :)",
      "J -v",
      "J 10,5",
      "J 1_a",
      "J 2030_x",
    ])
      expect(mainFindings(inLabel(line)).map(({ code }) => code)).toEqual([]);
    expect(mainFindings(lines("Role a, b;", "L1:", "  J 1")).map(({ code }) => code)).not.toContain("WF9030");
  });

  it("stay when the quotes are not closed", () => {
    const [found] = mainFindings(inLabel("J “Hello"));
    expect(found).toMatchObject({ code: "WF9030", suggestion: 'write straight quotes: "text"', fix: null });
  });
});

describe("lines that are not statements", () => {
  function first(...text: string[]): readonly unknown[] {
    const source = lines(...text);
    const found = mainFindings(source);
    const fix = found[0]?.fix ?? null;
    return [found.length, found[0]?.suggestion, fix === null ? null : repaired(source, fix).split("\n")];
  }

  it("labels without L or colon", () => {
    expect(first("L1:", "  J 2", "main:", "  Set a 1", "  J a").slice(1)).toEqual([
      "write L_main:",
      ["L1:", "  J 2", "L_main:", "  Set a 1", "  J a", ""],
    ]);
    expect(first("L_ok", "  J 1")).toEqual([1, "write L_ok:", ["L_ok:", "  J 1", ""]]);
    expect(first("L1:", "  J 2", "done: J 1")).toEqual([1, "write L_done:", ["L1:", "  J 2", "L_done: J 1", ""]]);
    expect(first("L1:", "  J 2", "Task: Set the table", "L2:", "  J 1").slice(1)).toEqual([null, null]);
  });

  it("fences of Markdown", () => {
    const source = lines("```wf", "L1:", "  J 1", "```");
    const found = mainFindings(source);
    const advice = "send the program alone: leave the fences of Markdown out";
    expect(found.map(({ code, suggestion }) => [code, suggestion])).toEqual([
      ["WF2001", advice],
      ["WF2001", advice],
    ]);
    const edits = found.flatMap(({ fix }) => fix?.edits ?? []);
    expect(repaired(source, { title: "", edits })).toBe(lines("", "L1:", "  J 1", ""));
  });

  it("words that mean nothing come with those that steps begin with", () => {
    const [finding] = mainFindings(lines("L1:", "  workflow hello", "  J 1"));
    expect(finding).toMatchObject({ code: "WF2001", suggestion: null });
    expect(finding?.expected).toEqual(expect.arrayContaining(["R", "X", "Set", "If", "Loop", "Call", "J"]));
    expect(mainFindings(lines("L1:", "  return 1"))[0]?.expected).toEqual([]);
  });

  it("lines that were escaped", () => {
    expect(first("L1:\\n  J 1\\n").slice(1)).toEqual(["write line breaks in place of \\n", null]);
  });

  it("adapter calls without R", () => {
    const fixed = ["L1:", "  R core.ADD 1 2 ->c", "  J 1", ""];
    expect(first("L1:", "  core.ADD 1 2 ->c", "  J 1")).toEqual([1, "write R core.ADD 1 2 ->c", fixed]);
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
