/** Spans, times, cron lines and zones that are written out are read when compiling, in both forms (B-9). */
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";

const opcode = (step: string): string => `L1:\n  R ${step} ->a\n  J a\n`;
const python = (call: string): string =>
  `from weft import approval, signal, timer\n\n\ndef main():\n    return ${call}\n`;

/** Of each call: as an opcode step, as Python, what is said of it, and the line as it should be. */
const WRONG: readonly (readonly [string, string, string, string])[] = [
  ['timer.sleep "PT5M"', 'timer.sleep("PT5M")', "cannot be 'PT5M'", "1d12h"],
  ['timer.sleep "1 day"', 'timer.sleep("1 day")', "cannot be '1 day'", "1d12h"],
  ['timer.sleep "1.5h"', 'timer.sleep("1.5h")', "cannot be '1.5h'", "1d12h"],
  ['timer.sleep "-5s"', 'timer.sleep("-5s")', "cannot be '-5s'", "1d12h"],
  ["timer.sleep 86400000", "timer.sleep(86400000)", "is in seconds, and this is more than a year", "86400 seconds"],
  ['timer.until "tomorrow"', 'timer.until("tomorrow")', "cannot be 'tomorrow'", "2030-01-31T08:00:00Z"],
  ['timer.until "2030-01-31"', 'timer.until("2030-01-31")', "cannot be '2030-01-31'", "2030-01-31T08:00:00Z"],
  [
    "timer.until 1900000000",
    "timer.until(1900000000)",
    "is in milliseconds since 1970, and this is in seconds",
    "1900000000000",
  ],
  ['timer.next "61 * * * *"', 'timer.next("61 * * * *")', "the minute of a cron line cannot be '61'", '"0 8 * * 1-5"'],
  ['timer.next "0 0 31 2 *"', 'timer.next("0 0 31 2 *")', "the line never fires", '"0 0 L 2 *"'],
  ['timer.next "0 0 8 * * *"', 'timer.next("0 0 8 * * *")', "has five fields, and this has 6", '"0 8 * * *"'],
  ['timer.next "0 8 * * *" {"tz": "Mars"}', 'timer.next("0 8 * * *", tz="Mars")', "cannot be 'Mars'", "Europe/Berlin"],
  ['timer.next "0 8 * * *" {"after": "now"}', 'timer.next("0 8 * * *", after="now")', "cannot be 'now'", "2030-01-31"],
  ['signal.wait "go" {"timeout": "3days"}', 'signal.wait("go", timeout="3days")', "cannot be '3days'", "1d12h"],
  ['signal.wait "go" {"timeout": -1}', 'signal.wait("go", timeout=-1)', "cannot be below zero", "0 to look"],
  ['signal.link "go" {"expires": "7x"}', 'signal.link("go", expires="7x")', "cannot be '7x'", "1d12h"],
  ['approval.ask "Ok?" {"timeout": "a week"}', 'approval.ask("Ok?", timeout="a week")', "cannot be 'a week'", "1d12h"],
  ['approval.open "Ok?" {"timeout": -60}', 'approval.open("Ok?", timeout=-60)', "cannot be below zero", "0 to look"],
  ['approval.wait $id {"timeout": "1w2"}', 'approval.wait("0" * 32, timeout="1w2")', "cannot be '1w2'", "1d12h"],
];

describe("an argument that is written out and cannot be read", () => {
  it.each(WRONG)("%s", (step, call, what, instead) => {
    const forms = [
      [compile(opcode(step), { inputs: ["id"] }), "WF5023", 2],
      [compile(python(call)), "WF6054", 5],
    ] as const;
    for (const [{ diagnostics }, code, line] of forms) {
      const found = diagnostics.find((one) => one.code === code);
      expect([found?.severity, found?.span?.line]).toEqual(["error", line]);
      expect(found?.message).toContain(what);
      expect(found?.suggestion).toContain(instead);
    }
  });

  it("is a warning in loose mode of the opcode form", () => {
    const { ok, diagnostics } = compile(opcode('timer.sleep "1 day"'), { strict: false });
    expect([ok, diagnostics.map(({ code, severity }) => `${code} ${severity}`)]).toEqual([true, ["WF5023 warning"]]);
  });
});

describe("what is left alone", () => {
  it.each([
    ["timer.sleep -5", "timer.sleep(-5)"],
    ["timer.sleep 0.5", "timer.sleep(0.5)"],
    ['timer.sleep "1d12h"', 'timer.sleep("1d12h")'],
    ["timer.sleep 1d12h", 'timer.sleep("1d12h")'],
    ['timer.until "2030-01-31T08:00:00+01:00"', 'timer.until("2030-01-31T08:00:00+01:00")'],
    ["timer.until 0", "timer.until(0)"],
    ["timer.until 1900000000000", "timer.until(1900000000000)"],
    ['timer.next "@daily"', 'timer.next("@daily")'],
    ['timer.next "0 0 L * *" {"tz": "Europe/Vienna"}', 'timer.next("0 0 L * *", tz="Europe/Vienna")'],
    ['signal.wait "go" {"timeout": 0}', 'signal.wait("go", timeout=0)'],
    ['signal.wait "go" {"timeout": null}', 'signal.wait("go", timeout=None)'],
  ])("%s", (step, call) => {
    expect(compile(opcode(step)).diagnostics.filter(({ severity }) => severity !== "hint")).toEqual([]);
    expect(compile(python(call)).diagnostics).toEqual([]);
  });
});
