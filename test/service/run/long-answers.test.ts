/** Long answers are written in pieces: the same bytes, with other work in between. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
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

function nested(levels: number, inner: Json): Json {
  let value = inner;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("an answer of", () => {
  it.each(LONG)("%s has the text that JSON.stringify gives", async (_what, out) => {
    const body = { ok: true, label: "L1", trace: undefined, out, usage: { steps: 1 } };
    const answer = await writtenInTurns({ status: 200, headers: {}, body }, out, realClock);
    const text = typeof answer.body === "string" ? answer.body : `${JSON.stringify(answer.body)}\n`;
    expect(text === `${JSON.stringify(body)}\n`).toBe(true);
    expect((await jsonInTurns(out, realClock)) === JSON.stringify(out)).toBe(true);
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
    await jsonInTurns(LONG[0]?.[1] ?? null, { now: () => (now += 10) });
    isOver = true;
    expect(turns).toBeGreaterThan(3);
  });

  it("little stays as it is, without waiting", () => {
    const answer = { status: 200, headers: {}, body: { ok: true, out: [1] } };
    expect(writtenInTurns(answer, [1], realClock)).toBe(answer);
    expect(jsonInTurns({ a: [1] }, realClock)).toBe('{"a":[1]}');
  });
});
