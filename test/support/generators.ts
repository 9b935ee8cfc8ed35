/**
 * Whole programs and runs for the differential properties: labels that call each other (recursion included), loops, handlers,
 * retries, failing steps, adapter calls, nested calls, aliasing chains, hostile keys. Limits are always given, so every run is
 * short.
 */
import fc from "fast-check";
import type { JsonObject } from "../../compiler/json.ts";
import type { Limits } from "../../vm/run.ts";
import { frames, key, limitSets, VARIABLES } from "./generated-values.ts";

export type GeneratedRun = {
  readonly source: string;
  readonly frame: JsonObject;
  readonly limits: Limits;
  readonly allowedAdapters: readonly string[] | null;
  readonly frameCeilingBytes?: number;
};

/** Bounds what a run without max_frame_bytes can hold. */
export const FRAME_CEILING = 6000;

const name = fc.constantFrom(...VARIABLES);
const quoted = (text: string) => JSON.stringify(text);
const number = fc.constantFrom("0", "1", "-1", "2", "3", "0.5", "1e21", "7", "-2.5");
const words = fc.constantFrom(
  '""',
  '"x"',
  '"1"',
  '"é😀"',
  '"a.b"',
  '" 3 "',
  '"long text, long text, long text, long text"',
);
const scalar = fc.oneof(number, words, fc.constantFrom("true", "false", "null"));

type Operands = { operand: string; nested: string };
const { operand, nested } = fc.letrec<Operands>((tie) => {
  const inner = tie("operand") as fc.Arbitrary<string>;
  const two = fc.tuple(inner, inner);
  const deeper = { maxDepth: 2, depthSize: "small", withCrossShrink: true } as const;
  return {
    operand: fc.oneof(
      deeper,
      { weight: 4, arbitrary: name },
      { weight: 3, arbitrary: scalar },
      { weight: 2, arbitrary: name.map((one) => `$${one}`) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "o.k",
          "o.k[0].x",
          "xs[0]",
          "$xs[1]",
          "$o.k",
          "_error_info.code",
          "$_error",
          "$it",
          "it",
        ),
      },
      { weight: 2, arbitrary: tie("nested") },
      { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`) },
      {
        weight: 1,
        arbitrary: fc.uniqueArray(fc.tuple(key, inner), { maxLength: 3, selector: ([word]) => word }).map(mapLiteral),
      },
    ),
    nested: fc.oneof(
      deeper,
      { weight: 3, arbitrary: two.map(([x, y]) => `(add ${x} ${y})`) },
      { weight: 2, arbitrary: two.map(([x, y]) => `(eq ${x} ${y})`) },
      { weight: 2, arbitrary: two.map(([x, y]) => `(arr ${x} ${y})`) },
      { weight: 2, arbitrary: two.map(([x, y]) => `(concat ${x} ${y})`) },
      { weight: 2, arbitrary: two.map(([x, y]) => `(push ${x} ${y})`) },
      { weight: 1, arbitrary: two.map(([x, y]) => `(div ${x} ${y})`) },
      { weight: 1, arbitrary: inner.map((x) => `(len ${x})`) },
      { weight: 1, arbitrary: fc.tuple(inner, key, inner).map(([x, word, y]) => `(put ${x} ${quoted(word)} ${y})`) },
      { weight: 1, arbitrary: fc.tuple(inner, key).map(([x, word]) => `(get ${x} ${quoted(word)})`) },
    ),
  };
});

export { operand };

function mapLiteral(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([word, value]) => `${quoted(word)}: ${value}`).join(", ")}}`;
}

export const condition = fc.oneof(
  { weight: 3, arbitrary: name },
  { weight: 1, arbitrary: name.map((one) => `${one}?`) },
  { weight: 1, arbitrary: name.map((one) => `not ${one}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(name, fc.constantFrom("1", "x", "null", "b")).map(([left, right]) => `${left}=${right}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.oneof(
          name,
          name.map((one) => `$${one}`),
        ),
        fc.constantFrom("==", "!=", "<", "<=", ">", ">="),
        scalar,
      )
      .map((parts) => parts.join(" ")),
  },
  { weight: 1, arbitrary: nested },
);

/** A step renders itself at its place: `targets` are the steps above it that Err and Retry may name. */
export type Step = { readonly text: (targets: readonly number[]) => string; readonly protectable: boolean };
const plain = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  arbitrary.map((line) => ({ text: () => line, protectable: true }));

const unary = fc.constantFrom(
  "len",
  "str",
  "type",
  "keys",
  "values",
  "not",
  "bool",
  "reverse",
  "unique",
  "flatten",
  "sort",
  "int",
  "abs",
  "parse",
  "stringify",
  "trim",
  "fail",
);
const binary = fc.constantFrom(
  "add",
  "sub",
  "mul",
  "div",
  "mod",
  "concat",
  "eq",
  "ne",
  "lt",
  "gte",
  "push",
  "arr",
  "merge",
  "min",
  "and",
  "or",
  "contains",
  "join",
  "zip",
);

export const calculation = plain(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(name, operand).map(([x, v]) => `Set ${x} ${v}`) },
    { weight: 3, arbitrary: fc.tuple(name, unary, operand).map(([x, fn, v]) => `X ${x} ${fn} ${v}`) },
    { weight: 4, arbitrary: fc.tuple(name, binary, operand, operand).map(([x, fn, v, w]) => `X ${x} ${fn} ${v} ${w}`) },
  ),
);

const assignment = fc.oneof(
  { weight: 11, arbitrary: calculation },
  {
    weight: 1,
    arbitrary: plain(
      fc
        .tuple(name, fc.constantFrom("uuid", "now", "env WEFT_TOWN", "sleep 3", "iso", "wobble 1"))
        .map(([x, fn]) => `X ${x} ${fn}`),
    ),
  },
);

/** Values handed on under several names and changed under one of them. */
export const aliasing = plain(
  fc.oneof(
    fc.tuple(name, name).map(([x, y]) => `Set ${x} $${y}`),
    fc.tuple(name, operand).map(([x, v]) => `X ${x} push ${x} ${v}`),
    fc.tuple(name, name).map(([x, y]) => `X ${x} push ${x} $${y}`),
    fc.tuple(name, name).map(([x, y]) => `X ${x} push $${y} 1`),
    fc.tuple(name, key, operand).map(([x, word, v]) => `X ${x} put ${x} ${quoted(word)} ${v}`),
    fc.tuple(name, name, key).map(([x, y, word]) => `X ${x} put ${x} ${quoted(`${word}.k`)} $${y}`),
    fc.tuple(name, name, key).map(([x, y, word]) => `X ${x} put $${y} ${quoted(word)} "changed"`),
    fc.tuple(name, name, key).map(([x, y, word]) => `X ${x} get $${y} ${quoted(word)}`),
    fc.tuple(name, name, name).map(([x, y, z]) => `X ${x} merge $${y} $${z}`),
    fc.tuple(name, name, name).map(([x, y, z]) => `Set ${x} [$${y}, $${z}]`),
    fc.tuple(name, name).map(([x, y]) => `Set ${x} {"k": $${y}}`),
    fc.tuple(name, name).map(([x, y]) => `R ext.ECHO $${y} ->${x}`),
  ),
);

export const lists = plain(
  fc.oneof(
    fc
      .tuple(name, name, key, fc.constantFrom("==", "!=", "<", ">=", "in", "contains", "~"), operand)
      .filter(([, , word]) => /^\w+$/.test(word))
      .map(([x, y, word, cmp, v]) => `Filt ${x} ${y} ${word} ${cmp} ${v}`),
    fc
      .tuple(name, name, key, fc.constantFrom("", " desc"))
      .filter(([, , word]) => /^\w+$/.test(word))
      .map(([x, y, word, order]) => `Sort ${x} ${y} ${word}${order}`),
    fc.constant('Set xs [{"k": 2}, {"k": 1, "__proto__": 3}, 5, {"k": null}, {"k": "x"}]'),
  ),
);

const adapterCall = plain(
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(operand, name).map(([v, x]) => `R ext.ECHO ${v} ->${x}`) },
    { weight: 2, arbitrary: fc.tuple(operand, operand, name).map(([v, w, x]) => `R ext.RUN ${v} ${w} ->${x}`) },
    { weight: 2, arbitrary: fc.tuple(operand, name).map(([v, x]) => `R ext.LATER ${v} ->${x}`) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("1", "20", "90"), name).map(([ms, x]) => `R ext.SLOW ${ms} 1 ->${x}`),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom("2", "30"), name).map(([ms, x]) => `R ext.TARDY ${ms} 1 ->${x}`) },
    { weight: 1, arbitrary: name.map((x) => `R ext.NEXT ->${x}`) },
    { weight: 1, arbitrary: name.map((x) => `R ext.CALLID ->${x}`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom("ADD", "LEN", "CONCAT", "EQ", "DIV", "NOPE", "MERGE", "SLEEP", "UUID"),
          operand,
          operand,
          name,
        )
        .map(([verb, v, w, x]) => `R core.${verb} ${v} ${w} ->${x}`),
    },
    { weight: 1, arbitrary: fc.tuple(operand, operand).map(([v, w]) => `CacheSet c ${v} ${w}`) },
    { weight: 1, arbitrary: fc.tuple(operand, name, operand).map(([v, x, w]) => `CacheGet c ${v} ->${x} ${w}`) },
    { weight: 1, arbitrary: fc.tuple(operand, name).map(([v, x]) => `QueuePut q ${v} ->${x}`) },
    { weight: 1, arbitrary: fc.constantFrom("Tx begin t", "Tx commit t", "QueuePut q 1", "Enf P") },
  ),
);

const failing = plain(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom("1", "2", "4"), operand, name)
        .map(([n, v, x]) => `R ext.OP ${n} ${v} ->${x}`),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'R ext.G "bad" ->a',
        "R ext.P ->a",
        "R ext.CRASH ->b",
        "R ext.ODD ->b",
        "R ext.WAITS 40 ->a",
      ),
    },
    { weight: 2, arbitrary: fc.constantFrom("X a div 1 0", "X b sub s xs", 'X a fail "no"') },
    { weight: 1, arbitrary: fc.constantFrom("R ext.MISSING 1 ->a", "R nosuch.GET 1 ->a") },
  ),
);

type Labels = fc.Arbitrary<string>;

function protection(label: Labels): fc.Arbitrary<Step> {
  const at = (pick: number, targets: readonly number[], bare: boolean) =>
    bare || targets.length === 0 ? "" : ` @n${targets[pick % targets.length]}`;
  return fc
    .tuple(
      fc.boolean(),
      fc.nat(20),
      fc.boolean(),
      label,
      fc.constantFrom("", " 1", " 2 0", " n 0", " 2 15", " 3 10 exponential", " 0 0"),
    )
    .map(([isErr, pick, bare, handler, plan]) => ({
      text: (targets) =>
        isErr ? `Err${at(pick, targets, bare)} ->${handler}` : `Retry${at(pick, targets, bare)}${plan}`,
      protectable: false,
    }));
}

/** Calls whose answers depend on nothing but the call itself. */
const quietCall = plain(
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(operand, name).map(([v, x]) => `R ext.ECHO ${v} ->${x}`) },
    { weight: 4, arbitrary: fc.tuple(operand, name).map(([v, x]) => `R ext.LATER ${v} ->${x}`) },
    { weight: 4, arbitrary: fc.tuple(operand, operand, name).map(([v, w, x]) => `R apart.DO ${v} ${w} ->${x}`) },
    { weight: 1, arbitrary: name.map((x) => `R ext.CALLID ->${x}`) },
    { weight: 1, arbitrary: name.map((x) => `R apart.CALLID ->${x}`) },
    { weight: 1, arbitrary: fc.tuple(operand, name).map(([v, x]) => `R core.LEN ${v} ->${x}`) },
    { weight: 1, arbitrary: fc.constantFrom('R ext.G "bad" ->a', "R ext.P ->a", "R apart.FAIL ->b", "X a div 1 0") },
  ),
);

/** Branches: all at a time, or with `limits` of one only. */
function forks(label: Labels, limits: fc.Arbitrary<string>, isApart: boolean): fc.Arbitrary<Step> {
  const list = fc.oneof(fc.constant("xs"), operand, fc.constant("[1, 2, 3]"), fc.constant("[3, [1], null, {}]"));
  const item = fc.constantFrom("it", "it", "a", "n");
  const mode = fc.constantFrom("", "", " settle");
  const each = fc
    .tuple(name, list, item, label, limits, mode)
    .map(([x, xs, it, to, limit, how]) => `Each ${x} ${xs} ${it} ->${to}${limit}${how}`);
  if (!isApart) return plain(each);
  const par = fc
    .tuple(name, fc.array(label, { minLength: 1, maxLength: 4 }), mode)
    .map(([x, labels, how]) => `Par ${x} ${labels.map((to) => `->${to}`).join(" ")}${how}`);
  return plain(fc.oneof(each, par));
}

/** Programs with branches. `turns`: one after the other, so that what adapters remember is the same; `apart`: many at a time. */
function forkBody(kind: "turns" | "apart"): (label: Labels) => fc.Arbitrary<Step> {
  if (kind === "turns")
    return (label) =>
      fc.oneof(
        { weight: 3, arbitrary: body(label) },
        { weight: 1, arbitrary: forks(label, fc.constant(" limit=1"), false) },
      );
  const limits = fc.constantFrom("", " limit=1", " limit=2", " limit=3", " limit=8", " limit=64");
  return (label) =>
    fc.oneof(
      { weight: 3, arbitrary: calculation },
      { weight: 2, arbitrary: aliasing },
      { weight: 3, arbitrary: quietCall },
      { weight: 3, arbitrary: forks(label, limits, true) },
      { weight: 2, arbitrary: protection(label) },
    );
}

function body(label: Labels): fc.Arbitrary<Step> {
  const callStep = plain(fc.tuple(label, name).map(([to, x]) => `Call ${to} ->${x}`));
  return fc.oneof(
    { weight: 5, arbitrary: assignment },
    { weight: 4, arbitrary: aliasing },
    { weight: 3, arbitrary: adapterCall },
    { weight: 2, arbitrary: failing },
    { weight: 2, arbitrary: callStep },
    { weight: 3, arbitrary: protection(label) },
    { weight: 1, arbitrary: lists },
  );
}

function ending(label: Labels): fc.Arbitrary<Step | null> {
  return fc.oneof(
    { weight: 4, arbitrary: plain(operand.map((v) => `J ${v}`)).map((one) => ({ ...one, protectable: false })) },
    {
      weight: 3,
      arbitrary: plain(fc.tuple(condition, label, label).map(([c, then, other]) => `If ${c} ->${then} ->${other}`)),
    },
    { weight: 1, arbitrary: plain(fc.tuple(condition, label).map(([c, then]) => `If ${c} ->${then}`)) },
    {
      weight: 3,
      arbitrary: plain(
        fc
          .tuple(
            fc.oneof(fc.constant("xs"), operand, fc.constant("[1, 2, 3]")),
            fc.constantFrom("it", "it", "a", "n"),
            label,
            label,
          )
          .map(([list, item, to, after]) => `Loop ${list} ${item} ->${to} ->${after}`),
      ),
    },
    {
      weight: 2,
      arbitrary: plain(
        fc
          .tuple(condition, label, label, fc.constantFrom("", " limit=1", " limit=4"))
          .map(([c, to, after, limit]) => `While ${c} ->${to} ->${after}${limit}`),
      ),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

export function renderLabel(id: string, steps: readonly Step[]): string {
  const targets: number[] = [];
  const lines = steps.map((one, index) => {
    const line = `  ${one.text(targets)}`;
    if (one.protectable) targets.push(index + 1);
    return line;
  });
  return [`${id}:`, ...lines].join("\n");
}

/** Source text of a program that compiles in non-strict mode. */
const programs = programsOf(body);

function programsOf(bodyOf: (label: Labels) => fc.Arbitrary<Step>): fc.Arbitrary<string> {
  return fc.integer({ min: 2, max: 6 }).chain((count) => programOf(count, bodyOf));
}

function programOf(count: number, bodyOf: (label: Labels) => fc.Arbitrary<Step>): fc.Arbitrary<string> {
  const ids = Array.from({ length: count }, (_, i) => `L${i + 1}`);
  const label = fc.constantFrom(...ids);
  const one = fc
    .tuple(fc.array(bodyOf(label), { maxLength: 5 }), ending(label), fc.array(protection(label), { maxLength: 2 }))
    .map(([steps, end, late]) => [...steps, ...(end === null ? [] : [end]), ...late]);
  return fc
    .array(one, { minLength: count, maxLength: count })
    .map((all) => `${all.map((steps, i) => renderLabel(ids[i] ?? "L1", steps)).join("\n")}\n`);
}

/** A chain of writes that share values, with the final frame as what counts. */
const aliasingPrograms: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 6, arbitrary: aliasing }, { weight: 1, arbitrary: assignment }), {
      minLength: 4,
      maxLength: 25,
    }),
    fc.boolean(),
  )
  .map(([steps, loop]) => {
    const lines = steps.map((one) => `  ${one.text([])}`).join("\n");
    if (!loop) return `L1:\n${lines}\n  J [$a, $b, $o, $xs]\n`;
    return `L1:\n  Loop [1, 2] it ->L2 ->L3\nL2:\n${lines}\n  J $o\nL3:\n  J [$a, $b, $o, $xs]\n`;
  });

const allowlists = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.subarray(["core", "ext", "cache", "queue", "txn", "auth"]) },
);

export const runs: fc.Arbitrary<GeneratedRun> = fc.record({
  source: programs,
  frame: frames,
  limits: limitSets,
  allowedAdapters: allowlists,
});
export const aliasingRuns: fc.Arbitrary<GeneratedRun> = fc.record({
  source: aliasingPrograms,
  frame: frames,
  limits: fc.constant<Limits>({ max_steps: 300, max_frame_bytes: 5000 }),
  allowedAdapters: fc.constant(null),
});

/** Branches one after the other, among everything that adapters remember. */
export const turnRuns: fc.Arbitrary<GeneratedRun> = fc.record({
  source: programsOf(forkBody("turns")),
  frame: frames,
  limits: limitSets,
  allowedAdapters: allowlists,
});
/** Many branches at a time, with calls whose answers depend on nothing else; time does not count. */
export const apartRuns: fc.Arbitrary<GeneratedRun> = fc.record({
  source: programsOf(forkBody("apart")),
  frame: frames,
  limits: limitSets.map(({ max_time_ms: _time, ...limits }): Limits => limits),
  allowedAdapters: fc.constant(null),
});
