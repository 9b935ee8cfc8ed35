/** What the security report says of waits: for what, for whom, and how long at most. */
import { describe, expect, it } from "vitest";
import { waitsText } from "../../cli/output/static-bounds.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { securityReport } from "../../compiler/policy/report.ts";

function reportOf(steps: readonly string[]) {
  const source = `# frame: n: text, t: text\nL1:\n${steps.map((step) => `  ${step}\n`).join("")}  J null\n`;
  const { ir } = compile(source, { strict: false });
  if (ir === null) throw new Error("it does not compile");
  return securityReport(ir, builtinCatalog);
}

describe("waits", () => {
  it.each([
    ['R timer.sleep "1d12h" ->a', "timer (1d 12h)", true],
    ["R timer.sleep 90 ->a", "timer (1m 30s)", true],
    ["R timer.sleep t ->a", "timer (unbounded)", false],
    ['R timer.until "2030-01-01T00:00:00Z" ->a', "timer (until a time)", true],
    ["R timer.until t ->a", "timer (unbounded)", false],
    ['R signal.wait ["delivered", "lost"] {"timeout": "14d"} ->a', "signal delivered, lost (14d)", true],
    ['R signal.wait "go" ->a', "signal go (unbounded)", false],
    ['R signal.wait n {"timeout": t} ->a', "signal computed (unbounded)", false],
    ['R approval.ask "Pay?" {"to": ["group:leads"], "timeout": "3d"} ->a', "approval group:leads (3d)", true],
    ['R approval.ask "Pay?" {"to": n} ->a', "approval computed (unbounded)", false],
    ['R approval.ask "Pay?" ->a', "approval (unbounded)", false],
  ])("%s", (step, text, bounded) => {
    const { waits } = reportOf([step]).summary;
    expect(waitsText(waits)).toBe(`L1 n1 ${text}`);
    expect(waits.map((wait) => wait.bounded)).toEqual([bounded]);
  });

  it("do not exist in a program that does not wait", () => {
    const steps = [
      'R timer.next "0 8 * * *" ->a',
      'R approval.open "Pay?" ->b',
      'R signal.send "go" 1 {"key": "k"} ->c',
    ];
    expect(reportOf(steps).summary.waits).toEqual([]);
  });

  it("name what the least grant admits", () => {
    const { least_privilege_grant, summary } = reportOf([
      'R signal.wait ["b", "a"] {"timeout": 1} ->x',
      'R approval.ask "Pay?" {"to": ["user:ann", "group:leads"], "timeout": 1} ->y',
      'R approval.open "Pay?" {"to": "user:bob", "timeout": 1} ->z',
    ]);
    expect(least_privilege_grant.adapter_constraints).toEqual({
      approval: { allow_to: ["group:leads", "user:ann", "user:bob"] },
      signal: { allow_names: ["a", "b"] },
    });
    expect(summary.unknown).toEqual([]);
  });

  it("say what only a run knows", () => {
    const { summary } = reportOf(['R signal.wait n {"timeout": 1} ->x', 'R approval.ask "Pay?" {"timeout": 1} ->y']);
    expect(summary.unknown.map(({ what, reason }) => [what, reason])).toEqual([
      ["signals", "the signal of signal.wait is computed"],
      ["approvers", "approval.ask names no people, so all who may decide are asked"],
    ]);
  });
});
