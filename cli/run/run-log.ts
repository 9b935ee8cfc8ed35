/** WF_LOG_LEVEL: the events of a run as JSON lines on stderr, as the services write them. Loaded only where the variable is set. */
import type { LogLevel } from "../../adapters/operator/host-config.ts";
import { createValueHash } from "../../adapters/run-log/fields.ts";
import { createJsonLog, type LoggedRun, logRun } from "../../adapters/run-log/lines.ts";
import { createHostRedaction } from "../../adapters/run-log/redaction.ts";
import { labelName } from "../../compiler/ir/references.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import type { Session } from "../session/session.ts";
import type { RunPlan } from "./run-plan.ts";

/** Writes that a run begins. */
export function beginLog(
  { io, environment, host }: Session,
  { ir, input }: LoadedProgram,
  prepared: Prepared,
  { grant, label, replay }: RunPlan,
  { level, traceId }: { readonly level: LogLevel; readonly traceId: string },
): LoggedRun {
  const deps = {
    log: createJsonLog({ level, clock: io.clock, emit: (line) => io.stderr.write(line) }),
    valueHash: createValueHash(environment.auditHashKey),
    redaction: createHostRedaction(grant.runtime.secrets, environment.host),
  };
  return logRun(deps, {
    traceId,
    prepared,
    // A label that does not exist fails the run, which then names it as it was given.
    label: labelName(ir, host.resolveLabel(ir, label).id ?? label ?? ""),
    source: input.content.kind === "source" ? input.content.text : null,
    policyPresent: Object.keys(prepared.admission.policy).length > 0,
    replay: replay !== null,
  });
}
