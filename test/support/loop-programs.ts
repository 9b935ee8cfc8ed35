/**
 * Programs whose loops generated code can run: nested loops of both kinds over numbers, records, lists and strings, in the indented form, with
 * graphs that call each other. Now and then a variable gets a value of another kind, a list holds something else, or a step fails.
 */
import fc from "fast-check";
import type { Json, JsonObject } from "../../compiler/json.ts";

export type LoopProgram = { readonly source: string; readonly frame: JsonObject };

const counter = fc.constantFrom("a", "b", "n");
const number = fc.oneof(
  { weight: 5, arbitrary: counter },
  { weight: 3, arbitrary: fc.constantFrom("1", "2", "0", "-3", "2.5", "1e9", "1e308") },
  { weight: 1, arbitrary: fc.constantFrom("o.k", "o.id", "len(xs)", "it", "xs[0]", "o.in.k", 'get(o, "k")') },
);
const join = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((all) => all.join(""));
const sum = fc.oneof(
  join(number, fc.constantFrom(" + ", " - ", " * ", " + "), number),
  join(number, fc.constantFrom(" / ", " // ", " % "), number),
  join("(", number, " + ", number, ") * ", number),
);
const test = fc.oneof(
  { weight: 6, arbitrary: join(number, fc.constantFrom(" < ", " <= ", " > ", " == ", " != "), number) },
  { weight: 1, arbitrary: fc.constantFrom("t", "not t", "xs", "s", "o", "it", "null") },
  { weight: 2, arbitrary: join(number, " < ", number, fc.constantFrom(" and ", " or "), number, " > ", number) },
  { weight: 1, arbitrary: join("s == ", fc.constantFrom('"x"', "it", "s")) },
);
const value = fc.oneof(
  { weight: 5, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom("s", "o", "xs", "it", "null", "true", '"é"', "{}", "[]") },
);
const simple = fc.oneof(
  { weight: 8, arbitrary: join(counter, " = ", sum) },
  { weight: 3, arbitrary: join(counter, " += ", number) },
  { weight: 2, arbitrary: join("t = ", test) },
  { weight: 2, arbitrary: join("xs = push(xs, ", value, ")") },
  { weight: 1, arbitrary: join("ys = push(xs, ", value, ")") },
  { weight: 2, arbitrary: join('s = f"', fc.constantFrom("u", "é", ""), "{", number, '}"') },
  { weight: 1, arbitrary: join('s = f"{s}{', value, '}"') },
  { weight: 2, arbitrary: join('o = {"k": ', value, ', "id": ', value, "}") },
  { weight: 1, arbitrary: join('o = put(o, "', fc.constantFrom("k", "id", "__proto__", "a.b"), '", ', value, ")") },
  { weight: 1, arbitrary: join("xs = [", value, ", ", value, "]") },
  { weight: 1, arbitrary: join(counter, " = ", fc.constantFrom("abs(n)", "max(a, b)", "len(s)", "o.k", "it")) },
  { weight: 1, arbitrary: join(counter, " = ", number, " if ", test, " else ", number) },
  { weight: 1, arbitrary: join("ys = ", fc.constantFrom("xs", "o", "s", "sort(xs)", "ys")) },
  { weight: 1, arbitrary: fc.constantFrom('a = "7"', "b = null", "n = true", "xs = []", "o = {}", "it = a", "pass") },
);

const indented = (lines: readonly string[]): string[] => lines.map((one) => `  ${one}`);

/** Statements that nest at most `depth` deep; `isLooping`: inside of a loop. */
function block(depth: number, isLooping: boolean, graphs: number): fc.Arbitrary<string[]> {
  const line = simple.map((one) => [one]);
  const leave = fc.tuple(test, fc.constantFrom("break", "continue")).map(([when, how]) => [`if ${when}:`, `  ${how}`]);
  const call = fc
    .tuple(counter, fc.integer({ min: 1, max: Math.max(1, graphs) }))
    .map(([to, graph]) => [`${to} = call g${graph}`]);
  const inner = depth === 0 ? null : block(depth - 1, isLooping, graphs);
  const looped = depth === 0 ? null : block(depth - 1, true, graphs);
  const statement = fc.oneof(
    { weight: 10, arbitrary: line },
    ...(isLooping ? [{ weight: 1, arbitrary: leave }] : []),
    ...(graphs > 0 ? [{ weight: 1, arbitrary: call }] : []),
    ...(inner === null ? [] : [{ weight: 2, arbitrary: branch(inner) }]),
    ...(looped === null ? [] : [{ weight: 4, arbitrary: loop(looped) }]),
  );
  return fc.array(statement, { minLength: 1, maxLength: 5 }).map((all) => all.flat());
}

function branch(inner: fc.Arbitrary<string[]>): fc.Arbitrary<string[]> {
  return fc.tuple(test, inner, fc.option(inner)).map(([when, then, otherwise]) => {
    const other = otherwise === null ? [] : ["else:", ...indented(otherwise)];
    return [`if ${when}:`, ...indented(then), ...other];
  });
}

function loop(inner: fc.Arbitrary<string[]>): fc.Arbitrary<string[]> {
  const list = fc.constantFrom("xs", "[1, 2, 3]", "[4, 2.5, -1, 7, 9]", "[1, null, 2]", "range(6)", "ids", "rows");
  const item = fc.constantFrom("it", "it", "a", "row");
  return fc.oneof(
    fc.tuple(item, list, inner).map(([it, from, lines]) => [`for ${it} in ${from}:`, ...indented(lines)]),
    fc
      .tuple(fc.constantFrom("i", "j"), fc.integer({ min: 1, max: 9 }), inner)
      .map(([i, most, lines]) => [`${i} = 0`, `while ${i} < ${most} limit 12:`, `  ${i} += 1`, ...indented(lines)]),
  );
}

/** Graphs call only later ones, but for the last, which may call itself. */
function graph(at: number, count: number): fc.Arbitrary<string> {
  const body = block(1, false, 0);
  const self = at === count ? [`if n > 0:`, `  n -= 1`, `  call g${at}`] : [`call g${at + 1}`];
  return fc
    .tuple(body, fc.boolean(), fc.constantFrom("a", "null", "s", "n + 1"))
    .map(
      ([lines, calls, result]) =>
        `g${at}:\n${indented([...lines, ...(calls ? self : []), `out ${result}`]).join("\n")}`,
    );
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

/** Programs that use at most a few hundred steps in each loop. */
export const loopPrograms: fc.Arbitrary<LoopProgram> = fc
  .integer({ min: 0, max: 2 })
  .chain((graphs) =>
    fc.tuple(block(2, false, graphs), frame, ...Array.from({ length: graphs }, (_, at) => graph(at + 1, graphs))),
  )
  .map(([lines, given, ...graphs]) => {
    const inputs = `in: ${Object.keys(given).join(", ")}`;
    const main = ["main:", ...indented([inputs, "ys = []", "it = 0", "row = {}", ...lines])];
    const result = '  out {"a": a, "b": b, "n": n, "s": s, "t": t, "o": o, "xs": xs, "ys": ys}';
    return { source: `${[...main, result, ...(graphs as string[])].join("\n")}\n`, frame: given };
  });
