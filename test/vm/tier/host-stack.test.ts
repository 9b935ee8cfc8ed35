/**
 * Runs that are started with little stack left. Generated code needs more of it than the loop, where functions call each other, and gives what the
 * loop gives all the same: it is entered only where there is room, and the loop does an instruction that has run out of it.
 */
import { afterAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { createHost, type Host } from "../../../vm/host.ts";
import { setTierDefaults } from "../../../vm/tier/policy.ts";
import { isStackOverflow } from "../../../vm/v8/host-stack.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const FORCED = { isDisabled: false, setting: "auto", hotSlices: 0, maxSliceFactor: 1, heat: 1 } as const;
const before = setTierDefaults({});
afterAll(() => void setTierDefaults(before));

function hostWith(chosen: Parameters<typeof setTierDefaults>[0]): Host {
  setTierDefaults({ ...FORCED, ...chosen });
  const clock = fakeClock();
  const deps = { clock, facts: fakeFacts(), catalog: testCatalog, adapters: mockAdapters(clock) };
  return createHost({ ...deps, traceId: () => "id" });
}

function ignore(): void {}

/** Calls `then` with `words` less of stack. */
function below<T>(words: number, then: () => T): T {
  return Reflect.apply(then, null, new Array<null>(words).fill(null));
}

function fits(words: number): boolean {
  try {
    below(words, ignore);
    return true;
  } catch {
    return false;
  }
}

/** Words of stack that are left here. */
function wordsLeft(): number {
  let low = 0;
  let high = 2 ** 22;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** From 2 KiB on, in steps of 500 bytes and then of 10 KiB. */
const LEFT = [
  ...Array.from({ length: 80 }, (_, at) => 256 + at * 63),
  ...Array.from({ length: 60 }, (_, at) => 5300 + at * 1279),
];

/** Outcomes by how many words of stack are left; null: the engine refused a call, and the run is over. */
function outcomes(run: () => unknown): (string | null)[] {
  for (let warm = 0; warm < 4; warm++) run();
  const most = wordsLeft();
  return LEFT.map((left) => {
    try {
      return JSON.stringify(below(most - left, run));
    } catch (thrown) {
      if (!isStackOverflow(thrown)) throw thrown;
      return null;
    }
  });
}

function nested(depth: number): Json {
  let value: Json = [1];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}

const steps = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  X a${at} add n ${at}\n  X b${at} concat s a${at}\n`).join("");

const recursion = (depth: number, work: number): string =>
  `L1:\n  Loop [1, 2, 3, 4] again ->L2 ->L7\nL2:\n  Set n ${depth}\n  Set s "x"\n  Call L3\nL3:\n  X c lt n 1\n  If c ->L4 ->L5\nL4:\n  X k concat s n\n  X l sort [3, 1, 2]\n  J n\nL5:\n${steps(work)}  X n sub n 1\n  Call L3\n  X n add n 1\n  J n\nL7:\n  J [k, l, n, s]\n`;

describe("started with little stack left", () => {
  it.each<[string, string, JsonObject, number]>([
    ["calls inside each other", recursion(60, 0), {}, 1],
    ["calls of large functions inside each other", recursion(40, 40), {}, 1],
    [
      "functions that walk far down",
      "L1:\n  Set n 0\n  Set s x\n  Loop [1, 2, 3, 4, 5, 6, 7, 8] i ->L2 ->L3\nL2:\n  X t concat s a\n  X k len t\n  X n add n k\nL3:\n  J n\n",
      { a: nested(400) },
      2,
    ],
    ["a short program", "L1:\n  Set s x\n  X t concat s a\n  X n len t\n  J n\n", { a: nested(300) }, 2],
  ])("%s give what the loop gives", { timeout: 120_000 }, (_, source, frame, share) => {
    const ir = compileForTest(source, false, Object.keys(frame));
    const [looped, generated] = [{ isDisabled: true }, {}].map((chosen) => {
      const host = hostWith(chosen);
      return outcomes(() => host.runSync({ ir, frame }));
    }) as [(string | null)[], (string | null)[]];
    const expected = looped.at(-1) as string;
    expect(JSON.parse(expected)).toMatchObject({ ok: true });
    for (const one of [...looped, ...generated]) if (one !== null) expect(one).toBe(expected);
    // The dispatcher has a few small frames of its own, and functions that call themselves take more before the engine optimises them.
    const refused = (all: readonly (string | null)[]): number => LEFT[all.lastIndexOf(null)] ?? 0;
    expect(refused(generated)).toBeLessThan(refused(looped) * share + 300);
  });

  it("programs are built when later runs have more", () => {
    const ir = compileForTest(recursion(20, 50), false, []);
    const host = hostWith({});
    const run = (): unknown => host.runSync({ ir, frame: {} });
    const most = wordsLeft();
    const results = [700, 1500, 3000, 6000, 12_000, 24_000].map((left) => {
      try {
        return JSON.stringify(below(most - left, run));
      } catch (thrown) {
        if (!isStackOverflow(thrown)) throw thrown;
        return null;
      }
    });
    const expected = JSON.stringify(run());
    for (const one of results) if (one !== null) expect(one).toBe(expected);
    expect(results.at(-1)).toBe(expected);
  });
});
