/** The console formats times and numbers as the platform does, without the time that its first format takes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostArguments, hostDoes, hostName } from "../../../compiler/diagram/host-words.ts";
import { PRELUDE_VERBS } from "../../../compiler/python/library/prelude.ts";
import { ago, duration, exact, number } from "../../../service/ui/words.ts";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const plain = new Intl.NumberFormat("en");
const NOW = Date.UTC(2030, 0, 1);
const at = (seconds: number): string => new Date(NOW + 1000 * seconds).toISOString();

describe("the words of the console", () => {
  it.each([
    [0, "now"],
    [-1, "1 second ago"],
    [-59, "59 seconds ago"],
    [90, "in 2 minutes"],
    [-3600, "1 hour ago"],
    [-86_400, "yesterday"],
    [86_400, "tomorrow"],
    [-1500 * 86_400, "1,500 days ago"],
  ])("tell how far %s seconds are", (seconds, words) => {
    expect(ago(at(seconds), NOW)).toBe(words);
  });

  it("tell how far any time is as the platform does", () => {
    const units = [86_400, 3600, 60, 1];
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (seconds) => {
        const place = units.findIndex((size) => Math.abs(seconds) >= size);
        const unit = (["day", "hour", "minute", "second"] as const)[place] ?? "second";
        const count = Math.round(Math.abs(seconds) / (units[place] ?? 1));
        expect(ago(at(seconds), NOW)).toBe(relative.format(Math.sign(seconds) * count, unit));
      }),
    );
  });

  it("group the digits of any number as the platform does", () => {
    const whole = fc.integer({ min: -1e9, max: 1e9 });
    const any = fc.oneof(
      whole,
      whole.map((n) => n / 1000),
    );
    fc.assert(
      fc.property(any, (value) => {
        expect(number(value)).toBe(plain.format(value));
      }),
    );
  });

  it.each([
    [0.25, "0.3 ms"],
    [59_940, "59.9 s"],
    [90_000, "1 min 30 s"],
    [3_600_000, "1 h"],
    [86_340_000, "23 h 59 min"],
    [86_400_000, "1 d"],
    [3 * 86_400_000 + 4 * 3_600_000, "3 d 4 h"],
    [1500 * 86_400_000, "1,500 d"],
  ])("tell how long %s ms are", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  it.each([
    ["2030-01-01T00:00:00Z", "1 Jan 2030, 00:00:00 UTC"],
    ["2026-11-27T22:30:15.123Z", "27 Nov 2026, 22:30:15 UTC"],
    ["not a time", "not a time"],
  ])("write %s out", (time, words) => {
    expect(exact(time)).toBe(words);
  });

  it("name every call of the host as programs do, and say what it does", () => {
    for (const [name, verb] of PRELUDE_VERBS) {
      expect(`weft.${hostName("core", verb)}`).toBe(name);
      expect(hostDoes("core", verb)).toMatch(/^[a-z ]+$/);
    }
    expect([hostName("http", "SLEEP"), hostName("core", "ADD"), hostName("core", "constructor")]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it.each([
    ["SLEEP", "200", "200 ms"],
    ["SLEEP", "90000", "90 s"],
    ["SLEEP", "a number", "a number"],
    ["SLEEP", "", ""],
    ["ENV", '"200"', '"200"'],
  ])("give the arguments of %s(%s) as %s", (verb, args, shown) => {
    expect(hostArguments(verb, args)).toBe(shown);
  });
});
