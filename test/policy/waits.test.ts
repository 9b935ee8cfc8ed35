/** What the security report says of waits, for what, for whom, and how long at most, and of the memory of branches. */
import { describe, expect, it } from "vitest";
import { waitsText } from "../../cli/output/static-bounds.ts";
import { stepNames } from "../../cli/output/step-names.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { securityReport } from "../../compiler/policy/report.ts";

function reportOf(steps: readonly string[]) {
  return reportOfSource(`# frame: n: text, t: text\nL1:\n${steps.map((step) => `  ${step}\n`).join("")}  J null\n`);
}

function reportOfSource(source: string) {
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
    expect(waitsText(waits, stepNames({ labels: {}, nodes: [], entry: null, declarations: [] }))).toBe(`L1 n1 ${text}`);
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

  it.each([
    ["R timer.sleep t ->a", "how long timer.sleep waits is computed"],
    ['R timer.sleep "soon" ->a', "how long timer.sleep waits is computed"],
    ["R timer.until t ->a", "how long timer.until waits is computed"],
    ['R signal.wait "go" ->a', "signal.wait has no timeout: it waits as long as the job lives"],
    ['R signal.wait "go" {"timeout": t} ->a', "how long signal.wait waits is computed"],
    ['R signal.wait "go" t ->a', "how long signal.wait waits is computed"],
    ['R approval.wait "id" ->a', "approval.wait has no timeout: it waits as long as the job lives"],
  ])("%s", (step, reason) => {
    const { unknown } = reportOf([step]).summary;
    expect(unknown.filter(({ what }) => what === "waits").map((one) => one.reason)).toEqual([reason]);
  });

  it("grant no names where one is computed", () => {
    const { least_privilege_grant, summary } = reportOf(['R signal.wait ["go", n] ->x']);
    expect(least_privilege_grant.adapter_constraints).toEqual({});
    expect(summary.waits).toMatchObject([{ names: [], computed: true }]);
    expect(summary.unknown).toMatchObject([{ what: "signals" }, { what: "waits" }]);
  });

  it("say what only a run knows", () => {
    const { summary } = reportOf(['R signal.wait n {"timeout": 1} ->x', 'R approval.ask "Pay?" {"timeout": 1} ->y']);
    expect(summary.unknown.map(({ what, reason }) => [what, reason])).toEqual([
      ["signals", "the signal of signal.wait is computed"],
      ["approvers", "approval.ask names no people, so all who may decide are asked"],
    ]);
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
    expect(reportOfSource(source).summary.frames_at_once).toBe(frames);
  });
});
