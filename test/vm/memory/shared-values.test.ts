/** Lists grow in place while they are not shared: every operation that passes a list on makes it shared. */
import { expect, it } from "vitest";
import { out } from "../../support/world.ts";

const GROWN = ["Set l [1]", "X l push l 2", "X l push l 3"];
const AGAIN = ["X m push m 9", "X m push m 10"];
/** A label that is called more than once is code of its own only when it is large. */
const LONG = "  Set a 1\n".repeat(50);
const MADE = "  Set l [1]\n  X l push l 2\n  X l push l 3\n";

it.each<[how: string, between: readonly string[], others: string]>([
  ["is assigned", ["Set m l"], ""],
  ["is chosen first", ["X m ite yes l 0"], ""],
  ["is chosen last", ["X m ite no 0 l"], ""],
  ["stands in a list", ["Set x [l]", "X m get x 0"], ""],
  ["stands in a map", ['Set x {"k": l}', 'X m get x "k"'], ""],
  ["is what a loop goes over", ["Set m 0", "Loop [l] i ->L2 ->L3"], "L2:\n  Set m i\nL3:\n"],
  ["is what a label gives", ["Call L2 ->m"], "L2:\n  J l\n"],
  ["is what a large label gives", ["Call L2 ->n", "Call L2 ->m"], `L2:\n${LONG}  J l\n`],
  ["a large label makes", ["Call L2 ->n", "Call L2 ->m"], `L2:\n${LONG}${MADE}  J l\n`],
])("a list that %s stays as it is when the other one grows", async (_how, between, others) => {
  const textOf = (lines: readonly string[]) => lines.map((line) => `  ${line}\n`).join("");
  const begin = `# frame: yes, no\nL1:\n${textOf([...GROWN, ...between])}`;
  const after = textOf([...AGAIN, "J [l, m]"]);
  const source = others.endsWith("L3:\n") ? `${begin}${others}${after}` : `${begin}${after}${others}`;
  expect(await out(source, { frame: { yes: true, no: false }, strict: false })).toEqual([
    [1, 2, 3],
    [1, 2, 3, 9, 10],
  ]);
});
