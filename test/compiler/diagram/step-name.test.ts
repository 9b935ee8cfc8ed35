/** console-2 § 3.1: steps are said by function and line, and in the opcode form by label and step. */
import { expect, it } from "vitest";
import { reportText } from "../../../cli/output/security-report.ts";
import { stepNames } from "../../../cli/output/step-names.ts";
import { createPaint } from "../../../cli/output/terminal/colour.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { labelNames, stepName } from "../../../compiler/diagram/label-names.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { stepText } from "../../../compiler/ir/step-text.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import { waitingSteps } from "../../../compiler/policy/waits.ts";
import { shownLabel } from "../../../grammar/text/written-label.ts";
import { callsOutside } from "../../../vm/admission/prepare.ts";
import { policyRefusal } from "../../../vm/admission/refusal.ts";

const PYTHON = `from weft import http, signal

def outer(url):
    def inner():
        return http.get(url)
    return inner()

def main(url):
    signal.wait("go")
    return outer(url)
`;
const irOf = (code: string): Ir => {
  const { ir, diagnostics } = compile(code, { catalog: builtinCatalog });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  return ir;
};

it("names a function and a line, and no step of the machine", () => {
  const ir = irOf(PYTHON);
  expect(waitingSteps(ir)).toEqual(["main line 9 signal.wait"]);
  expect(securityReport(ir, builtinCatalog).summary.dynamic_targets).toEqual(["outer.inner line 5 http.Get url"]);
  const data = { label_id: "main", node_id: "n1", lineno: 9 } as never;
  const refused = policyRefusal(
    [{ code: "POLICY_ADAPTER_FORBIDDEN", message: "Signal is forbidden by policy", data }],
    ir,
  );
  expect(refused.message).toBe("1 policy violation: signal at main line 9");
});

it("names a label and a step of the opcode form", () => {
  const ir = irOf('L1:\n  R signal.wait "go" ->s\n  J s\n');
  expect(waitingSteps(ir)).toEqual(["L1 n1 signal.wait"]);
  expect(stepName(ir, { label: "1", id: "n1", line: 2 })).toBe("L1 n1");
});

it("names no label or variable that an older version made", () => {
  const { checksum: _, ...old } = irOf(
    'S app shop\nL_entry:\n  X rows arr "a" "b"\n  Loop rows s ->L2 ->L3\nL2:\n  R core.SLEEP 5 ->kept\n  J kept\nL3:\n  J rows\n',
  );
  const text = JSON.stringify(old)
    .replaceAll('"2"', '"_entry~body1"')
    .replaceAll('"3"', '"_entry~cont1"')
    .replaceAll('"kept"', '"_out1"');
  const read = normalize(JSON.parse(text), builtinCatalog);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  const { ir } = read;
  const nameOf = labelNames(ir);
  expect(Object.keys(ir.labels).map(nameOf).sort()).toEqual(["app", "app: after", "app: loop"]);
  expect(["_entry", "_entry~body1", "check~body2", "2"].map(shownLabel)).toEqual(["entry", "entry", "check", "L2"]);
  const { label, step } = stepNames(ir);
  expect([label("_entry"), step("_entry~body1", "n1"), step("_entry", "n2")]).toEqual([
    "app",
    "app: loop line 6",
    "app line 4",
  ]);
  const sleeps = ir.nodes.find(({ op }) => op === "R");
  expect(sleeps === undefined ? "" : stepText(sleeps)).toBe("R core.SLEEP 5");
});

it("names what a program in Python asks of its host by its functions, in the report of the command line", () => {
  const ir = irOf(
    "import time\nfrom weft import http\n\ndef main(url):\n    time.sleep(1)\n    return http.get(url)\n",
  );
  const report = securityReport(ir, builtinCatalog);
  const screen = { paint: createPaint(false), width: 120, tableWidth: 120 } as never;
  const text = reportText(report, { file: "p.py", ir }, screen);
  expect(text).toContain("- built in: verbs=[sleep] tiers=[pure]\n");
  expect(text).toContain("  built in: verbs=[sleep] tiers=[pure]  line 5\n");
  expect(text).not.toMatch(/core|SLEEP/);
});

it("warns of what a grant refuses with a function and a line", () => {
  const [warning = ""] = callsOutside(["core", "signal"], irOf(PYTHON), { catalog: builtinCatalog });
  expect(warning).toMatch(/^adapter_not_allowed: outer\.inner line 5 calls http\.get, /i);
});
