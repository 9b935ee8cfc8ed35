/** Texts that are made to be dear cost no multiple of plain ones of their size: the engine's own work, which only the clock shows. */
import { expect, it } from "vitest";
import { bodyValue } from "../../adapters/builtin/http/response-body.ts";

/** Least time that the processor takes for `work`, of three times. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  return Math.min(...times);
}

it("JSON of an answer: numbers that are almost long enough to be infinite", async () => {
  const read = (text: string) => () => bodyValue(Buffer.from(text), "application/json", "json", 64 * 1024 * 1024);
  const plain = `[${"11,".repeat(600_000)}1]`;
  const hostile = `[${`${"1".repeat(299)},`.repeat(6_000)}1]`;
  // Counted from each of its digits, every number costs some thirty times as much.
  expect(await cost(read(hostile))).toBeLessThan(8 * (await cost(read(plain))));
});
