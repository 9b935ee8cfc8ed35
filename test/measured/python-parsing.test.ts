/** Reading the Python form costs microseconds for a small program, and grows with the size of a large one. */
import { expect, it } from "vitest";
import { parsePython } from "../../grammar/python/parse.ts";

const WARM = 3000;
const ROUNDS = 5;

function program(name: string, factor: number): string {
  return `def ${name}(n):\n    total = 0\n    for x in range(n):\n        if x % 2 == 0:\n            total = total + x * ${factor}\n    return {"total": total, "id": ${factor}}\n`;
}

/** Processor time in microseconds: the best of several rounds, because others use the machine too. */
function cost(times: number, run: (turn: number) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let turn = 0; turn < times; turn++) run(round * times + turn);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / times);
  }
  return best;
}

/** 13 in the built package, and 25 are the aim; the test runner's imports double it. */
const MAX_MICROSECONDS = 40;

it("reads six lines in tens of microseconds", () => {
  for (let turn = 0; turn < WARM; turn++) parsePython(program("main", turn));
  expect(cost(WARM, (turn) => parsePython(program("main", turn)))).toBeLessThan(MAX_MICROSECONDS);
});

it("reads 900 KB in at most 300 milliseconds", () => {
  const source = Array.from({ length: 6200 }, (_, at) => program(`f${at}`, at)).join("\n");
  expect(cost(1, () => parsePython(source)) / 1000).toBeLessThan(300);
});

it("does not take ten times as long for four times as many operators, brackets or lines", () => {
  const sources: readonly ((many: number) => string)[] = [
    (many) => `x = ${"1 < ".repeat(many)}1\n`,
    (many) => `f(${"a, ".repeat(many)})\n`,
    (many) => "if a:\n    b\n".repeat(many),
    (many) => `x = ${"'a' ".repeat(many)}\n`,
    (many) => `x = (${"[1], ".repeat(many)}`,
  ];
  for (const source of sources) {
    const few = cost(1, () => parsePython(source(10_000)));
    const many = cost(1, () => parsePython(source(40_000)));
    expect(many / few, source(2)).toBeLessThan(10);
  }
});
