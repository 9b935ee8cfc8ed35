/** Texts and values that are made to be dear: they may cost no multiple of plain ones of their size, and what they cost is charged. */
import { expect, it } from "vitest";
import { bodyValue } from "../../adapters/http/response-body.ts";
import { functionOf } from "../../vm/functions/table.ts";

/** Least time that the processor takes for `work`, of three times. */
function cost(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

it("JSON of an answer: numbers that are almost long enough to be infinite", () => {
  const read = (text: string) => () => void bodyValue(Buffer.from(text), "application/json", "json");
  const plain = `[${"11,".repeat(600_000)}1]`;
  const hostile = `[${`${"1".repeat(299)},`.repeat(6_000)}1]`;
  // Counted from each of its digits, every number costs some thirty times as much.
  expect(cost(read(hostile))).toBeLessThan(8 * cost(read(plain)));
});

it("a key that is made of a long list charges its length", () => {
  const key = Array.from({ length: 100_000 }, (_, n) => n);
  let charged = 0;
  const charge = (units: number): void => {
    charged += units;
  };
  functionOf("obj", "call")?.([key, 1], { charge });
  expect(charged).toBeGreaterThan(100_000);
});
