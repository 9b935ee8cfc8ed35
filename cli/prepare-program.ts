/**
 * What commands that run a program do before its first step: the program is loaded as the flags say, checked against the grant, its adapters
 * made ready, its entry found. Runs nothing.
 */
import { diagnosticDocument } from "../compiler/diagnostic-document.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import type { Prepared } from "../vm/preparation.ts";
import { missingLabelDetail, missingLabelHint } from "../vm/words/missing-label.ts";
import type { Session } from "./commands/base.ts";
import type { EffectiveGrant } from "./effective-grant.ts";
import { CliFault, EXIT } from "./faults.ts";
import { humanDiagnostics } from "./output/diagnostics.ts";
import { policyFault } from "./output/policy.ts";
import { type LoadedProgram, loadProgram } from "./program.ts";
import { settingFlagOf } from "./setting-flags.ts";

/** Which program a command runs, how it is compiled, and what it may do. */
export type ProgramPlan = {
  readonly file: string | undefined;
  readonly strict: boolean;
  readonly includeRoots: readonly string[];
  readonly label: string | undefined;
  readonly grant: EffectiveGrant;
  /** Verbs that write do nothing. */
  readonly dryRun: boolean;
};

/** `inputs`: names of the frame; absent where frames are not known yet. */
export function loadPlanned(session: Session, plan: ProgramPlan, inputs?: readonly string[]): Promise<LoadedProgram> {
  return loadProgram(session, plan.file, {
    strict: plan.strict,
    strictGiven: plan.strict,
    includeRoots: plan.includeRoots,
    allowedAdapters: plan.grant.allowed,
    forRun: true,
    ...(inputs === undefined ? {} : { inputs }),
  });
}

/** The policy verdict comes before everything that could touch the world; then settings, which a replay does not need. */
export function prepare(plan: Pick<ProgramPlan, "grant">, { ir, input }: LoadedProgram): Promise<Prepared> {
  return preparedUnder(plan.grant, ir, input.path === null ? "-" : input.name);
}

/** `file`: as the user named the program. */
export async function preparedUnder({ gateway, admission }: EffectiveGrant, ir: Ir, file: string): Promise<Prepared> {
  const prepared = await gateway.prepare(ir, admission);
  if (prepared.ok) return prepared;
  if (prepared.error === "policy_violation") throw policyFault(prepared.policy_errors, admission.limits, file);
  const { issues } = prepared;
  throw new CliFault(issues[0]?.message ?? "the settings of an adapter are not valid", {
    error: "adapter_config_error",
    exitCode: EXIT.usage,
    members: { issues: issues.map((one) => ({ ...one })) },
    notes: [...issues.slice(1, 20).map((one) => one.message), ...issues.slice(0, 20).flatMap(missingSetting)],
  });
}

/** The flag that gives a setting without which an adapter cannot be enabled. */
function missingSetting({ path, code }: { readonly path: string; readonly code: string }): string[] {
  const [, root, adapter = "", setting] = path.split("/");
  return code !== "required" || root !== "adapters" || setting === undefined
    ? []
    : [`= help: add ${settingFlagOf(adapter, setting)}`];
}

/** An entry that does not exist is a fault of the command line, found before anything runs. */
export function requireLabel(session: Session, program: LoadedProgram, label: string | undefined): string {
  const found = session.host.resolveLabel(program.ir, label);
  if (found.id !== null) return found.id;
  if (label === undefined) {
    // What was read instead of labels is told nowhere else.
    showDiagnostics(session, program);
    const diagnostics = program.diagnostics.filter(({ severity }) => severity === "warning").map(diagnosticDocument);
    throw new CliFault("the program has no label to run", {
      error: "invalid_ir",
      exitCode: EXIT.failed,
      members: diagnostics.length === 0 ? {} : { diagnostics },
    });
  }
  const message = `label does not exist${missingLabelDetail(program.ir, found.near)}`;
  throw new CliFault(`label '${label}' does not exist${missingLabelHint(program.ir, found.near)}`, {
    error: "unknown_label",
    exitCode: EXIT.usage,
    members: { issues: [{ path: "/label", code: "unknown_label", message }] },
  });
}

/** Calls outside the allowlist (WF5008) are left out: one warning for each adapter says it already. */
export function showDiagnostics(session: Session, program: LoadedProgram): void {
  const { screen } = session;
  const shown = program.diagnostics.filter(
    ({ severity, code }) => (severity === "warning" || screen.verbose) && code !== "WF5008",
  );
  if (screen.quiet || shown.length === 0) return;
  const options = {
    name: program.input.name,
    textOf: program.textOf,
    paint: screen.errorPaint,
    width: screen.width,
    fixHint: null,
  };
  screen.err(`${humanDiagnostics(shown, options)}\n`);
}
