/** Counts and lists in sentences. */
import { describe, expect, it } from "vitest";
import { counted, listed } from "../../grammar/text/english.ts";

describe("counted", () => {
  it.each([
    [0, "0 places"],
    [1, "1 place"],
    [2, "2 places"],
  ])("%d", (count, expected) => {
    expect(counted(count, "place")).toBe(expected);
  });

  it("takes a plural of its own", () => {
    expect([1, 3].map((count) => counted(count, "job waits", "jobs wait"))).toEqual(["1 job waits", "3 jobs wait"]);
  });
});

describe("listed", () => {
  it.each([
    [[], ""],
    [["fs"], "fs"],
    [["fs", "http"], "fs and http"],
    [["fs", "http", "sqlite"], "fs, http and sqlite"],
  ])("%j", (words, expected) => {
    expect(listed(words)).toBe(expected);
  });

  it("says or, too", () => {
    expect(listed(["L1", "L2", "L3"], "or")).toBe("L1, L2 or L3");
  });
});
