/** Blocks that are repeated (`with retry(…):`): the ids of their calls, their pauses, and that a log or a journal gives the same. */
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../vm/durable/records.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { type Answering, durable, run, waitingClock } from "./support/effects-world.ts";

const busy = (more: { readonly retryAfterMs?: number } = {}): AdapterError =>
  new AdapterError("ADAPTER_BUSY", "not now", { retryable: true, ...more });

/** Fails as often as the list says, url by url, before it answers with the url. */
const failing = (times: Readonly<Record<string, number>>): { readonly answer: Answering; readonly made: string[] } => {
  const made: string[] = [];
  const left = { ...times };
  return {
    made,
    answer: (url, { callId, attempt }) => {
      made.push(`${url} ${callId} ${attempt}`);
      if ((left[url] ?? 0) > 0) {
        left[url] = (left[url] as number) - 1;
        throw busy();
      }
      return { body: url };
    },
  };
};

const TWICE = `
def main():
    got = []
    for x in ["a", "b"]:
        with retry(2, backoff_ms=1500):
            got.append(http.Get("first").body)
            got.append(http.Get(x).body)
    got.append(http.Get("last").body)
    return got
`;
const GOT = ["first", "first", "a", "first", "first", "first", "b", "last"];

describe("calls in a repeated block", () => {
  it("have the same ids in all attempts, and new ones when the block runs again", async () => {
    const { answer, made } = failing({ a: 1, b: 2 });
    expect(await run(TWICE, answer)).toMatchObject({ ok: true, out: GOT });
    const calls = made.map((line) => line.replace(/run\/main\/n\d+/, "").split(" /"));
    expect(calls).toEqual([
      ["first", "1 1"],
      ["a", "1 1"],
      ["first", "1 2"],
      ["a", "1 2"],
      ["first", "2 1"],
      ["b", "2 1"],
      ["first", "2 2"],
      ["b", "2 2"],
      ["first", "2 3"],
      ["b", "2 3"],
      ["last", "1 1"],
    ]);
  });

  it("do not take the ids of an attempt that made more of them", async () => {
    const { answer, made } = failing({ stop: 1 });
    const source = `
def main():
    n = 3
    for again in [1, 2]:
        with retry(1):
            for i in range(n):
                http.Get("x")
            n = 1
            http.Get("stop")
`;
    expect(await run(source, answer)).toMatchObject({ ok: true });
    const ids = made.filter((line) => line.startsWith("x")).map((line) => line.slice(line.lastIndexOf("/") + 1));
    expect(ids).toEqual(["1 1", "2 1", "3 1", "1 2", "4 1"]);
  });
});

describe("the pause before a repeat", () => {
  const block = (args: string) => `def main():\n    with retry(${args}):\n        return http.Get("a").body\n`;
  it.each([
    ["3", []],
    ["3, backoff_ms=20", [20, 20, 20]],
    ['3, 20, "exponential"', [20, 40, 80]],
    ["3, backoff_ms=2.5", [2, 2, 2]],
  ])("is what retry(%s) says", async (args, waits) => {
    const clock = waitingClock();
    const { answer } = failing({ a: 3 });
    expect(await run(block(args), answer, { clock: clock as never })).toMatchObject({ ok: true, out: "a" });
    expect(clock.waits).toEqual(waits);
  });

  it("is at least what the failure asks for", async () => {
    const clock = waitingClock();
    let failures = 2;
    const answer: Answering = (url) => {
      if (failures-- > 0) throw busy({ retryAfterMs: 700 });
      return { body: url };
    };
    expect(await run(block("3, backoff_ms=20"), answer, { clock: clock as never })).toMatchObject({ ok: true });
    expect(clock.waits).toEqual([700, 700]);
  });

  it("ends a run that has no time for it", async () => {
    const { answer } = failing({ a: 1 });
    const limits = { max_time_ms: 1000 };
    const answered = await run(block("3, backoff_ms=2000"), answer, { limits: limits as never });
    expect(answered).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME" } });
  });
});

describe("a repeated block", () => {
  it("gives the same when its record answers", async () => {
    const { answer } = failing({ a: 1, b: 2 });
    const recorded = await run(TWICE, answer, { record: true });
    const clock = waitingClock();
    const nothing: Answering = () => {
      throw new Error("the log answers");
    };
    const replay = recorded.record as never;
    const replayed = await run(TWICE, nothing, { replay, clock: clock as never });
    expect(replayed).toMatchObject({ ok: true, out: GOT, usage: { steps: recorded.usage.steps } });
    expect(clock.waits).toEqual([]);
  });

  it("continues wherever its journal ends, and makes at most the call again that was under way", async () => {
    const whole = failing({ a: 1, b: 2 });
    const { answer, records } = await durable(TWICE, whole.answer);
    expect(answer).toMatchObject({ ok: true, out: GOT });
    expect(records.filter(({ kind }) => kind === "backoff")).toHaveLength(3);
    for (let cut = 0; cut <= records.length; cut++) {
      const kept = records.slice(0, cut) as JournalRecord[];
      const failed = kept.flatMap((one) => (one.kind === "call" && !one.ok ? [one] : []));
      const left = { a: failed.length > 0 ? 0 : 1, b: Math.min(2, 3 - failed.length) };
      const again = failing(left);
      const continued = await durable(TWICE, again.answer, kept);
      expect(continued.answer).toMatchObject({ ok: true, out: GOT });
      const done = kept.filter(({ kind }) => kind === "call").length;
      expect(again.made).toEqual(whole.made.slice(done));
    }
  });
});
