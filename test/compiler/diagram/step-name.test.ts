/** console-2 § 3.1: steps are said by function and line, and in the opcode form by label and step. */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { stepName } from "../../../compiler/diagram/label-names.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import { waitingSteps } from "../../../compiler/policy/waits.ts";
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
