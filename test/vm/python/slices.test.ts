/** Where a slice of a run ends is nothing that a program can see: neither its result nor its steps depend on it. */
import { describe, expect, it } from "vitest";
import type { RunAnswer } from "../../../vm/host.ts";
import { answerOf } from "../../python/support/weft.ts";

const PROGRAMS: Readonly<Record<string, string>> = {
  "a for loop and a comprehension": `
def main():
    t = 0
    for i in range(100):
        t += i
    return t + len([x for x in range(50)])
`,
  "generators in a loop and in a call": `
def numbers():
    for i in range(30):
        yield i


def main():
    t = 0
    for i in numbers():
        t += i
    return t + sum(x for x in numbers())
`,
  "natives that call functions": `
def main():
    xs = sorted(range(40), key=lambda x: -x)
    return sum(map(lambda x: x + 1, xs)) + max(xs, key=lambda x: x)
`,
  recursion: `
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def main():
    return fib(9)
`,
  "exceptions and a while loop": `
def main():
    n = 0
    for i in range(30):
        try:
            {}[i]
        except KeyError:
            n += 1
        finally:
            n += 1
    while n > 0:
        n -= 1
    return n
`,
  "members of a dict and texts": `
def main():
    d = {}
    for w in "a b c a b".split() * 8:
        d[w] = d.get(w, 0) + 1
    return [f"{k}={v}" for k, v in sorted(d.items())]
`,
};

function run(source: string, quantum: number | null, max_steps: number): Promise<RunAnswer> {
  return answerOf(source, { limits: { max_steps }, instead: quantum === null ? {} : { quantum } });
}

describe.each(Object.entries(PROGRAMS))("%s", (_title, source) => {
  it("has the same result and steps, and the same last step, for slices of any length", async () => {
    const whole = await run(source, null, 100_000);
    const { steps } = whole.usage;
    for (let quantum = 1; quantum <= 40; quantum++) {
      const sliced = await run(source, quantum, 100_000);
      expect([quantum, sliced.ok && sliced.out, sliced.usage.steps]).toEqual([quantum, whole.ok && whole.out, steps]);
      expect((await run(source, quantum, steps)).ok).toBe(true);
      expect(await run(source, quantum, steps - 1)).toMatchObject({
        ok: false,
        error: { code: "RUNTIME_MAX_STEPS" },
        usage: { steps: steps - 1 },
      });
    }
  });
});
