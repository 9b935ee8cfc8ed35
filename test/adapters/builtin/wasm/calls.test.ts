/** Calls of modules through the adapter: numbers, JSON, lists, settings, and what goes wrong inside of a module. */
import { createHash } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wasmAdapter } from "../../../../adapters/builtin/wasm/definition.ts";
import { createWasmPool, type WasmPool } from "../../../../adapters/engine/wasm/pool.ts";
import { type AdapterBench, type BenchOptions, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type ModuleFolder, moduleFolder, SHARED } from "./modules.ts";

const NUMBERS = `(module
  (func (export "i32") (param i32) (result i32) local.get 0)
  (func (export "i64") (param i64) (result i64) local.get 0)
  (func (export "f32") (param f32) (result f32) local.get 0)
  (func (export "f64") (param f64) (result f64) local.get 0)
  (func (export "div") (param f64 f64) (result f64) (f64.div (local.get 0) (local.get 1)))
  (func (export "none") (param i32))
  (func (export "vector") (result v128) (v128.const i64x2 0 0))
  (func (export "__proto__") (result i32) i32.const 7))`;

const TRAPS = `(module
  (memory 1)
  (table 1 funcref)
  (type $none (func))
  (func (export "unreachable") unreachable)
  (func (export "memory_out_of_bounds") (drop (i32.load (i32.const 65536))))
  (func (export "integer_divide_by_zero") (result i32) (i32.div_s (i32.const 1) (i32.const 0)))
  (func (export "integer_overflow") (result i32) (i32.div_s (i32.const 0x80000000) (i32.const -1)))
  (func (export "invalid_conversion") (result i32) (i32.trunc_f64_s (f64.const 1e30)))
  (func (export "table_out_of_bounds") (call_indirect (type $none) (i32.const 9)))
  (func (export "indirect_call_mismatch") (call_indirect (type $none) (i32.const 0)))
  (func $deep (export "stack_overflow") (call $deep)))`;

/** Answers what it was given; \`broken\` and the others break the rules. */
const TEXT = `(module
  (memory (export "memory") 1 100)
  (data (i32.const 0) "\\ff\\fe{]")
  (func (export "wf_alloc") (param i32) (result i32)
    (drop (memory.grow (i32.const 40)))
    (i32.const 1024))
  (func (export "same") (param i32 i32) (result i64)
    (i64.or (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 32)) (i64.extend_i32_u (local.get 1))))
  (func (export "bad_utf8") (param i32 i32) (result i64) (i64.const 2))
  (func (export "bad_json") (param i32 i32) (result i64) (i64.const 0x200000002))
  (func (export "outside") (param i32 i32) (result i64) (i64.const -4294967295))
  (func (export "too_long") (param i32 i32) (result i64) (i64.const 1048577))
  (func (export "numbers") (param i32 i32) (result i32) (i32.const 1)))`;

const COUNTER = `(module
  (memory 1)
  (global $count (mut i32) (i32.const 0))
  (func (export "next") (result i32)
    (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (i32.add (global.get $count) (i32.load (i32.const 0))))
  (func (export "trap") unreachable))`;

const STORM = `(module
  (memory 1)
  (func (export "grow") (result i32)
    (loop $again
      (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
    memory.size)
  (func (export "endless") (loop $again (br $again))))`;

const LOG = `(module
  (import "wf" "log" (func $log (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 8) "hello")
  (func (export "say") (call $log (i32.const 8) (i32.const 5)) (call $log (i32.const -1) (i32.const 100))))`;

let folder: ModuleFolder;
let pool: WasmPool;

beforeAll(async () => {
  folder = await moduleFolder();
  pool = createWasmPool();
  await folder.add("m", SHARED.m);
  await folder.add("imp", SHARED.imp);
  const texts = { numbers: NUMBERS, traps: TRAPS, text: TEXT, counter: COUNTER, storm: STORM, log: LOG };
  for (const [name, text] of Object.entries(texts)) await folder.add(name, text);
});
afterAll(async () => {
  await pool.close();
  await folder.remove();
});

function open(settings: BenchOptions["settings"] = {}, more: BenchOptions = {}): Promise<AdapterBench> {
  const services = { wasm: pool, places: NO_PLACES };
  return openBench(wasmAdapter, { settings: { modules_dir: folder.path, ...settings }, services, ...more });
}

describe("CALL", () => {
  it.each<readonly [string, string, readonly unknown[], unknown]>([
    ["m", "add", [2, 3], 5],
    ["m", "two", [], [1, 2]],
    ["m", "neg", [1.5], -1.5],
    ["numbers", "none", [1], null],
    ["numbers", "i32", [-(2 ** 31)], -(2 ** 31)],
    ["numbers", "i32", [2 ** 32 - 1], -1],
    ["numbers", "i64", [2 ** 53 - 1], 2 ** 53 - 1],
    ["numbers", "i64", ["9007199254740993"], "9007199254740993"],
    ["numbers", "i64", ["-9223372036854775808"], "-9223372036854775808"],
    ["numbers", "i64", ["18446744073709551615"], -1],
    ["numbers", "f32", [0.1], Math.fround(0.1)],
    ["numbers", "f64", [0.1], 0.1],
    ["numbers", "f64", [-0], 0],
    ["numbers", "__proto__", [], 7],
  ])("%s.%s %j gives %j", async (module, name, args, result) => {
    verifies("adapter.wasm.modules");
    expect(await (await open()).call("CALL", module, name, ...args)).toEqual(result);
  });

  it.each<readonly [string, string, readonly unknown[], string]>([
    ["m", "add", [1], "ADAPTER_BAD_ARGS"],
    ["m", "add", [1, 2, 3], "ADAPTER_BAD_ARGS"],
    ["numbers", "i32", ["1"], "ADAPTER_BAD_ARGS"],
    ["numbers", "i32", [1.5], "ADAPTER_BAD_ARGS"],
    ["numbers", "i32", [2 ** 32], "ADAPTER_BAD_ARGS"],
    ["numbers", "i32", [true], "ADAPTER_BAD_ARGS"],
    ["numbers", "i32", [null], "ADAPTER_BAD_ARGS"],
    ["numbers", "i64", [2 ** 53], "ADAPTER_BAD_ARGS"],
    ["numbers", "i64", ["1.5"], "ADAPTER_BAD_ARGS"],
    ["numbers", "i64", ["0x10"], "ADAPTER_BAD_ARGS"],
    ["numbers", "i64", ["18446744073709551616"], "ADAPTER_BAD_ARGS"],
    ["numbers", "f64", ["1"], "ADAPTER_BAD_ARGS"],
    ["numbers", "div", [1, 0], "ADAPTER_NUMERIC_RANGE"],
    ["numbers", "div", [0, 0], "ADAPTER_NUMERIC_RANGE"],
    ["numbers", "vector", [], "ADAPTER_WASM_EXPORT"],
    ["numbers", "nothing", [], "ADAPTER_WASM_EXPORT"],
    ["numbers", "constructor", [], "ADAPTER_WASM_EXPORT"],
    ["m", "memory", [], "ADAPTER_WASM_EXPORT"],
    ["imp", "x", [], "ADAPTER_WASM_MODULE"],
    ["nothing", "x", [], "ADAPTER_NOT_FOUND"],
    ["../m", "add", [1, 2], "ADAPTER_NOT_FOUND"],
    ["__proto__", "x", [], "ADAPTER_NOT_FOUND"],
  ])("%s.%s %j fails with %s", async (module, name, args, code) => {
    expect(await (await open()).code("CALL", module, name, ...args)).toBe(code);
  });

  it("answers to APPLY", async () => {
    expect(await (await open()).call("apply", "m", "add", 2, 3)).toBe(5);
  });

  it("gives null for numbers that are not finite where that is allowed", async () => {
    expect(await (await open({ allow_nonfinite: true })).call("CALL", "numbers", "div", 1, 0)).toBeNull();
  });
});

describe("what a module does wrong", () => {
  it.each([
    "unreachable",
    "memory_out_of_bounds",
    "integer_divide_by_zero",
    "integer_overflow",
    "invalid_conversion",
    "table_out_of_bounds",
    "indirect_call_mismatch",
    "stack_overflow",
  ])("%s is a trap", async (kind) => {
    const bench = await open();
    await expect(bench.call("CALL", "traps", kind)).rejects.toMatchObject({
      code: "ADAPTER_WASM_TRAP",
      data: { kind },
    });
    expect(await bench.call("CALL", "m", "add", 1, 1)).toBe(2);
  });

  it("an endless loop is ended at timeout_ms", async () => {
    expect(await (await open({ timeout_ms: 50 })).code("CALL", "storm", "endless")).toBe("ADAPTER_TIMEOUT");
    expect(await (await open()).call("CALL", "m", "add", 1, 1)).toBe(2);
  });

  it("an endless loop is ended when the run is cancelled, and so is its wait for a thread", async () => {
    const bench = await open({ timeout_ms: 60_000 });
    const stop = new AbortController();
    const calls = Array.from({ length: 5 }, () => bench.callUnder(stop.signal, "CALL", "storm", "endless"));
    const settled = Promise.allSettled(calls);
    const second = await open({ reuse_instance: true });
    await second.call("CALL", "m", "add", 1, 1);
    await second.end();
    stop.abort();
    for (const one of await settled) expect(one).toMatchObject({ reason: { code: "ADAPTER_CANCELLED" } });
    expect(await bench.call("CALL", "m", "add", 1, 1)).toBe(2);
  });

  it("memory grows no further than max_memory_pages", async () => {
    expect(await (await open()).call("CALL", "storm", "grow")).toBe(256);
    expect(await (await open({ max_memory_pages: 3 })).call("CALL", "storm", "grow")).toBe(3);
    expect(await (await open({ max_memory_pages: 0 })).code("CALL", "storm", "grow")).toBe("ADAPTER_WASM_MODULE");
  });
});

describe("state", () => {
  it("does not survive a call", async () => {
    const bench = await open();
    expect([await bench.call("CALL", "counter", "next"), await bench.call("CALL", "counter", "next")]).toEqual([2, 2]);
  });

  it("lives as long as the run with reuse_instance, and is gone after a trap", async () => {
    const first = await open({ reuse_instance: true });
    const second = await open({ reuse_instance: true });
    expect([await first.call("CALL", "counter", "next"), await first.call("CALL", "counter", "next")]).toEqual([2, 4]);
    expect(await second.call("CALL", "counter", "next")).toBe(2);
    expect(await first.code("CALL", "counter", "trap")).toBe("ADAPTER_WASM_TRAP");
    expect(await first.call("CALL", "counter", "next")).toBe(2);
    await first.end();
    await second.end();
  });

  it("refuses more runs with threads of their own than there may be", async () => {
    const benches = await Promise.all(Array.from({ length: 9 }, () => open({ reuse_instance: true })));
    const answers = [];
    for (const bench of benches) answers.push(await bench.code("CALL", "m", "add", 1, 1));
    expect(answers).toEqual([...Array.from({ length: 8 }, () => "no error"), "ADAPTER_BUSY"]);
    for (const bench of benches) await bench.end();
    const next = await open({ reuse_instance: true });
    expect(await next.call("CALL", "m", "add", 1, 1)).toBe(2);
    await next.end();
  });
});

it("serves a thousand calls at once", async () => {
  const bench = await open({ timeout_ms: 10_000 });
  const calls = Array.from({ length: 1000 }, () => bench.call("CALL", "counter", "next"));
  expect(new Set(await Promise.all(calls))).toEqual(new Set([2]));
});

describe("JSON", () => {
  it.each([null, 1.5, "text \u{1f600}", [1, [2]], { a: { __proto__: null, b: [true] } }])(
    "passes %j",
    async (value) => {
      expect(await (await open()).call("JSON", "text", "same", value)).toEqual(value);
    },
  );

  it.each([
    ["text", "bad_utf8", 1, "ADAPTER_BAD_DATA"],
    ["text", "bad_json", 1, "ADAPTER_BAD_DATA"],
    ["text", "outside", 1, "ADAPTER_BAD_DATA"],
    ["text", "too_long", 1, "ADAPTER_TOO_LARGE"],
    ["text", "same", "x".repeat(1024 * 1024), "ADAPTER_TOO_LARGE"],
    ["text", "numbers", 1, "ADAPTER_WASM_EXPORT"],
    ["text", "nothing", 1, "ADAPTER_WASM_EXPORT"],
    ["m", "add", 1, "ADAPTER_WASM_EXPORT"],
  ])("%s.%s fails", async (module, name, value, code) => {
    expect(await (await open()).code("JSON", module, name, value)).toBe(code);
  });
});

it("LIST tells what may be called, and warns of what cannot", async () => {
  const bench = await open({ module_allowlist: ["m", "imp"] });
  const sha256 = createHash("sha256").update(SHARED.m).digest("hex");
  const exports = [
    { name: "add", params: ["i32", "i32"], results: ["i32"] },
    { name: "two", params: [], results: ["i32", "i32"] },
    { name: "trap", params: [], results: [] },
    { name: "neg", params: ["f64"], results: ["f64"] },
  ];
  expect(await bench.call("LIST")).toEqual([{ module: "m", exports, sha256 }]);
  expect(await bench.end()).toEqual(["wasm: the module imp cannot be used"]);
});

it("wf.log reaches the operator's log alone", async () => {
  const events: unknown[] = [];
  const bench = await open({}, { log: (event, fields) => events.push([event, fields]) });
  expect(await bench.call("CALL", "log", "say")).toBeNull();
  expect(events).toEqual([
    ["wasm_log", { module: "log", text: "hello" }],
    ["wasm_log", { module: "log", text: "" }],
  ]);
});

describe("settings", () => {
  it("only modules on the list are called", async () => {
    verifies("settings.wasm.module_allowlist");
    expect(await (await open({ module_allowlist: [] })).code("CALL", "m", "add", 1, 2)).toBe("ADAPTER_MODULE_BLOCKED");
    expect(await (await open({ module_allowlist: ["x"] })).code("CALL", "m", "add", 1, 2)).toBe(
      "ADAPTER_MODULE_BLOCKED",
    );
    expect(await (await open({ module_allowlist: [] })).call("LIST")).toEqual([]);
  });

  it("max_fuel is not there yet", async () => {
    await expect(open({ max_fuel: 1 })).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
  });

  it("a pinned file with another content is refused", async () => {
    const file = await folder.add("pinned", SHARED.m);
    const sha256 = createHash("sha256").update(SHARED.m).digest("hex");
    expect(await (await open({ modules: { p: { file, sha256 } } })).call("CALL", "p", "add", 1, 2)).toBe(3);
    await writeFile(file, SHARED.imp);
    await expect(
      (await open({ modules: { p: { file, sha256 } } })).call("CALL", "p", "add", 1, 2),
    ).rejects.toMatchObject({
      code: "ADAPTER_WASM_MODULE",
      data: { reason: "hash_mismatch" },
    });
  });

  it("files that are missing, no files, or lie outside of the data root are not read", async () => {
    const dataRoot = join(folder.path, "data");
    await mkdir(dataRoot);
    await symlink(join(folder.path, "m.wasm"), join(dataRoot, "link.wasm"));
    const services = { wasm: pool, places: { ...NO_PLACES, dataRoot } };
    const modules = {
      missing: join(dataRoot, "missing.wasm"),
      folder: folder.path,
      link: join(dataRoot, "link.wasm"),
      operators: join(folder.path, "m.wasm"),
    };
    const bench = await openBench(wasmAdapter, { settings: { modules }, services });
    expect(await bench.code("CALL", "missing", "add", 1, 2)).toBe("ADAPTER_NOT_FOUND");
    expect(await bench.code("CALL", "folder", "add", 1, 2)).toBe("ADAPTER_NOT_A_FILE");
    expect(await bench.code("CALL", "link", "add", 1, 2)).toBe("ADAPTER_PATH_ESCAPE");
    expect(await bench.code("CALL", "operators", "add", 1, 2)).toBe("no error");
  });
});

it("a closed pool is busy", async () => {
  const closed = createWasmPool();
  const bench = await open({}, { services: { wasm: closed, places: NO_PLACES } });
  expect(await bench.call("CALL", "m", "add", 1, 2)).toBe(3);
  await closed.close();
  expect(await bench.code("CALL", "m", "add", 1, 2)).toBe("ADAPTER_BUSY");
});
