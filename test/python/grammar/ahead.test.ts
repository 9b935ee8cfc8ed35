/** The end of an unfinished text: every beginning of a program can be continued, and what is offered continues it. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { grammarShape } from "../../../compiler/grammar-shape.ts";
import { completePython } from "../../../grammar/python/ahead/complete.ts";
import { cursorOf } from "../../../grammar/python/ahead/cursor.ts";
import { plausiblePython } from "../../../grammar/python/ahead/plausible.ts";
import { parsePython } from "../../../grammar/python/parse.ts";
import { caseFiles, readCases } from "../support/case-files.ts";

/** Programs have thousands of places. */
const MANY_PLACES_MS = 120_000;
const shape = grammarShape(builtinCatalog);
const texts = (prefix: string): readonly string[] => completePython(prefix, shape).items.map(({ text }) => text);
const CASES = new URL("../cases/", import.meta.url).pathname;
const programs = caseFiles(CASES)
  .flatMap((name) => readCases(CASES, name).map(({ source }) => source))
  .filter((text) => text.length < 3000 && parsePython(text).module !== null);

describe("the beginning of a program", () => {
  it("is plausible", { timeout: MANY_PLACES_MS }, () => {
    expect(programs.length).toBeGreaterThan(200);
    programs.forEach((text, index) => {
      for (let at = index % 97; at <= text.length; at += 97)
        expect(plausiblePython(text.slice(0, at)), text.slice(0, at)).toBe(true);
    });
  });

  it("is continued by some candidate", { timeout: MANY_PLACES_MS }, () => {
    programs.forEach((text, index) => {
      for (let at = index % 331; at <= text.length; at += 331) {
        const prefix = text.slice(0, at);
        // An escape or the form of a field may be unfinished.
        if (cursorOf(prefix).open?.kind === "text") continue;
        const { from, items } = completePython(prefix, shape);
        const continues = items.some((one) => plausiblePython(prefix.slice(0, from) + one.text));
        expect(continues, JSON.stringify(prefix)).toBe(true);
      }
    });
  });

  it.each([
    "def f(:",
    "x = = 1",
    "f() = 1\n",
    "if a:\nb = 1",
    "for x i in y",
    "x = (1,]",
    "try:\n    pass\nx = 1",
    "a b",
    "f(a=1, b)",
    "def f(a=1, b):",
    "return 1\n",
    "'abc\nx",
    "x = $",
  ])("is not plausible where nothing makes it right: %j", (text) => {
    expect(plausiblePython(text)).toBe(false);
  });

  it.each([
    "x = ..",
    "x !",
    "f(a=1, b",
    "def f(*",
    "*a",
    "try:\n    pass\n",
    "@decorated\n",
    "match x:\n    ",
    "match x",
    "def f():\n    def g():\n        nonlocal x\n",
    "x = '''a\nb",
    "x = f'{a",
    "x = 0x",
    "if a:\n  ",
    "x = \\",
  ])("is plausible where more may come: %j", (text) => {
    expect(plausiblePython(text)).toBe(true);
  });

  it("is judged in time that grows with its length", { timeout: MANY_PLACES_MS }, () => {
    for (const text of [
      "(".repeat(5000),
      `x = ${"a + ".repeat(50_000)}`,
      "if a: pass\n".repeat(5000),
      "[".repeat(150),
      '"'.repeat(99_999),
    ]) {
      plausiblePython(text);
      completePython(text, shape);
    }
  });
});

describe("completion", () => {
  it.each([
    ["modules", "import da", ["datetime", "dataclasses"]],
    ["members of a module", "import math as m\nx = m.sq", ["sqrt"]],
    ["what a module gives", "from datetime import timed", ["timedelta"]],
    ["verbs of an adapter", "r = http.Pat", ["Patch"]],
    ["arguments of a verb", "r = http.Get(url, time", ["timeout_s=", "timer"]],
    ["parameters of a function", "def f(alpha, beta=2):\n    return alpha\n\nf(1, be", ["beta="]],
    ["arguments of a builtin", "sorted(x, re", ["reverse=", "reversed", "repr"]],
    ["methods of a text", "x = 'a'\nx.cas", ["casefold"]],
    ["methods of what a call gives", "x = 'a b'.split()\nx.app", ["append"]],
    ["methods of an annotated parameter", "def f(x: list[str]):\n    x.app", ["append"]],
    ["methods of the usual types", "def f(x):\n    x.app", ["append"]],
    ["names in a field", 'alpha = 1\nx = f"{alph', ["alpha"]],
    ["words that continue a statement", "if a:\n    pass\nel", ["elif", "else"]],
    ["the rest of an operator", "if a !", ["!="]],
    ["the rest of an operator that is one itself", "if a =", ["=="]],
    ["what asyncio has", "import asyncio\nasyncio.", ["gather", "run", "sleep"]],
    ["adapters that are imported", "from weft import ht", ["http"]],
    ["words by their place", "for x i", ["in"]],
  ])("offers %s", (_what, prefix, expected) => {
    expect(texts(prefix).filter((text) => text !== "\n")).toEqual(expected);
  });

  it("offers what the functions around the place bind, and no other", () => {
    const prefix = "def f(a, b):\n    c = 1\n\ndef g(d):\n    e = 2\n    ";
    const found = texts(prefix);
    expect(["d", "e", "f", "g"].every((name) => found.includes(name))).toBe(true);
    expect(["a", "b", "c"].some((name) => found.includes(name))).toBe(false);
  });

  it("offers nothing but the end in texts and comments", () => {
    expect(texts("x = 'ab")).toEqual(["'"]);
    expect(texts("# ab")).toEqual(["\n"]);
  });
});
