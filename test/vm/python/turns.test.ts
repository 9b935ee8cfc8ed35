/**
 * Natives that work on long values do it in pieces, and other runs get their turn in between. Turns are counted with a clock that moves when it is
 * read, so a slow machine gives as many as a fast one.
 */
import { describe, expect, it } from "vitest";
import { answerOf } from "../../python/support/weft.ts";
import { realClock } from "../../support/adapter-bench.ts";

const TEXT = "'Ab c' * 100_000";
const LIST = "list(range(200_000))";

/** Of each at least as many turns, besides those of making the value. */
const WORK: readonly (readonly [expression: string, value: string, turns: number])[] = [
  ...["upper()", "lower()", "title()", "capitalize()", "casefold()", "swapcase()", "isprintable()", "expandtabs()"].map(
    (method) => [`x.${method}`, TEXT, 5] as const,
  ),
  ["x.translate({65: 'b'})", TEXT, 5],
  ["x.replace('b', 'xyz')", TEXT, 4],
  ["x.replace('', '-')", TEXT, 5],
  ["x.split()", TEXT, 5],
  ["x.rsplit('b')", TEXT, 5],
  ["x.splitlines()", "'a\\n' * 200_000", 5],
  ["re.search('[xyz]', x)", TEXT, 20],
  ["re.fullmatch('[a-z]*z', 'ab' * 50_000)", "0", 10],
  ["len(re.findall('A', x))", TEXT, 10],
  ["statistics.mean(x)", LIST, 15],
  ["statistics.fmean(x)", LIST, 15],
  ["statistics.multimode(x)", LIST, 15],
  ["statistics.geometric_mean(x[1:])", LIST, 20],
  ["heapq.nlargest(3, x)", LIST, 8],
  ["json.dumps(x)", LIST, 15],
  ["sorted(x, reverse=True)", "[i / 3 for i in range(200_000)]", 10],
];

const LIMITS = { max_steps: 1_000_000, max_time_ms: 1_000_000 };

async function outOf(
  source: string,
  instead: NonNullable<Parameters<typeof answerOf>[1]>["instead"] = {},
): Promise<unknown> {
  const answer = await answerOf(source, { limits: LIMITS, instead });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.out;
}

async function turnsOf(value: string, expression: string): Promise<number> {
  let now = 0;
  let turns = 0;
  const turn = (then: () => void): void => {
    turns += 1;
    setImmediate(then);
  };
  const source = `import heapq, json, re, statistics\ndef main():\n    x = ${value}\n    y = ${expression}\n    return 1\n`;
  expect(await outOf(source, { clock: { ...realClock, now: () => ++now }, turn })).toBe(1);
  return turns;
}

describe("other runs get their turn during", () => {
  it.each(WORK)("%s of %s: at least %i turns", async (expression, value, least) => {
    const before = await turnsOf(value, "x");
    expect((await turnsOf(value, expression)) - before).toBeGreaterThanOrEqual(least);
  });
});

describe("values of which there are many", () => {
  it.each([
    ["zip(*x)", "len(list(zip(*[[1]] * 200_000))[0])", 200_000],
    ["itertools.product", "len(list(itertools.product(*[[1]] * 200_000))[0])", 200_000],
    ["itertools.tee", "len(itertools.tee([], 200_000))", 200_000],
    ["operator.itemgetter", "len(operator.itemgetter(*[0] * 200_000)([7]))", 200_000],
  ])("%s takes them without a stack for each", async (_what, expression, wanted) => {
    const source = `import itertools, operator\ndef main():\n    return ${expression}\n`;
    expect(await outOf(source)).toBe(wanted);
  });
});
