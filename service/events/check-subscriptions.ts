/** Whether a deployment may hear of the events that it names, and can be given them. Asked when it is deployed. */
import { inputsByRun } from "../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { counted } from "../../grammar/text/english.ts";
import type { Admission } from "../../vm/admission/admit.ts";
import { flowOf } from "../jobs/flow/flow-of.ts";
import { flowIn } from "../jobs/flow/members.ts";
import type { DeploymentSettings } from "../programs/deployment-settings.ts";
import { type RequestIssue, ServiceFault } from "../wire/errors.ts";
import type { Conditions } from "./conditions.ts";
import { acceptsEvent, rulesOf } from "./event-job.ts";
import { type Subscription, subscriptionsOf } from "./subscriptions.ts";

/** Throws ServiceFault event_invalid with the problems. */
export function checkSubscriptions(
  ir: Ir,
  settings: DeploymentSettings,
  admission: Admission,
  conditions: Conditions,
): void {
  const issues: RequestIssue[] = [];
  for (const one of subscriptionsOf(ir)) {
    const { name, line } = one;
    const issue = (code: string, message: string): void => {
      issues.push({ path: "", code, message: `line ${line}: ${message}` });
    };
    if (!acceptsEvent(admission, name))
      issue(
        "not_accepted",
        `the grant does not accept the event ${name}: enable the adapter event, with ${name} on event.accept`,
      );
    for (const [option, text, gives] of [
      ["when", one.when, "truth"],
      ["key", one.key, "value"],
    ] as const) {
      const problem = text === null ? null : conditions.problem(text, gives);
      if (problem !== null) issue("expression", `'${option}' of @on cannot be used: ${problem}`);
    }
    const missing = missingInputs(ir, settings, one);
    if (missing.length > 0)
      issue("input_missing", `an event gives ${one.parameter} alone, and nothing gives ${missing.join(", ")}`);
    flowOf({ program: "", layers: [flowIn(settings), rulesOf(one)], runAtMs: null, ageMs: 0 });
  }
  if (issues.length === 0) return;
  throw new ServiceFault(
    "event_invalid",
    `${counted(issues.length, "problem")} in the events: ${issues[0]?.message ?? ""}`,
    {
      issues,
    },
  );
}

function missingInputs(
  ir: Ir,
  { frame = {} }: DeploymentSettings,
  { label, parameter }: Subscription,
): readonly string[] {
  return inputsByRun(ir)(label).flatMap(({ name, required }) =>
    required === null || name === parameter || Object.hasOwn(frame, name) ? [] : [name],
  );
}
