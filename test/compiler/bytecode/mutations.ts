/** Small damage to programs: a word of the code or of a table, or a number in the JSON tables. */
import fc from "fast-check";
import { VARIANTS, WORD_TABLES } from "../../../compiler/bytecode/encode.ts";
import type { Program, VariantKind, VariantTables } from "../../../compiler/bytecode/program.ts";
import { readTables } from "../../../compiler/bytecode/tables.ts";
import type { Json } from "../../../compiler/json.ts";

export type Mutation = {
  readonly kind: VariantKind;
  readonly table: (typeof WORD_TABLES)[number] | "json";
  readonly at: number;
  readonly how: "add" | "set" | "copy" | "cut";
  readonly value: number;
  /** Whether both exchangeable variants are damaged alike. */
  readonly both: boolean;
};

const values = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 12 }) },
  { weight: 2, arbitrary: fc.integer({ min: -70, max: 70 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) },
);

export const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...VARIANTS),
  table: fc.oneof(
    { weight: 6, arbitrary: fc.constant("code" as const) },
    { weight: 4, arbitrary: fc.constantFrom(...WORD_TABLES) },
    { weight: 3, arbitrary: fc.constant("json" as const) },
  ),
  at: fc.nat({ max: 1_000_000 }),
  how: fc.constantFrom("add", "set", "set", "copy", "cut"),
  value: values,
  both: fc.boolean(),
});

/** The damaged program; null when its tables are no longer JSON. */
export function mutated(program: Program, mutation: Mutation): Program | null {
  const kinds: VariantKind[] = mutation.both && mutation.kind !== "traced" ? ["fast", "stepped"] : [mutation.kind];
  const variants = new Map<VariantKind, VariantTables>();
  for (const kind of VARIANTS) {
    const tables = program.variant(kind);
    const changed = kinds.includes(kind) ? damaged(tables, mutation) : tables;
    if (changed === null) return null;
    variants.set(kind, changed);
  }
  return { ...program, variant: (kind) => variants.get(kind) as VariantTables };
}

function damaged(tables: VariantTables, mutation: Mutation): VariantTables | null {
  const { table } = mutation;
  if (table !== "json") return { ...tables, [table]: damagedWords(tables[table], mutation) };
  const { routines, constants, temporaries, aux, labels, sites, retries, handlers } = tables;
  const text = JSON.stringify({ routines, constants, temporaries, aux, labels, sites, retries, handlers });
  const read = readTables(damagedJson(JSON.parse(text) as Json, mutation));
  return read === null ? null : { ...tables, ...read };
}

function damagedWords(words: Int32Array, { at, how, value }: Mutation): Int32Array {
  if (words.length === 0) return how === "cut" ? words : Int32Array.of(value);
  const place = at % words.length;
  if (how === "cut") return words.slice(0, place);
  const changed = words.slice();
  const before = changed[place] as number;
  const other = changed[Math.abs(value) % words.length] as number;
  changed[place] = how === "add" ? before + value : how === "copy" ? other : value;
  return changed;
}

/** Changes the `at`-th leaf. */
function damagedJson(value: Json, { at, how, value: by }: Mutation): Json {
  let leaves = 0;
  const walk = (node: Json, change: (leaf: Json, index: number) => Json): Json => {
    if (Array.isArray(node)) return node.map((item: Json) => walk(item, change));
    if (typeof node === "object" && node !== null) {
      return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, walk(member as Json, change)]));
    }
    return change(node, leaves++);
  };
  walk(value, (leaf) => leaf);
  const place = at % Math.max(1, leaves);
  leaves = 0;
  return walk(value, (leaf, index) => {
    if (index !== place) return leaf;
    if (typeof leaf === "number") return how === "add" ? leaf + by : by;
    if (typeof leaf === "boolean") return !leaf;
    return how === "cut" ? null : `${leaf ?? ""}x`;
  });
}
