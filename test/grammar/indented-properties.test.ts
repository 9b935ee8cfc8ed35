/** Properties of the front end of the indented form over random text, and over programs that were damaged. */
import "../support/property-seed.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { SourceFile, Step } from "../../grammar/ast.ts";
import type { Edit, Finding } from "../../grammar/diagnostic.ts";
import { PARSE_LIMITS, parse } from "../../grammar/parse.ts";
import { format } from "../../grammar/print/print.ts";
import type { Span } from "../../grammar/text/span.ts";
import { type Executed, executed } from "../support/executed.ts";
import { step } from "./arbitraries.ts";
import { program, programText } from "./indented-programs.ts";
import { withoutPlaces } from "./tree.ts";

const STATED = "# surface: indented\n";

const piece = fc.constantFrom(
  ...["if", "elif", "else", "else:", "for", "while", "limit", "in", "in:", "out", "err", "call", "config", "state"],
  ...[
    "and",
    "or",
    "not",
    "x",
    "y1",
    "main",
    "main:",
    "helper:",
    "L1:",
    "x = ",
    "x=",
    "y=5",
    "= ",
    ":",
    "==",
    ">=",
    "<",
  ],
  ...[
    "a>=3",
    "a==b:",
    "x:",
    "x?",
    "x?:",
    "!x",
    "(x)",
    "(a and b)",
    "(add x 1)",
    "(now)",
    "[1, x]",
    '{"a": x}',
    "(",
    ")",
  ],
  ...[
    "[",
    "]",
    "{",
    "}",
    ",",
    '"t"',
    '"',
    "'it",
    "1",
    "-2.5",
    "5:",
    "$x",
    "$",
    "$x.a[0]:",
    "x.y",
    "core.NOW",
    "core.ADD",
  ],
  ...[
    "http.get(url)",
    "len(x)",
    "x.push(1)",
    "x[i]",
    "x[1:]",
    "[y for y in x if y]",
    "{k: v for k, v in x}",
    'f"a {x} {x:.2f}"',
    'f"{',
    "a if x else b",
    "x-1",
    "+",
    "-",
    "//",
    "not in",
    "is None",
    "f(",
    "for x in",
    "->x",
    "->L_helper",
    "L_helper",
    "# note",
    "#",
    "@api",
    '@api "/x" GET:',
    '@cron "* * * * *"',
  ],
  ...[
    "break",
    "continue",
    "return x",
    "def main(a, b=3):",
    "helper(x, y=1):",
    "def",
    "x += 1",
    "x[0].a = ",
    "try:",
    "except e:",
    "raise",
    "pass",
    "helper(x, 1)",
    "R core.ADD 1 2 ->x",
    "J x",
    "If x ->L1",
    "Err ->helper",
    "Retry 2",
    "D T a:I",
    "S a b",
  ],
  ...[
    "include a.wf as b",
    "é",
    "😀",
    "\u0000",
    "\ud800",
    "\u00a0",
    "\r",
    "limit=5",
    "x.y == 1",
    "call a/B",
    "R",
    "a:number,",
  ],
);

const soup = fc
  .array(fc.tuple(piece, fc.constantFrom(" ", " ", "", "\n", "\n  ", "\n    ", "\n\t", "\r\n  ", ":\n      ")), {
    maxLength: 40,
  })
  .map((parts) => parts.map(([word, gap]) => word + gap).join(""));

const text = fc.oneof(
  soup,
  soup.map((body) => `main:\n  ${body}`),
  soup.map((body) => `main @api "/x":\n  ${body}\nhelper:\n  out 1`),
  fc.array(step, { maxLength: 5 }).map((steps) => `main:\n  in: a\n${steps.map((one) => `  ${one}\n`).join("")}`),
  fc.string({ unit: "binary", maxLength: 120 }).map((body) => `main:\n  out ${body}`),
);

/** A program with a few characters or lines taken out, doubled or moved. */
const damaged = fc
  .tuple(
    program.map(programText),
    fc.array(
      fc.tuple(fc.nat(), fc.nat({ max: 6 }), fc.constantFrom("cut", "double", "line", "indent", "piece"), piece),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([source, changes]) => changes.reduce((now, change) => damagedBy(now, change), source));

function damagedBy(source: string, [at, length, how, word]: readonly [number, number, string, string]): string {
  const place = source.length === 0 ? 0 : at % source.length;
  if (how === "cut") return source.slice(0, place) + source.slice(place + length);
  if (how === "double") return source.slice(0, place + length) + source.slice(place);
  if (how === "piece") return `${source.slice(0, place)}${word}${source.slice(place)}`;
  const lines = source.split("\n");
  const index = at % lines.length;
  if (how === "line") lines.splice(index, 1);
  else lines[index] = `${" ".repeat(length)}${lines[index]?.trimStart()}`;
  return lines.join("\n");
}

const any = fc.oneof(text, damaged).map((body) => STATED + body);

function stepsOf(file: SourceFile): Step[] {
  return file.lines.flatMap((line) => (line.kind === "step" ? [line.step] : line.kind === "label" ? line.steps : []));
}

function expectInside(span: Span, source: string): void {
  const lines = source.split("\n");
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, column - 1);
  const places = [offset(span.line, span.column), offset(span.end_line, span.end_column)];
  expect([span.start, span.end]).toEqual(places);
  expect(span.start <= span.end && span.start >= 0 && span.end <= source.length).toBe(true);
}

/** The same place is looked at once. */
function distinct(spans: readonly Span[]): readonly Span[] {
  return [...new Map(spans.map((span) => [`${span.start} ${span.end}`, span])).values()];
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => b.span.start - a.span.start);
  return ordered.reduce((now, { span, new_text }) => now.slice(0, span.start) + new_text + now.slice(span.end), source);
}

const RUNS = { numRuns: 250 };
/** On a busy machine a property takes longer than the usual five. */
const SECONDS = 30_000;

describe("reading the indented form", () => {
  it(
    "never throws, and every place is in the text",
    () => {
      fc.assert(
        fc.property(any, (source) => {
          const file = parse(source);
          const told = file.findings.flatMap(({ span, fix, related }) => [
            ...(span === null ? [] : [span]),
            ...(fix?.edits ?? []).map((edit) => edit.span),
            ...(related ?? []).map((one) => one.span),
          ]);
          const read = stepsOf(file).flatMap(({ span, word }) => [span, word.span]);
          for (const span of distinct([...told, ...read, ...file.lines.map(({ span }) => span)]))
            expectInside(span, source);
        }),
        RUNS,
      );
    },
    SECONDS,
  );

  it(
    "never makes the compiler throw, in either mode",
    () => {
      fc.assert(
        fc.property(any, fc.boolean(), (source, strict) => {
          const { diagnostics } = compile(source, { catalog: builtinCatalog, strict, compat_notes: true });
          for (const { span, message, suggestion } of diagnostics) {
            if (span !== null) expectInside(span, source);
            expect(message).not.toMatch(/\{[a-z]+\}|undefined/i);
            expect(suggestion ?? "").not.toMatch(/\{[a-z]+\}|undefined/);
          }
        }),
        RUNS,
      );
    },
    SECONDS,
  );

  it(
    "offers fixes that take their finding away",
    () => {
      fc.assert(
        fc.property(any, (source) => {
          const { findings } = parse(source);
          for (const { code, fix, span } of findings as Finding[]) {
            // Of several faults in one line the next one shows once the first is fixed.
            if (fix == null || code === "WF1009" || code === "WF1106") continue;
            // Where other lines are faulty, it is unclear what belongs to what.
            if (code === "WF1101" && findings.some((other) => other.code !== code)) continue;
            const count = (of: string): number => parse(of).findings.filter((finding) => finding.code === code).length;
            const fixed = applyEdits(source, fix.edits);
            const place = `${code} at ${span?.line}:${span?.column} of ${JSON.stringify(source)} gives ${JSON.stringify(fixed)}`;
            expect(count(fixed), place).toBeLessThan(count(source));
          }
        }),
        RUNS,
      );
    },
    SECONDS,
  );

  it(
    "takes CR LF and a byte order mark like LF without",
    () => {
      fc.assert(
        fc.property(any, (source) => {
          const plain = parse(source);
          const windows = parse(`\ufeff${source.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")}`);
          if (source.includes("\r")) return;
          expect(withoutPlaces(windows.lines)).toEqual(withoutPlaces(plain.lines));
          expect(windows.findings.map(({ code }) => code)).toEqual(plain.findings.map(({ code }) => code));
        }),
        RUNS,
      );
    },
    SECONDS,
  );

  it(
    "stays readable when it is formatted, and formatted it stays as it is",
    () => {
      fc.assert(
        fc.property(any, (source) => {
          const formatted = format(source);
          const faults = parse(source).findings.filter(({ code }) => code.startsWith("WF1"));
          expect(formatted.ok).toBe(faults.length === 0);
          if (formatted.ok) expect(format(formatted.text)).toEqual(formatted);
        }),
        RUNS,
      );
    },
    SECONDS,
  );
});

describe("large files of the indented form", () => {
  let code: Executed<typeof import("../../grammar/parse.ts")>;
  beforeAll(async () => {
    code = await executed("grammar/parse.ts");
  });
  afterAll(() => code.end());

  it.each<readonly [string, (size: number) => string]>([
    ["lines", (size) => `main:\n${"  x = (add 1 2)\n".repeat(size)}`],
    ["branches", (size) => `main:\n  if a == 1:\n    x = 1\n${"  elif a == 2:\n    x = 2\n".repeat(size)}`],
    ["ifs", (size) => `main:\n${"  if a:\n    out 1\n".repeat(size)}`],
    ["blocks in blocks", (size) => `main:\n${line(size, (depth) => `${" ".repeat(depth % 2000)}if a:`)}`],
    ["calls of unknown graphs", (size) => line(size, (number) => `g${number}:\n  call x${number}`)],
    ["graphs", (size) => line(size, (number) => `g${number}:\n  call g${number + 1}`)],
    ["words between operators", (size) => `main:\n  out a${" and a".repeat(size / 10)}`],
    ["comments above a margin", (size) => `main:\n  out 1\n${"# c\nx\n".repeat(size)}`],
    [
      "comparators in one word",
      (size) => `main:\n  out ${"a<".repeat(size * 2)}a\n  if ${"a=".repeat(size * 2)}a:\n    out 1\n`,
    ],
    ["negations in one word", (size) => `main:\n  out ${"!".repeat(size * 5)}a\n`],
    ["loops with out", (size) => `main:\n${"  for x in [1]:\n    out x\n".repeat(size)}`],
  ])("are read with linear work: %s", { timeout: 60_000 }, async (_what, make) => {
    const [small, large] = [make(1500), make(12_000)];
    const read = (source: string) => code.count(() => code.module.parse(source));
    await read(small);
    // Eight times as much: work that grows with the square would be sixty-four times as much.
    expect((await read(large)) / (await read(small))).toBeLessThan(16);
  });

  it("are bounded in depth", () => {
    const deep = (levels: number): string =>
      `main:\n${line(levels, (depth) => `${"  ".repeat(depth + 1)}if true:`)}${"  ".repeat(levels + 1)}out 1\n`;
    const codes = (source: string): readonly string[] => parse(source).findings.map(({ code }) => code);
    expect(codes(deep(PARSE_LIMITS.nesting))).toEqual([]);
    expect(codes(deep(PARSE_LIMITS.nesting + 1))).toEqual(["WF1012"]);
    expect(codes(deep(500))).toEqual(["WF1012"]);
    expect(codes(`main:\n  out ${"not ".repeat(15_000)}a\n`).filter((code) => code !== "WF1012")).toEqual([]);
    expect(codes(`main:\n  out ${"(a and ".repeat(50)}b${")".repeat(50)}\n`)).toEqual([]);
  });

  it("are bounded in statements and bytes", () => {
    const many = parse(`main:\n${"  x = 1\n".repeat(20)}`, { limits: { statements: 10 } });
    expect(many.findings.map(({ code, span }) => `${span?.line} ${code}`)).toEqual(["11 WF1011"]);
    const loops = parse(`main:\n${"  for x in [1]:\n    out x\n".repeat(5)}`, { limits: { statements: 20 } });
    expect(loops.findings.map(({ code, span }) => `${span?.line} ${code}`)).toEqual(["1 WF1011"]);
    const long = parse(`main:\n  out "${"x".repeat(70_000)}"\n  out 1\n`);
    expect(long.findings.map(({ code }) => code)).toEqual(["WF1011"]);
  });

  it("bounds a statement over several lines, and the statements in its blocks", () => {
    const list = (rows: number) => `g():\n  a = [\n${"    12345678,\n".repeat(rows)}  ]\n  out a\n`;
    const found = (text: string) => parse(text).findings.map(({ code, span }) => `${span?.line} ${code}`);
    expect(found(list(9000))).toEqual([]);
    expect(found(list(11_000))).toEqual(["2 WF1011"]);
    // What stands beyond the bound is only looked at for the end of the statement.
    const rest = '    ["]", {a: "#["}], # ]\n    (1),\n'.repeat(5_000);
    expect(found(list(11_000).replace("  ]\n", `${rest}  ]\n  b = [\n`).concat("g2():\n  c = 1\n  out c\n"))).toEqual([
      "2 WF1011",
      "21004 WF1002",
    ]);
    expect(found(list(11_000).replace("  ]\n", `${rest}  ]\n`))).toEqual(["2 WF1011"]);
    const branches = (count: number) =>
      `g(x):\n  if x == 0:\n    y = 1\n${"  elif x == 1:\n    y = 2\n".repeat(count)}  out y\n`;
    expect(found(branches(4999))).toEqual([]);
    expect(found(branches(5001))).toEqual(["10003 WF1011"]);
    expect(found(branches(5001).replace("y = 1\n", "y = 1\n    y = 3\n"))).toEqual(["10003 WF1011"]);
    const block = (count: number) =>
      `g(x):\n  if x:\n${"    y = 1\n".repeat(count)}  z = 1\n  if x:\n${"    y = 2\n".repeat(count)}  out z\n`;
    expect(found(block(10_000))).toEqual([]);
    expect(found(block(10_001))).toEqual(["10003 WF1011"]);
    expect(found(block(10_001).replaceAll("y = 1", "y = x == 1"))).toEqual(["10003 WF1011"]);
  });
});

function line(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${make(index)}\n`).join("");
}
