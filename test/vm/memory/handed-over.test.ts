/**
 * A result that only its variable holds leaves its run without being copied. This must be invisible outside: it has its members and
 * nothing else, and a shared value is copied as before.
 */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { createHost } from "../../../vm/host.ts";
import { Machine } from "../../../vm/machine/machine.ts";
import type { MachineOptions } from "../../../vm/machine/options.ts";
import { Stop } from "../../../vm/machine/slices/stop.ts";
import type { CallEvent } from "../../../vm/run.ts";
import { firstSlice } from "../../../vm/runs/driver.ts";
import { fakeClock, fakeFacts, mockExt } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const deps = {
  clock: fakeClock(),
  facts: fakeFacts(),
  catalog: testCatalog,
  adapters: new Map([[mockExt.name, plainAdapter(mockExt.name, { G: () => 1 }, { effectTier: "io-read" })]]),
  traceId: () => "handed",
};

/** The body of a program with the inputs `x` and `text`. */
const sourceOf = (...lines: readonly string[]): string => `L1:\n${lines.map((line) => `  ${line}\n`).join("")}`;
const RECORD = ['X o obj "id" x', 'X o put o "name" text'];

/** The machine of a run, which still holds its variables. */
function finished(source: string, text = "bob"): Machine {
  const options: MachineOptions = {
    ...{ deps, traceId: "", limits: {}, allowed: null, trace: null, signal: undefined, quantum: 10_000 },
  };
  const program = createHost(deps).program(compileForTest(source, false, ["x", "text"]));
  const machine = new Machine(program, { x: 7, text }, options);
  expect(firstSlice(machine)).toBe(Stop.Done);
  return machine;
}

function isHandedOver(machine: Machine): boolean {
  return machine.V.includes(machine.result);
}

describe("a result that leaves as it is", () => {
  it("is a record that only its variable holds", () => {
    expect(isHandedOver(finished(sourceOf(...RECORD, "J o")))).toBe(true);
    expect(isHandedOver(finished(sourceOf(...RECORD, 'X g get o "name"', 'X o put o "more" g', "J o")))).toBe(true);
  });

  it("has its members and nothing else", () => {
    const { result } = finished(sourceOf(...RECORD, 'X o put o "more" true', "J o"));
    expect(Reflect.ownKeys(result as object)).toEqual(["id", "name", "more"]);
    expect(result).toEqual({ id: 7, name: "bob", more: true });
  });

  it("is not what another run gives", () => {
    const host = createHost(deps);
    const ir = compileForTest(sourceOf(...RECORD, "J o"), false, ["x", "text"]);
    const outs = [1, 2, 3].map((x) => {
      const answer = host.runSync({ ir, frame: { x, text: "bob" }, limits: { max_frame_bytes: 1000 } });
      const out = (answer.ok ? answer.out : null) as { [key: string]: Json };
      out["name"] = "changed";
      return [out["id"], answer.usage.frame_bytes];
    });
    // {"x":1,"text":"bob","o":{"id":1,"name":"bob"}}
    expect(outs).toEqual([1, 2, 3].map((x) => [x, 46]));
  });
});

describe("a result is copied", () => {
  it.each([
    ["that a second variable holds", ["Set p o", "J o"]],
    ["that a list holds", ["Set l []", "X l push l o", "J o"]],
    ["that has a list in it", ["Set l []", 'X o put o "l" l', "J o"]],
    ["that is a list", ["Set l []", "X l push l x", "J l"]],
    ["that was chosen from two", ["X p ite true o o", "J p"]],
    ["that was handed to an adapter", [`R ${mockExt.name}.G o ->n`, "J o"]],
  ])("%s", (_, lines) => {
    const machine = finished(sourceOf(...RECORD, ...lines));
    expect(isHandedOver(machine)).toBe(false);
    expect(Reflect.ownKeys(machine.result as object).filter((key) => typeof key === "symbol")).toEqual([]);
  });

  it("that is large", () => {
    const machine = finished(sourceOf(...RECORD, "J o"), "a".repeat(2000));
    expect(isHandedOver(machine)).toBe(false);
    expect(Reflect.ownKeys(machine.result as object)).toEqual(["id", "name"]);
  });

  it("that an observer has seen", () => {
    const seen: CallEvent[] = [];
    const host = createHost(deps);
    const ir = compileForTest(sourceOf(...RECORD, `R ${mockExt.name}.G o ->n`, "J o"), false, ["x", "text"]);
    const answer = host.runSync({ ir, frame: { x: 1, text: "bob" }, observer: (event) => void seen.push(event) });
    expect(answer.ok && answer.out).toEqual({ id: 1, name: "bob" });
    expect(answer.ok && answer.out).not.toBe(seen[0]?.args[0]);
  });
});

describe("records without a size of their own", () => {
  it("have the same size everywhere", () => {
    const source = sourceOf(
      ...[...RECORD, "Set l []", "X l push l o", 'X r obj "in" o', 'X o put o "id" "much longer than before"'],
      ...['X g get r "in"', 'X g put g "more" true', "X m merge r g", "J x"],
    );
    const host = createHost(deps);
    const ir = compileForTest(source, false, ["x", "text"]);
    const frame = { x: 1, text: "bob" };
    const answer = host.runSync({ ir, frame, finalFrame: true, limits: { max_frame_bytes: 10_000 } });
    const size = JSON.stringify(answer.frame).length;
    expect(answer.usage.frame_bytes).toBe(size);
    // Exactly at the limit, and one byte below.
    expect(host.runSync({ ir, frame, limits: { max_frame_bytes: size } }).ok).toBe(true);
    expect(host.runSync({ ir, frame, limits: { max_frame_bytes: size - 1 } }).ok).toBe(false);
  });
});
