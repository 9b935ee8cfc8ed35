/**
 * Which modules are admitted, and that damaged ones are refused with the adapter's own error whatever is wrong with
 * them.
 */
import { describe, expect, it } from "vitest";
import { admit, MAX_MODULE_BYTES } from "../../../../adapters/builtin/wasm/admission.ts";
import { encodedU32 } from "../../../../adapters/builtin/wasm/reader.ts";
import { type WasmFunction, webAssembly } from "../../../../adapters/engine/wasm/types.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { fromText, SHARED } from "./modules.ts";

const PAGES = 16;

/** Everything WebAssembly 2.0 has that takes operands, so that none is taken for another. */
const RICH = `(module
  (type $t (func (param i32) (result i32)))
  (memory (export "memory") 1)
  (table $a 4 funcref)
  (table $b 2 externref)
  (data $d "abcd")
  (elem $e func $id)
  (global $g (mut i64) (i64.const -1))
  (func $id (param i32) (result i32) local.get 0)
  (func (export "rich") (param i32) (result i32)
    (local v128 externref f32)
    (block $out (result i32)
      (loop $in
        (br_table $in $in $in (i32.const 200))
      )
      (if (result i32) (local.get 0) (then (i32.const -2147483648)) (else (i32.const 300000))))
    drop
    (block (param) (br_if 0 (i32.const 1)))
    (drop (select (result i32) (i32.const 1) (i32.const 2) (i32.const 0)))
    (drop (call_indirect $a (type $t) (i32.const 1) (i32.const 0)))
    (global.set $g (i64.const 0x7fffffffffffffff))
    (drop (f32.const 1.5)) (drop (f64.const 1e300))
    (drop (i32.trunc_sat_f64_s (f64.const 1)))
    (memory.init $d (i32.const 0) (i32.const 0) (i32.const 1))
    (data.drop $d)
    (memory.copy (i32.const 0) (i32.const 1) (i32.const 1))
    (memory.fill (i32.const 0) (i32.const 1) (i32.const 1))
    (table.init $a $e (i32.const 0) (i32.const 0) (i32.const 1))
    (elem.drop $e)
    (table.copy $a $a (i32.const 0) (i32.const 0) (i32.const 1))
    (drop (table.grow $b (ref.null extern) (i32.const 1)))
    (table.fill $b (i32.const 0) (ref.null extern) (i32.const 1))
    (drop (table.size $b))
    (drop (ref.is_null (table.get $b (i32.const 0))))
    (drop (i32x4.extract_lane 3 (v128.const i32x4 1 2 3 4)))
    (drop (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 (v128.const i64x2 0 0) (v128.const i64x2 0 0)))
    (drop (v128.load8_lane 3 (i32.const 0) (v128.const i64x2 0 0)))
    (v128.store offset=200 (i32.const 0) (v128.load32_zero (i32.const 0)))
    (drop (f64x2.add (v128.const i64x2 0 0) (v128.const i64x2 0 0)))
    (drop (i32.extend8_s (i32.const 255)))
    (drop (memory.grow (i32.const 1)))
    (return_call $id (memory.size))))`;

function reasonOf(bytes: Uint8Array): unknown {
  try {
    admit(bytes, PAGES);
    return "admitted";
  } catch (thrown) {
    if (!(thrown instanceof AdapterError)) throw thrown;
    return thrown.code === "ADAPTER_WASM_MODULE" ? (thrown.data as { readonly reason: string }).reason : thrown.code;
  }
}

/** What the export `f` gives. */
async function called(bytes: Uint8Array): Promise<unknown> {
  const instance = new webAssembly.Instance(await webAssembly.compile(bytes), {});
  return (instance.exports["f"] as WasmFunction)();
}

/** A module with one function whose body is `code`. */
function withBody(...code: readonly number[]): Uint8Array {
  return withLocals(0, code);
}

/** The same with locals of type i32. */
function withLocals(locals: number, code: readonly number[]): Uint8Array {
  const body = Buffer.from([1, ...encodedU32(locals), 0x7f, ...code, 0x0b]);
  const types = [1, 4, 1, 0x60, 0, 0];
  const start = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, 3, 2, 1, 0, 10];
  const size = encodedU32(body.length);
  return Buffer.concat([Buffer.from([...start, ...encodedU32(1 + size.length + body.length), 1, ...size]), body]);
}

function times(count: number, code: readonly number[]): readonly number[] {
  return Array.from({ length: count }, () => code).flat();
}

/** Statements of all kinds, each of which leaves the stack as it was. */
const STATEMENTS: readonly (readonly [name: string, code: readonly number[]])[] = [
  ["a constant and drop", [0x41, 0, 0x1a]],
  ["a local", [0x20, 0, 0x22, 0, 0x21, 0]],
  ["a global", [0x23, 0, 0x24, 0]],
  ["select", [0x41, 0, 0x41, 0, 0x41, 0, 0x1b, 0x1a]],
  ["select with a type", [0x41, 0, 0x41, 0, 0x41, 0, 0x1c, 1, 0x7f, 0x1a]],
  ["load and store", [0x41, 0, 0x41, 0, 0x28, 2, 0, 0x36, 2, 0]],
  ["memory", [0x3f, 0, 0x40, 0, 0x1a]],
  ["i32", [0x41, 0, 0x45, 0x41, 0, 0x46, 0x67, 0x41, 0, 0x6a, 0x1a]],
  ["i64", [0x42, 0, 0x42, 0, 0x51, 0xac, 0x79, 0x42, 0, 0x7c, 0x50, 0x1a]],
  ["f32", [0x43, 0, 0, 0, 0, 0x43, 0, 0, 0, 0, 0x5b, 0xb2, 0x8b, 0x43, 0, 0, 0, 0, 0x92, 0x1a]],
  ["f64", [0x44, ...times(8, [0]), 0x44, ...times(8, [0]), 0x61, 0xb7, 0x99, 0x44, ...times(8, [0]), 0xa0, 0x1a]],
  ["conversions", [0x41, 0, 0xac, 0xa7, 0xc0, 0x1a]],
  ["saturating conversions", [0x43, 0, 0, 0, 0, 0xfc, 0, 0x1a]],
  ["references", [0xd0, 0x70, 0xd1, 0x1a, 0xd2, 0, 0x1a]],
  ["tables", [0x41, 0, 0x41, 0, 0x25, 0, 0x26, 0, 0xd0, 0x70, 0x41, 0, 0xfc, 15, 0, 0x1a, 0xfc, 16, 0, 0x1a]],
  ["bulk memory", [...times(3, [0x41, 0]), 0xfc, 10, 0, 0, ...times(3, [0x41, 0]), 0xfc, 11, 0, 0xfc, 9, 0]],
  ["bulk tables", [...times(3, [0x41, 0]), 0xfc, 14, 0, 0, ...times(3, [0x41, 0]), 0xfc, 17, 0, 0xfc, 13, 0]],
  ["segments", [...times(3, [0x41, 0]), 0xfc, 8, 0, 0, ...times(3, [0x41, 0]), 0xfc, 12, 0, 0]],
  ["vectors", [0x41, 0, 0x41, 0, 0xfd, 0, 0, 0, 0xfd, 11, 0, 0, 0xfd, 12, ...times(16, [0]), 0xfd, 21, 0, 0x1a]],
  ["lanes", [0x41, 0, 0xfd, 12, ...times(16, [0]), 0xfd, 84, 0, 0, 0, 0x1a]],
  ["calls", [0x10, 0, 0x41, 0, 0x11, 0, 0]],
  ["blocks", [0x02, 0x7f, 0x41, 0, 0x0b, 0x04, 0x7f, 0x41, 0, 0x05, 0x41, 0, 0x0b, 0x1a]],
  ["blocks that end early", [0x02, 0x40, 0x41, 0, 0x41, 0, 0x0c, 0, 0x0b, 0x03, 0x40, 0x41, 0, 0x0d, 0, 0x0b]],
  ["jump tables", [0x02, 0x40, 0x41, 0, 0x0e, 2, 0, 0, 0, 0x0b]],
];
const LOOP = [0x03, 0x40, 0x0b];

describe("refused", () => {
  it.each([
    ["an import", '(module (import "env" "f" (func)))', "imports"],
    ["an imported memory", '(module (import "wf" "log" (memory 1)))', "imports"],
    ["wf.log of another type", '(module (import "wf" "log" (func (param i64 i32))))', "imports"],
    ["wf.log with a result", '(module (import "wf" "log" (func (param i32 i32) (result i32))))', "imports"],
    ["a memory beyond the bound", "(module (memory 17))", "memory_limit"],
    ["a shared memory", "(module (memory 1 2 shared))", "shared_memory"],
    ["a large table", "(module (table 10001 funcref))", "table_limit"],
    ["large tables together", "(module (table 6000 funcref) (table 6000 funcref))", "table_limit"],
    ["two memories", "(module (memory 1) (memory 1))", "unsupported"],
    ["a memory of 64 bits", "(module (memory i64 1))", "unsupported"],
    ["atomics", "(module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))", "threads"],
    ["a tag", "(module (tag))", "unsupported"],
  ])("%s", async (_, text, reason) => {
    expect(reasonOf(await fromText(text))).toBe(reason);
  });

  it.each<readonly [string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "malformed"],
    ["text", new TextEncoder().encode("(module)"), "malformed"],
    ["another version", Uint8Array.from([0, 0x61, 0x73, 0x6d, 2, 0, 0, 0]), "malformed"],
    ["a file too large", new Uint8Array(MAX_MODULE_BYTES + 1), "too_large"],
    ["relaxed SIMD", withBody(0xfd, 0x80, 0x02), "relaxed_simd"],
    ["garbage collection", withBody(0xfb, 0x00), "unsupported"],
    ["exceptions", withBody(0x06, 0x40), "unsupported"],
    ["an unknown instruction", withBody(0xff), "unsupported"],
    ["an unknown bulk instruction", withBody(0xfc, 0x12), "unsupported"],
    ["a block of a new type", withBody(0x02, 0x63, 0x00), "unsupported"],
    ["a number without end", withBody(0x41, ...Array.from({ length: 11 }, () => 0x80)), "malformed"],
    ["a section twice", Uint8Array.from([...SHARED.m.subarray(0, 8), 3, 1, 0, 3, 1, 0]), "malformed"],
    ["an unknown section", Uint8Array.from([...SHARED.m.subarray(0, 8), 13, 1, 0]), "unsupported"],
    [
      "more items than bytes",
      Uint8Array.from([...SHARED.m.subarray(0, 8), 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f]),
      "malformed",
    ],
  ])("%s", (_, bytes, reason) => {
    expect(reasonOf(bytes)).toBe(reason);
  });

  it.each([
    ["blocks and jumps", [0x02, 0x40, 0x20, 0, 0x0d, 0, 0x0b]],
    ["branches", [0x20, 0, 0x04, 0x40, 0x0b]],
    ["loops", LOOP],
    ["calls", [0x10, 0]],
    ["calls through a table", [0x41, 0, 0x11, 0, 0]],
    ["growth", [0x41, 0, 0x40, 0, 0x1a]],
    ["references", [0xd2, 0, 0x1a]],
  ])("a function with many locals and many %s", (_, code) => {
    expect(reasonOf(withLocals(20_000, times(1000, code)))).toBe("too_complex");
    expect(reasonOf(withLocals(20_000, times(100, code)))).toBe("admitted");
  });

  it("a function with many operands and blocks, or a jump table into many blocks", () => {
    expect(reasonOf(withLocals(0, [...times(20_000, [0x41, 0]), ...times(1000, LOOP)]))).toBe("too_complex");
    const blocks = 3000;
    const jump = [0x41, 0, 0x0e, ...encodedU32(blocks), ...times(blocks + 1, [0])];
    const nested = [...times(blocks, [0x02, 0x40]), ...times(300, jump), ...times(blocks, [0x0b])];
    expect(reasonOf(withLocals(0, nested))).toBe("too_complex");
  });

  it("a module cut off at any byte, or a code that is not among the known ones, and nothing worse", () => {
    for (let end = 0; end < SHARED.m.length; end++) {
      expect(["malformed", "admitted"]).toContain(reasonOf(SHARED.m.subarray(0, end)));
    }
    for (let at = 0; at < SHARED.m.length; at++) {
      for (const flip of [0x01, 0x40, 0x80, 0xff]) {
        const damaged = Uint8Array.from(SHARED.m);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        expect(typeof reasonOf(damaged)).toBe("string");
      }
    }
  });
});

describe("admitted", () => {
  it("every kind of instruction of WebAssembly 2.0", async () => {
    const { bytes, exports } = admit(await fromText(RICH), PAGES);
    await webAssembly.compile(bytes);
    expect(exports).toEqual([{ name: "rich", params: ["i32"], results: ["i32"] }]);
  });

  it.each(STATEMENTS)("any number of statements: %s", (_, code) => {
    const count = 6000;
    const statements = [...times(count, code), ...times(2000, LOOP)];
    expect(reasonOf(withLocals(0, statements))).toBe("admitted");
    // What was there before them still counts.
    expect(reasonOf(withLocals(0, [...times(count, [0x41, 0]), ...statements]))).toBe("too_complex");
  });

  it.each([
    ["(memory 1)", 16],
    ["(memory 1 4)", 4],
    ["(memory 1 60000)", 16],
  ])("%s ends at %i pages", async (memory, pages) => {
    const text = `(module ${memory} (func (export "f") (result i32) (loop $l (br_if $l (i32.ge_s (memory.grow (i32.const 1)) (i32.const 0)))) memory.size))`;
    const { bytes } = admit(await fromText(text), PAGES);
    expect(await called(bytes)).toBe(pages);
  });

  it("tables end at 10,000 entries", async () => {
    const text = `(module (table 1 funcref) (func (export "f") (result i32) (table.grow (ref.null func) (i32.const 10000))))`;
    const { bytes } = admit(await fromText(text), PAGES);
    expect(await called(bytes)).toBe(-1);
  });

  it("counts an import among the functions", async () => {
    const text = `(module (import "wf" "log" (func (param i32 i32))) (func (export "f") (result f64) (f64.const 1)))`;
    expect(admit(await fromText(text), PAGES).exports).toEqual([{ name: "f", params: [], results: ["f64"] }]);
  });
});
