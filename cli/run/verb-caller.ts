/** Verbs of one adapter for a command that needs several calls: each goes through policy, settings and dispatcher, as in a program. */
import { callProgram } from "../../adapters/definition/check-definition.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import { surfaceWord } from "../../vm/errors/error-codes.ts";
import type { EffectiveGrant } from "../grant/effective-grant.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { preparedUnder } from "./prepare-program.ts";

/** Throws CliFault when the call fails; its `members.adapter_code` says why. */
export type CallVerb = (verb: string, args: readonly Json[]) => Promise<Json>;

/** A call as a program that may run under this grant. Throws CliFault when policy or settings refuse it. */
export async function preparedCall(
  grant: EffectiveGrant,
  adapter: string,
  verb: string,
  args: readonly Json[],
): Promise<{ readonly prepared: Prepared; readonly frame: JsonObject }> {
  const { source, frame } = callProgram(adapter, verb, args);
  const { ir } = grant.gateway.host.compile(source, { strict: false, inputs: Object.keys(frame) });
  if (ir === null) throw new Error(`a call of ${adapter}.${verb} compiles`);
  return { prepared: await preparedUnder(grant, ir, "-"), frame };
}

export function verbCaller({ screen }: Session, grant: EffectiveGrant, adapter: string, signal: AbortSignal): CallVerb {
  const told = new Set<string>();
  return async (verb, args) => {
    const { prepared, frame } = await preparedCall(grant, adapter, verb, args);
    const answer = await grant.gateway.run(prepared, { frame, signal });
    for (const warning of answer.warnings) {
      if (!told.has(warning)) screen.warning(warning);
      told.add(warning);
    }
    if (answer.ok) return answer.out;
    const { message, code, data } = answer.error;
    throw new CliFault(message, {
      error: surfaceWord(code, data),
      exitCode: EXIT.failed,
      members: { adapter_code: data["adapter_code"] ?? null },
    });
  };
}
