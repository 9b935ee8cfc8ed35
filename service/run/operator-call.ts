/** One call of a verb that the service makes by itself, under the grant of the operator. */
import { callProgram } from "../../adapters/definition/check-definition.ts";
import type { Json } from "../../compiler/json.ts";
import type { Services } from "../services.ts";

export type OperatorCall =
  | { readonly ok: true; readonly result: Json }
  /** `word` for the log: a code of the adapter or the run, or why the call was not made. */
  | { readonly ok: false; readonly word: string };

export async function operatorCall(
  { gateway }: Pick<Services, "gateway">,
  adapter: string,
  verb: string,
  args: readonly Json[],
): Promise<OperatorCall> {
  const { source, frame } = callProgram(adapter, verb, args);
  const { ir } = gateway.host.compile(source, { strict: false, inputs: Object.keys(frame) });
  const admission = gateway.admit({});
  if (ir === null || !admission.ok) return { ok: false, word: "not_admitted" };
  const planned = await gateway.plan(ir, admission, undefined);
  if (!planned.ok) return { ok: false, word: planned.error };
  const answer = await gateway.run(planned.prepared, { frame, inputs: "checked" });
  if (answer.ok) return { ok: true, result: answer.out };
  return { ok: false, word: String(answer.error.data["adapter_code"] ?? answer.error.code) };
}
