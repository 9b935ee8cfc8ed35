/** `wf run --plan`: what a run could do and cost, after everything that comes before the first step, and without it. */
import { bounds, indexIr } from "../../../compiler/ir/analysis.ts";
import { labelName } from "../../../compiler/ir/references.ts";
import { warningsBefore } from "../../../vm/gateway.ts";
import { boundText } from "../../output/static-bounds.ts";
import { type StepNames, stepNames } from "../../output/step-names.ts";
import { table } from "../../output/terminal/table.ts";
import { EXIT } from "../../session/faults.ts";
import type { Session } from "../../session/session.ts";
import { loadWithFrame, planned } from "../prepare-program.ts";
import type { RunPlan } from "../run-plan.ts";
import { type PossibleCall, possibleCalls } from "./possible-calls.ts";

export async function planProgram(session: Session, plan: RunPlan): Promise<number> {
  const { screen, host } = session;
  const { program } = await loadWithFrame(session, plan);
  const { prepared, entry } = await planned(session, plan, program).finally(() => plan.grant.close());
  const calls = possibleCalls(program.ir, host.catalog, entry);
  const bound = bounds(indexIr(program.ir)).get(entry) ?? null;
  const { limits } = plan.grant;
  const warnings = [...new Set([...plan.warnings, ...plan.grant.warnings, ...warningsBefore(prepared.warnings, {})])];
  for (const note of plan.grant.notes) screen.note(note);
  for (const warning of warnings) screen.warning(warning);
  if (screen.json) {
    const written = calls.map((call) => ({ ...call, label: labelName(program.ir, call.label) }));
    screen.document({ ok: true, label: labelName(program.ir, entry), calls: written, bounds: bound, limits, warnings });
    return EXIT.success;
  }
  const names = stepNames(program.ir);
  if (calls.length === 0) screen.note("no calls");
  else
    screen.out(
      `${table(
        calls.map((call) => rowOf(call, names)),
        screen.tableWidth,
      ).join("\n")}\n`,
    );
  if (bound !== null) {
    const steps = boundText(bound.min_steps, bound.max_steps);
    screen.out(`steps ${steps}, calls ${boundText(bound.min_adapter_calls, bound.max_adapter_calls)}\n`);
  }
  return EXIT.success;
}

/** Arguments last: they are cut at the width. */
function rowOf(
  { label, node_id, line, adapter, verb, args, effect_tier, privilege_tier }: PossibleCall,
  names: StepNames,
): string[] {
  return [
    names.nextToLine(label, node_id),
    line === null ? "" : `line ${line}`,
    `${adapter ?? "(computed)"}.${verb ?? "(computed)"}`,
    effect_tier,
    privilege_tier,
    args.join(" "),
  ];
}
