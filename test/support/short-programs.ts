/**
 * Programs that the tier can run whole: labels that call only later ones, no loops, hardly anything outside. Most of their steps work on
 * numbers and records as short programs do; the rest comes from the generators of all programs, with hostile keys and shared values.
 */
import fc from "fast-check";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { frames, VARIABLES } from "./generated-values.ts";
import { aliasing, calculation, condition, lists, operand, renderLabel, type Step } from "./generators.ts";

export type ShortProgram = { readonly source: string; readonly frames: readonly JsonObject[] };

const name = fc.constantFrom(...VARIABLES);
const line = (text: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  text.map((one) => ({ text: () => one, protectable: true }));

/** Variables that mostly hold numbers, records, lists and strings, so that most steps succeed. */
const counter = fc.constantFrom("a", "b", "n");
const record = fc.constant("o");
const list = fc.constant("xs");
const word = fc.constant("s");
const key = fc.constantFrom("k", "id", "name", "k", "id", "__proto__", "constructor", "a.b");
const number = fc.oneof(
  { weight: 4, arbitrary: counter.map((one) => `$${one}`) },
  { weight: 3, arbitrary: fc.constantFrom("1", "2.5", "-3", "7", "100") },
);
const value = fc.oneof({ weight: 4, arbitrary: number }, { weight: 1, arbitrary: operand });
const spaced = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(" "));
const set = fc.constant("Set");
const call = (...names: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...names);
/** What is read elsewhere only as any value. */
const other = fc.oneof({ weight: 6, arbitrary: fc.constantFrom("r", "t", "u") }, { weight: 1, arbitrary: name });
const quotedKey = key.map((one) => `"${one}"`);

const simple = line(
  fc.oneof(
    {
      weight: 6,
      arbitrary: spaced(fc.constant("X"), counter, call("add", "sub", "mul", "div", "mod"), number, number),
    },
    { weight: 3, arbitrary: spaced(fc.constant("X"), other, call("lt", "lte", "gt", "gte"), number, number) },
    { weight: 2, arbitrary: spaced(fc.constant("X"), other, call("eq", "ne", "and", "or"), number, operand) },
    { weight: 2, arbitrary: spaced(fc.constant("X"), other, call("ite"), other, value, value) },
    { weight: 2, arbitrary: spaced(fc.constant("X"), record, call("obj"), quotedKey, value) },
    { weight: 3, arbitrary: spaced(fc.constant("X"), record, call("put"), record, quotedKey, value) },
    { weight: 3, arbitrary: spaced(fc.constant("X"), other, call("get"), record, quotedKey) },
    {
      weight: 3,
      arbitrary: spaced(fc.constant("X"), word, call("concat"), call('"user_"', '"é"', '"\\ud83d"', '""'), value),
    },
    { weight: 3, arbitrary: spaced(fc.constant("X"), list, call("push"), list, value) },
    { weight: 1, arbitrary: spaced(fc.constant("X"), counter, call("len"), fc.oneof(list, word)) },
    { weight: 1, arbitrary: spaced(set, list, call("[]", "[1, $a]")) },
    {
      weight: 1,
      arbitrary: spaced(
        set,
        record,
        fc.oneof(
          call("{}"),
          name.map((a) => `{"k": $${a}, "id": 1}`),
        ),
      ),
    },
    { weight: 1, arbitrary: spaced(set, counter, number) },
    { weight: 1, arbitrary: spaced(set, other, operand) },
  ),
);

function label(at: number, last: number): fc.Arbitrary<string> {
  const later = fc.integer({ min: at + 1, max: Math.max(last, at + 1) }).map((to) => `L${to}`);
  const step = fc.oneof(
    { weight: 20, arbitrary: simple },
    { weight: 1, arbitrary: fc.oneof(calculation, aliasing, lists) },
    ...(at < last
      ? [{ weight: 2, arbitrary: line(fc.tuple(later, other).map(([to, d]) => `Call ${to} ->${d}`)) }]
      : []),
  );
  const result = line(operand.map((value) => `J ${value}`));
  const end =
    at < last
      ? fc.oneof(result, line(fc.tuple(condition, later, later).map(([test, to, or]) => `If ${test} ->${to} ->${or}`)))
      : result;
  return fc
    .tuple(fc.array(step, { maxLength: 7 }), end)
    .map(([steps, ending]) => renderLabel(`L${at}`, [...steps, ending]));
}

const some = <T extends Json>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 40, nil: undefined });
const numeric = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constantFrom(0.1, 2.5, 1e21, -0));

/** Frames as programs expect them. */
const usual: fc.Arbitrary<JsonObject> = fc
  .record({
    a: some(numeric),
    b: some(numeric),
    n: some(fc.oneof(numeric, fc.boolean())),
    s: some(fc.constantFrom("", "x", "é😀", "\ud83d", "7")),
    o: some(fc.constantFrom<Json>({}, { k: 1 }, { id: [1], name: "x" })),
    xs: some(fc.constantFrom<Json>([], [1, 2.5], [{ k: 1 }])),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)) as JsonObject);

/** Each with frames that it meets one after the other: the first are those that it is built for. */
export const shortPrograms: fc.Arbitrary<ShortProgram> = fc.record({
  source: fc
    .integer({ min: 1, max: 4 })
    .chain((last) => fc.tuple(...Array.from({ length: last }, (_, index) => label(index + 1, last))))
    .map((labels) => `${labels.join("\n")}\n`),
  frames: fc.array(fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: frames }), {
    minLength: 2,
    maxLength: 4,
  }),
});
