/** What a native gathers counts as memory of its run before it is a value of the program, so a run ends, and never the process. */
import { describe, expect, it } from "vitest";
import type { Limits } from "../../../vm/run.ts";
import { answerOf } from "../../python/support/weft.ts";

const ENDLESS = [
  "a, *b = x",
  "f(*x)",
  "[*x]",
  "(*x,)",
  "{*x}",
  "y.extend(x)",
  "y += x",
  "y[0:0] = x",
  "print(*x)",
  "max(*x)",
  "sorted(x)",
  "set(x)",
  "frozenset(x)",
  "list(x)",
  "tuple(x)",
  "''.join(map(str, x))",
  "dict.fromkeys(x)",
  "dict(enumerate(x))",
  "list(zip(x, x))",
  "list(reversed(x))",
  "d.update(zip(x, x))",
  "s.update(x)",
  "Counter(x)",
  "deque(x)",
  "statistics.mean(x)",
  "heapq.nlargest(3, x)",
  "list(itertools.chain(x, x))",
  "list(itertools.product(x))",
  "sum(itertools.tee(x)[0])",
  "bytes(i % 2 for i in x)",
];

async function run(source: string, limits: Limits): Promise<string> {
  const answer = await answerOf(source, { limits });
  return answer.ok ? "ok" : answer.error.code;
}

function codeOf(statement: string): Promise<string> {
  const source = `
import heapq, itertools, statistics
from collections import Counter, deque

def f(*all):
    return 1

def main():
    x = range(10 ** 9)
    y, d, s = [], {}, set()
    ${statement}
    return 1
`;
  return run(source, { max_frame_bytes: 8_000_000, max_steps: 100_000_000, max_time_ms: 120_000 });
}

describe("a billion elements end by the memory of the run", () => {
  it.each(ENDLESS)("%s", { timeout: 120_000 }, async (statement) => {
    expect(await codeOf(statement)).toBe("RUNTIME_MAX_FRAME_BYTES");
  });

  it.each(["sum(range(1_000_000))", "max(range(1_000_000))"])(
    "what is not gathered does not: %s",
    { timeout: 120_000 },
    async (expression) => {
      expect(await codeOf(`z = ${expression}`)).toBe("ok");
    },
  );
});

describe("an int of a billion digits", () => {
  it.each([
    ["return 1 << 10 ** 9", "RUNTIME_NOT_EXACT"],
    ["return str(1 << 10 ** 8)", "RUNTIME_VALUE_ERROR"],
    ["return f'{1 << 10 ** 8}'", "RUNTIME_VALUE_ERROR"],
    ["return (1 << 10 ** 9).bit_count()", "RUNTIME_MAX_STEPS"],
  ])("%s ends at once", { timeout: 60_000 }, async (statement, code) => {
    expect(await run(`def main():\n    ${statement}\n`, {})).toBe(code);
  });
});
