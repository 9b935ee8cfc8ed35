/** The estimate of heap against the real one: at most twice too much or too little, of what was parsed and of what programs build. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type Json, setMember } from "../../compiler/json.ts";
import { bookedSize } from "../../vm/memory/accounting.ts";
import { adopt } from "../../vm/memory/copy-in.ts";
import { HeapCount } from "../../vm/values/heap-size.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function used(): number {
  for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed;
}

const COUNT = 20_000;

/** Estimated bytes, and real ones, of `count` values. */
function weights(make: (index: number) => Json, count: number): { estimated: number; real: number } {
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
function sized(value: Json): Json {
  bookedSize(value);
  return value;
}
const parsed = (text: string): Json => sized(JSON.parse(text) as Json);
const times = (length: number, part: (at: number) => string): string =>
  Array.from({ length }, (_, at) => part(at)).join();

function pushed(length: number): Json {
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
const kinds: readonly Kind[] = [
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

// Other tests share the process, and a collection in between moves its figures: a measurement is tried again.
describe("the estimated heap", { retry: 2 }, () => {
  it.each(kinds.map(([kind]) => kind))("of %s is right within twice", (kind) => {
    const [, make, count = COUNT] = kinds.find(([name]) => name === kind) as Kind;
    const { estimated, real } = weights(make, count);
    expect(estimated / real).toBeGreaterThan(0.5);
    expect(estimated / real).toBeLessThan(2);
  });

  it.each([
    ["of thirty", 30, COUNT],
    ["of ten thousand", 10_000, 400],
  ])("of texts %s that were joined piece by piece counts one text, and makes it one", (_kind, length, count) => {
    const values: Json[] = [];
    const before = used();
    for (let i = 0; i < count; i++) values.push(joined(length, i));
    expect(used() - before).toBeGreaterThan(count * length * 10);
    const heap = new HeapCount();
    for (const value of values) heap.add(value);
    const real = used() - before;
    expect(values.length).toBe(count);
    expect(heap.bytes / real).toBeGreaterThan(0.5);
    expect(heap.bytes / real).toBeLessThan(2);
  });
});
