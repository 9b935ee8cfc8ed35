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

describe("what an exception holds besides its arguments", () => {
  it("counts as memory of the run", async () => {
    const source =
      'def main():\n    kept = []\n    for n in range(100):\n        kept.append(OSError(2, "no", "x" * 200_000 + str(n)))\n    return len(kept)\n';
    expect(await run(source, { max_frame_bytes: 8_000_000, max_steps: 1_000_000 })).toBe("RUNTIME_MAX_FRAME_BYTES");
  });

  it("is shared by branches, which may not change it", async () => {
    const source =
      "def main():\n    e = AttributeError('a', obj=[1])\n    def add(n):\n        e.obj.append(n)\n        return n\n    return parallel(add, [1, 2])\n";
    expect(await run(source, {})).toBe("RUNTIME_NOT_EXACT");
  });
});
