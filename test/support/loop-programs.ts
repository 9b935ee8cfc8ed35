/**
 * Programs whose loops generated code can run: nested loops of both kinds over numbers, records, lists and strings, in opcode text, with
 * graphs that call each other. Now and then a variable gets a value of another kind, a list holds something else, or a step fails.
 */
import fc from "fast-check";
import type { Json, JsonObject } from "../../compiler/json.ts";

export type LoopProgram = { readonly source: string; readonly frame: JsonObject };

/** Blocks that a label ends with become labels of their own; the statements after them continue in another label. */
type Statement = { readonly line: string } | Branch | Repeat;
type Branch = { readonly when: string; readonly then: readonly Statement[]; readonly otherwise: readonly Statement[] };
type Repeat = {
  readonly head: string;
  readonly first: string;
  readonly end: string;
  readonly body: readonly Statement[];
};

const counter = fc.constantFrom("a", "b", "n");
const number = fc.oneof(
  { weight: 5, arbitrary: counter },
  { weight: 3, arbitrary: fc.constantFrom("1", "2", "0", "-3", "2.5", "1e9", "1e308") },
  { weight: 1, arbitrary: fc.constantFrom("o.k", "o.id", "(len xs)", "it", "xs[0]", "o.in.k", '(get o "k")') },
);
const join = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((all) => all.join(" "));
const apply = (name: fc.Arbitrary<string>, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  join(name, ...parts).map((call) => `(${call})`);
const sum = fc.oneof(
  apply(fc.constantFrom("add", "sub", "mul", "add"), number, number),
  apply(fc.constantFrom("div", "mod"), number, number),
  apply(fc.constant("mul"), apply(fc.constant("add"), number, number), number),
);
const compared = apply(fc.constantFrom("lt", "lte", "gt", "eq", "ne"), number, number);
const test = fc.oneof(
  { weight: 6, arbitrary: compared },
  { weight: 1, arbitrary: fc.constantFrom("t", "(not t)", "xs", "s", "o", "it", "null") },
  { weight: 2, arbitrary: apply(fc.constantFrom("and", "or"), compared, compared) },
  { weight: 1, arbitrary: apply(fc.constant("eq"), fc.constant("s"), fc.constantFrom('"x"', "it", "s")) },
);
const value = fc.oneof(
  { weight: 5, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom("s", "o", "xs", "it", "null", "true", '"é"', "{}", "[]") },
);
const set = (name: string | fc.Arbitrary<string>, to: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  join("Set", name, to);
const text = fc.constantFrom('"u"', '"é"', '""', "s");
const simple = fc.oneof(
  { weight: 8, arbitrary: set(counter, sum) },
  { weight: 3, arbitrary: set(counter, number) },
  { weight: 2, arbitrary: set("t", test) },
  { weight: 2, arbitrary: set("xs", apply(fc.constant("push xs"), value)) },
  { weight: 1, arbitrary: set("ys", apply(fc.constant("push xs"), value)) },
  { weight: 3, arbitrary: set("s", apply(fc.constant("concat"), text, value)) },
  { weight: 2, arbitrary: set("o", apply(fc.constant('obj "k"'), value, fc.constant('"id"'), value)) },
  {
    weight: 1,
    arbitrary: set("o", apply(fc.constant("put o"), fc.constantFrom('"k"', '"id"', '"__proto__"', '"a.b"'), value)),
  },
  { weight: 1, arbitrary: set("xs", apply(fc.constant("push []"), value)) },
  { weight: 1, arbitrary: set(counter, fc.constantFrom("(abs n)", "(max a b)", "(len s)", "o.k", "it")) },
  { weight: 1, arbitrary: set(counter, apply(fc.constant("ite"), test, number, number)) },
  { weight: 1, arbitrary: set("ys", fc.constantFrom("xs", "o", "s", "ys")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Set a "7"', "Set b null", "Set n true", "Set xs []", "Set o {}", "Set it a"),
  },
);

/** Statements that nest at most `depth` deep. */
function block(depth: number, graphs: number): fc.Arbitrary<Statement[]> {
  const call = fc
    .tuple(counter, fc.integer({ min: 1, max: Math.max(1, graphs) }))
    .map(([to, graph]) => ({ line: `Call ->L_g${graph} ->${to}` }));
  const inner = depth === 0 ? null : block(depth - 1, graphs);
  return fc.array(
    fc.oneof<fc.WeightedArbitrary<Statement>[]>(
      { weight: 10, arbitrary: simple.map((line) => ({ line })) },
      ...(graphs > 0 ? [{ weight: 1, arbitrary: call }] : []),
      ...(inner === null ? [] : [{ weight: 2, arbitrary: branch(inner) }]),
      ...(inner === null ? [] : [{ weight: 4, arbitrary: loop(inner) }]),
    ),
    { minLength: 1, maxLength: 5 },
  );
}

function branch(inner: fc.Arbitrary<Statement[]>): fc.Arbitrary<Statement> {
  return fc.record({ when: test, then: inner, otherwise: fc.oneof(inner, fc.constant([])) });
}

function loop(inner: fc.Arbitrary<Statement[]>): fc.Arbitrary<Statement> {
  const list = fc.constantFrom("xs", "[1, 2, 3]", "[4, 2.5, -1, 7, 9]", "[1, null, 2]", "ids", "rows");
  const item = fc.constantFrom("it", "it", "a", "row");
  return fc.oneof(
    fc.tuple(item, list, inner).map(([it, from, body]) => ({ head: `Loop ${from} ${it}`, first: "", end: "", body })),
    fc.tuple(fc.constantFrom("i", "j"), fc.integer({ min: 1, max: 9 }), inner).map(([i, most, body]) => ({
      head: `While (lt ${i} ${most})`,
      first: `Set ${i} 0`,
      end: " limit=12",
      body: [{ line: `Set ${i} (add ${i} 1)` }, ...body],
    })),
  );
}

/** Writes statements as labels; `last` is the step that ends what follows them. */
class Labels {
  readonly texts: string[] = [];
  #count = 0;

  write(name: string, statements: readonly Statement[], last: string): string {
    const at = this.texts.push("") - 1;
    const lines: string[] = [];
    for (const one of statements) {
      if ("line" in one) lines.push(one.line);
      else lines.push(...this.#nested(one));
    }
    this.texts[at] = [`${name}:`, ...[...lines, last].map((line) => `  ${line}`)].join("\n");
    return name;
  }

  /** A label that holds only the block, which the statements in front of the next ones call. */
  #nested(one: Branch | Repeat): string[] {
    const name = this.#name();
    const at = this.texts.push("") - 1;
    const make = (body: readonly Statement[]): string => this.write(this.#name(), body, "J null");
    const step =
      "when" in one
        ? `If ${one.when} ->${make(one.then)} ->${make(one.otherwise)}`
        : `${one.head} ->${make(one.body)} ->${make([])}${one.end}`;
    this.texts[at] = `${name}:\n  ${step}`;
    return [...("when" in one || one.first === "" ? [] : [one.first]), `Call ->${name} ->r`];
  }

  #name(): string {
    this.#count += 1;
    return `L_b${this.#count}`;
  }
}

type Graph = { readonly body: readonly Statement[]; readonly calls: boolean; readonly result: string };

const graph: fc.Arbitrary<Graph> = fc.record({
  body: block(1, 0),
  calls: fc.boolean(),
  result: fc.constantFrom("a", "null", "s", "n"),
});

/** Graphs call only later ones, but for the last, which may call itself. */
function callsOf(at: number, count: number): Statement[] {
  if (at < count) return [{ line: `Call ->L_g${at + 1} ->r` }];
  const then = [{ line: "Set n (sub n 1)" }, { line: `Call ->L_g${at} ->r` }];
  return [{ when: "(gt n 0)", then, otherwise: [] }];
}

const frame: fc.Arbitrary<JsonObject> = fc.record({
  a: fc.constantFrom<Json>(0, 1, 5, 2.5),
  b: fc.constantFrom<Json>(0, 3, -2),
  n: fc.constantFrom<Json>(4, 7, 1),
  s: fc.constantFrom<Json>("x", "é😀", ""),
  t: fc.boolean(),
  o: fc.constantFrom<Json>({ k: 1, id: 2 }, { k: 1.5 }, { k: 2, in: { k: 3 } }),
  xs: fc.constantFrom<Json>([], [1, 2.5], [3, 4, "5"], [{ k: 1 }]),
  ids: fc.constantFrom<Json>([1, 2, 3, 4, 5, 6, 7, 8], [0.5, 1e10, 3]),
  rows: fc.constantFrom<Json>([{ k: 1 }, { k: 2, id: 3 }, {}], [{ k: [1] }, { k: "x" }]),
});

const START = ["Set ys []", "Set it 0", "Set row {}", "Set i 0", "Set j 0", "Set r null"].map((line) => ({ line }));
const RESULT = 'J (obj "a" a "b" b "n" n "s" s "t" t "o" o "xs" xs "ys" ys)';

/** Programs that use at most a few hundred steps in each loop. */
export const loopPrograms: fc.Arbitrary<LoopProgram> = fc
  .integer({ min: 0, max: 2 })
  .chain((count) => fc.tuple(block(2, count), frame, fc.array(graph, { minLength: count, maxLength: count })))
  .map(([statements, given, graphs]) => {
    const labels = new Labels();
    labels.write("L1", [...START, ...statements], RESULT);
    for (const [at, { body, calls, result }] of graphs.entries()) {
      labels.write(`L_g${at + 1}`, [...body, ...(calls ? callsOf(at + 1, graphs.length) : [])], `J ${result}`);
    }
    return { source: `${labels.texts.join("\n\n")}\n`, frame: given };
  });
