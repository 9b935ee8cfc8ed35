/** Adapters of plain functions: spellings, fallback, instances. */
import { expect, it } from "vitest";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";

it("finds verbs in any letter case, with a point for an underscore", () => {
  const adapter = plainAdapter("a", { read_result: () => 1 });
  for (const word of ["read_result", "READ_RESULT", "read.result", "Read.Result"])
    expect(adapter.verb(word)?.name).toBe("read_result");
  for (const word of ["readresult", "read_results", "__proto__", "constructor", ""])
    expect(adapter.verb(word)).toBeUndefined();
});

it("writes unless it says otherwise", () => {
  expect(plainAdapter("a", { x: () => 1 }).verb("x")?.effectTier).toBe("io-write");
  expect(plainAdapter("a", { x: () => 1 }, { effectTier: "io-read" }).verb("x")?.effectTier).toBe("io-read");
});

it("asks the fallback for verbs that are not listed, as they are written", () => {
  const adapter = plainAdapter(
    "a",
    { x: () => "listed" },
    { fallback: (word) => (word === "none" ? undefined : () => word) },
  );
  const answer = (word: string): unknown =>
    adapter
      .verb(word)
      ?.bind([])
      .run(undefined, {} as Parameters<ReturnType<NonNullable<ReturnType<typeof adapter.verb>>["bind"]>["run"]>[1]);
  expect([answer("X"), answer("Other.Verb"), adapter.verb("none")]).toEqual(["listed", "Other.Verb", undefined]);
});
