/**
 * What values of many kinds weigh, estimated and really, measured in a thread whose heap has nothing else in it: there a collection takes some
 * milliseconds, and moves no figure but the one that is measured.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import { type Json, setMember } from "../../compiler/json.ts";
import { bookedSize } from "../../vm/memory/accounting.ts";
import { adopt } from "../../vm/memory/copy-in.ts";
import { HeapCount } from "../../vm/memory/heap-size.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function used(): number {
  for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed;
}

const COUNT = 20_000;

/** Bytes. */
export type Weights = { readonly estimated: number; readonly real: number };

/** Of `count` values. */
function weights(make: (index: number) => Json, count: number): Weights {
  for (let i = 0; i < 200; i++) make(i);
  const values: Json[] = new Array<Json>(count).fill(null);
  const before = used();
  for (let i = 0; i < count; i++) values[i] = make(i);
  const real = used() - before;
  const heap = new HeapCount();
  // Used after the measurement, so that it is not collected before.
  for (const value of values) heap.add(value);
  return { estimated: heap.bytes, real };
}

/** As the machine holds it: with its size. */
export function sized(value: Json): Json {
  bookedSize(value);
  return value;
}
export const parsed = (text: string): Json => sized(JSON.parse(text) as Json);
export const times = (length: number, part: (at: number) => string): string =>
  Array.from({ length }, (_, at) => part(at)).join();

export function pushed(length: number): Json {
  const list: Json[] = [];
  for (let i = 0; i < length; i++) list.push(i);
  return sized(list);
}
function built(members: number): Json {
  const object: { [key: string]: Json } = {};
  for (let i = 0; i < members; i++) setMember(object, `member${i}`, i);
  return sized(object);
}
function joined(length: number, index: number): Json {
  let text = "";
  for (let i = 0; i < length; i++) text += String.fromCharCode(97 + ((index + i * i) % 26));
  return text;
}

type Kind = readonly [kind: string, make: (index: number) => Json, count?: number];
export const kinds: readonly Kind[] = [
  ["empty lists", () => parsed("[]")],
  ["empty objects", () => parsed("{}")],
  ["lists of empty lists", () => parsed(`[${times(100, () => "[]")}]`), 500],
  ["lists of empty objects", () => parsed(`[${times(100, () => "{}")}]`), 500],
  ["pairs", (i) => parsed(`[${i},${i}]`)],
  ["pairs that were pushed", () => pushed(2)],
  ["short lists", () => parsed(`[${times(8, (at) => `${at}`)}]`)],
  ["short lists that were pushed", () => pushed(12)],
  ["long lists that were pushed", () => pushed(5000), 50],
  ["fractions", () => parsed(`[${times(50, (at) => `${at}.5`)}]`), 10_000],
  ["fractions among texts", () => parsed(`["a",${times(50, (at) => `${at}.25`)}]`), 2000],
  ["one member", (i) => parsed(`{"id":${i}}`)],
  ["five members", (i) => parsed(`{"id":${i},"open":true,"a":1,"b":2,"c":null}`)],
  ["five members, copied", (i) => adopt({ id: i, open: true, a: 1, b: 2, c: null })],
  ["rows with texts", (i) => parsed(`{"id":${i},"name":"customer number ${i}","city":"city of ${i}","total":${i}.5}`)],
  ["sixteen members", () => built(16), 2000],
  ["thirty members", () => built(30), 2000],
  ["two hundred members", () => built(200), 200],
  ["two hundred members, parsed", () => parsed(`{${times(200, (at) => `"member${at}":${at}`)}}`), 200],
  ["texts of ten", (i) => parsed(`"${String(i).padStart(10, "x")}"`)],
  ["texts of forty", (i) => parsed(`"${String(i).padStart(40, "x")}"`)],
  ["texts of a thousand", (i) => parsed(`"${String(i).padStart(1000, "x")}"`), 2000],
  ["Cyrillic texts of thirty", (i) => parsed(`"${String(i).padStart(30, "Ж")}"`)],
  ["Cyrillic texts of a thousand", (i) => parsed(`"${String(i).padStart(1000, "Ж")}"`), 2000],
];

/** Texts that are joined piece by piece: before anything looked at them, and after. */
export type Joined = Weights & { readonly before: number };

function joinedWeights(length: number, count: number): Joined {
  const values: Json[] = [];
  const empty = used();
  for (let i = 0; i < count; i++) values.push(joined(length, i));
  const before = used() - empty;
  const heap = new HeapCount();
  for (const value of values) heap.add(value);
  const real = used() - empty;
  if (values.length !== count) throw new Error("values are collected before they are measured");
  return { before, real, estimated: heap.bytes };
}

export const joinedTexts = [
  { kind: "of thirty", length: 30, count: COUNT },
  { kind: "of ten thousand", length: 10_000, count: 400 },
] as const;

export type Measured = {
  readonly kinds: { readonly [kind: string]: Weights };
  readonly joined: { readonly [kind: string]: Joined };
};

parentPort?.postMessage({
  kinds: Object.fromEntries(kinds.map(([kind, make, count = COUNT]) => [kind, weights(make, count)])),
  joined: Object.fromEntries(joinedTexts.map(({ kind, length, count }) => [kind, joinedWeights(length, count)])),
} satisfies Measured);
