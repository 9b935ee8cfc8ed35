/** All run cases through the reference interpreter. */
import { expect, it } from "vitest";
import { loadRunCases, runCase, verdict } from "../support/run-case.ts";

it.each(loadRunCases())("$name", async (one) => {
  const outcome = await runCase(one, "reference");
  const { got, expected } = verdict(one, outcome);
  expect(got, `${one.source}\n${JSON.stringify(outcome)}`).toEqual(expected);
});
