/**
 * What commands that run a program do before its first step: the program is loaded as the flags say, checked against the grant, its adapters
 * made ready, its entry found. Runs nothing.
 */

import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { isPython } from "../../grammar/surface.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import type { PlanRefused } from "../../vm/admission/refusal.ts";
import type { Planned } from "../../vm/gateway.ts";
import { checkInputs, InputInvalid, type InputMode } from "../../vm/inputs/check-inputs.ts";
import type { EffectiveGrant } from "../grant/effective-grant.ts";
import { settingFlagOf } from "../grant/setting-flags.ts";
import { readCommentFrame } from "../input/frame.ts";
import { readProgram } from "../input/input.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { humanDiagnostics } from "../output/diagnostics.ts";
import { policyFault } from "../output/policy.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { compileInput, type LoadOptions, loadProgram } from "./load-program.ts";

/** Which program a command runs, how it is compiled, and what it may do. */
export type ProgramPlan = {
  readonly file: string | undefined;
  readonly strict: boolean;
  readonly includeRoots: readonly string[];
  readonly label: string | undefined;
  readonly grant: EffectiveGrant;
  /** What happens to a frame that is not what the program declares. */
  readonly inputs: InputMode;
  /** Verbs that write do nothing. */
  readonly dryRun: boolean;
};

/** `inputs`: names of the frame; absent where frames are not known yet. */
export function loadPlanned(session: Session, plan: ProgramPlan, inputs?: readonly string[]): Promise<LoadedProgram> {
  return loadProgram(session, plan.file, planOptions(plan, inputs));
}

function planOptions(plan: ProgramPlan, inputs: readonly string[] | undefined): LoadOptions {
  return {
    strict: plan.strict,
    strictGiven: plan.strict,
    includeRoots: plan.includeRoots,
    allowedAdapters: plan.grant.allowed,
    forRun: true,
    ...(inputs === undefined ? {} : { inputs }),
  };
}

/** Variables that a run begins with. */
type FramePlan = {
  readonly frame: JsonObject;
  /** What was noticed when the frame was read. */
  readonly warnings: readonly string[];
  /** Flags or a log say what the frame is. Otherwise the program's own comment `# with:` does, if it has one. */
  readonly frameGiven: boolean;
  /** Why it is refused where whole numbers must not lose digits. */
  readonly lost?: CliFault | null;
};

/** Loads the program, and completes the plan with the frame that the program states itself. */
export async function loadWithFrame<P extends ProgramPlan & FramePlan>(
  session: Session,
  plan: P,
): Promise<{ readonly program: LoadedProgram; readonly plan: P }> {
  const input = await readProgram(session.io, session.cwd, plan.file);
  const keepsDigits = input.content.kind === "source" && isPython(input.content.text);
  if (plan.strict && plan.lost != null && !keepsDigits) throw plan.lost;
  const stated =
    plan.frameGiven || input.content.kind !== "source"
      ? null
      : readCommentFrame(input.name, input.content.text, plan.strict);
  if (stated !== null) session.screen.note("no frame is given: the comment '# with:' supplies it");
  const complete = stated === null ? plan : { ...plan, ...stated };
  const program = compileInput(session, input, planOptions(plan, Object.keys(complete.frame)));
  const entry = session.host.resolveLabel(program.ir, plan.label).id;
  const about = frameWarnings(program.ir, entry, complete);
  const known = keepsDigits
    ? complete.warnings.filter((one) => !one.startsWith("number_precision:"))
    : complete.warnings;
  return { program, plan: { ...complete, warnings: [...known, ...about] } };
}

/** Warnings about a frame that is not what its program declares. Throws CliFault where it is refused, which is the default. */
function frameWarnings(
  ir: Ir,
  entry: string | null,
  { frame, inputs }: { readonly frame: JsonObject; readonly inputs: InputMode },
): readonly string[] {
  try {
    return checkInputs(ir, entry, frame, inputs);
  } catch (cause) {
    throw cause instanceof InputInvalid ? inputFaultOf(cause) : cause;
  }
}

function inputFaultOf({ message, issues }: InputInvalid): CliFault {
  return new CliFault(message, {
    error: "input_invalid",
    exitCode: EXIT.usage,
    members: { issues: issues.map((one) => ({ ...one })) },
    notes: issues.slice(1).map((one) => `${one.path}: ${one.message}`),
  });
}

/** The policy verdict comes before everything that could touch the world; then settings, which a replay does not need. */
export function prepare(plan: Pick<ProgramPlan, "grant">, { ir, input }: LoadedProgram): Promise<Prepared> {
  return preparedUnder(plan.grant, ir, input.path === null ? "-" : input.name);
}

/** `prepare`, and the entry: one that does not exist is a fault of the command line, found before anything runs. */
export async function planned(session: Session, plan: ProgramPlan, program: LoadedProgram): Promise<Planned> {
  const { gateway, admission } = plan.grant;
  const { ir, input } = program;
  const result = await gateway.plan(ir, admission, plan.label);
  if (result.ok) return result;
  // No other message says what was read instead of labels.
  if (result.error === "invalid_ir") showDiagnostics(session, program);
  throw refusalFault(
    result,
    plan,
    { ir: program.ir, file: input.path === null ? "-" : input.name },
    program.diagnostics,
  );
}

/** `file`: as the user named the program. */
export async function preparedUnder(grant: EffectiveGrant, ir: Ir, file: string): Promise<Prepared> {
  const prepared = await grant.gateway.prepare(ir, grant.admission);
  if (prepared.ok) return prepared;
  throw refusalFault(prepared, { grant, label: undefined }, { ir, file });
}

/** What is refused, in the words of the command line. */
function refusalFault(
  refused: PlanRefused,
  { grant, label }: Pick<ProgramPlan, "grant" | "label">,
  program: { readonly ir: Ir; readonly file: string },
  found: readonly Diagnostic[] = [],
): CliFault {
  const { error, message } = refused;
  if (error === "policy_violation") return policyFault(refused.policy_errors, grant.admission.limits, program);
  const issues = refused.issues.map((one) => ({ ...one }));
  if (error === "unknown_label")
    return new CliFault(
      message.replace("the requested label", () => `label '${label}'`),
      {
        error,
        exitCode: EXIT.usage,
        members: { issues },
      },
    );
  if (error === "invalid_ir") {
    const diagnostics = found.filter(({ severity }) => severity === "warning").map(diagnosticDocument);
    return new CliFault(message, {
      error,
      exitCode: EXIT.failed,
      members: diagnostics.length === 0 ? {} : { diagnostics },
    });
  }
  return new CliFault(issues[0]?.message ?? message, {
    error,
    exitCode: EXIT.usage,
    members: { issues },
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
