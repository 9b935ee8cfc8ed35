/** Rows of text: what the projecting reader reads is what JSON.parse reads, what is written is what JSON.stringify writes, and a row comes to what its frame comes to. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/json.ts";
import { RowReader } from "../../../vm/batch/rows/row-reader.ts";
import { RowSink } from "../../../vm/batch/rows/row-sink.ts";
import type { Rows, RowsPart } from "../../../vm/batch/rows/rows-part.ts";
import { runRows } from "../../../vm/batch/rows/run-rows.ts";
import type { HostBatchRequest } from "../../../vm/host.ts";
import { readExactly } from "../../../vm/inputs/exact-text.ts";
import { TextBytes } from "../../../vm/memory/text-bytes.ts";
import { PyFloat } from "../../../vm/python/kinds/float.ts";
import { NO_USAGE } from "../../../vm/run.ts";
import { lineSafe } from "../../../vm/values/json-line.ts";
import { irOf, world } from "../../support/world.ts";

const NAMES = ["a", "b", "total", "ä"];
const RULES = { strict: false, keepsDigits: true };

const key = fc.oneof(fc.constantFrom(...NAMES, "c", "__proto__", "12"), fc.string({ maxLength: 6, unit: "binary" }));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -99_999, max: 99_999 }).map((n) => n / 100),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    number,
    fc.string({ unit: "grapheme" }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(key, value, { maxKeys: 6 });

/** With blanks where JSON has them. */
function spaced(text: string, blank: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|([[\]{},:])/g, (_, quoted: string, mark: string) =>
    quoted === undefined ? `${blank}${mark}${blank}` : quoted,
  );
}

const plain = (read: unknown): unknown => (read instanceof PyFloat ? read.value : read);

describe("the projecting reader", () => {
  it("reads the members that are wanted as JSON.parse does, or leaves the row to others", () => {
    fc.assert(
      fc.property(object, fc.constantFrom("", " ", "\t", "\r "), fc.boolean(), (given, blank, keepsFloats) => {
        const text = spaced(JSON.stringify(given), blank);
        const reader = new RowReader(NAMES, keepsFloats);
        const end = reader.read(`xx${text}\n{`, 2);
        if (end < 0) return;
        expect(end).toBe(2 + text.length);
        const parsed = JSON.parse(text) as { [name: string]: unknown };
        const wanted = NAMES.map((name) => (Object.hasOwn(parsed, name) ? parsed[name] : undefined));
        expect(reader.values.map(plain)).toEqual(wanted.map((one) => (one === 0 ? 0 : one)));
      }),
    );
  });

  it("takes nothing that JSON.parse refuses, however a row is damaged", () => {
    const damage = fc.tuple(
      fc.nat(),
      fc.constantFrom("", '"', "\\", "{", "]", ",", "0", "-", ".", "e", "\n", "\u0001"),
    );
    fc.assert(
      fc.property(object, damage, (given, [place, by]) => {
        const whole = JSON.stringify(given);
        const at = place % whole.length;
        const text = whole.slice(0, at) + by + whole.slice(at + 1);
        const reader = new RowReader(NAMES, true);
        const end = reader.read(text, 0);
        if (end < 0) return;
        expect(() => JSON.parse(text.slice(0, end))).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{"a":1,"b":"x"}', [1, "x"]],
    ['{"b":"\\u00e9\\n","x":[{"a":5},"\\""],"a":-0.5}', [-0.5, "é\n"]],
    ['{"a":{"k":[1.0]},"b":[]}', [{ k: [1] }, []]],
    ["{}", [undefined, undefined]],
    ['  {"a":true , "b":null}\r', [true, null]],
  ])("takes %s", (text, wanted) => {
    const reader = new RowReader(["a", "b"], true);
    expect(reader.read(text, 0)).toBe(text.length);
    expect(reader.values).toEqual(wanted);
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":12345678901234567}',
    '{"a":1e5}',
    '{"x":1e999}',
    '{"a":"\\ud800"}',
    '{"a":["\\ud800"]}',
    '{"\\u0061":1}',
    '{"a":01}',
    '{"a":.5}',
    '{"a":"x\ty"}',
    '{"a":1} {',
    "[1]",
    "",
    `{"x":${"[".repeat(600)}${"]".repeat(600)}}`,
  ])("leaves %s to others", (text) => {
    expect(new RowReader(["a", "b"], true).read(text, 0)).toBe(-1);
  });

  it("keeps whole floats apart from ints where the program does", () => {
    const reader = new RowReader(["a"], true);
    reader.read('{"a":2.0}', 0);
    expect(reader.values).toEqual([new PyFloat(2)]);
    reader.read('{"a":-0.0}', 0);
    expect(Object.is(plain(reader.values[0]), -0)).toBe(true);
    reader.read('{"a":2}', 0);
    expect(reader.values).toEqual([2]);
  });
});

describe("bytes of JSON", () => {
  it("are those of JSON.stringify", () => {
    const out = new TextBytes();
    const said = (write: () => boolean): string | null => {
      const isWritten = write();
      const text = out.since(0);
      out.at = 0;
      return isWritten ? text : null;
    };
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), number, (text, one) => {
        expect(said(() => out.string(text))).toBe(text.isWellFormed() ? lineSafe(JSON.stringify(text)) : null);
        const written = said(() => out.number(one));
        if (written !== null) expect(written).toBe(JSON.stringify(one));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([0, 7, -12, 999_999_999_999_999, 2 ** 53 - 1, 0.1, -2.5, 1234.56, 0.000101, 1 / 3, 512.2799999999999])(
    "%d",
    (one) => {
      const out = new TextBytes();
      expect(out.number(one)).toBe(true);
      expect(out.since(0)).toBe(JSON.stringify(one));
    },
  );

  it("grow with what is written", () => {
    const out = new TextBytes();
    const text = "ä€😀".repeat(50_000);
    out.string(text);
    for (let n = 0; n < 50_000; n++) out.number(n);
    expect(out.since(0)).toBe(JSON.stringify(text) + Array.from({ length: 50_000 }, (_, n) => n).join(""));
  });
});

const PROGRAM = `RATE = 2

def twice(x):
    return x * RATE

def main(a: int, b: float, total: str = "none"):
    if a < 0:
        raise ValueError("negative")
    return {"sum": twice(a) + b, "name": total.upper(), "b": b, "list": [a, None, True]}
`;

async function rowsOf(source: string, text: string, rows: Rows, asked: Partial<HostBatchRequest> = {}) {
  const { host } = world();
  const runner = host.batch({ ir: irOf(source), outText: true, ...asked });
  async function* chunks() {
    yield { bytes: new Uint8Array(Buffer.from(text)), index: 0, line: 1 };
  }
  const parts: RowsPart[] = [];
  for await (const part of runRows(runner, chunks(), { rows, rules: RULES })) parts.push(part);
  const lines = parts.flatMap(({ bytes }) => new TextDecoder().decode(bytes).split("\n").slice(0, -1));
  return { lines, parts };
}

describe("rows", () => {
  it("come to what their frames come to", async () => {
    const member = fc.oneof(
      fc.integer({ min: -5, max: 50 }).map(String),
      fc.constantFrom("2.0", "1e2", "12345678901234567890", "0.1", "-0.0", "true", "null", '"x"', "5e-7"),
    );
    const row = fc.tuple(member, member, fc.option(fc.string({ unit: "grapheme" })), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (given) => {
        const texts = given.map(([a, b, total, hasMore]) => {
          const name = total === null ? "" : `,"total":${JSON.stringify(total)}`;
          return `{"a":${a},"b":${b}${name}${hasMore ? ',"more":[1,{"a":2}]' : ""}}`;
        });
        const { lines } = await rowsOf(PROGRAM, texts.join("\n"), "lean");
        expect(lines).toHaveLength(texts.length);
        const { host } = world();
        for (const [at, text] of texts.entries()) {
          const frame = readExactly(text) as JsonObject;
          const answer = await host
            .run({ ir: irOf(PROGRAM), frame, outText: true })
            .catch((cause: Error) => ({ ok: false as const, error: { message: cause.message } }));
          const line = lines[at] as string;
          if (answer.ok) expect(line).toBe(`{"ok":true,"out":${answer.out_text ?? JSON.stringify(answer.out)}}`);
          else expect(JSON.parse(line)).toMatchObject({ index: at, ok: false });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("say as much as is asked for, and failures everything", async () => {
    const text = '{"a":1,"b":0.5}\n\n{"a":-1,"b":1}\noops\n{"a":2,"b":2.0}\n';
    const { lines: lean } = await rowsOf(PROGRAM, text, "lean");
    const { lines: out } = await rowsOf(PROGRAM, text, "out");
    const { lines: full } = await rowsOf(PROGRAM, text, "full");
    expect(lean[0]).toBe('{"ok":true,"out":{"sum":2.5,"name":"NONE","b":0.5,"list":[1,null,true]}}');
    expect(out[3]).toBe('{"sum":6.0,"name":"NONE","b":2.0,"list":[2,null,true]}');
    expect(JSON.parse(full[3] as string)).toMatchObject({ index: 3, ok: true, usage: { steps: 7 }, duration_ms: 0 });
    for (const lines of [lean, out, full]) {
      expect(JSON.parse(lines[1] as string)).toMatchObject({ index: 1, ok: false, error: "runtime_error", usage: {} });
      expect(JSON.parse(lines[2] as string)).toEqual({
        index: 2,
        ok: false,
        error: "invalid_json",
        message: "line 4 is not JSON",
        line: 4,
      });
    }
  });

  it("add up what was used, and tell once which members the program does not take", async () => {
    const { parts } = await rowsOf(
      PROGRAM,
      '{"a":1,"b":1,"x":1}\n{"a":1,"b":1,"x":2}\n{"a":1e0,"b":1,"x":3}\n',
      "lean",
      {
        limits: { max_frame_bytes: 10_000 },
      },
    );
    const [{ usage, warnings, count } = { usage: null, warnings: [], count: 0 }] = parts;
    expect(count).toBe(3);
    expect(usage).toMatchObject({ depth: 2, adapter_calls: 0, frame_bytes: expect.any(Number) });
    expect((usage?.steps ?? 0) % 3).toBe(0);
    expect(warnings).toEqual(["input_unknown: the program does not declare 'x'"]);
  });

  it("count the bytes of their values as frames do", async () => {
    const limits = { max_frame_bytes: 600 };
    const text = JSON.stringify({ a: 1, b: 1.5, total: "x".repeat(280) });
    const { lines } = await rowsOf(PROGRAM, `${text}\n`, "full", { limits });
    const answer = await world().host.run({ ir: irOf(PROGRAM), frame: JSON.parse(text) as JsonObject, limits });
    const line = JSON.parse(lines[0] as string) as { usage: { frame_bytes: number }; ok: boolean };
    expect([line.ok, line.usage.frame_bytes]).toEqual([answer.ok, answer.usage.frame_bytes]);
  });
});

it("results that are too large together are handed out a few at a time", () => {
  const sink = new RowSink("full");
  const large = "x".repeat(9 * 1024 * 1024);
  const results = ["a", large, large, "b"].map((out, index) => ({
    index,
    ok: true as const,
    out,
    usage: NO_USAGE,
    duration_ms: 0,
  }));
  const lines = results.flatMap((result, at) => {
    sink.deliver(result);
    const part = sink.take(at === 3);
    return part === null ? [] : new TextDecoder().decode(part.bytes).split("\n").slice(0, -1);
  });
  expect(sink.isFull).toBe(false);
  expect(lines.map((line) => JSON.parse(line))).toEqual(results);
});
