/** A call whose time is extended while it is under way ends when it says, and no earlier. */
import { expect, it } from "vitest";
import { whenCallEnds } from "../../../vm/runs/driver.ts";
import { testClock } from "../../support/world.ts";

it.each([
  ["is not extended", [], 100],
  ["is extended before it ends", [[50, 1000]], 1100],
  [
    "is extended twice",
    [
      [50, 100],
      [150, 100],
    ],
    300,
  ],
] as const)("a call that %s", async (_what, extensions, end) => {
  const clock = testClock();
  let endsAt = 100;
  for (const [at, ms] of extensions)
    clock.wait(at, () => {
      endsAt += ms;
    });
  await new Promise<void>((resolve) => void whenCallEnds(clock, { endsAt: () => endsAt }, resolve));
  expect(clock.now()).toBe(end);
});

it("a call without an end of its own has none", () => {
  whenCallEnds(testClock(), { endsAt: () => Number.POSITIVE_INFINITY }, () => {
    throw new Error("it ended");
  })();
});
