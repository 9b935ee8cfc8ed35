/** The trace sink: caps, cutting of values, independence of what it was given. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../compiler/json.ts";
import { createTrace } from "../../vm/recording/trace.ts";

describe("createTrace", () => {
  it.each([
    [4, 3, [0, 1, 2], 0],
    [4, 4, [0, 1, 2, 3], 0],
    [4, 7, [0, 1, 5, 6], 3],
    [5, 9, [0, 1, 2, 7, 8], 4],
    [1, 3, [0], 2],
  ])("keeps the first and last of at most %d events (%d given)", (most, given, kept, dropped) => {
    const trace = createTrace({ max_events: most });
    for (let i = 0; i < given; i += 1) trace.push("step", { label: String(i) });
    const events = trace.finish();
    expect(events.slice(0, -1).map((event) => event.seq)).toEqual(kept);
    expect(events.at(-1)).toEqual({ seq: given, kind: "end", events: given, dropped });
  });

  it("shows a large value by size and type", () => {
    const trace = createTrace({ max_value_bytes: 10 });
    trace.push("step", { out: "é".repeat(4) });
    trace.push("step", { out: "é".repeat(5) });
    expect(trace.finish().map((event) => event["out"])).toEqual([
      "éééé",
      { $truncated: 12, type: "string" },
      undefined,
    ]);
  });

  it("keeps no reference and survives any depth", () => {
    const trace = createTrace();
    const list: Json[] = [1];
    trace.push("step", { out: list });
    list.push(2);
    let deep: Json = null;
    for (let i = 0; i < 3000; i += 1) deep = [deep];
    trace.push("step", { out: deep });
    const [first, second] = trace.finish();
    expect(first?.["out"]).toEqual([1]);
    expect(second?.["out"]).toEqual({ $truncated: 6004, type: "list" });
  });
});
