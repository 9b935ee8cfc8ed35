/** Policy violations as text and as a fault: place, code, message, and whose rule it was. */

import type { Ir } from "../../compiler/ir/graph.ts";
import type { Rule, Violation } from "../../compiler/policy/validate.ts";
import { type Limits, NO_USAGE } from "../../vm/run.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import { type StepNames, stepNames } from "./step-names.ts";
import { shellWord } from "./terminal/shell-word.ts";
import { counted } from "./terminal/table.ts";

/** Longer lists are cut in the text form; the JSON form has them all. */
const MAX_SHOWN = 100;

/** `L1 n1 (line 3)  POLICY_ADAPTER_FORBIDDEN  Adapter 'http' is forbidden by policy` */
function violationLine({ code, message, data }: Violation, names: StepNames): string {
  const file = data.file === undefined ? "" : `${data.file} `;
  const line = data.lineno === undefined ? "" : ` (${file}line ${data.lineno})`;
  return `${names.nextToLine(data.label_id, data.node_id)}${line}  ${code}  ${message}`;
}

/** `ir`: of the program that violates. */
export function violationLines(violations: readonly Violation[], ir: Ir, withRule: boolean): string[] {
  const names = stepNames(ir);
  const lines = violations.slice(0, MAX_SHOWN).map((one) => {
    const line = violationLine(one, names);
    return withRule ? `${line}  [${ruleText(one.data.rule)}]` : line;
  });
  if (violations.length > MAX_SHOWN) lines.push(`… ${violations.length - MAX_SHOWN} more`);
  return lines;
}

function ruleText(rule: Rule): string {
  const value = rule.value === true ? "" : ` ${rule.value}`;
  return `${rule.member}${value}, ${(rule.sources ?? [rule.source]).join(", ")}`;
}

type Refused = { readonly ir: Ir; readonly file: string };

/** What stops a run that the policy refuses. `limits`: those that it would have had; `file`: as the user named the program. */
export function policyFault(violations: readonly Violation[], limits: Limits, { ir, file }: Refused): CliFault {
  return new CliFault(`${counted(violations.length, "violation")}, nothing was executed`, {
    error: "policy_violation",
    exitCode: EXIT.policy,
    members: {
      policy_errors: violations.map((one) => ({ ...one, data: { ...one.data, rule: { ...one.data.rule } } })),
      limits: { ...limits },
      usage: { ...NO_USAGE },
    },
    notes: [...violationLines(violations, ir, true), `help: wf security-report ${shellWord(file)} --grant`],
  });
}
