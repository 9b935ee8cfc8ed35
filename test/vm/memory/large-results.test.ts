/** Large results leave a run in pieces: other work has its turn in between, and what leaves is the same. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { createHost, type HostRunRequest, type RunAnswer } from "../../../vm/host.ts";
import { adopt } from "../../../vm/memory/copy-in.ts";
import { detached, detachedInPieces } from "../../../vm/memory/copy-out.ts";
import { MAX_NESTING } from "../../../vm/values/values.ts";
import { fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const deep = (levels: number, inside: Json): Json => {
  let value = inside;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};
const many = Array.from({ length: 20_000 }, (_, at) => ({ id: at, tags: ["a", at % 2 === 0], none: null }));
const shared = many.slice(0, 100);

/** The copy, and the number of pieces. */
function inPieces(value: Json): { readonly copy: Json; readonly pieces: number } {
  const task = detachedInPieces(adopt(value) as readonly Json[]);
  for (let pieces = 1; ; pieces++) {
    const step = task.next();
    if (step.done === true) return { copy: step.value, pieces };
  }
}

describe("a copy in pieces", () => {
  it.each<[string, Json]>([
    ["rows", many],
    ["numbers", Array.from({ length: 50_000 }, (_, at) => at / 4)],
    ["members of any name", JSON.parse(`{"__proto__": [1], "10": ${JSON.stringify(many)}, "a": {"constructor": 2}}`)],
    ["parts that stand in several places", [shared, { again: shared, more: [shared, many] }]],
    ["much that is nested as deeply as may be", deep(MAX_NESTING - 3, many)],
  ])("is the copy in one go: %s", (_, value) => {
    const { copy, pieces } = inPieces(value);
    expect(copy).toEqual(detached(adopt(value)));
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    expect(pieces).toBeGreaterThan(4);
  });

  it("fails for what is nested too deeply, as the copy in one go does", () => {
    const value = deep(MAX_NESTING + 1, many);
    const fault = (copy: () => unknown): unknown => {
      try {
        return copy();
      } catch (thrown) {
        return (thrown as Error).message;
      }
    };
    expect(fault(() => inPieces(value))).toBe(fault(() => detached(adopt(value))));
  });

  it("holds a part once that the value holds often", () => {
    const part = Array.from({ length: 3000 }, (_, at) => at);
    const value = adopt([0]) as Json[];
    const adopted = adopt(part);
    for (let at = 0; at < 1000; at++) value.push(adopted);
    const task = detachedInPieces(value);
    let step = task.next();
    while (step.done !== true) step = task.next();
    expect(new Set((step.value as Json[]).slice(1)).size).toBe(1);
  });
});

const LARGE = "L1:\n  X r range 200000\n  X z zip r r\n  J z\n";

/** `during`: called at every turn for other work. */
function run(during: (turn: number) => void, request: Partial<HostRunRequest> = {}, now = () => 0): Promise<RunAnswer> {
  let turns = 0;
  const host = createHost({
    clock: { now, wall: () => 0, wait: () => () => {} },
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map(),
    traceId: () => "t",
    turn: (then) => {
      during(turns++);
      setImmediate(then);
    },
  });
  return host.run({ ir: compileForTest(LARGE, false, []), ...request });
}

describe("a run with a large result", () => {
  it("gives other work its turn while the result leaves", async () => {
    let made = 0;
    let all = 0;
    const small = { ir: compileForTest(LARGE.replace("J z", "J 1"), false, []) };
    await run(() => made++, small);
    const answer = await run(() => all++);
    expect(answer.ok && (answer.out as Json[]).length).toBe(200_000);
    expect(all).toBeGreaterThan(made + 4);
  });

  it.each([
    ["cancelled", "RUNTIME_CANCELLED"],
    ["late", "RUNTIME_MAX_TIME"],
  ])("ends when it is %s meanwhile", async (what, code) => {
    let last = 0;
    await run((turn) => {
      last = turn;
    });
    const cancelling = new AbortController();
    let ms = 0;
    const answer = await run(
      (turn) => {
        if (turn < last) return;
        if (what === "late") ms = 2000;
        else cancelling.abort();
      },
      { signal: cancelling.signal, limits: { max_time_ms: 1000 } },
      () => ms,
    );
    expect(answer).toMatchObject({ ok: false, error: { code } });
  });
});
