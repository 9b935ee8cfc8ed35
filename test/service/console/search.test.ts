/** The search of the console's list of jobs: what typed words ask for, and how a filter is shown as a word. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askedOf, completionsOf, filtersOf, typedWords, wordOf } from "../../../service/ui/pages/jobs/search-words.ts";

const read = (text: string) => filtersOf(typedWords(text));
const NOW = Date.UTC(2030, 0, 1, 12);

describe("the search for jobs", () => {
  it.each([
    [
      "program:ratio state:failed tag:team:ops",
      { program: "ratio", status: "failed,timed_out,interrupted,rejected", tag: "team:ops" },
    ],
    ['since:2h "no such table"', { since: "2h", message: "no such table" }],
    ["4711", { q: "4711" }],
    ['name:"order 7" waits:approval', { name: "order 7", waits: "approval" }],
    ["input:customer:c-17 error:runtime_error", { search: "customer:c-17", error: "runtime_error" }],
    ["state:timed_out", { status: "timed_out" }],
    ["", {}],
    ['"', { message: "" }],
    ["__proto__:1", { q: "__proto__:1" }],
    ["constructor:x", { q: "constructor:x" }],
    ["state:constructor", { status: "constructor" }],
    ["program:", { q: "program:" }],
    ["http://example.com", { q: "http://example.com" }],
  ])("reads %s", (text, filters) => {
    expect(read(text)).toEqual(filters);
  });

  it("shows each filter as the word that asks for it", () => {
    const value = fc.stringMatching(/^[a-z0-9 _.-]{1,20}$/).filter((text) => text.trim() === text);
    for (const filter of ["program", "name", "schedule", "label", "error", "message"])
      fc.assert(
        fc.property(value, (text) => {
          expect(read(wordOf(filter, text) ?? "")).toEqual({ [filter]: text });
        }),
      );
    expect(wordOf("status", "failed,timed_out,interrupted,rejected")).toBe("state:failed");
    expect(wordOf("cursor", "x")).toBe(null);
    expect(wordOf("program", "")).toBe(null);
  });

  it.each([
    ["2h", { queued_after: "2030-01-01T10:00:00.000Z" }],
    ["30m", { queued_after: "2030-01-01T11:30:00.000Z" }],
    ["7d", { queued_after: "2029-12-25T12:00:00.000Z" }],
    ["yesterday", { queued_after: "yesterday" }],
    ["", {}],
  ])("asks for jobs since %s", (since, asked) => {
    expect(askedOf({ since }, NOW)).toEqual(asked);
  });

  it("completes keys, states, and the programs and tags that are known", () => {
    const known = { programs: ["ratio", "report"], tags: ["team:ops", "order:a b"] };
    expect(completionsOf("pro", known)).toEqual(["program:"]);
    expect(completionsOf("program:r", known)).toEqual(["program:ratio", "program:report"]);
    expect(completionsOf("program:ratio", known)).toEqual([]);
    expect(completionsOf("state:f", known)).toEqual(["state:failed"]);
    expect(completionsOf("tag:", known)).toEqual(["tag:team:ops", 'tag:"order:a b"']);
    expect(completionsOf("__proto__:", known)).toEqual([]);
  });
});
