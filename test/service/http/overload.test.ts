/** The guard that refuses work while the event loop is late: with a clock that the test moves. */
import { expect, it } from "vitest";
import { guardOverload } from "../../../service/http/overload.ts";

const BOUNDS = { maxLoopLagMs: 500, maxHeapShare: 0.9 };

/** A loop whose timers go off when the test says so, late by as many milliseconds. */
function loop(used = 0) {
  let now = 0;
  let heap = used;
  const looks = new Map<number, () => void>();
  const guard = guardOverload(BOUNDS, {
    clock: { now: () => now },
    every: (ms, look) => {
      looks.set(ms, look);
      return () => void looks.delete(ms);
    },
    heapUsed: () => heap,
  });
  const tick = (lateMs: number): boolean => {
    now += 50 + lateMs;
    looks.get(50)?.();
    return guard.isOverloaded();
  };
  const fill = (bytes: number): boolean => {
    heap = bytes;
    looks.get(1000)?.();
    return guard.isOverloaded();
  };
  return { tick, fill, guard, looks };
}

it("refuses no work after a single hole, however long it was", () => {
  for (const hole of [600, 3_000, 60_000]) {
    const { tick } = loop();
    for (let quiet = 0; quiet < 30; quiet++) expect(tick(0)).toBe(false);
    expect(tick(hole)).toBe(false);
    for (let quiet = 0; quiet < 30; quiet++) expect(tick(1)).toBe(false);
  }
});

it("refuses no work after a hole right after its start", () => {
  const { tick } = loop();
  expect([tick(2_000), tick(0), tick(0)]).toEqual([false, false, false]);
});

it.each([600, 1_200, 5_000])(
  "refuses work while each turn of the loop takes %i ms, and takes it again after some quick ones",
  (late) => {
    const { tick } = loop();
    for (let quiet = 0; quiet < 30; quiet++) tick(0);
    tick(late);
    tick(late);
    expect(tick(late)).toBe(true);
    expect(tick(late)).toBe(true);
    const quick = Array.from({ length: 8 }, () => tick(0));
    expect(quick.at(-1)).toBe(false);
  },
);

it("takes work while turns are late by less than the bound", () => {
  const { tick } = loop();
  for (let turn = 0; turn < 30; turn++) expect(tick(400)).toBe(false);
});

it("refuses work while the heap is nearly full", () => {
  const { fill, guard } = loop();
  expect(guard.isOverloaded()).toBe(false);
  expect([fill(1e15), fill(0)]).toEqual([true, false]);
});

it("looks no longer when it is stopped", () => {
  const { guard, looks } = loop();
  guard.stop();
  expect(looks.size).toBe(0);
});
