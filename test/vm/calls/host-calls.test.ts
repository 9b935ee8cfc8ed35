/** Functions that read the outside, within the time and the powers of their run. */
import { describe, expect, it } from "vitest";
import type { HostRunRequest } from "../../../vm/host.ts";
import { createHost } from "../../../vm/host.ts";
import { catalog, irOf, testClock } from "../../support/world.ts";

/** A host whose functions take `ms` each, and what they were asked. */
function slowHost(ms: number) {
  const clock = { ...testClock() };
  const asked: string[] = [];
  const answer = (name: string): string => {
    asked.push(name);
    clock.advance(ms);
    return name;
  };
  const facts = { uuid: () => answer("uuid"), env: answer };
  const host = createHost({ clock, facts, catalog, adapters: new Map(), traceId: () => "t" });
  const run = (lines: readonly string[], request: Omit<HostRunRequest, "ir">) =>
    host.run({ ...request, ir: irOf(`L1:\n${lines.map((line) => `  ${line}\n`).join("")}`, { strict: false }) });
  return { clock, asked, run };
}

describe("a host function", () => {
  it("that exceeds the time limit ends the run", async () => {
    const { asked, run } = slowHost(30);
    const answer = await run(["X a uuid", 'X b env "B"', 'X c env "C"', "J c"], { limits: { max_time_ms: 50 } });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME", node: "n2" } });
    expect(asked).toEqual(["uuid", "B"]);
  });

  it("is not called after the time limit of the run", async () => {
    const { clock, asked, run } = slowHost(0);
    // Every reading of the clock finds that time has passed, as after long steps.
    const now = clock.now;
    clock.now = () => {
      clock.advance(20);
      return now();
    };
    const answer = await run(["Set a 1", "X b uuid", "J b"], { limits: { max_time_ms: 10 } });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME", node: "n2" } });
    expect(asked).toEqual([]);
  });

  it.each<[allowEnv: readonly string[] | null | undefined, out: unknown, asked: readonly string[]]>([
    [undefined, ["A", "B", "C"], ["A", "B", "C"]],
    [null, ["A", "B", "C"], ["A", "B", "C"]],
    [["B"], [null, "B", "none"], ["B"]],
    [[], [null, null, "none"], []],
  ])("reads the variables that its run may, however it is called: %j", async (allowEnv, out, asked) => {
    const lines = ['X a env "A"', 'R core.ENV "B" ->b', 'Set v "ENV"', 'R core.$v "C" "none" ->c', "J [a, b, c]"];
    const host = slowHost(0);
    for (const record of [false, true]) {
      host.asked.length = 0;
      expect(await host.run(lines, { allowEnv, record })).toMatchObject({ ok: true, out });
      expect(host.asked).toEqual(asked);
    }
  });

  it("counts with its time where it is called, and not where it is used", async () => {
    const { clock, run } = slowHost(30);
    clock.advance(1000);
    expect(await run(["R core.UUID ->a", "J a"], {})).toMatchObject({ ok: true, adapter_p95_ms: { core: 30 } });
    expect((await run(["X a uuid", "J a"], {})).adapter_p95_ms).toEqual({});
  });

  it.each<[ms: number, out: unknown]>([
    [50, null],
    [50.5, null],
    [51, "RUNTIME_MAX_TIME"],
  ])("that waits gives null, and fails at once where the wait cannot end in time: %d", async (ms, out) => {
    const { clock, run } = slowHost(0);
    for (const call of [`R core.SLEEP ${ms} ->x`, `X x sleep ${ms}`]) {
      const before = clock.now();
      const answer = await run(["Set x 1", call, "J x"], { limits: { max_time_ms: 50 } });
      expect(answer.ok ? answer.out : answer.error.code).toEqual(out);
      expect(clock.now() - before).toBe(answer.ok ? ms : 0);
    }
  });
});
