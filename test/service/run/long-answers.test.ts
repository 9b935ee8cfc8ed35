/** Long answers are written in pieces: the same bytes, with other work in between. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { UnsentAnswers } from "../../../service/http/unsent-answers.ts";
import { jsonInTurns, writtenInTurns } from "../../../service/wire/long-answers.ts";
import { realClock } from "../serving.ts";

const LONG: readonly (readonly [what: string, value: Json])[] = [
  ["small lists", Array.from({ length: 400_000 }, (_, at) => [at % 10])],
  ["small objects", Array.from({ length: 100_000 }, (_, at) => ({ a: at, "b\u2028": null }))],
  ["an object of many members", Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, [at, {}]]))],
  ["a text with escapes", `"\\\n\ud800é😀`.repeat(60_000)],
  [
    "lists deeper than programs may write",
    nested(
      600,
      Array.from({ length: 300_000 }, () => true),
    ),
  ],
];

const writing = (clock: { now(): number } = realClock, method = "POST") => ({
  clock,
  call: { method, unsent: new UnsentAnswers(1024 * 1024) },
  isKept: false,
});

function nested(levels: number, inner: Json): Json {
  let value = inner;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("an answer of", () => {
  it.each(LONG)("%s has the text that JSON.stringify gives", async (_what, out) => {
    const body = { ok: true, label: "L1", trace: undefined, out, usage: { steps: 1 } };
    const answer = await writtenInTurns({ status: 200, headers: {}, body }, out, writing());
    const text = typeof answer.body === "string" ? answer.body : `${JSON.stringify(answer.body)}\n`;
    expect(text === `${JSON.stringify(body)}\n`).toBe(true);
    expect((await jsonInTurns(out, writing())) === JSON.stringify(out)).toBe(true);
  });

  it("small lists lets other work in between", async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    // Every look at this clock is ten milliseconds later than the one before.
    let now = 0;
    await jsonInTurns(LONG[0]?.[1] ?? null, writing({ now: () => (now += 10) }));
    isOver = true;
    expect(turns).toBeGreaterThan(3);
  });

  it("large texts are written one after the other: each holds its text several times over", async () => {
    const shared = writing();
    const order: string[] = [];
    const written = ["a", "b"].map(async (name) => {
      const text = name.repeat(400_000);
      await jsonInTurns(text, {
        ...shared,
        clock: {
          now() {
            if (order.at(-1) !== name) order.push(name);
            return order.length;
          },
        },
      });
    });
    await Promise.all(written);
    expect(order).toEqual(["a", "b"]);
  });

  it.each([
    ["POST", "answer_dropped"],
    ["GET", "server_busy"],
  ])("no text is written of one that has no room next to those that wait, %s", async (method, error) => {
    const shared = writing(realClock, method);
    const large = "a".repeat(600_000);
    const first = jsonInTurns(large, shared);
    await expect(jsonInTurns(large, shared)).rejects.toMatchObject({ error });
    await first;
    while (!shared.call.unsent.hasRoom(600_000)) await new Promise(setImmediate);
    expect((await jsonInTurns(large, shared)).length).toBe(600_002);
  });

  it("little stays as it is, without waiting", () => {
    const answer = { status: 200, headers: {}, body: { ok: true, out: [1] } };
    expect(writtenInTurns(answer, [1], writing())).toBe(answer);
    expect(jsonInTurns({ a: [1] }, writing())).toBe('{"a":[1]}');
  });
});
