/**
 * Which modules are admitted, and that damaged ones are refused with the adapter's own error whatever is wrong with
 * them.
 */
import { describe, expect, it } from "vitest";
import { type WasmFunction, webAssembly } from "../../../adapters/engine/worker-webassembly.ts";
import { admit, MAX_MODULE_BYTES } from "../../../adapters/wasm/admission.ts";
import { AdapterError } from "../../../vm/errors.ts";
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
  const body = [0, ...code, 0x0b];
  const section = [1, body.length, ...body];
  const types = [1, 4, 1, 0x60, 0, 0];
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, 3, 2, 1, 0, 10, section.length, ...section]);
}

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
