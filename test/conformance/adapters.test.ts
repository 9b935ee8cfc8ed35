/** The statements of the contract about the dispatcher and the core adapter that hold without a service. */
import { describe, expect, it } from "vitest";
import { FUNCTIONS } from "../../compiler/functions.ts";
import { verifies } from "../support/requirements.ts";
import { failure, irOf, out, run, verdict, world } from "../support/world.ts";

const lines = (...text: string[]): string => `${text.join("\n")}\n`;

describe("the dispatcher", () => {
  it("never dispatches a call to an adapter outside the allowlist", async () => {
    verifies("service.only-allowed-adapters", "errors.allowlist-miss", "errors.adapter-not-allowed");
    const calls: string[] = [];
    const note = (name: string) => () => {
      calls.push(name);
      return 1;
    };
    const place = world({ ext: { A: note("ext") }, http: { Get: note("http") } });
    const source = lines(
      "L1:",
      "  R ext.A ->a",
      '  R http.Get "https://a.example/" ->b',
      "  Retry 2 0",
      "  Err ->L9",
      "  J b",
      "L9:",
      "  J 9",
    );
    const denied = await failure(source, { in: place, allowedAdapters: ["ext", "core"] });
    expect(denied).toMatchObject({
      code: "RUNTIME_ADAPTER_NOT_ALLOWED",
      node: "n2",
      data: { adapter: "http", cause_type: "denied" },
    });
    expect(calls).toEqual(["ext"]);
    expect(await verdict(source, { in: place, allowedAdapters: ["ext", "http"] })).toBe(1);
    expect(await verdict(lines("L1:", "  R core.ADD 1 2 ->a", "  J a"), { allowedAdapters: [] })).toBe(
      "RUNTIME_ADAPTER_NOT_ALLOWED",
    );
    expect(await verdict(lines("L1:", "  X a add 1 2", "  J a"), { allowedAdapters: [] })).toBe(3);
  });

  it("is the only way out: a program without adapters has no effect, host functions pass the gate of core", async () => {
    verifies("service.effects-through-adapters");
    for (const step of ["X t now", "X t iso", "X t uuid", 'X t env "HOME"', "X t sleep 5", "Set t (iso_ts)"]) {
      const place = world();
      const source = lines("L1:", `  ${step}`, "  J 1");
      expect([step, await verdict(source, { in: place, allowedAdapters: [] })]).toEqual([
        step,
        "RUNTIME_ADAPTER_NOT_ALLOWED",
      ]);
      expect(place.clock.now()).toBe(0);
      expect([step, await verdict(source, { allowedAdapters: ["core"] })]).toEqual([step, 1]);
    }
    const effects = irOf(
      lines("# frame: x", "L1:", "  Set a x", "  Filt b x k == 1", "  X c merge a b", "  J c"),
    ).nodes;
    expect(new Set(effects.map((node) => node.effect))).toEqual(new Set(["pure"]));
  });
});

describe("core", () => {
  it("offers arithmetic, text, JSON and time verbs", async () => {
    verifies("adapter.core.arithmetic");
    const source = lines(
      "L1:",
      "  R core.ADD 2 3 ->a",
      "  R core.SUB a 1 ->b",
      "  R core.MUL b 2 ->c",
      '  R core.CONCAT "v" c ->d',
      '  R core.PARSE "[1]" ->e',
      "  R core.STRINGIFY e ->f",
      "  R core.NOW ->g",
      "  J [a, b, c, d, e, f, g]",
    );
    expect(await out(source)).toEqual([5, 4, 8, "v8", [1], "[1]", 1_893_456_000]);
  });

  it("STRINGIFY writes compact JSON, keeps key order and leaves non-ASCII characters alone", async () => {
    verifies("runtime.stringify-compact");
    const o = { b: 1, a: [true, null, "é😀"], "k\n": { z: 0.5 } };
    expect(await out(lines("# frame: o", "L1:", "  R core.STRINGIFY o ->s", "  J s"), { frame: { o } })).toBe(
      JSON.stringify(o),
    );
  });

  it("X and R share one table, in any letter case, but for add and eq", async () => {
    verifies("runtime.x-and-r-agree");
    const values: Readonly<Record<string, string>> = {
      "": "",
      number: "7 2",
      text: '"a b" "b"',
      list: "[3, 1, 1] [2]",
      object: '{"a": {"b": 1}} "a.b" 3',
      mixed: '",", ["x", 1] 2',
    };
    const skipped = new Set(["add", "eq", "ne", "sub", "mul", "div", "uuid"]);
    let compared = 0;
    for (const { name, called } of FUNCTIONS) {
      if (skipped.has(name)) continue;
      for (const [sort, args] of Object.entries(values)) {
        // Without arguments, the names of later versions are still those of variables.
        if (args === "" && called.includes(name)) continue;
        const x = await run(lines("L1:", `  X r ${name} ${args}`, "  J r"), { strict: false });
        const r = await run(lines("L1:", `  R core.${name.toUpperCase()} ${args} ->r`, "  J r"), { strict: false });
        const view = (answer: typeof x) => (answer.ok ? answer.out : [answer.error.code, answer.error.message]);
        expect([name, sort, view(r)]).toEqual([name, sort, view(x)]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(300);
    expect(
      await out(
        lines(
          "L1:",
          '  X t Core.StartsWith "ab" "a"',
          '  X u starts_with "ab" "a"',
          '  R core.StartsWith "ab" "a" ->v',
          "  J [t, u, v]",
        ),
      ),
    ).toEqual([true, true, true]);
    expect(
      await out(lines("L1:", '  X t add "a" "b"', '  X e eq "1.0" 1', '  R core.EQ "1.0" 1 ->f', "  J [t, e, f]")),
    ).toEqual(["ab", false, true]);
    expect(await verdict(lines("L1:", '  R core.ADD "a" "b" ->t', "  J t"))).toBe("RUNTIME_OP_ERROR");
  });

  it("FORMAT reaches no members and makes no huge widths", async () => {
    verifies("runtime.format-restricted");
    const frame = { o: { name: "Ada", length: 3 } };
    const format = (template: string) =>
      verdict(lines("# frame: o", "L1:", `  X s format "${template}" o`, "  J s"), { frame });
    expect(await format("{name}")).toBe("Ada");
    for (const template of [
      "{name.length}",
      "{0.name}",
      "{0[name]}",
      "{__proto__}",
      "{constructor}",
      "{:100000000}",
      "{:1001}",
    ]) {
      expect([template, await format(template)]).toEqual([template, "RUNTIME_OP_ERROR"]);
    }
  });
});

describe("errors", () => {
  it("a missing label is RUNTIME_UNKNOWN_LABEL and never null", async () => {
    verifies("runtime.unknown-label");
    for (const step of ["Call L7 ->r", "If true ->L7", "Loop [1] i ->L7 ->L1", "While true ->L1 ->L7", "Err ->L7"]) {
      const answer = await run(lines("L1:", "  Set a 1", `  ${step}`), { strict: false });
      expect([step, answer]).toMatchObject([
        step,
        { ok: false, error: { code: "RUNTIME_UNKNOWN_LABEL" }, usage: { steps: 0 } },
      ]);
    }
  });

  it("a breach names the limit, its value, the label and the line", async () => {
    verifies("errors.breach-place");
    const source = lines(
      "L1:",
      "  Call L2 ->r",
      "  J r",
      "",
      "L2:",
      '  Set a "0123456789"',
      "  R core.ADD 1 1 ->b",
      "  Loop [1, 2] i ->L3 ->L3",
      "L3:",
      "  J 1",
    );
    const place = (key: string, limit: number) => failure(source, { limits: { [key]: limit } });
    expect(await place("max_steps", 2)).toMatchObject({
      message: expect.stringContaining("max_steps"),
      label: "2",
      line: 7,
      data: { meter: "max_steps", limit: 2, used: 2 },
    });
    expect(await place("max_depth", 1)).toMatchObject({
      label: "2",
      line: 2,
      data: { meter: "max_depth", limit: 1, used: 1 },
    });
    expect(await place("max_adapter_calls", 0)).toMatchObject({
      label: "2",
      line: 7,
      data: { meter: "max_adapter_calls", limit: 0, used: 0 },
    });
    expect(await place("max_frame_bytes", 10)).toMatchObject({
      label: "2",
      line: 6,
      data: { meter: "max_frame_bytes", limit: 10 },
    });
    expect(await place("max_loop_iters", 1)).toMatchObject({
      label: "2",
      line: 8,
      data: { meter: "max_loop_iters", limit: 1 },
    });
  });
});
