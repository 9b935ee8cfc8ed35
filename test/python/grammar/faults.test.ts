/** What is said of a source that is refused, and the edits that keep its meaning. */
import { describe, expect, it } from "vitest";
import { FAULTS } from "../../../grammar/python/faults.ts";
import { parsePython } from "../../../grammar/python/parse.ts";
import { PROBES } from "./ask-python.ts";

/** The source with the edits of its fault. */
function edited(source: string): string {
  const [fault] = parsePython(source).faults;
  const edits = [...(fault?.fix?.edits ?? [])].sort((left, right) => right.start - left.start);
  return edits.reduce((text, { start, end, text: own }) => text.slice(0, start) + own + text.slice(end), source);
}

describe("a source that is refused", () => {
  it.each([
    ["if x:\n  y\nelse if z:\n  w\n", "else_if", "if x:\n  y\nelif z:\n  w\n"],
    ["print 'a', b\n", "print_statement", "print('a', b)\n"],
    ["type X = int\n", "type_statement", "X = int\n"],
    ['def f(a):\n  out {"a": a}\n', "older_word", 'def f(a):\n  return {"a": a}\n'],
    ['def f(a):\n  err "no a"\n', "older_word", 'def f(a):\n  raise RuntimeError("no a")\n'],
    ["try: pass\nexcept A, B: pass\n", "except_many", "try: pass\nexcept (A, B): pass\n"],
    ["x = a && b\n", "foreign_operator", "x = a and b\n"],
    ["x = a||b\n", "foreign_operator", "x = a or b\n"],
    ["if a === b: pass\n", "foreign_operator", "if a == b: pass\n"],
    ["x = a <> b\n", "foreign_operator", "x = a != b\n"],
    ["if x\n  y\n", "colon_missing", "if x:\n  y\n"],
    ['x = f"{d["k"]}"\n', "format_quotes", "x = f\"{d['k']}\"\n"],
    ["x = f'{d['k']['l']} y'\n", "format_quotes", 'x = f\'{d["k"]["l"]} y\'\n'],
    ["f(x for x in y, z)\n", "generator_bare", "f((x for x in y), z)\n"],
    ["x = 007\n", "number_leading_zeros", "x = 7\n"],
    ["```python\nx = 1\n```\n", "fence", "x = 1\n"],
    ["const x = 1\n", "older_word", "x = 1\n"],
    ["let total = a + b;\n", "older_word", "total = a + b;\n"],
    ['throw ValueError("no")\n', "older_word", 'raise ValueError("no")\n'],
    ["switch x:\n  case 1:\n    y\n", "older_word", "match x:\n  case 1:\n    y\n"],
    ["i++\n", "foreign_operator", "i += 1\n"],
    ["while i:\n  i--;\n", "foreign_operator", "while i:\n  i -= 1;\n"],
    ["x\u00a0= 1\n", "character", "x = 1\n"],
    ["if x:\n  y\nelseif z:\n  w\n", "older_word", "if x:\n  y\nelif z:\n  w\n"],
  ])("%j has an edit that keeps its meaning", (source, fault, expected) => {
    expect(parsePython(source).faults[0]?.fault).toBe(fault);
    expect(edited(source)).toBe(expected);
    expect(parsePython(expected).faults).toEqual([]);
  });

  it.each([
    ["x = f(1,\ny = 2\n", "bracket_unclosed", 1],
    ["x = 1\nif x:\ny = 2\n", "block_missing", 3],
    ["def main():\\n    return 1\\n", "lines_escaped", 1],
    ["x = 1\n  y = 2\n", "indentation_unexpected", 2],
    ["def f(x) {\n  return x\n}\n", "colon_missing", 1],
    ["if (x) {\n  y\n}\n", "colon_missing", 1],
    ["function f(x) {\n  return x;\n}\n", "older_word", 1],
    ["x = a ? b : c\n", "character", 1],
    ["x = !a\n", "character", 1],
    ["f(x => x + 1)\n", "foreign_operator", 1],
    ["x = 1 +\n", "syntax", 1],
    ["x = i++\n", "foreign_operator", 1],
    ["let x;\n", "older_word", 1],
    ["const {a, b} = x\n", "older_word", 1],
    ["throw new Error('no')\n", "older_word", 1],
    ["if x = 1: pass\n", "target_equality", 1],
    ["def f[T](x): pass\n", "type_parameters", 1],
    ["x = '''a\n\nb", "text_unterminated", 1],
    ["x = 1\r\ny = $\r\n", "character", 2],
    ["x = '\u202e'\n", "character", 1],
    ["x = '\ud800'\n", "character", 1],
    ["x = 1\0\n", "character", 1],
    [`x = '${"a".repeat(2 ** 20)}'\n`, "source_too_long", 1],
  ])("%.40j has its fault at its place", (source, fault, line) => {
    const [found, ...others] = parsePython(source).faults;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ fault, line });
  });

  it("is refused, not failed, where a caller has used most of the stack", () => {
    const source = `x = ${"[".repeat(200)}${"]".repeat(200)}\n`;
    let faults: readonly string[] = [];
    const descend = (): void => {
      try {
        descend();
      } catch {
        faults = parsePython(source).faults.map(({ fault }) => fault);
      }
    };
    try {
      descend();
    } catch {}
    expect(parsePython(source).faults).toEqual([]);
    expect(faults.every((fault) => fault === "expression_too_deep")).toBe(true);
  });

  it.each([
    "x = i++\n",
    "let x;\n",
    "const {a, b} = x\n",
    "throw new Error('no')\n",
    "function f(x) {\n  return x;\n}\n",
  ])("%j has no edit, because more than a word has to change", (source) => {
    expect(parsePython(source).faults[0]?.fix).toBeNull();
  });

  it("has one fault, in the table, within the source, with every word of its sentence", () => {
    for (const source of PROBES) {
      const { module, faults } = parsePython(source);
      expect(faults).toHaveLength(module === null ? 1 : 0);
      for (const { fault, start, end, words } of faults) {
        const { sentence, instead } = FAULTS[fault] ?? { sentence: "{none}", instead: null };
        const missing = [...`${sentence} ${instead ?? ""}`.matchAll(/\{(\w+)\}/g)].filter(
          ([, word = ""]) => !(word in words),
        );
        expect(missing.map(([word]) => `${fault}: ${word}`)).toEqual([]);
        expect(start <= end && end <= source.length).toBe(true);
      }
    }
  });
});

describe("a source that nests deeply or repeats for long", () => {
  const many = 100_000;

  it.each([
    ["operators", `x = ${"1 + ".repeat(many)}1\n`],
    ["powers", `x = ${"2 ** ".repeat(many)}1\n`],
    ["signs", `x = ${"-".repeat(many)}1\n`],
    ["not", `x = ${"not ".repeat(many)}1\n`],
    ["attributes", `x = a${".b".repeat(many)}\n`],
    ["calls", `x = f${"()".repeat(many)}\n`],
    ["conditionals", `x = ${"1 if 1 else ".repeat(many / 2)}1\n`],
    ["lambdas", `x = ${"lambda: ".repeat(many)}1\n`],
    ["attributes of a pattern", `match x:\n case a${".b".repeat(many)}: pass\n`],
    ["elif", `if 1: pass\n${"elif 1: pass\n".repeat(many / 2)}`],
    ["brackets", `x = ${"(".repeat(201)}1${")".repeat(201)}\n`],
    ["blocks", `${Array.from({ length: 65 }, (_, at) => `${" ".repeat(at)}if x:\n`).join("")}${" ".repeat(65)}pass\n`],
  ])("is refused for its depth: %s", (_, source) => {
    expect(["expression_too_deep", "elifs_too_many", "brackets_too_deep", "blocks_too_deep"]).toContain(
      parsePython(source).faults[0]?.fault,
    );
  });

  it("refuses names of more than 200 characters, wherever they stand", () => {
    const name = "n".repeat(201);
    for (const source of [
      `${name} = 1\n`,
      `def ${name}(): pass\n`,
      `f(${name}=1)\n`,
      `x.${name}\n`,
      `import ${name}\n`,
    ])
      expect(parsePython(source).faults[0]?.fault, source.slice(0, 20)).toBe("name_too_long");
    expect(parsePython(`${name.slice(1)} = 1\n`).faults).toEqual([]);
  });

  it.each([
    ["elements", `x = [${"1, ".repeat(many)}]\n`],
    ["arguments", `f(${"1, ".repeat(many)})\n`],
    ["arguments with names", `f(${Array.from({ length: many }, (_, at) => `a${at}=1, `).join("")})\n`],
    ["members", `x = {${"1: 2, ".repeat(many)}}\n`],
    ["fields of a text", `x = f'${"{y}".repeat(many)}'\n`],
    ["comparisons", `x = ${"1 < ".repeat(many)}1\n`],
    ["and", `x = ${"1 and ".repeat(many)}1\n`],
    ["patterns", `match x:\n case ${"1 | ".repeat(many)}1: pass\n`],
    ["patterns of a list", `match x:\n case [${"1, ".repeat(many)}]: pass\n`],
  ])("is refused for its length: %s", (_, source) => {
    expect(parsePython(source).faults[0]?.fault).toBe("parts_too_many");
  });

  it.each([
    ["arguments", `f(${"1, ".repeat(many / 2)})\n`],
    ["targets", `${"a = ".repeat(many)}1\n`],
    ["comparisons", `x = ${"1 < ".repeat(many / 2)}1\n`],
    ["and", `x = ${"1 and ".repeat(many / 2 - 1)}1\n`],
    ["texts", `x = ${"'a' ".repeat(many)}\n`],
    ["statements", `${"a; ".repeat(many)}\n`],
    ["clauses", `x = [y ${"for y in z ".repeat(many / 2)}]\n`],
    ["patterns", `match x:\n case ${"1 | ".repeat(many / 2 - 1)}1: pass\n`],
    ["a long line", `x = '${"a".repeat(1_000_000)}'\n`],
    ["brackets", `x = ${"[".repeat(200)}1${"]".repeat(200)}\n`],
    ["calls in calls", `x = ${"f(a=".repeat(200)}1${")".repeat(200)}\n`],
    ["slices in slices", `x = ${"a[1:".repeat(200)}1${"]".repeat(200)}\n`],
    ["blocks", `${Array.from({ length: 64 }, (_, at) => `${" ".repeat(at)}if x:\n`).join("")}${" ".repeat(64)}pass\n`],
  ])("is read: %s", (_, source) => {
    expect(parsePython(source).faults).toEqual([]);
  });
});
