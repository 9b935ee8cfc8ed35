/** The estimate of heap against the real one: at most twice too much or too little, of what was parsed and of what programs build. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../compiler/json.ts";
import { HeapCount } from "../../vm/memory/heap-size.ts";
import { joinedTexts, kinds, type Measured, parsed, pushed, sized, times } from "./heap-weights.ts";

let measured: Measured;

beforeAll(async () => {
  const entry = new URL("./heap-weights.ts", import.meta.url).pathname;
  const bundle = { bundle: true, platform: "node", format: "esm", write: false } as const;
  const [code] = (await build({ ...bundle, entryPoints: [entry] })).outputFiles;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code?.text ?? "")}`));
  [measured] = await once(worker, "message");
}, 60_000);

describe("the estimated heap", () => {
  it.each(kinds.map(([kind]) => kind))("of %s is right within twice", (kind) => {
    const { estimated = 0, real = 0 } = measured.kinds[kind] ?? {};
    expect(estimated / real).toBeGreaterThan(0.5);
    expect(estimated / real).toBeLessThan(2);
  });

  it.each(joinedTexts)("of texts $kind that were joined piece by piece counts one text, and makes it one", (texts) => {
    const { before = 0, estimated = 0, real = 0 } = measured.joined[texts.kind] ?? {};
    expect(before).toBeGreaterThan(texts.count * texts.length * 10);
    expect(estimated / real).toBeGreaterThan(0.5);
    expect(estimated / real).toBeLessThan(2);
  });

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
    const large = parsed(`[${times(10_000, () => "[]")}]`);
    const holders = sized(Array.from({ length: 1000 }, () => ({ k: large })));
    const one = new HeapCount();
    one.add(large);
    const all = new HeapCount();
    all.add(holders);
    expect(all.visited).toBeLessThan(one.visited + 5000);
    expect(all.bytes).toBeLessThan(one.bytes + 200_000);
  });
});
