/** Calls whose run ended before their answer was awaited: they are aborted, and their late end is ignored. */
import { expect, it } from "vitest";
import { type Run, run, world } from "../../support/world.ts";

/** A call that uses up its run's time, or has it cancelled, before it gives its promise. */
async function overtaken(by: "cancellation" | "deadline") {
  const controller = new AbortController();
  let signal: AbortSignal | undefined;
  let fail = (_cause: Error): void => {};
  const place = world({
    ext: {
      A: (_args, context) => {
        signal = context.signal;
        if (by === "cancellation") controller.abort();
        else place.clock.advance(100);
        return new Promise((_resolve, reject) => {
          fail = reject;
        });
      },
    },
  });
  const request: Run = by === "cancellation" ? { signal: controller.signal } : { limits: { max_time_ms: 50 } };
  const answer = await run("L1:\n  R ext.A ->a\n  J a\n", { strict: false, in: place, ...request });
  // An unhandled rejection would end the process.
  fail(new Error("too late"));
  await new Promise(setImmediate);
  return { code: answer.ok ? null : answer.error.code, aborted: signal?.aborted };
}

it.each([
  ["cancellation", "RUNTIME_CANCELLED"],
  ["deadline", "RUNTIME_MAX_TIME"],
] as const)("a call overtaken by %s is aborted", async (by, code) => {
  expect(await overtaken(by)).toEqual({ code, aborted: true });
});

it("a run that is cancelled before it begins does nothing", async () => {
  let asked = 0;
  const place = world({ ext: { A: () => ++asked } });
  const request: Run = { signal: AbortSignal.abort("no more"), strict: false, in: place };
  for (const record of [false, true]) {
    const answer = await run("L1:\n  Set a 1\n  R ext.A ->a\n  J a\n", { ...request, record });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_CANCELLED" }, usage: { steps: 0 } });
  }
  expect(asked).toBe(0);
});
