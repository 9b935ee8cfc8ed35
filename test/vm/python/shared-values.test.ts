/** Values that hold one another so often that a walk of every way through them would never end: each use ends by its meter. */
import { expect, test } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { compiled, hostWith } from "../../python/support/weft.ts";

const LIMITS = { max_time_ms: 100 };

async function run(source: string, outText: boolean) {
  const made = compiled(source);
  if (!("ir" in made)) throw new Error(JSON.stringify(made.refused));
  return hostWith().run({ ir: made.ir as Ir, limits: LIMITS, outText });
}

const MADE = {
  lists: "x = [1]\n    for i in range(60):\n        x = [x, x]",
  "empty lists": "x = []\n    for i in range(60):\n        x = [x, x]",
  dicts: 'x = {"a": 1.0}\n    for i in range(60):\n        x = {"a": x, "b": x}',
  tuples: "x = (1,)\n    for i in range(60):\n        x = (x, x)",
};

const USES = [
  "return x",
  "return str(x)",
  "print(x)",
  'return f"{x}"',
  "import json\n    return json.dumps(x)",
  "import json\n    return json.dumps(x, indent=2)",
  "import copy\n    return copy.deepcopy(x) == x",
  "import copy\n    y = copy.deepcopy(x)\n    return [y] in [[x]]",
  "raise ValueError(x)",
  'cache.set("k", x)',
  "return {x: 1}",
  "return core.hash(x)",
];

const PROGRAMS = Object.entries(MADE).flatMap(([what, made]) =>
  USES.map((use) => [what, use.replace(/\n */g, "; "), `def main():\n    ${made}\n    ${use}\n`] as const),
);

test.each(PROGRAMS)("%s: the meter ends %s", async (_what, _use, source) => {
  for (const outText of [true, false]) {
    const answer = await run(source, outText);
    if (!answer.ok) expect(answer.error.code).toMatch(/^RUNTIME_(?:MAX_|TYPE_ERROR$|VALUE_ERROR$)/);
  }
});

test.each([
  ["repr", "return str(x)"],
  ["comparison", "import copy\n    return copy.deepcopy(x) == x"],
])("%s of a value that never ends is ended by the work of one step", async (_what, use) => {
  const made = compiled(`def main():\n    ${MADE.lists}\n    ${use}\n`);
  if (!("ir" in made)) throw new Error(JSON.stringify(made.refused));
  const answer = await hostWith().run({ ir: made.ir as Ir, limits: { max_time_ms: 600_000 } });
  expect(answer).toMatchObject({ error: { code: "RUNTIME_MAX_STEPS", data: { over: "one_step", limit: 2 ** 25 } } });
});
