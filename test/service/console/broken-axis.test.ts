/** The timeline of a job draws days of waiting as short breaks that say how long they are, and the rest to one scale. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../../service/ui/data.ts";
import { callsOf, type JobCall } from "../../../service/ui/pages/job/job-calls.ts";
import { brokenAxis, type Span } from "../../../service/ui/pages/job/timeline/broken-axis.ts";
import { lanesOf } from "../../../service/ui/pages/job/timeline/lanes.ts";
import { duration } from "../../../service/ui/words.ts";

const DAY = 86_400_000;
const span = (from: number, to: number): Span => ({ from, to });
const placesOf = (busy: readonly Span[], whole: Span, times: readonly number[]): readonly number[] => {
  const { placeOf } = brokenAxis(busy, whole);
  return times.map((time) => Math.round(1000 * placeOf(time)) / 1000);
};

describe("the axis of a timeline", () => {
  it.each([
    ["nothing but work", [span(0, 100)], span(0, 100), [0, 25, 100], [0, 0.25, 1]],
    ["nothing but a wait", [], span(0, DAY), [0, DAY / 2, DAY], [0, 0.5, 1]],
    ["a pause that takes less room than a break", [span(0, 45), span(55, 100)], span(0, 100), [45, 55], [0.45, 0.55]],
    [
      "three days between two calls",
      [span(0, 10), span(10 + 3 * DAY, 20 + 3 * DAY)],
      span(0, 20 + 3 * DAY),
      [10, 10 + 3 * DAY],
      [0.435, 0.565],
    ],
    ["a wait at the end", [span(0, 10)], span(0, DAY), [5, 10, DAY], [0.435, 0.87, 1]],
    ["calls that lie in each other", [span(0, 100), span(20, 30)], span(0, 100), [20, 30], [0.2, 0.3]],
  ] as const)("leaves room for %s", (_title, busy, whole, times, places) => {
    expect(placesOf(busy, whole, times)).toEqual(places);
  });

  it("breaks the longest pauses where there are many", () => {
    const busy = Array.from({ length: 6 }, (_, at) => span(at * DAY + 2 ** at * 1000, (at + 1) * DAY));
    const { breaks } = brokenAxis(
      busy.map(({ to }) => span(to - 1, to)),
      span(0, 6 * DAY),
    );
    expect(breaks).toHaveLength(3);
  });

  const spans = fc.array(
    fc
      .tuple(fc.nat({ max: 1e9 }), fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 1e8 })))
      .map(([from, ms]) => span(from, from + ms)),
    { maxLength: 40 },
  );
  it("keeps the order of all times, lets nothing overlap, and each break has its true length", () => {
    fc.assert(
      fc.property(spans, fc.array(fc.nat({ max: 1_200_000_000 }), { maxLength: 30 }), (busy, more) => {
        const whole = span(0, 1_200_000_000);
        const { breaks, placeOf } = brokenAxis(busy, whole);
        const times = [whole.from, ...more, ...busy.flatMap(({ from, to }) => [from, to]), whole.to].toSorted(
          (a, b) => a - b,
        );
        const places = times.map(placeOf);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places[0]).toBe(0);
        expect(places.at(-1)).toBeCloseTo(1, 9);
        let place = 0;
        for (const each of breaks) {
          expect(each.left).toBeGreaterThanOrEqual(place);
          expect(each.right - each.left).toBeCloseTo(0.13, 9);
          expect(placeOf(each.from)).toBeCloseTo(each.left, 9);
          expect(placeOf(each.to)).toBeCloseTo(each.right, 9);
          // The whole pause and nothing else: a call stands at both of its ends, and none in it.
          const ends = [whole.from, whole.to, ...busy.flatMap(({ from, to }) => [from, to])];
          expect(ends).toContain(each.from);
          expect(ends).toContain(each.to);
          expect(busy.filter(({ from, to }) => from < each.to && to > each.from)).toEqual([]);
          place = each.right;
        }
        // What is drawn to scale has one scale.
        const scaled = busy.filter(
          ({ from, to }) => to > from && !breaks.some((each) => from < each.to && to > each.from),
        );
        const scales = scaled.map(({ from, to }) => (placeOf(to) - placeOf(from)) / (to - from));
        for (const scale of scales) expect(scale / (scales[0] ?? 1)).toBeCloseTo(1, 3);
      }),
    );
  });
});

describe("the calls of a journal", () => {
  const at = (ms: number): string => new Date(Date.UTC(2030, 0, 1) + ms).toISOString();
  const began = (call: JobCall | undefined) => (call?.began ?? 0) - Date.UTC(2030, 0, 1);
  const step = { label: "main", node: "n1", visit: 0, attempt: 1 };
  const http = { ...step, kind: "call", adapter: "http", verb: "GET", ok: true };
  const records: readonly JournalRecord[] = [
    { seq: 1, kind: "start", at: at(0), active_ms: 40 },
    { ...http, seq: 2, at: at(30), active_ms: 70.5, ms: 20 },
    { ...step, seq: 3, kind: "wait", wait: "w-3", at: at(31), active_ms: 71, adapter: "signal", verb: "WAIT" },
    { seq: 4, kind: "woken", wait: "w-3", why: "signal", at: at(3 * DAY), active_ms: 71 },
    { seq: 5, kind: "resume", why: "wake", at: at(3 * DAY + 9), active_ms: 71 },
    { ...http, seq: 6, at: at(3 * DAY + 15), active_ms: 77.25, ms: 4, adapter: "core", verb: "SLEEP" },
    {
      ...step,
      seq: 7,
      kind: "wait",
      wait: "w-7",
      at: at(3 * DAY + 16),
      active_ms: 78,
      adapter: "approval",
      verb: "ASK",
    },
  ];

  it("stand at the times of the world, exact between two waits, and a wait is as long as it was", () => {
    const calls = callsOf(records);
    expect(calls.map(began)).toEqual([10.5, 31, 3 * DAY + 11.25, 3 * DAY + 16]);
    expect(calls.map(({ kind, ms, isOpen }) => [kind, ms, isOpen])).toEqual([
      ["call", 20, undefined],
      ["wait", 3 * DAY - 31, false],
      ["wait", 4, undefined],
      ["wait", 0, true],
    ]);
  });

  it("draw an open wait until now, and never beyond the end of its lane", () => {
    const now = Date.UTC(2030, 0, 15);
    const { bars, axis, lanes } = lanesOf(callsOf(records), Date.UTC(2030, 0, 1), now);
    expect(bars.at(-1)).toMatchObject({ to: now });
    expect(axis.breaks.map(({ from, to }) => duration(to - from))).toEqual(["14 d"]);
    for (const { from, to } of lanes.flatMap(({ marks }) => marks)) {
      expect(from).toBeLessThan(to);
      expect(to).toBeLessThanOrEqual(1000);
    }
  });

  it("of which no time is known stand one after the other", () => {
    const calls = callsOf(records).map((call) => ({ ...call, began: null, isOpen: false }));
    const { bars } = lanesOf(calls, null, 0);
    expect(bars.map(({ from }) => from)).toEqual([0, 20, 3 * DAY - 11, 3 * DAY - 7]);
  });
});
