/** The formatter leaves a program what it is, and what it wrote as it wrote it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { format } from "../../../grammar/print/print.ts";
import { parsePython } from "../../../grammar/python/parse.ts";
import { printPython } from "../../../grammar/python/print/print.ts";
import { findPython } from "../support/oracle.ts";
import { CONSTRUCTS, PROBES, PROGRAMS } from "./ask-python.ts";
import { dumpTree } from "./dump.ts";
import { libraryFiles } from "./library-files.ts";

const TIMEOUT = 600_000;
const python = findPython();

function printed(source: string): string {
  const done = printPython(source);
  return done.ok ? done.text : `refused: ${done.faults[0]?.fault}`;
}

/** The tree without places, and the comments. */
function meaningOf(source: string): string {
  const { module, comments } = parsePython(source);
  const tree = module === null ? "refused" : dumpTree(module).replaceAll(/@\d+-\d+/g, "");
  return [tree, ...comments.map(({ text }) => text.trimEnd())].join("\n");
}

/** The sources that the formatter changes in meaning, or changes again. */
function spoilt(sources: readonly string[]): readonly string[] {
  return sources.filter((source) => {
    if (parsePython(source).module === null) return false;
    const once = printed(source);
    return meaningOf(once) !== meaningOf(source) || printed(once) !== once;
  });
}

describe("the formatter of the Python form", () => {
  it(
    "keeps tree and comments of every program, and writes no program twice differently",
    () => {
      expect(spoilt([...CONSTRUCTS, ...PROBES, ...PROGRAMS])).toEqual([]);
    },
    TIMEOUT,
  );

  it.skipIf(python === null)(
    "keeps tree and comments of the standard library",
    () => {
      expect(spoilt(libraryFiles(python ?? "", 40).map((path) => readFileSync(path, "utf8")))).toEqual([]);
    },
    TIMEOUT,
  );

  it.each([
    ["blanks", "x=1;y  =f( a , b=-1,* c,**d )\n", "x = 1; y = f(a, b=-1, *c, **d)\n"],
    ["subscripts", "x [1 : 2, a :: b]\n", "x[1:2, a::b]\n"],
    [
      "annotations",
      "def f( a:int=1,b = 2 )->dict [ str,int ] :pass\n",
      "def f(a: int = 1, b=2) -> dict[str, int]: pass\n",
    ],
    ["lambdas", "f(lambda x,* y,z=3:x+ -y ** ~z)\n", "f(lambda x, *y, z=3: x + -y ** ~z)\n"],
    ["imports", "from .. import(a ,b as c)\nfrom .x  import *\n", "from .. import (a, b as c)\nfrom .x import *\n"],
    ["indentation", "if a:\n  if b:\n     pass\n  else: pass\n", "if a:\n    if b:\n        pass\n    else: pass\n"],
    [
      "empty lines",
      "\n\nx = 1\n\n\n\n\ny = 2\ndef f():\n\n  x = 1\n\n\n  y = 2\nz = 3\n",
      "x = 1\n\n\ny = 2\n\n\ndef f():\n    x = 1\n\n    y = 2\n\n\nz = 3\n",
    ],
    [
      "methods",
      "class A:\n  x = 1\n  @a\n  # c\n  def f(self): pass\n  def g(self): pass\n",
      "class A:\n    x = 1\n\n    @a\n    # c\n    def f(self): pass\n\n    def g(self): pass\n",
    ],
    ["brackets", "x = [ # a\n1,\n      # b\n  2]\n", "x = [  # a\n    1,\n    # b\n    2]\n"],
    ["comments", "def f():\n  a\n  # in\n# out\nb #c\n", "def f():\n    a\n    # in\n\n\n# out\nb  #c\n"],
    ["texts", "x=  'a'  \"b\" f'{ x !r}'\n", "x = 'a' \"b\" f'{ x !r}'\n"],
    ["line ends", "x = 1\r\nif y:\r\n  z\r\n", "x = 1\nif y:\n    z\n"],
  ])("writes %s as black does", (_, source, expected) => {
    expect(printed(source)).toBe(expected);
    expect(printed(expected)).toBe(expected);
  });

  it("leaves a source with a fault alone", () => {
    expect(printPython("x = (\n")).toMatchObject({ ok: false, faults: [{ fault: "bracket_unclosed" }] });
  });
});

describe("a file that says that it is in the Python form", () => {
  it("is formatted as such", () => {
    expect(format("# surface: python\ndef main( n ):\n  return n+1\n")).toEqual({
      ok: true,
      text: "# surface: python\ndef main(n):\n    return n + 1\n",
    });
  });

  it("gives the finding of its fault", () => {
    expect(format("# surface: python\ndef main(n):\n  return (n\n")).toMatchObject({
      ok: false,
      findings: [{ code: "WF6101", words: { what: "'(' is never closed" }, suggestion: "add )" }],
    });
  });
});
