/** What an editor shows while a program is being written: its colours, and how deep a new line stands. */
import { describe, expect, it } from "vitest";
import { indentationOf } from "../../../grammar/python/ahead/indentation.ts";
import { coloredWords } from "../../../grammar/python/lexing/colored.ts";

const colored = (text: string): string[] =>
  coloredWords(text).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);

describe("colours", () => {
  it("tell keywords, texts, numbers, comments and names apart", () => {
    expect(colored('@api("/x")\ndef f(a):  # why\n    return http.Get(a, 1.5, None)\n')).toEqual([
      ...["definition api", 'text "/x"', "keyword def", "definition f", "name a", "comment # why", "keyword return"],
      ...["owner http", "member Get", "name a", "number 1.5", "constant None"],
    ]);
  });

  it("leave the values of an f-string their own colours", () => {
    expect(colored('f"a {b.c} d"')).toEqual(['text f"', "text a ", "owner b", "member c", "text  d", 'text "']);
  });

  it("take match and case for keywords only where they are", () => {
    expect(colored("match = 1\nmatch x:\n    case 1:\n        case = 2\n")).toEqual([
      ...["name match", "number 1", "keyword match", "name x", "keyword case", "number 1", "name case", "number 2"],
    ]);
  });

  it("continue below a quote that is not closed, and below a bracket that is not", () => {
    expect(colored('a = "x\nb = 1\n')).toEqual(["name a", 'text "x\n', "name b", "number 1"]);
    expect(colored("def f(:\n    return (1\nx = 2")).toContain("number 2");
    expect(colored("a = §\nif b:\n    pass")).toEqual(["name a", "keyword if", "name b", "keyword pass"]);
  });

  it("give a text of several lines that is not closed all of the rest", () => {
    expect(colored('a = """x\nb = 1\n')).toEqual(["name a", 'text """x\nb = 1\n']);
  });

  it("end in a text with a fault on every line", () => {
    const words = coloredWords("§ x\n".repeat(10_000));
    expect(words.length).toBeLessThan(100);
  });

  it("never overlap, whatever the text is", () => {
    for (const text of ['f"{x!r:>{w}} # {y}"', '"""a\n# b"""\nc', "\ufeffx = 1", "a\r\n\tb # c\r\n", "f'''{a\n}'''"]) {
      const words = coloredWords(text);
      for (const [at, { start, end }] of words.entries()) {
        expect(start, text).toBeLessThan(end);
        expect(start, text).toBeGreaterThanOrEqual(words[at - 1]?.end ?? 0);
        expect(end, text).toBeLessThanOrEqual(text.length);
      }
    }
  });
});

describe("a new line", () => {
  it.each([
    ["at the start", "", "", ""],
    ["below a head", "def f():\n", "", "    "],
    ["below a head with a comment", "if a:  # b\n", "", "    "],
    ["below a head in a block", "def f():\n    for a in b:\n", "", "        "],
    ["below a statement", "def f():\n    a = 1\n", "", "    "],
    ["below a return", "def f():\n    if a:\n        return 1\n", "", "    "],
    ["below a pass at the top", "if a:\n    pass\n", "", ""],
    ["in an open bracket", "def f():\n    a = g(\n", "", "        "],
    ["that closes a bracket", "def f():\n    a = g(\n        1,\n", ")", "    "],
    ["with tabs", "def f():\n\tif a:\n", "", "\t    "],
  ])("%s", (_title, above, line, blanks) => {
    expect(indentationOf(above, line)).toBe(blanks);
  });

  it.each([
    ["in a text of several lines", 'a = """x\n', ""],
    ["after the first line of a bracket", "a = g(1,\n", ""],
    ["below a character that Python has not", "a = §\n", ""],
    ["that continues nothing", "a = 1\n", "    else:"],
  ])("%s stays as deep as the one above", (_title, above, line) => {
    expect(indentationOf(above, line)).toBeNull();
  });

  it("that continues a statement steps out to it, and never further in", () => {
    const above = "if a:\n    if b:\n        c = 1\n";
    expect(indentationOf(above, "        else:")).toBe("    ");
    expect(indentationOf(above, "    else:")).toBe("    ");
    expect(indentationOf(above, "else:")).toBe("");
    expect(indentationOf("try:\n    a = 1\n", "    except ValueError:")).toBe("");
    expect(indentationOf("match a:\n    case 1:\n        b = 1\n", "        case 2:")).toBe("    ");
  });
});
