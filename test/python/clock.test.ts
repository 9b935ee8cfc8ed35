/** The module time, where it asks the clock: once for each call without a time of its own, and never with one. */
import { describe, expect, it } from "vitest";
import { answerOf } from "./support/weft.ts";

const NOW = Date.UTC(2024, 0, 31, 11, 30, 0);

function run(statements: string) {
  const source = `import time\n\n\ndef main():\n${statements.replace(/^/gm, "    ")}\n`;
  const wait = (_ms: number, then: () => void) => {
    const timer = setImmediate(then);
    return () => clearImmediate(timer);
  };
  return answerOf(source, { instead: { clock: { now: () => performance.now(), wall: () => NOW, wait } } });
}

describe("functions of time", () => {
  it.each([
    ["return repr(time.time())", '"1706700600.0"', 1],
    ["return str(time.time_ns())", '"1706700600000000000"', 1],
    ["return time.perf_counter() - time.monotonic()", "0", 2],
    ["return time.perf_counter_ns() - time.monotonic_ns()", "0", 2],
    ['return time.strftime("%Y-%m-%d %H:%M %Z")', '"2024-01-31 11:30 UTC"', 1],
    ['return time.strftime("%Y", time.gmtime(0))', '"1970"', 0],
    ["return time.gmtime()[:5] + (time.localtime().tm_zone,)", '[2024, 1, 31, 11, 30, "UTC"]', 2],
    ["return time.localtime(0).tm_year", "1970", 0],
    ["return [time.ctime() == time.asctime(), time.ctime(0)]", '[true, "Thu Jan  1 00:00:00 1970"]', 2],
    ["return [f(0).tm_year for f in (time.gmtime, time.localtime)]", "[1970, 1970]", 0],
    ['return [x for x in [1, 2] if time.strftime("%Y") == "2024"]', "[1, 2]", 2],
    ['return (lambda: time.strftime("%H"))()', '"11"', 1],
  ])("%s", async (statements, out, calls) => {
    const answer = await run(statements);
    expect(answer).toMatchObject({ ok: true, out: JSON.parse(out), usage: { adapter_calls: calls } });
  });

  it("the present time as an argument is asked for by leaving it out", async () => {
    expect(await run("return time.gmtime(None)")).toMatchObject({
      error: { code: "RUNTIME_NOT_EXACT", message: "write time.gmtime() without an argument for the present time" },
    });
    expect(await run("return [f('%Y') for f in [time.strftime]]")).toMatchObject({
      error: { code: "RUNTIME_NOT_EXACT" },
    });
  });
});
