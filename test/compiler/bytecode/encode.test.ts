/** Programs as bytes: what is encoded comes back, and nothing else does. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeProgram, encodeProgram, VARIANTS } from "../../../compiler/bytecode/encode.ts";
import { loadBytecode } from "../../../compiler/bytecode/load.ts";
import type { Program } from "../../../compiler/bytecode/program.ts";
import { readTables, readText } from "../../../compiler/bytecode/tables.ts";
import { looseIr, programPool, programsOf, runProgram } from "../../support/bytecode.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20261);

const pool = programPool();

function contentOf(program: Program): unknown {
  const { format, version, ir_checksum, entry, names } = program;
  const slots = [...program.slots];
  return { format, version, ir_checksum, entry, names, slots, variants: VARIANTS.map((kind) => program.variant(kind)) };
}

function decoded(bytes: Uint8Array): Program {
  const result = decodeProgram(bytes);
  if (!result.ok) throw new Error(result.reason);
  return result.program;
}

/** The bytes with a change, and a checksum that fits it. */
function resealed(bytes: Uint8Array, change: (body: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice();
  const body = copy.subarray(0, copy.length - 32);
  change(body);
  copy.set(createHash("sha256").update(body).digest(), body.length);
  return copy;
}

function sample(): Uint8Array {
  const ir = looseIr('L1:\n  X t obj "__proto__" 1\n  X o put t "constructor" [1, {"é": null}]\n  J o\n', []);
  const [first] = ir === null ? [] : programsOf("sample", ir);
  if (first === undefined) throw new Error("does not compile");
  return encodeProgram(first.program);
}

const bytes = sample();

describe("decode gives back what encode was given", () => {
  it("for all cases and benchmarks, from all labels", { timeout: 240_000 }, () => {
    for (const { name, program } of pool) {
      const encoded = encodeProgram(program);
      const back = decoded(encoded);
      expect(contentOf(back), name).toEqual(contentOf(program));
      expect(encodeProgram(back), name).toEqual(encoded);
    }
  });

  it("and it runs", async () => {
    const loaded = loadBytecode(bytes);
    const outcome = loaded.ok ? await runProgram(loaded.program) : loaded;
    expect(outcome).toMatchObject({ ok: true });
    expect(JSON.stringify(outcome.ok ? outcome.out : null)).toBe('{"__proto__":1,"constructor":[1,{"é":null}]}');
  });

  it("wherever the bytes lie in their buffer", () => {
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(contentOf(decoded(shifted.subarray(3)))).toEqual(contentOf(decoded(bytes)));
  });
});

describe("bytes that are not a program", () => {
  it.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "too short"],
    ["other magic", resealed(bytes, (body) => body.set([0], 0)), "not Weft bytecode"],
    ["another version", resealed(bytes, (body) => body.set([3], 4)), "unsupported bytecode version"],
    ["a flipped bit", bytes.map((byte, at) => (at === 60 ? byte ^ 1 : byte)), "checksum mismatch"],
    ["a cut end", bytes.subarray(0, bytes.length - 1), "checksum mismatch"],
    ["a section beyond the end", resealed(bytes, (body) => body.set([255, 255, 255, 255], 8)), "truncated section"],
    ["a header that is not JSON", resealed(bytes, (body) => body.set([0], 12)), "malformed header"],
  ])("%s", (_, given, reason) => {
    expect(decodeProgram(given)).toEqual({ ok: false, reason });
    expect(loadBytecode(given)).toEqual({ ok: false, reason });
  });

  it("never throw, random or damaged", () => {
    const damage = fc.array(fc.tuple(fc.nat({ max: bytes.length - 33 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    const given = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat({ max: bytes.length }).map((length) => bytes.slice(0, length)),
      fc
        .uint8Array({ maxLength: 200 })
        .map((tail) => resealed(new Uint8Array([...bytes.slice(0, 8), ...tail, ...new Uint8Array(32)]), () => {})),
      damage.map((changes) =>
        resealed(bytes, (body) => {
          for (const [at, byte] of changes) body[at] = byte;
        }),
      ),
    );
    fc.assert(
      fc.property(given, (one) => {
        expect(typeof loadBytecode(one).ok).toBe("boolean");
      }),
      { seed: SEED, numRuns: 3000 },
    );
  });

  it("decoded but not verified, are not loaded", () => {
    const program = decoded(bytes);
    const fast = program.variant("fast");
    const bad: Program = {
      ...program,
      variant: (kind) =>
        kind === "fast"
          ? { ...fast, code: fast.code.map((word, at) => (at === 1 ? 1_000 : word)) }
          : program.variant(kind),
    };
    expect(decodeProgram(encodeProgram(bad)).ok).toBe(true);
    expect(loadBytecode(encodeProgram(bad))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("bad destination"),
    });
  });
});

describe("tables are read strictly", () => {
  const good = JSON.parse(JSON.stringify(tablesOf(pool[0]?.program))) as Record<string, unknown>;

  function tablesOf(program: Program | undefined): unknown {
    if (program === undefined) throw new Error("no program");
    const { routines, constants, temporaries, aux, labels, sites, retries, handlers } = program.variant("fast");
    return { routines, constants, temporaries, aux, labels, sites, retries, handlers };
  }

  it("as they were written", () => {
    expect(readTables(good)).toEqual(good);
  });

  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
  const operand = (depth: number): unknown =>
    Array.from({ length: depth }).reduce<unknown>((inner) => ({ k: "list", items: [inner] }), { k: "null" });
  const retry = (count: unknown) => ({ count, backoff_ms: { k: "num", v: 1 }, strategy: "fixed" });

  it.each<[string, unknown]>([
    ["no object", null],
    ["a list", []],
    ["a missing table", { ...good, aux: undefined }],
    ["an unknown table", { ...good, more: 1 }],
    ["a fraction", { ...good, temporaries: 0.5 }],
    ["an infinite constant", { ...good, constants: [JSON.parse("1e999")] }],
    ["an invalid constant", { ...good, constants: [undefined] }],
    ["a constant nested too deeply", { ...good, constants: [nested(514)] }],
    ["an unknown aux kind", { ...good, aux: [{ kind: "constructor" }] }],
    ["an aux kind that is not a string", { ...good, aux: [{ kind: ["path"], segments: [] }] }],
    ["an aux entry with more", { ...good, aux: [{ kind: "unknown_fn", name: "f", __proto: 1 }] }],
    ["an inherited member", { ...good, handlers: [JSON.parse('{"label":"1","__proto__":{"routine":0}}')] }],
    ["an operand nested too deeply", { ...good, retries: [retry(operand(256))] }],
    ["an unknown operand", { ...good, retries: [retry({ k: "toString" })] }],
    ["an unknown strategy", { ...good, retries: [{ ...retry({ k: "null" }), strategy: "linear" }] }],
  ])("not %s", (_, value) => {
    expect(readTables(value)).toBeNull();
  });

  it("up to their bounds", () => {
    const edge = { ...good, constants: [nested(512)], retries: [retry(operand(255))] };
    expect(readTables(edge)).toEqual(edge);
  });

  it("with keys as data", () => {
    const constants = [JSON.parse('{"__proto__":{"x":1},"a":2}')];
    const read = readTables({ ...good, constants });
    expect(JSON.stringify(read?.constants)).toBe('[{"__proto__":{"x":1},"a":2}]');
    expect(Object.getPrototypeOf(read?.constants[0])).toBe(Object.prototype);
  });

  it("as is the header", () => {
    const header = { format: "weft-bytecode", version: 1, ir_checksum: "c", entry: "1", names: ["a"] };
    expect(readText(header)).toEqual(header);
    for (const wrong of [{ version: 3 }, { names: [1] }, { format: "x" }, { more: 1 }])
      expect(readText({ ...header, ...wrong })).toBeNull();
  });
});
