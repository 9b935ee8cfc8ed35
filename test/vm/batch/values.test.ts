/** Batches from the library: what each frame gets, in which order, and what one frame can do to the others. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/json.ts";
import { type BatchResult, frameResult, successLine } from "../../../vm/batch/result.ts";
import { itemsOf } from "../../../vm/batch/rows/frame-lines.ts";
import { type BatchOptions, runBatch } from "../../../vm/batch.ts";
import { NO_USAGE } from "../../../vm/run.ts";
import { irOf, world } from "../../support/world.ts";

const DIVIDE = "# frame: n\nL1:\n  X r div 12 n\n  J r\n";
const ENDLESS = "# frame: n\nL1:\n  Set c n\n  While c ->L2 ->L3 limit=1000000000\nL2:\n  Set c n\n  J c\nL3:\n  J n\n";

async function all(
  source: string,
  frames: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  options: Partial<BatchOptions> = {},
): Promise<BatchResult[]> {
  const { host } = world();
  const ir = irOf(source);
  return collected(runBatch(ir, frames, { host, ...options }));
}

async function collected(results: AsyncIterable<BatchResult>): Promise<BatchResult[]> {
  const all: BatchResult[] = [];
  for await (const result of results) all.push(result);
  return all;
}

const brief = (results: readonly BatchResult[]) =>
  results.map((result) => [result.index, result.ok ? result.out : result.error]);

const numbers = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => ({ n: at + 1 }));

const LLM = { calls: 1, input_tokens: 2, output_tokens: 3, cost: 0.5, models: {} };

it.each([
  ["nothing used", NO_USAGE],
  ["everything used", { steps: 1e15, depth: 3, adapter_calls: 4, time_ms: 5, frame_bytes: 6, loop_iters: 7 }],
  ["language models", { ...NO_USAGE, llm: LLM }],
] as const)("the line of a success is the JSON of its result: %s", (_title, usage) => {
  for (const out of [null, -0, 'a "b"\u2028', { __proto__: null, k: [1, { l: 1e21 }] }]) {
    const result = frameResult(7, { out }, { usage, duration_ms: 0.125, warnings: [] });
    expect(successLine(7, JSON.stringify(out), usage, 0.125)).toBe(JSON.stringify(result));
  }
});

describe("runBatch", () => {
  it("returns result, usage and duration of every frame; a failed one does not affect others", async () => {
    const results = await all(DIVIDE, [{ n: 3 }, { n: 0 }, { n: 4 }]);
    expect(brief(results)).toEqual([
      [0, 4],
      [1, "runtime_error"],
      [2, 3],
    ]);
    expect(results[0]).toEqual({
      index: 0,
      ok: true,
      out: 4,
      usage: results[2]?.ok ? results[2].usage : null,
      duration_ms: 0,
    });
    expect(results[1]).toMatchObject({
      message: "division by zero at L1, line 3",
      error_structured: { line: 3, op: "X" },
    });
  });

  it.each([
    ["a list", (frames: JsonObject[]) => frames],
    [
      "frames as they come",
      async function* (frames: JsonObject[]) {
        yield* frames;
      },
    ],
  ] as const)("takes %s of more frames than one slice runs", async (_, given) => {
    const results = await all(DIVIDE, given(numbers(3000)));
    expect(results.map(({ index }) => index)).toEqual(Array.from({ length: 3000 }, (_, at) => at));
    expect(results.every(({ ok }) => ok)).toBe(true);
  });

  it("frames do not see values of earlier frames", async () => {
    const source = "# frame: a\n# frame: b\nL1:\n  J a\n";
    const results = await all(source, [{ a: [1], b: "x" }, { b: 1 }, { a: 2 }]);
    expect(brief(results)).toEqual([
      [0, [1]],
      [1, "a"],
      [2, 2],
    ]);
  });

  it("an endless frame ends at its own limit, and its neighbours before it", async () => {
    const results = await all(ENDLESS, [{ n: 0 }, { n: 1 }, { n: 0 }], { limits: { max_steps: 100_000 } });
    expect(brief(results)).toEqual([
      [0, 0],
      [2, 0],
      [1, "max_steps_exceeded"],
    ]);
    const [, , broken] = results;
    expect(broken).toMatchObject({ usage: { steps: 100_000 } });
  });

  it.each([0, -1, Number.NaN])("runs one frame after the other with concurrency %s", async (concurrency) => {
    expect(brief(await all(DIVIDE, numbers(2), { concurrency }))).toEqual([
      [0, 12],
      [1, 6],
    ]);
  });

  it("reports frames that are not objects, and continues", async () => {
    const given = [null, 3, "n", [1], undefined] as unknown as JsonObject[];
    const results = await all(DIVIDE, [...given, ...numbers(1)]);
    expect(results.slice(0, 5)).toEqual(
      given.map((_, index) => ({
        index,
        ok: false,
        error: "invalid_json",
        message: `frame ${index} is not an object`,
      })),
    );
    expect(results[5]).toMatchObject({ index: 5, ok: true });
  });

  it("keeps the order of the frames on request", async () => {
    const results = await all(ENDLESS, [{ n: 1 }, { n: 0 }], { limits: { max_steps: 50_000 }, ordered: true });
    expect(results.map(({ index }) => index)).toEqual([0, 1]);
  });

  it("begins no frame after one that failed, on request", async () => {
    const results = await all(DIVIDE, [{ n: 1 }, { n: 0 }, { n: 2 }], { onError: "stop" });
    expect(results.map(({ index }) => index)).toEqual([0, 1]);
  });

  it("keeps at most the allowed number of frames waiting", async () => {
    let waiting = 0;
    let most = 0;
    const { host } = world({
      ext: {
        wait: async ([n]) => {
          waiting += 1;
          most = Math.max(most, waiting);
          await new Promise((resolve) => setImmediate(resolve));
          waiting -= 1;
          return n;
        },
      },
    });
    const ir = irOf("# frame: n\nL1:\n  R ext.wait n ->r\n  J r\n");
    const results = await collected(runBatch(ir, numbers(20), { host, concurrency: 3, ordered: true }));
    expect(results.map((result) => (result.ok ? result.out : null))).toEqual(numbers(20).map(({ n }) => n));
    expect(most).toBe(3);
  });

  it("has many frames waiting without a warning of the platform", async () => {
    const warned: string[] = [];
    const listen = ({ message }: Error): void => void warned.push(message);
    process.on("warning", listen);
    const { host } = world({ ext: { wait: () => new Promise((resolve) => setImmediate(resolve, 1)) } });
    const ir = irOf("# frame: n\nL1:\n  R ext.wait n ->r\n  J r\n");
    const results = await collected(runBatch(ir, numbers(40), { host, concurrency: 20 }));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    expect(results).toHaveLength(40);
    expect(warned).toEqual([]);
  });

  it("frames that are cut off by a cancellation have no result", async () => {
    const cancel = new AbortController();
    const { host } = world();
    const results: BatchResult[] = [];
    for await (const result of runBatch(irOf(ENDLESS), [{ n: 0 }, { n: 1 }], { host, signal: cancel.signal })) {
      results.push(result);
      cancel.abort();
    }
    expect(brief(results)).toEqual([[0, 0]]);
  });

  it("a reader that stops cancels the runs in progress", async () => {
    const ended: unknown[] = [];
    const { host } = world({
      ext: {
        hang: (_, context) =>
          new Promise((_resolve, reject) => {
            context.signal.addEventListener("abort", () => {
              ended.push("aborted");
              reject(new Error("aborted"));
            });
          }),
      },
    });
    const ir = irOf("# frame: n\nL1:\n  If n ->L2 ->L3\nL2:\n  R ext.hang n ->r\n  J r\nL3:\n  J n\n");
    for await (const result of runBatch(ir, [{ n: 1 }, { n: 0 }], { host })) {
      expect(result).toMatchObject({ index: 1, ok: true });
      break;
    }
    expect(ended).toEqual(["aborted"]);
  });

  it("a source that was being awaited is released", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((then) => {
      open = then;
    });
    let release = (): void => {};
    const released = new Promise<void>((then) => {
      release = then;
    });
    async function* source(): AsyncGenerator<JsonObject> {
      try {
        yield { n: 1 };
        await gate;
        yield { n: 2 };
      } finally {
        release();
      }
    }
    const cancel = new AbortController();
    const { host } = world();
    const results = runBatch(irOf(DIVIDE), source(), { host, signal: cancel.signal });
    expect((await results.next()).value).toMatchObject({ index: 0, out: 12 });
    const next = results.next();
    await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    expect((await next).done).toBe(true);
    open();
    await released;
  });

  it("reports at once when the program cannot be loaded", () => {
    const { host } = world();
    expect(() => runBatch(irOf(DIVIDE), [], { host, label: "L9" })).toThrow("unknown label");
  });

  it("answers several requests for results that are made together", async () => {
    const { host } = world();
    const results = runBatch(irOf(DIVIDE), numbers(3), { host });
    const asked = [results.next(), results.next(), results.next(), results.next()];
    const given = (await Promise.all(asked)).map(({ value, done }) => (done === true ? "end" : value?.index));
    expect(given).toEqual([0, 1, 2, "end"]);
  });
});

describe("lines of frames", () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const faultOf = (text: string | Uint8Array) => {
    const given = typeof text === "string" ? bytes(text) : new Uint8Array(text);
    const [item] = itemsOf({ bytes: given, index: 7, line: 3 });
    return item !== undefined && "fault" in item ? item.fault.message : item;
  };

  it("are numbered from the first line of the chunk; empty lines are not frames", () => {
    const items = itemsOf({ bytes: bytes('{"a":1}\n\r\n \t\noops\n{"b":2}'), index: 5, line: 10 });
    expect(items).toEqual([
      { index: 5, frame: { a: 1 } },
      { index: 6, fault: { ok: false, error: "invalid_json", message: "line 13 is not JSON", line: 13 } },
      { index: 7, frame: { b: 2 } },
    ]);
  });

  it.each([
    ["[1]", "line 3 is not a JSON object"],
    ["null", "line 3 is not a JSON object"],
    ['{"a":1e999}', "line 3 contains a number out of range"],
    [`{"a":${"[".repeat(600)}${"]".repeat(600)}}`, "line 3 nests deeper than 512"],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "line 3 is not UTF-8"],
  ])("%s", (text, message) => {
    expect(faultOf(text)).toBe(message);
  });

  it("a line that is not UTF-8 does not affect others", () => {
    const mixed = Buffer.concat([Buffer.from('{"a":"ä"}\n'), Buffer.from([0xff, 10]), Buffer.from('{"b":2}')]);
    const items = itemsOf({ bytes: new Uint8Array(mixed), index: 0, line: 1 });
    expect(items.map((item) => ("frame" in item ? item.frame : item.fault.line))).toEqual([{ a: "ä" }, 2, { b: 2 }]);
  });

  it("__proto__ is data", () => {
    const [item] = itemsOf({ bytes: bytes('{"__proto__":{"x":1}}'), index: 0, line: 1 });
    expect(item !== undefined && "frame" in item && Object.keys(item.frame)).toEqual(["__proto__"]);
  });
});
