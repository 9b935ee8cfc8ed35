/** Values that are made to be dear: what they cost is charged. `test/measured/parsing.test.ts` measures texts. */
import { expect, it } from "vitest";
import { functionOf } from "../../vm/functions/table.ts";

it("a key that is made of a long list charges its length", () => {
  const key = Array.from({ length: 100_000 }, (_, n) => n);
  let charged = 0;
  const charge = (units: number): void => {
    charged += units;
  };
  functionOf("obj", "call")?.([key, 1], { charge });
  expect(charged).toBeGreaterThan(100_000);
});
