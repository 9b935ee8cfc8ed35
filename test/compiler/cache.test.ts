/** The compile cache: what is shared, what is kept apart, what is let go. */
import { describe, expect, it } from "vitest";
import { createCompileCache } from "../../compiler/cache.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import type { CompileOptions } from "../../compiler/options.ts";
import { lines } from "./compiling.ts";
import { includeFiles } from "./lower/include-files.ts";
import { testCatalog } from "./test-catalog.ts";

const options: CompileOptions = { catalog: testCatalog };
const program = (value: number) => lines("L1:", `  J ${value}`);
const NEEDY = lines("L1:", "  J amount");

function cacheAt(limits: { max_bytes?: number; max_entries?: number } = {}) {
  const clock = { ms: 0 };
  return { clock, cache: createCompileCache<string>({ now: () => clock.ms, ...limits }) };
}

describe("compile cache", () => {
  it("compiles a program once", () => {
    const { cache } = cacheAt();
    const first = cache.compile(program(1), options);
    const second = cache.compile(program(1), options);
    expect([first.hit, second.hit]).toEqual([false, true]);
    expect(second.result).toBe(first.result);
    expect(cache.stats()).toMatchObject({ entries: 1, hits: 1, misses: 1 });
  });

  it("keeps modes, options and catalogs apart", () => {
    const { cache } = cacheAt();
    const variants: CompileOptions[] = [
      options,
      { ...options, strict: false },
      { ...options, reachability: true },
      { ...options, compat_notes: true },
      { ...options, allowed_adapters: ["core"] },
      { ...options, allowed_adapters: [] },
      { catalog: createCatalog([]) },
    ];
    expect(variants.map((one) => cache.compile(program(1), one).hit)).toEqual(variants.map(() => false));
    expect(cache.compile(program(1), { ...options, strict: true }).hit).toBe(true);
  });

  it("applies the names of a frame to one shared compile", () => {
    const { cache } = cacheAt();
    const without = cache.compile(NEEDY, options);
    const withName = cache.compile(NEEDY, { ...options, inputs: ["amount"] });
    const withOther = cache.compile(NEEDY, { ...options, inputs: ["other"] });
    expect([without.result.ok, withName.result.ok, withOther.result.ok]).toEqual([false, true, false]);
    expect([withName.hit, withOther.hit]).toEqual([true, true]);
    expect(withName.result.ir?.entry).toBe("1");
    expect(without.result.undeclared_reads.map(({ name }) => name)).toEqual(["amount"]);
  });

  it("shares no notes, which say something because of the names of a frame", () => {
    const { cache } = cacheAt();
    const noted = (inputs: readonly string[]) =>
      cache
        .compile(lines("L1:", '  J "amount"'), { ...options, compat_notes: true, inputs })
        .result.diagnostics.map(({ code }) => code);
    expect([noted([]), noted(["amount"]), noted([])]).toEqual([[], ["WF9021"], []]);
  });

  it("keeps what the host attaches, once per program", () => {
    const { cache } = cacheAt();
    let made = 0;
    const make = () => {
      made += 1;
      return { value: `program ${made}`, bytes: 5000 };
    };
    const before = (() => {
      cache.compile(program(1), options);
      return cache.stats().bytes;
    })();
    expect(cache.compile(program(1), options).attached(make)).toBe("program 1");
    expect(cache.compile(program(1), { ...options, inputs: ["x"] }).attached(make)).toBe("program 1");
    expect(cache.stats().bytes).toBe(before + 5000);
    expect(cache.compile("L1:\n  J [\n", options).attached(make)).toBeNull();
  });

  it("forgets failed compiles after a minute, and good ones never", () => {
    const { cache, clock } = cacheAt();
    const broken = lines("L1:", "  Call L9 ->v", "  J v");
    cache.compile(broken, options);
    cache.compile(program(1), options);
    cache.compile(NEEDY, options);
    clock.ms = 59_999;
    expect(cache.compile(broken, options).hit).toBe(true);
    clock.ms = 60_000;
    expect(cache.compile(broken, options).hit).toBe(false);
    expect(cache.compile(program(1), options).hit).toBe(true);
    expect(cache.compile(NEEDY, options).hit).toBe(true);
  });

  it("drops the least recently used first", () => {
    const { cache } = cacheAt({ max_entries: 2 });
    cache.compile(program(1), options);
    cache.compile(program(2), options);
    cache.compile(program(1), options);
    cache.compile(program(3), options);
    expect(cache.compile(program(1), options).hit).toBe(true);
    expect(cache.compile(program(2), options).hit).toBe(false);
    expect(cache.stats().entries).toBe(2);
  });

  it("stays within its bytes, attachments included", () => {
    const { cache } = cacheAt({ max_bytes: 20_000 });
    for (let value = 0; value < 50; value += 1) cache.compile(program(value), options);
    expect(cache.stats().bytes).toBeLessThanOrEqual(20_000);
    expect(cache.stats().entries).toBeGreaterThan(1);
    const last = cache.compile(program(49), options);
    expect(last.attached(() => ({ value: "big", bytes: 30_000 }))).toBe("big");
    expect(cache.stats()).toMatchObject({ bytes: 0, entries: 0 });
    expect(last.attached(() => ({ value: "again", bytes: 1 }))).toBe("big");
    expect(cache.compile(`# ${"x".repeat(30_000)}\n${program(1)}`, options).result.ok).toBe(true);
    expect(cache.stats().entries).toBe(0);
  });

  it("does not find a dropped program that was used last", () => {
    const { cache } = cacheAt({ max_bytes: 20_000 });
    cache.compile(program(1), options).attached(() => ({ value: "big", bytes: 30_000 }));
    expect(cache.compile(program(1), options).hit).toBe(false);
    expect(cache.compile(program(1), options).hit).toBe(true);
    cache.clear();
    expect(cache.compile(program(1), options).hit).toBe(false);
  });

  it("does not take what was used last for the same source under other options", () => {
    const { cache } = cacheAt();
    cache.compile(program(1), options);
    expect(cache.compile(program(1), { ...options, strict: false }).hit).toBe(false);
    expect(cache.compile(program(1), options).hit).toBe(true);
    expect(cache.compile(program(1), { ...options, allowed_adapters: [] }).hit).toBe(false);
    expect(cache.compile(program(1), { ...options, allowed_adapters: ["core"] }).hit).toBe(false);
  });

  it("never keeps programs whose files may change unseen", () => {
    const { cache } = cacheAt();
    const withFiles = { ...options, includes: includeFiles({}) };
    cache.compile(program(1), withFiles);
    expect(cache.compile(program(1), withFiles).hit).toBe(false);
    expect(cache.stats().entries).toBe(0);
  });

  it("can be emptied", () => {
    const { cache } = cacheAt();
    cache.compile(program(1), options);
    cache.clear();
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
    expect(cache.compile(program(1), options).hit).toBe(false);
  });
});
