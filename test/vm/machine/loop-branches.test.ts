/** Bodies of loops that branch, in a run that is not traced: every branch continues with the next iteration. */
import { expect, it } from "vitest";
import { run } from "../../support/world.ts";

const BRANCHES = "L3:\n  X t add t 10\n  J t\nL4:\n  X t add t 1\n  J t\nL5:\n  J t\n";

it.each([
  ["Loop", `L1:\n  Set t 0\n  Loop [1, 2, 3, 4] i ->L2 ->L5\nL2:\n  If (gt i 2) ->L3 ->L4\n${BRANCHES}`],
  [
    "While",
    `L1:\n  Set t 0\n  Set i 0\n  While (lt i 4) ->L2 ->L5\nL2:\n  X i add i 1\n  If (gt i 2) ->L3 ->L4\n${BRANCHES}`,
  ],
])("%s", async (_op, source) => {
  expect(await run(source)).toMatchObject({ ok: true, out: 22 });
});
