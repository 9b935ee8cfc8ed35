/** WF9021: every construct that is read here and meant something else in the predecessor is noted where it stands, and no other. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { lines } from "../compiling.ts";
import { diagnose } from "../found.ts";
import { includeFiles } from "../lower/include-files.ts";
import { testCatalog } from "../test-catalog.ts";

const INTRODUCTION = "differs from the predecessor: ";

/** `line: how`, for the lines below `L1:`, which is line 1. */
function notes(...text: string[]): readonly string[] {
  return notesOf(lines("L1:", ...text, "L2:", "  J 2", "L3:", "  J 3"));
}

function notesOf(source: string): readonly string[] {
  return diagnose(source, { strict: false, compat_notes: true }).flatMap(({ code, span, message }) =>
    code === "WF9021" ? [`${span?.line}: ${message.replace(INTRODUCTION, "")}`] : [],
  );
}

const BRACKETS = "brackets are evaluated, they were pieces of text";
const COMPARISON = "the comparison is evaluated, it was pieces of text";
const ABSENT = "an absent name is false, it was true";

describe("operands", () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["a number in quotes", ['  J "5"'], ["2: quoted text stays text, it was a constant"]],
    ["a variable in quotes", ["  Set a 1", '  J "a"'], ["3: quoted text stays text, it was the variable"]],
    ["a dollar sign in quotes", ['  J "$b"'], ["2: quoted text stays text, it was the variable of that name"]],
    ["other text in quotes", ["  Set a 1", '  J "b"'], []],
    ["a list", ["  J [1, 2]"], ["2: a list is a value, it was pieces of text"]],
    ["a map, once", ['  J {"a": [1, "5"]}'], ["2: a map is a value, it was pieces of text"]],
    ["a call as the value of Set", ["  Set a (add 1 2)", "  J a"], [`2: ${BRACKETS}`]],
    ["a call that is all of an X", ["  X a (add 1 2)", "  J a"], []],
    ["a call inside that one", ["  X a (add 1 (mul 2 3))", "  J a"], [`2: ${BRACKETS}`]],
    ["a call among the arguments of X", ["  X a add 1 (mul 2 3)", "  J a"], [`2: ${BRACKETS}`]],
    ["a path from a variable", ["  X o obj k 1", "  J o.k"], ["3: 'o.k' walks into the value of 'o', it was text"]],
    [
      "a path with a dollar sign",
      ["  X o obj k 1", "  J $o.k"],
      ["3: '$o.k' walks into the value of 'o', it was the variable of that whole name"],
    ],
    ["a dotted word", ["  J a.b"], []],
    ["a path in a key slot", ["  X o obj k 1", "  X v get o k.l", "  J v"], []],
  ])("%s", (_what, steps, expected) => expect(notes(...steps)).toEqual(expected));
});

it("a name of the caller's frame in quotes", () => {
  const options = { catalog: testCatalog, inputs: ["url"], compat_notes: true };
  const found = compile(lines("L1:", '  J "url"'), options).diagnostics;
  expect(found.map(({ message }) => message)).toEqual([`${INTRODUCTION}quoted text stays text, it was the variable`]);
});

describe("variables of the host", () => {
  const HIDDEN = "only variables that WF_EXPOSE_ENV names are read, it was every variable";
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["a call of the adapter", ['  R core.ENV "DRY_RUN" ->dry', "  J dry"], [`2: ${HIDDEN}`]],
    ["a function", ['  X dry env "DRY_RUN" "1"', "  J dry"], [`2: ${HIDDEN}`]],
    ["a function inside an operand", ['  X text concat "a" (core.env "DRY_RUN")', "  J text"], [`2: ${HIDDEN}`]],
    ["a name that is computed", ["  Set name core.id", "  X dry env name", "  J dry"], [`3: ${HIDDEN}`]],
    ["another function of the host", ["  X t now", "  J t"], []],
  ])("%s", (_what, steps, expected) => {
    expect(notes(...steps).filter((note) => note.endsWith(HIDDEN))).toEqual(expected);
  });
});

describe("conditions", () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["a name that may be absent", ["  If a ->L2 ->L3"], [`2: ${ABSENT}`]],
    ["a name set above", ["  Set a 1", "  If a ->L2 ->L3"], []],
    ["a dollar sign", ["  If $a ->L2 ->L3"], []],
    ["a question mark", ["  If a? ->L2 ->L3"], ["2: the question mark asks for presence, it was always true"]],
    ["a comparison of text", ["  If a=b ->L2 ->L3"], []],
    ["one with blanks", ["  If a = b ->L2 ->L3"], [`2: ${COMPARISON}`]],
    ["a comparison of values", ["  If a == 1 ->L2 ->L3"], [`2: ${COMPARISON}`]],
    ["a glued one", ["  While a>=1 ->L2 ->L3"], [`2: ${COMPARISON}`]],
    ["brackets", ["  If (eq $a 1) ->L2 ->L3"], [`2: ${BRACKETS}`]],
  ])("%s", (_what, steps, expected) => expect(notes(...steps)).toEqual(expected));
});

describe("handlers", () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["of a call of an adapter", ["  R ext.A 1 ->a", "  Err ->L2", "  J a"], []],
    ["after another", ["  R ext.A 1 ->a", "  Retry 2", "  Err ->L2", "  J a"], [belonged(4, "Retry")]],
    ["named by their step", ["  R ext.A 1 ->a", "  Retry 2", "  Err @n1 ->L2", "  J a"], []],
    ["after an If", ["  If $a ->L2 ->L3", "  Err ->L3"], [belonged(3, "If")]],
    ["of a Call", ["  Call L2 ->a", "  Err ->L3", "  J a"], ["3: it catches what fails inside the Call, it did not"]],
    ["that repeat a Call", ["  Call L2 ->a", "  Retry 2", "  J a"], []],
  ])("%s", (_what, steps, expected) => expect(notes(...steps)).toEqual(expected));

  function belonged(line: number, op: string): string {
    return `${line}: it protects the step above that can fail, it belonged to the ${op}`;
  }
});

describe("forms of a step", () => {
  const result = (line: number, name: string): string => `${line}: '${name}' takes the result, it was an argument`;
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["a call without arguments", ["  R ext.A ->a", "  J a"], ["2: no argument is passed, it was one empty text"]],
    ["one whose verb is a word of its own", ["  R ext A ->a", "  J a"], []],
    ["a result that could be a label", ["  R ext.A 1 ->List", "  J List"], [result(2, "List")]],
    ["a result after a space", ["  R ext.A 1 -> a", "  J a"], [result(2, "a")]],
    ["a result before the last argument", ["  R ext.A ->a 1", "  J a"], [result(2, "a")]],
    ["a result", ["  R ext.A 1 ->a", "  J a"], []],
    ["an alias of Loop", ["  Set xs 1", "  ForEach xs x ->L2 ->L3"], ["3: it is Loop, it was ignored"]],
    ["an alias of Filt", ["  Filter a $b k == 1", "  J a"], ["2: it is Filt, it was ignored"]],
    ["a comparator that is new", ["  Filt a $b k contains 1", "  J a"], ["2: this comparison works, it failed"]],
    ["one that is not", ["  Filt a $b k == 1", "  J a"], []],
  ])("%s", (_what, steps, expected) => expect(notes(...steps)).toEqual(expected));
});

describe("the order of lines", () => {
  const below = (line: number): string => `${line}: the steps below belong to label 'L1', they were dropped`;
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["an unknown word above steps", ["L1:", "  Set a 1", "  when a", "  J a"], [below(3)]],
    ["one with nothing below", ["L1:", "  J 1", "  when a", "L2:", "  J 2"], []],
    ["one above the labels", ["when a", "L1:", "  J 1"], []],
    ["a late declaration above steps", ["L1:", "  Set a 1", "Q mail", "  J a"], [below(3)]],
    ["steps without a label", ["Set a 1", "J a"], ["1: steps without a label are run, they were not"]],
    ["steps above a label", ["Set a 1", "L1:", "  J 1"], []],
    ["a name of a label that begins with L", ["LLATE:", "  J 1"], ["1: label 'LLATE' can be reached, it could not"]],
    ["a cache", ["C rates pair 60", "L1:", "  J 1"], ["1: lifetime and default count, they were not used"]],
    ["Ver", ["Ver 2.0", "L1:", "  J 1"], ["1: it is information, it replaced the version of the IR"]],
    [
      "S core below an endpoint",
      ["S web web /", "E /x G ->L1", "S core web /y", "L1:", "  J 1"],
      ["3: the endpoints above stay, they were erased"],
    ],
    ["another service below one", ["E /x G ->L1", "S web web /y", "L1:", "  J 1"], []],
  ])("%s", (_what, text, expected) => expect(notesOf(lines(...text))).toEqual(expected));

  it.each([
    ["no label 1 and no endpoint", ["L_go:", "  J 2"], ["runs start here, they started in an included file"]],
    ["a label 1", ["L_go:", "  J 2", "L1:", "  J 3"], []],
    ["an endpoint", ["E /go G ->L_go", "L_go:", "  J 2"], []],
  ])("of the entry of a program with includes and %s", (_what, text, expected) => {
    const includes = includeFiles({ "jobs.wf": lines("LENTRY:", "  J 1", "LEXIT_OK:", "  J 2") });
    const source = lines('include "jobs.wf" as jobs', ...text);
    const found = compile(source, { catalog: testCatalog, includes, compat_notes: true }).diagnostics;
    const notes = found.filter(({ code }) => code === "WF9021").map(({ message }) => message.replace(INTRODUCTION, ""));
    expect(notes).toEqual(expected);
  });

  it("of an included file", () => {
    const includes = includeFiles({ "jobs.wf": lines("Q mail", "LENTRY:", "  J 1", "LEXIT_OK:", "  J 2") });
    const source = lines("L1:", "  Set a 1", 'include "jobs.wf" as jobs', "  J a");
    const found = compile(source, { catalog: testCatalog, strict: false, includes, compat_notes: true }).diagnostics;
    expect(
      found.flatMap(({ code, message }) => (code === "WF9021" ? [message.replace(INTRODUCTION, "")] : [])),
    ).toEqual(["the include is read, it was ignored", "it counts for the whole program, it was lost"]);
  });
});
