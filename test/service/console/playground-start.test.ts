/** What the playground begins with: examples that are sound, and links that hold a program. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/json.ts";
import { EXAMPLES } from "../../../service/ui/playground/start/examples.ts";
import { fragmentOf, linkedProgram, MAX_FRAGMENT } from "../../../service/ui/playground/start/link.ts";
import { compiled, run, world } from "../../support/world.ts";

describe("the examples of the playground", () => {
  it("are at least twelve, with titles of their own", () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(12);
    expect(new Set(EXAMPLES.map(({ title }) => title)).size).toBe(EXAMPLES.length);
  });

  it.each(EXAMPLES)("$title has no finding, not even a hint", ({ code, frame }) => {
    const { ok, diagnostics } = compiled(code, { inputs: Object.keys(frame) });
    expect([ok, diagnostics.map(({ code: found, message }) => `${found} ${message}`)]).toEqual([true, []]);
  });

  it.each(EXAMPLES.filter(({ runs }) => runs))("$title runs with its inputs", async ({ code, frame }) => {
    const answer = await run(code, { in: world(), frame: frame as JsonObject });
    expect(answer.ok ? null : answer.error).toBeNull();
  });

  it.each(EXAMPLES.filter(({ runs }) => !runs))("$title calls an adapter", ({ code }) => {
    const calls = compiled(code, {}).ir?.nodes.filter(({ op }) => op === "R") ?? [];
    expect(calls).not.toEqual([]);
  });
});

describe("a link", () => {
  it("gives back every program that it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (code) => {
        const fragment = fragmentOf(code);
        expect(fragment).toMatch(/^#program=[\w-]*$/);
        expect(linkedProgram(fragment ?? "")).toEqual({ kind: "program", code });
      }),
    );
    for (const code of ["", "\ufeffx = 1", "\u202e", "\0", "x = '😀'\r\n", "x".repeat(49_000)])
      expect(linkedProgram(fragmentOf(code) ?? "")).toEqual({ kind: "program", code });
  });

  it("holds no program that makes it longer than links may be", () => {
    for (const code of ["x".repeat(50_000), "😀".repeat(16_000), "x".repeat(5_000_000)])
      expect(fragmentOf(code)).toBeNull();
    expect(fragmentOf("x".repeat(49_000))?.length).toBeLessThanOrEqual(MAX_FRAGMENT);
  });

  it.each([
    ["is a megabyte long", `#program=${"A".repeat(1_000_000)}`, "1,000,009 characters"],
    ["has characters of no link", "#program=a%20b", "characters"],
    ["has padding", "#program=YQ==", "characters"],
    ["was cut", "#program=YWJjZ", "not whole"],
    ["is not text", "#program=_w", "not whole"],
    ["is half a character", "#program=8J-Y", "not whole"],
  ])("that %s is not read, and says why", (_title, fragment, why) => {
    expect(linkedProgram(fragment)).toEqual({ kind: "unreadable", why: expect.stringContaining(why) });
  });

  it.each(["", "#", "#content", "#Program=YQ", "#program"])("that is %j holds no program", (fragment) => {
    expect(linkedProgram(fragment)).toEqual({ kind: "none" });
  });
});
