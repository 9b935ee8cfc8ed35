/** A job of a deployment before it begins: what was queued before a key was revoked does not run after. A run that continues was admitted before. */
import type { Services } from "../../services.ts";
import type { ServiceFault } from "../../wire/errors.ts";
import { SIGNATURE_REFUSALS } from "../../wire/signature-refusals.ts";

type JobOfDeployment = { readonly deployment: string | null; readonly version: number | null };

/** Rejects with ServiceFault. */
export async function checkJobSigned(
  { signatures, programs }: Pick<Services, "signatures" | "programs">,
  { deployment, version }: JobOfDeployment,
): Promise<void> {
  if (!signatures.isRequired || deployment === null || version === null) return;
  await programs?.version(deployment, version);
}

const REJECTIONS: ReadonlySet<string> = new Set(["policy_violation", ...SIGNATURE_REFUSALS]);

/** Whether today's grant, or the keys that are trusted today, refuse a job. Of a run that continues, parts ran under those of before. */
export function isRejection({ error }: ServiceFault): boolean {
  return REJECTIONS.has(error);
}
