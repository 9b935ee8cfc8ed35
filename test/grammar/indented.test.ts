/** The indented form as it is read (docs/language.md, the indented form): what is reported for each kind of mistake, where, and with which fix. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Line } from "../../grammar/ast.ts";
import type { Edit, Finding } from "../../grammar/diagnostic.ts";
import { parse } from "../../grammar/parse.ts";
import { withoutPlaces } from "./tree.ts";

const graph = (...lines: readonly string[]): string => `main:\n${lines.map((line) => `  ${line}\n`).join("")}`;

function applied(source: string, edits: readonly Edit[]): string {
  const lastFirst = [...edits].sort((a, b) => b.span.start - a.span.start);
  return lastFirst.reduce(
    (text, { span, new_text }) => text.slice(0, span.start) + new_text + text.slice(span.end),
    source,
  );
}

/** `3:5 WF1106 suggestion` */
function told({ code, span, suggestion }: Finding): string {
  return `${span?.line}:${span?.column} ${code}${suggestion == null ? "" : ` ${suggestion}`}`;
}

/** What the first finding's fix makes of the text; null without one. */
function fixedText(source: string): string | null {
  const fix = parse(source).findings.find((finding) => finding.fix != null)?.fix;
  return fix == null ? null : applied(source, fix.edits);
}

describe("a line that is not a statement", () => {
  it.each<readonly [string, string, string | null]>([
    ["elseif x:", "2:3 WF1106 write elif x:", "elif x:"],
    ["inputs: a b", "2:3 WF1106 write in: a b", "in: a b"],
    ["let x = 1", "2:3 WF1106 write x = 1", "x = 1"],
    ["x: 1", "2:3 WF1106 write x = 1", "x = 1"],
    ["x := 1", "2:3 WF1106 write x = 1", "x = 1"],
    ["whlie x:", "2:3 WF1106 did you mean while?", "while x:"],
    ["helper:", "2:3 WF1106 a graph begins at the left margin: name:", null],
    ["include lib.wf as lib", "2:3 WF1106 put it at the left margin, above the first graph", null],
    ["fetch url", "2:3 WF1106", null],
    ["x++", "2:3 WF1106 write x += 1", "x += 1"],
    ["def helper():", "2:3 WF1106 a graph begins at the left margin", null],
    ["len(x)", "2:3 WF1009 nothing uses this value: write name = len(x)", null],
    ["$x = 1", "2:3 WF1106 write x = 1", "x = 1"],
    ["x == 1", "2:3 WF1106 write x = 1", "x = 1"],
    [
      "x, y = url",
      "2:3 WF1106 write parts = url; x = parts[0]; y = parts[1]",
      "parts = url\n  x = parts[0]\n  y = parts[1]",
    ],
    ["true = 1", "2:3 WF1106 a name has letters, digits and _, and is not a constant", null],
    ["switch x:", "2:3 WF1106 write if, elif and else", null],
  ])("%s", (line, expected, fixed) => {
    const source = `${graph("in: x url").replace("  in: x url\n", "")}  ${line}\n  out 1\n`;
    expect(
      parse(source)
        .findings.filter(({ code }) => code !== "WF9013")
        .map(told),
    ).toEqual([expected]);
    expect(fixedText(source)).toBe(fixed === null ? null : source.replace(line, fixed));
  });
});

describe("a string with the name of a variable in braces", () => {
  const warned = (line: string) => {
    const source = `main:\n  in: name\n  ${line}\n`;
    return [parse(source).findings.map(({ code }) => code), fixedText(source)?.split("\n")[2]?.trim() ?? null];
  };

  it("is reported, with the f that it lacks", () => {
    expect(warned('out "Hello {name}"')).toEqual([["WF9031"], 'out f"Hello {name}"']);
    expect(warned("if name == '{name.first:>5}':\n    pass")).toEqual([["WF9031"], "if name == f'{name.first:>5}':"]);
  });

  it.each([
    'out f"Hello {name}"',
    'out "Hello {other}"',
    'out "{{name}}"',
    'out format("{name}", 1)',
    'out {"a": name}',
  ])("is meant in %s", (line) => {
    expect(warned(line)).toEqual([[], null]);
  });
});

describe("a Markdown fence around a program", () => {
  it("is dropped with a warning, at the beginning and at the end", () => {
    const source = "```python\ndef main(a):\n  out a\n```\n";
    expect(parse(source).findings.map(told)).toEqual(["1:1 WF9033", "4:1 WF9033"]);
    expect(parse("main:\n  out 1\n```\nhelper:\n  out 2\n").findings.map(told)).toEqual(["3:1 WF1105"]);
  });
});

describe("a statement that does nothing is reported, with what was meant", () => {
  it.each<readonly [string, string, string | null]>([
    ["push(xs, 1)", "WF1009 write xs = push(xs, 1)", "xs = push(xs, 1)"],
    ["xs.append(1)", "WF1009 write xs = push(xs, 1)", "xs = push(xs, 1)"],
    ["len(xs)", "WF1009 nothing uses this value: write name = len(xs)", null],
    [
      "xs.remove(1)",
      "WF1009 values have no methods: xs = [x for x in xs if x != value]; of an object, d = omit(d, key)",
      null,
    ],
    ["xs.insert(n, 5)", "WF1009 write xs = xs[:n] + [5] + xs[n:]", "xs = xs[:n] + [5] + xs[n:]"],
    ["xs.insert(len(xs), 5)", "WF1009 values have no methods: xs = xs[:i] + [value] + xs[i:]", null],
    ["sleep(9)", "WF1009 sleep takes milliseconds, and a line stores its value: write slept = sleep(9)", null],
    ["y = xs.len()", "WF1009 write len(xs)", "y = len(xs)"],
    ['y = xs.join(", ")', 'WF1009 write join(", ", xs)', 'y = join(", ", xs)'],
    ["y = xs.items()", "WF1009 write entries(xs)", "y = entries(xs)"],
    ["y = xs.sort()", "WF1009 values have no methods: xs = sort(xs), or sort_by(xs, field)", null],
    ["break", "WF1106 break stands in the block of a loop; out ends the graph", null],
    ["y = helper(1)", "WF1009 helper takes a, b", null],
    ["y = helper(1, 2, 3)", "WF1009 helper takes a, b", null],
    ["y = f(x=1)", "WF1009 arguments have no names here: leave the name out", null],
    ["y = http.Get(f(1), g(x=1))", "WF1009 arguments have no names here: leave the name out", null],
    ["y = signal.wait(f(1), timeout=5)", "WF1009 arguments have no names here: leave the name out", null],
    ["y = a if xs", "WF1009 write a if condition else b", null],
    ["y = xs[]", "WF1009 write an index: rows[0]", null],
    ['y = f"{}"', "WF1009 write a value in the braces, or {{ for a brace", null],
  ])("%s", (line, expected, fixed) => {
    const block = line.endsWith(":") ? "    y = 1\n" : "";
    const source = `main:\n  in: xs a\n  ${line}\n${block}\ndef helper(a, b):\n  out a + b\n`;
    const findings = parse(source).findings.filter(({ code }) => code.startsWith("WF1"));
    expect(findings.map((one) => told(one).replace(/^\S+ /, ""))).toEqual([expected]);
    expect(fixedText(source)).toBe(fixed === null ? null : source.replace(line, fixed));
  });
});

const IN_PLACE =
  "no function is written in place: build the list, [r.name for r in rows if r.price > 1], or write a for loop";
/** Of a bracket that both forms read in the same way. */
const IN_BRACKETS =
  "no function is written in place: use Loop or for, with the steps in a label or block of their own, or Filt";

describe("a mistake in an expression is reported once", () => {
  it.each<readonly [string, string, string | null]>([
    ["x = a && b", "2:9 WF1009 write a and b", "x = a and b"],
    ["if a = b:", "2:8 WF1009 compare with ==", "if a == b:"],
    ["if a=b:", "2:7 WF1009 compare with ==", "if a == b:"],
    ['if a="b":', "2:7 WF1009 compare with ==", 'if a == "b":'],
    ["x = add a b", '2:11 WF1009 write (add a b) to call a function, "add a b" for a text', null],
    ["out hello world", '2:13 WF1009 write (hello world) to call a function, "hello world" for a text', null],
    ["x =", "2:5 WF1009 write a value", null],
    ["x = a ==", "2:9 WF1009 write a value after '=='", null],
    ["x = a or", "2:9 WF1009 write a value after 'or'", null],
    ["if :", "2:6 WF1009", null],
    ["x = R http.GET a ->y", "2:7 WF1009 leave R out", "x = http.GET a ->y"],
    ["call helper 1", "2:15 WF1009 graphs take no arguments: set variables before the call", null],
    ["call", "2:3 WF1009 write call and the name of a graph", null],
    ["while a limit many:", "2:17 WF2013 limit takes a positive whole number", null],
    ["while a limit 0:", "2:17 WF2013 limit takes a positive whole number", null],
    ["x = a;", "2:8 WF1009 leave it out", "x = a"],
    ["x = [b.c for b in (a, b => b)]", `2:23 WF1009 ${IN_PLACE}`, null],
    ["x = filter(a, b => b.c > 1)", `2:19 WF1004 ${IN_PLACE}`, null],
    ["x = a . b", "2:9 WF1009 strings are joined with +, and a number needs str: a + str(n)", null],
    ["if a between 1 and 5:", "2:8 WF1009 write low <= x <= high", null],
    ["x = f(b) for b in a", "2:12 WF1009 put it into brackets: [value for x in list]", null],
    ["x = a,", "2:8 WF1009 leave it out", "x = a"],
    ["out a, b", "2:8 WF1009 write [a, b]", "out [a, b]"],
    ["out: a", "2:6 WF1009 leave it out", "out a"],
    ["err: a", "2:6 WF1009 leave it out", "err a"],
    ["out:", "2:6 WF1009 leave it out", "out"],
    [
      "err: # none",
      "2:6 WF1009 write err and a message; what handles a failure is a graph of its own: Err ->handler",
      null,
    ],
    ["err", "2:3 WF1009 write a message", null],
    ["x = core.ADD a, b", "2:17 WF1009 separate operands by spaces", "x = core.ADD a b"],
    ["if a <> b:", "2:8 WF1009 write a != b", "if a != b:"],
    ["if a=>b:", "2:7 WF1009 write a>=b", "if a>=b:"],
    ["if a === b:", "2:8 WF1009 write a == b", "if a == b:"],
    ["if a then:", "2:8 WF1009 leave then out", "if a :"],
    ["out [1 2]", "2:10 WF1004 write [a, b]", "out [1, 2]"],
    ["x = [get a 1]", "2:12 WF1004 write (get a 1) to call a function, [get, a, 1] for a list", null],
    ["x = lambda a: add a 1", `2:14 WF1009 ${IN_PLACE}`, null],
    ["x = lambda a:", `2:14 WF1009 ${IN_PLACE}`, null],
    ["out (lambda a:", `2:7 WF1002 ${IN_BRACKETS}`, null],
    ["out (a and b", "2:7 WF1002", null],
  ])("%s", (line, expected, fixed) => {
    const block = line.endsWith(":") ? "    y = 1\n" : "";
    const source = `main:\n  ${line}\n${block}\nhelper:\n  out 1\n`;
    const findings = parse(source).findings.filter(({ code }) => code.startsWith("WF1") || code === "WF2013");
    expect(findings.map(told)[0]).toBe(expected);
    expect(findings).toHaveLength(1);
    if (fixed !== null) expect(fixedText(source)).toBe(source.replace(line, fixed));
    if (line.startsWith("out [a")) expect(fixedText(source)).toBeNull();
  });
});

describe("the lines below a line at fault that ends with a colon", () => {
  const found = (line: string, ...below: readonly string[]) => {
    const source = `main:\n  in: xs\n  ${line}\n${below.map((one) => `    ${one}\n`).join("")}  out y\n`;
    const { diagnostics } = compile(source, { catalog: builtinCatalog });
    return diagnostics.map((one) => `${one.span?.line} ${one.code}`);
  };

  it.each([
    ["total = sum xs:", "3 WF1009"],
    ["Sort rows xs n sideways:", "3 WF2013"],
    ['http.GET "u" (:', "3 WF1002"],
  ])("are read as they stand: %s", (line, fault) => {
    expect(found(line, "y = 1")).toEqual(expect.arrayContaining([fault]));
    expect(found(line, "y = 1").filter((one) => !one.startsWith("3 "))).toEqual([]);
    expect(found(line, "y = (nofn 1)", "y = gone").slice(-2)).toEqual(["4 WF5004", "5 WF4001"]);
  });

  it("are those of a function when the line begins one, and nothing is said of its names", () => {
    expect(found("y = lambda x:", "z = (add x 1)", "out z")).toEqual(["3 WF1009"]);
  });
});

describe("words of operators and variables compute", () => {
  it.each<readonly [string, string]>([
    ["x = a+1", "x = a + 1"],
    ["x = a-b*2", "x = a - b * 2"],
    ["x = [a.n/2, b]", "x = [a.n / 2, b]"],
    ["out (concat a%2)", "out (concat (a % 2))"],
    ["if a-1 > 0:\n    y = 1", "if a - 1 > 0:\n    y = 1"],
    ["x = -a", "x = - a"],
    ["x = 60*60", "x = 60 * 60"],
    ["x = a*(b + 1)", "x = a * (b + 1)"],
    ["x = (len a)-1", "x = (len a) - 1"],
    ["x = a -1", "x = a - 1"],
  ])("%s", (line, apart) => {
    const [glued, spaced] = [line, apart].map((one) => {
      const { lines, findings } = parse(`main:\n  in: a b\n  ${one}\n`);
      expect(findings).toEqual([]);
      return JSON.stringify(withoutPlaces(lines));
    });
    expect(glued).toBe(spaced);
  });

  it.each(["x = read-only", "x = 2024-01-02", "x = a-z", "x = /a/b", "x = a+", "cache.set a-b 1", "x = 10:30"])(
    "but %s is",
    (line) => {
      expect(parse(`main:\n  in: a b\n  ${line}\n`).findings).toEqual([]);
    },
  );
});

describe("a dotted word that computes", () => {
  const told = (body: string) => {
    const source = `main:\n  in: order\n  ${body}\n  out x\n`;
    const { diagnostics } = compile(source, { catalog: builtinCatalog });
    return [diagnostics.map(({ code, suggestion }) => `${code} ${suggestion}`), fixedText(source)];
  };

  it("is a call when it names no variable", () => {
    expect(told("x = core.NOW-1")).toEqual([["WF5002 did you mean 'NOW'?"], null]);
  });
});

it.each(["if a == NULL:", "x = a != nil", "while not a == undefined:"])(
  "a constant of another language is not text: %s",
  (line) => {
    const source = `main:\n  in: a\n  ${line}\n${line.endsWith(":") ? "    a = 1\n" : ""}  out a\n`;
    const told = compile(source, { catalog: builtinCatalog }).diagnostics.map(({ code }) => code);
    expect(told).toEqual(["WF4001"]);
  },
);

describe("blocks", () => {
  it.each<readonly [string, string, readonly string[], string | null]>([
    ["a block in the line", "  if a: out 1\n  out 2\n", ["2:7 WF1103"], "  if a:\n    out 1\n  out 2\n"],
    [
      "an else in the line",
      "  if a:\n    out 1\n  else: out 2\n",
      ["4:7 WF1103"],
      "  if a:\n    out 1\n  else:\n    out 2\n",
    ],
    ["no block", "  if a:\n  out 2\n", ["2:7 WF1103"], null],
    ["no block at the end", "  while a:\n", ["2:10 WF1103"], null],
    ["no colon", "  if a\n    out 1\n  out 2\n", ["2:6 WF1107"], "  if a:\n    out 1\n  out 2\n"],
    ["no colon and a comment", "  for x in a # all\n    y = x\n", ["2:12 WF1107"], "  for x in a: # all\n    y = x\n"],
    [
      "else if",
      "  if a:\n    out 1\n  else if b:\n    out 2\n",
      ["4:3 WF1106"],
      "  if a:\n    out 1\n  elif b:\n    out 2\n",
    ],
    ["else without if", "  else:\n    out 1\n", ["2:3 WF1104"], null],
    ["a second else", "  if a:\n    b = 1\n  else:\n    b = 2\n  else:\n    b = 3\n", ["6:3 WF1104"], null],
    ["elif after something else", "  if a:\n    b = 1\n  b = 2\n  elif b:\n    b = 3\n", ["5:3 WF1104"], null],
    ["deeper lines, told once", "  a = 1\n    b = 2\n    c = 3\n  out a\n", ["3:5 WF1101"], null],
    ["a step back between blocks", "  if a:\n      b = 1\n    c = 1\n  out a\n", ["4:5 WF1101"], null],
    [
      "lines at the margin",
      "  a = 1\nb = 2\nif a:\n  b = 3\nout b\n",
      ["3:1 WF1101"],
      "  a = 1\n  b = 2\n  if a:\n    b = 3\n  out b\n",
    ],
    [
      "what stands under an unknown line is read",
      "  until:\n    a = (add 1\n  out a\n",
      ["2:3 WF1106", "3:9 WF1002"],
      null,
    ],
    ["lines below err:", "  a = 1\n  err:\n    a = (add 1\n  out a\n", ["3:6 WF1009", "4:9 WF1002"], null],
    ["err: at the margin", '  a = 1\nerr: "none"\n', ["3:1 WF1101"], '  a = 1\n  err: "none"\n'],
    ["err: between blocks", '    a = 1\n  err: "none"\n    out a\n', ["3:3 WF1101"], null],
    ["two lost lines apart", "    a = 1\n  b = 2\n\nhelper:\n    a = 1\n  b = 2\n", ["3:3 WF1101", "7:3 WF1101"], null],
    ["tabs and blanks", "  a = 1\n\tb = 1\n", ["3:1 WF1102"], null],
  ])("%s", (_what, body, expected, fixed) => {
    const source = `main:\n${body}`;
    const findings = parse(source).findings.filter(({ code }) => code.startsWith("WF1"));
    expect(findings.map(({ code, span }) => `${span?.line}:${span?.column} ${code}`)).toEqual(expected);
    expect(fixedText(source)).toBe(fixed === null ? null : `main:\n${fixed}`);
  });

  it("a line that lost its place is not said to be out of reach as well", () => {
    const source = 'main:\n  out 1\nerr: "none"\n';
    expect(compile(source, { catalog: builtinCatalog }).diagnostics.map(({ code }) => code)).toEqual(["WF1101"]);
  });

  it("tells every mistake of a file, not the first alone", () => {
    const source = "main:\n  x = (add 1\n  if a\n    y = 1 +\n  retrun y\n\nmain:\n  out [1 2]\n\n9lives:\n  out 1\n";
    expect(parse(source).findings.map(({ code, span }) => `${span?.line} ${code}`)).toEqual([
      "2 WF1002",
      "3 WF1107",
      "4 WF1009",
      "5 WF1106",
      "7 WF1108",
      "8 WF1004",
      "10 WF1105",
    ]);
  });
});

describe("headers", () => {
  it.each<readonly [string, readonly string[]]>([
    ["main @api:", ['1:6 WF1105 write @api "/path" GET']],
    ['main @api "/x" GET', ["1:16 WF1107"]],
    ['main @retry 3 @api "/x":', ["1:6 WF9019 leave it out: @api and @cron are the only decorators"]],
    ["main: out 1", ["1:5 WF1103 put the block on lines of its own, indented"]],
  ])("%s", (header, expected) => {
    expect(parse(`# surface: indented\n${header}\n  out 1\n`).findings.map(told)).toEqual(
      expected.map((one) => one.replace("1:", "2:")),
    );
  });

  it("are reported for label lines, with the name they would have", () => {
    const source = "main:\n  call down\n  out 1\n\nL_down:\n  out 2\n";
    expect(parse(source).findings.map(told)).toEqual(["5:1 WF1106 write down:"]);
    expect(fixedText(source)).toBe(source.replace("L_down", "down"));
  });

  it("may begin with L when they look like no label", () => {
    expect(parse("main:\n  call Live\n  out 1\n\nLive:\n  out 2\n").findings).toEqual([]);
  });
});

describe("the tree", () => {
  const lines = (source: string): readonly string[] => parse(source).lines.map(shown);
  const shown = (line: Line): string => {
    if (line.kind === "label") return `L${line.id}: at ${line.span.line}`;
    if (line.kind === "declaration") return `${line.op} ${line.slots.map(({ text }) => text).join(" ")}`;
    return line.kind === "step" ? `${line.step.op} at ${line.span.line}:${line.step.word.span.column}` : line.kind;
  };

  it("has a label per graph and block, at the words they were written with", () => {
    const source = "main:\n  if a:\n    b = 1\n  else:\n    b = 2\n  out b\n\nhelper:\n  out 1\n";
    expect(lines(source)).toEqual([
      "S main core noop",
      "L_entry: at 1",
      "If at 2:3",
      "Lmain~then2: at 2",
      "Set at 3:5",
      "If at 3:5",
      "Lmain~else3: at 4",
      "Set at 5:5",
      "If at 5:5",
      "Lmain~cont1: at 2",
      "J at 6:3",
      "L_helper: at 8",
      "J at 9:3",
    ]);
  });

  it("has the declarations of decorators, fields and lines", () => {
    const source =
      'S shop web /shop\nmain @api "/a" GET @cron "0 8 * * *":\n  config limit:I\n  state last:D\n  Q mail\n  out 1\n\nnext @api /b:\n  out 2\n';
    expect(lines(source).filter((line) => !line.startsWith("L") && !line.startsWith("J"))).toEqual([
      "S shop web /shop",
      "D Config limit:I",
      "D State last:D",
      "Q mail",
      "E /a GET ->L_entry",
      "Cr L_entry 0 8 * * *",
      "E /b POST ->L_next",
    ]);
  });

  it("keeps inputs with their types; what a comment says already is not said again", () => {
    const source = "# frame: a: number\nmain:\n  in: a b:number, c : A[Order] d\n  D Order id:I\n  out [a, b, c, d]\n";
    expect(parse(source).inputs.map(({ name, type }) => `${name}:${type}`)).toEqual([
      "a:number",
      "b:number",
      "c:A[Order]",
      "d:any",
    ]);
    expect(parse(source).findings).toEqual([]);
    expect(parse("main:\n  in: a:strng\n  out a\n").findings.map(told)).toEqual([
      expect.stringContaining("2:7 WF9025"),
    ]);
  });
});

describe("operands mean what they mean in the opcode form", () => {
  it.each([
    '"it\'s"',
    '\'{"a": "x\\n"}\'',
    "-2.50",
    '[1, a, "t", (add 1 2)]',
    '{"k": a, n: {"m": [null]}}',
    "(add (mul 2 3) a)",
    "/orders",
    "https://a.b/c?d=e",
    "k=v",
    "10:30",
    '$a.b["c d"][0]',
    "é_1",
  ])("%s", (operand) => {
    const catalog = builtinCatalog;
    const [opcode, indented] = [
      `L1:\n  Set é_1 1\n  Set a 1\n  Set x ${operand}\n  J x\n`,
      `main:\n  é_1 = 1\n  a = 1\n  x = ${operand}\n  out x\n`,
    ].map((source) => {
      const { ir, diagnostics } = compile(source, { catalog, strict: true });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      return ir?.nodes.filter(({ op }) => op === "Set").at(-1)?.data;
    });
    const withoutNames = JSON.stringify(indented).replaceAll('"k":"var"', '"k":"name"');
    expect(withoutNames).toBe(JSON.stringify(opcode).replaceAll('"k":"var"', '"k":"name"'));
  });
});
