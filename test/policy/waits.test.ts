/** What the security report says of waits and of the memory of branches. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import { irOf } from "../support/world.ts";

const report = (source: string) =>
  securityReport(irOf(source, { strict: false }), builtinCatalog, { settings: builtinSettings });
const step = (call: string) => `# frame: x: any\nL1:\n  R ${call} ->a\n  J a\n`;

describe("waits in the report", () => {
  it.each([
    ['timer.sleep "1d12h"', { call: "timer.sleep", max_s: 129_600 }, null],
    ["timer.sleep 90", { call: "timer.sleep", max_s: 90 }, null],
    ["timer.sleep x", { call: "timer.sleep", max_s: null }, "how long timer.sleep waits is computed"],
    ['timer.sleep "soon"', { call: "timer.sleep", max_s: null }, "how long timer.sleep waits is computed"],
    ['timer.until "2030-01-10T00:00:00Z"', { call: "timer.until", max_s: null, until: "2030-01-10T00:00:00Z" }, null],
    ["timer.until x", { call: "timer.until", max_s: null }, "how long timer.until waits is computed"],
    [
      'signal.wait ["go", "stop"] {"timeout": "14d"}',
      { call: "signal.wait", names: ["go", "stop"], max_s: 1_209_600 },
      null,
    ],
    [
      'signal.wait "go"',
      { call: "signal.wait", names: ["go"], max_s: null },
      "signal.wait has no timeout: it waits as long as the job lives",
    ],
    [
      'signal.wait "go" {"timeout": x}',
      { call: "signal.wait", names: ["go"], max_s: null },
      "how long signal.wait waits is computed",
    ],
    [
      'signal.wait "go" x',
      { call: "signal.wait", names: ["go"], max_s: null },
      "how long signal.wait waits is computed",
    ],
  ] as const)("%s", (call, wait, reason) => {
    const { summary } = report(step(call));
    expect(summary.waits).toEqual([{ label: "1", node_id: "n1", line: 3, ...wait }]);
    expect(summary.unknown.filter(({ what }) => what === "waits").map((one) => one.reason)).toEqual(
      reason === null ? [] : [reason],
    );
  });

  it("has no wait for a call that only computes a time", () => {
    expect(report(step('timer.next "0 8 * * *"')).summary.waits).toEqual([]);
  });

  it("grants the names of signals that it found, and none where one is computed", () => {
    const named = report(step('signal.wait ["go", "stop"]'));
    expect(named.least_privilege_grant.adapter_constraints).toEqual({ signal: { allow_names: ["go", "stop"] } });
    expect(named.summary.signals).toEqual(["go", "stop"]);
    const computed = report(step('signal.wait ["go", x]'));
    expect(computed.least_privilege_grant.adapter_constraints).toEqual({});
    expect(computed.summary.waits).toMatchObject([{ names: null }]);
    expect(computed.summary.unknown).toMatchObject([{ what: "signals" }, { what: "waits" }]);
  });
});

describe("frames at once", () => {
  const each = (list: string, limit: number, body: string, rest = "") =>
    `# frame: l: list\nL1:\n  Each o ${list} i ->${body} limit=${limit}\n  J o\n${rest}`;
  const leaf = "L_b:\n  J i\n";
  it.each([
    ["one of the run itself", "L1:\n  J 1\n", 1],
    ["one for each live branch", each("l", 5, "L_b", leaf), 6],
    ["no more branches than elements", each("[1, 2]", 5, "L_b", leaf), 3],
    ["Par", "L1:\n  Par o ->L_a ->L_b ->L_a\n  J o\nL_a:\n  J 1\nL_b:\n  J 2\n", 4],
    ["branches of branches", each("l", 5, "L_m", `L_m:\n  Each p [1, 2, 3] j ->L_b\n  J p\n${leaf}`), 21],
    ["the maximum of a run", each("l", 64, "L_m", `L_m:\n  Each p l j ->L_b limit=64\n  J p\n${leaf}`), 257],
    ["branches that lead back to themselves", each("l", 2, "L_m", "L_m:\n  Each p l j ->L_m limit=1\n  J p\n"), 257],
    ["a label before the branches", `L1:\n  Call L2 ->x\n  J x\nL2:\n  Each o l i ->L_b limit=3\n  J o\n${leaf}`, 4],
  ])("%s", (_, source, frames) => {
    expect(report(source).summary.frames_at_once).toBe(frames);
  });
});
