/** The TextMate grammar as editors run it: what is coloured how, that it agrees with the parser, and that no line makes it hang. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { occurrencesOf } from "../../cli/lsp/occurrences.ts";
import { stepsOf } from "../../cli/lsp/program.ts";
import { OPS } from "../../grammar/ops.ts";
import { parse } from "../../grammar/parse.ts";
import { isPython } from "../../grammar/surface.ts";
import type { Span } from "../../grammar/text/span.ts";
import { cleanPrograms } from "../support/clean-programs.ts";
import { createHighlighter, type Highlighter } from "./highlight.ts";

let highlighter: Highlighter;
beforeAll(async () => {
  highlighter = await createHighlighter();
});

const PUNCTUATION = /:(?:punctuation\.|keyword\.operator\.arrow)/;
/** The scopes of a text, punctuation left out. */
const scopesOf = (source: string): readonly string[] =>
  highlighter.scopes(source).filter((piece) => !PUNCTUATION.test(piece));

type Row = readonly [what: string, source: string, scopes: readonly string[]];

const STEPS: readonly Row[] = [
  [
    "a call and its result",
    "  R http.Get $url 3 ->List",
    [
      "R:keyword.control",
      "http:support.class.adapter",
      "Get:support.function.verb",
      "$url:variable.other",
      "3:constant.numeric",
      "List:variable.other.assignment",
    ],
  ],
  ["a call that is being typed", "  R http", ["R:keyword.control", "http:support.class.adapter"]],
  [
    "a function and a nested one",
    "  X a starts_with (core.concat 1 b)",
    [
      "X:keyword.control",
      "a:variable.other.assignment",
      "starts_with:support.function",
      "concat:support.function",
      "1:constant.numeric",
    ],
  ],
  ["a value", "  J order.lines[1].sku", ["J:keyword.control", "1:constant.numeric"]],
  ["a step alone", "  J", ["J:keyword.control"]],
  ["a step glued to its arrow", "  J->x", ["J:keyword.control", "x:variable.other.assignment"]],
  [
    "a condition with glued comparators",
    "  If n>=10 ->2 ->p/ENTRY",
    [
      "If:keyword.control",
      ">=:keyword.operator.comparison",
      "10:constant.numeric",
      "2:entity.name.label",
      "p/ENTRY:entity.name.label",
    ],
  ],
  [
    "a comparison in brackets, which is not a function",
    "  If not (x != 3) ->L2",
    [
      "If:keyword.control",
      "not:keyword.operator.logical",
      "!=:keyword.operator.comparison",
      "3:constant.numeric",
      "L2:entity.name.label",
    ],
  ],
  [
    "whether something is set",
    "  If !x? ->L2",
    ["If:keyword.control", "!:keyword.operator.logical", "?:keyword.operator.comparison", "L2:entity.name.label"],
  ],
  [
    "a loop with its bound",
    "  While n < 5 ->L_do ->L_end limit=20",
    [
      "While:keyword.control",
      "<:keyword.operator.comparison",
      "5:constant.numeric",
      "L_do:entity.name.label",
      "L_end:entity.name.label",
      "limit:keyword.other",
      "=:keyword.operator",
      "20:constant.numeric",
    ],
  ],
  [
    "a label that is run for a result of almost its name",
    "  Call L_size ->Lsize",
    ["Call:keyword.control", "L_size:entity.name.label", "Lsize:variable.other.assignment"],
  ],
  [
    "words of an op",
    "  Sort a rows age desc",
    ["Sort:keyword.control", "a:variable.other.assignment", "desc:keyword.other"],
  ],
  [
    "a filter",
    "  Filter a rows name contains 'x'",
    [
      "Filter:keyword.control",
      "a:variable.other.assignment",
      "contains:keyword.operator.comparison",
      "x:string.quoted.single",
    ],
  ],
  [
    "a handler of a node",
    "  Err @n2 ->L_down",
    ["Err:keyword.control", "@n2:constant.other.node", "L_down:entity.name.label"],
  ],
  [
    "names of caches",
    '  CacheGet rates "eur" ->rate',
    ["CacheGet:keyword.control", "rates:string.unquoted", "eur:string.quoted.double", "rate:variable.other.assignment"],
  ],
  ["names of ops as values", "  Set R J", ["Set:keyword.control", "R:variable.other.assignment"]],
  ["no op", "  Nope R 5", ["5:constant.numeric"]],
];

const LINES: readonly Row[] = [
  ["a label", "L_a-1.b:", ["L_a-1.b:entity.name.label"]],
  [
    "a label followed by steps",
    "L1: R core.MUL 6 7 ->n If n ->L2 J n",
    [
      "L1:entity.name.label",
      "R:keyword.control",
      "core:support.class.adapter",
      "MUL:support.function.verb",
      "6:constant.numeric",
      "7:constant.numeric",
      "n:variable.other.assignment",
      "If:keyword.control",
      "L2:entity.name.label",
      "J:keyword.control",
    ],
  ],
  ["no label", "L1 x", []],
  [
    "an endpoint",
    '  E /orders G ->L_list ->rows A[Order] "all # orders" # note',
    [
      "E:storage.type.declaration",
      "/orders:entity.name.type",
      "L_list:entity.name.label",
      "rows:variable.other.assignment",
      "all # orders:string.quoted.double",
      "# note:comment.line.number-sign",
    ],
  ],
  [
    "a record type",
    "arch.D Order id:I note:S?",
    [
      "arch.D:storage.type.declaration",
      "Order:entity.name.type",
      "id:variable.other.member",
      "I:storage.type",
      "note:variable.other.member",
      "S?:storage.type",
    ],
  ],
  [
    "a schedule",
    "Cr L_nightly 0 2 * * *",
    ["Cr:storage.type.declaration", "L_nightly:entity.name.label", "0:constant.numeric", "2:constant.numeric"],
  ],
  [
    "a policy",
    'Pol staff role="admin"',
    [
      "Pol:storage.type.declaration",
      "staff:entity.name.type",
      "role:variable.other.member",
      "=:keyword.operator",
      "admin:string.quoted.double",
    ],
  ],
  ["a dotted declaration", "ops.Env KEY", ["ops.Env:storage.type.declaration", "KEY:entity.name.type"]],
  [
    "an include",
    "Include 'a.wf' as loyalty",
    [
      "Include:keyword.control.include",
      "a.wf:string.quoted.single",
      "as:keyword.control.include",
      "loyalty:entity.name.namespace",
    ],
  ],
];

const VALUES: readonly Row[] = [
  [
    "escapes of double quotes",
    String.raw`J "a\n\d\"\\"`,
    [
      "J:keyword.control",
      "a:string.quoted.double",
      String.raw`\n:constant.character.escape`,
      String.raw`\d:string.quoted.double`,
      String.raw`\":constant.character.escape`,
      String.raw`\\:constant.character.escape`,
    ],
  ],
  [
    "escapes of single quotes",
    String.raw`J '\n\'"'`,
    [
      "J:keyword.control",
      String.raw`\n:string.quoted.single`,
      String.raw`\':constant.character.escape`,
      '":string.quoted.single',
    ],
  ],
  [
    "a string that is not closed, up to its line's end",
    'J "open # \nJ 1',
    ["J:keyword.control", "open #:string.quoted.double", "J:keyword.control", "1:constant.numeric"],
  ],
  [
    "a hash in a string and one after it",
    'J "#a"#b',
    ["J:keyword.control", "#a:string.quoted.double", "#b:comment.line.number-sign"],
  ],
  [
    "numbers, and what only looks like one",
    "J [-1, 2.50, .5, 1e-3, 1a, a1, v1.2]",
    [
      "J:keyword.control",
      "-1:constant.numeric",
      "2.50:constant.numeric",
      ".5:constant.numeric",
      "1e-3:constant.numeric",
    ],
  ],
  [
    "constants, and names that begin like them",
    "J [true, nullable, null]",
    ["J:keyword.control", "true:constant.language", "null:constant.language"],
  ],
  [
    "keys of an object over lines",
    'Set a {"k": 1, j: 2,\n  i: "x", \'h\': $v}',
    [
      "Set:keyword.control",
      "a:variable.other.assignment",
      "k:support.type.property-name",
      "1:constant.numeric",
      "j:support.type.property-name",
      "2:constant.numeric",
      "i:support.type.property-name",
      "x:string.quoted.double",
      "h:support.type.property-name",
      "$v:variable.other",
    ],
  ],
  [
    "names outside of ASCII",
    "Set größe $größe",
    ["Set:keyword.control", "größe:variable.other.assignment", "$größe:variable.other"],
  ],
  [
    "declared inputs",
    "# frame: n: number, rows: A[Order], x",
    [
      "frame:storage.modifier.frame",
      "n:variable.parameter",
      "number:storage.type",
      "rows:variable.parameter",
      "A[Order]:storage.type",
      "x:variable.parameter",
    ],
  ],
];

const GRAPHS: readonly Row[] = [
  [
    "a graph with inputs",
    "total(rows, tax=3):",
    ["total:entity.name.function", "rows:variable.parameter", "tax:variable.parameter", "3:constant.numeric"],
  ],
  [
    "an assignment with a call",
    "  price = sum_of(rows) if n > 1 else 2",
    [
      "price:variable.other.assignment",
      "=:keyword.operator.assignment",
      "sum_of:support.function",
      "if:keyword.operator.word",
      ">:keyword.operator.comparison",
      "1:constant.numeric",
      "else:keyword.operator.word",
      "2:constant.numeric",
    ],
  ],
  [
    "a call of an adapter",
    "  page = http.Get(url)",
    [
      "page:variable.other.assignment",
      "=:keyword.operator.assignment",
      "http:support.class.adapter",
      "Get:support.function",
    ],
  ],
  [
    "a loop over names that begin like words",
    "  for index, item in inputs:",
    ["for:keyword.control", "in:keyword.operator.word"],
  ],
  [
    "a template",
    '  return f"Hi {name if name else x}, {{\\n"',
    [
      "return:keyword.control",
      "Hi:string.quoted.double",
      "{:meta.template.expression",
      "name:meta.template.expression",
      "if:keyword.operator.word",
      "name:meta.template.expression",
      "else:keyword.operator.word",
      "x:meta.template.expression",
      "}:meta.template.expression",
      ",:string.quoted.double",
      "{{:constant.character.escape",
      String.raw`\n:constant.character.escape`,
    ],
  ],
];

describe("scopes", () => {
  it.each([...STEPS, ...LINES, ...VALUES, ...GRAPHS])("of %s", (_, source, expected) => {
    const plain = (piece: string) => !/^[#:,]+:comment/.test(piece);
    expect(scopesOf(source).filter(plain)).toEqual(expected);
  });

  it.each(
    OPS.filter(({ kind }) => kind !== "label").flatMap(({ name, aliases, kind }) =>
      [name, ...aliases].map((word) => ({ word, kind })),
    ),
  )("of the word $word", ({ word, kind }) => {
    const scope =
      kind === "step" ? "keyword.control" : kind === "include" ? "keyword.control.include" : "storage.type.declaration";
    expect(highlighter.scopes(`  ${word} a`)[0]).toBe(`${word}:${scope}`);
    expect(highlighter.scopes(`  ${word}s a`)[0] ?? "").not.toContain(`${word}:`);
  });
});

/** What the parser knows about a text and the grammar must see too. */
function expectedScopes(source: string): { readonly span: Span; readonly scope: string }[] {
  const file = parse(source);
  const of = (scope: string, spans: readonly Span[]) => spans.map((span) => ({ span, scope: `${scope}.weft` }));
  const steps = stepsOf(file);
  const calls = steps.flatMap((step) => (step.op === "R" && !step.split ? [step] : []));
  const declared = file.lines.flatMap((line) => (line.kind === "declaration" ? [line.word.span] : []));
  const labels = occurrencesOf(file).filter(
    ({ kind, span }) => kind === "label" && /(?:->|^\s*)L$/m.test(source.slice(0, span.start)),
  );
  return [
    ...of(
      "comment.line.number-sign",
      file.comments.map(({ span }) => span),
    ),
    ...of(
      "keyword.control",
      steps.map(({ word }) => word.span),
    ),
    ...of("storage.type.declaration", declared),
    ...of(
      "support.class.adapter",
      calls.map(({ adapter }) => adapter.span),
    ),
    ...of(
      "support.function.verb",
      calls.map(({ verb }) => verb.span),
    ),
    ...of(
      "entity.name.label",
      labels.map(({ span }) => span),
    ),
  ];
}

/** The grammar for editors describes the opcode form. */
function programs(): { readonly name: string; readonly source: string }[] {
  const folders = ["examples/", "benchmarks/workloads/"].map((path) => new URL(`../../${path}`, import.meta.url));
  const files = folders.flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".wf"));
    return names.map((name) => ({ name, source: readFileSync(new URL(name, folder), "utf8") }));
  });
  return [...files, ...cleanPrograms()].filter(({ source }) => !isPython(source));
}

describe("agreement with the parser", () => {
  it("on ops, calls, declarations, labels and comments of real programs", () => {
    let compared = 0;
    for (const { name, source } of programs()) {
      const pieces = highlighter.pieces(source);
      for (const { span, scope } of expectedScopes(source)) {
        const piece = pieces.find(({ start, end }) => start <= span.start && span.start < end);
        expect(piece?.scopes, `${name}, line ${span.line}: ${source.slice(span.start, span.end)}`).toContain(scope);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });
});

const LONG = 20_000;
describe("a hostile line", () => {
  it.each([
    ["blanks", " ".repeat(LONG)],
    ["spaces after an op", `R${" ".repeat(LONG)}x`],
    ["spaces after a comma", `J {,${" ".repeat(LONG)}x`],
    ["quotes", 'J """'.padEnd(LONG, '"')],
    ["backslashes in an open string", `J "${"\\".repeat(LONG)}`],
    ["strings and colons", `J {${'"a":'.repeat(LONG / 4)}`],
    ["brackets", `J ${"([{".repeat(LONG / 3)}`],
    ["arrows", `If x ${"->".repeat(LONG / 2)}`],
    ["comparators", `If ${"=<!>".repeat(LONG / 4)}`],
    ["digits", `J ${"1".repeat(LONG)}x`],
    ["a long label", `L${"a:".repeat(LONG / 2)}x`],
    ["steps after a label", `L1: ${"J R ".repeat(LONG / 4)}`],
    ["an input list", `# frame: ${"a:[".repeat(LONG / 3)}`],
  ])("of %s is read and leaves the next line as it is", (_, line) => {
    const scopes = highlighter.scopes(`${line}\nL9:`);
    expect(scopes.slice(-2)).toEqual(["L9:entity.name.label", "::punctuation.separator.label"]);
  });
});
