/** The estimate of heap counts what stands in several places once. `test/measured/heap-size.test.ts` compares it with the real heap. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { bookedSize } from "../../../vm/memory/accounting.ts";
import { HeapCount } from "../../../vm/values/heap-size.ts";

/** As the machine holds it: with its size. */
function sized(value: Json): Json {
  bookedSize(value);
  return value;
}

function pushed(length: number): Json {
  return sized(Array.from({ length }, (_, at) => at));
}

describe("the estimated heap", () => {
  it("of a list that stands in a list a thousand times in a row counts once", () => {
    const inner = pushed(1000);
    const heap = new HeapCount();
    heap.add(new Array<Json>(1000).fill(inner));
    expect(heap.bytes).toBeLessThan(30_000);
  });

  it("of parts that stand in several places counts once where it is asked for", () => {
    const rows = Array.from({ length: 100 }, () => pushed(100));
    const all: Json = [rows, [...rows], [...rows].reverse()];
    const [each, once] = [new HeapCount(), new HeapCount(true)];
    each.add(all);
    once.add(all);
    expect(each.bytes / once.bytes).toBeGreaterThan(2.5);
  });
});

describe("a large container that stands in many places", () => {
  it("is looked through and counted once", () => {
    const large = sized(Array.from({ length: 10_000 }, () => []));
    const holders = sized(Array.from({ length: 1000 }, () => ({ k: large })));
    const one = new HeapCount();
    one.add(large);
    const all = new HeapCount();
    all.add(holders);
    expect(all.visited).toBeLessThan(one.visited + 5000);
    expect(all.bytes).toBeLessThan(one.bytes + 200_000);
  });
});
