/**
 * What a program needs that is not here: adapters that are not enabled, and secrets that verify deliveries to its endpoints. A program is
 * deployed without them, because they may come later, and its operator is warned wherever deployments are shown.
 */
import type { Secrets } from "../../../adapters/operator/secrets.ts";
import { counted } from "../../../grammar/text/english.ts";
import type { ServiceConfig } from "../../config.ts";
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { ServedEndpoint } from "../endpoints/served-endpoints.ts";
import { signsUrl } from "../endpoints/verify/settings.ts";
import { type NoticeRules, targetsIn } from "../notice-settings.ts";

/** As warnings. `warnings`: of the plan of a run. */
export async function needsOf(
  warnings: readonly string[],
  endpoints: readonly ServedEndpoint[],
  {
    secrets,
    config,
  }: { readonly secrets: Pick<Secrets, "get">; readonly config: Pick<ServiceConfig, "publicUrl" | "notices"> },
  notices: NoticeRules = {},
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { endpoint, settings } of endpoints) {
    const { verify, challenge } = settings;
    for (const name of [verify?.secrets ?? [], challenge?.kind === "meta" ? challenge.secrets : []].flat(2)) {
      const value = await secrets.get(name);
      if (value !== undefined && value !== "") continue;
      const what = `endpoint ${endpoint.path} verifies with secret ${name}`;
      missing.push(`secret_missing: ${what}, which is not set (WF_SECRET_${name})`);
    }
    if (verify !== undefined && signsUrl(verify) && config.publicUrl === null)
      missing.push(
        `public_url_missing: endpoint ${endpoint.path} verifies the address of the service, which is not set (WF_PUBLIC_URL)`,
      );
  }
  for (const name of targetsIn(notices))
    if (!Object.hasOwn(config.notices?.targets ?? {}, name))
      missing.push(`notice_target_missing: notices go to '${name}', which the operator has not named (WF_NOTICES)`);
  return [...warnings.filter((one) => one.startsWith("adapter_not_enabled: ")), ...new Set(missing)];
}

/** Throws ServiceFault program_cannot_run where the operator asked for that. */
export function refuseIncomplete({ config }: Pick<Services, "config">, needs: readonly string[]): void {
  const [first] = needs;
  if (first === undefined || !config.programs.strict) return;
  const issues = needs.map((one) => {
    const [code = "", ...rest] = one.split(": ");
    return { path: "", code, message: rest.join(": ") };
  });
  const message = `${counted(needs.length, "thing")} that the program needs ${needs.length === 1 ? "is" : "are"} not here: ${issues[0]?.message}`;
  throw new ServiceFault("program_cannot_run", message, { issues });
}

/** Under what /ready keeps the warning about a program. */
export const needsKey = (name: string): string => `needs of ${name}`;

/** Warns the operator, or takes the warning back. */
export function noteNeeds(
  { readiness, events }: Pick<Services, "readiness" | "events">,
  name: string,
  needs: readonly string[],
  isLogged = true,
): void {
  const warning = needs.length === 0 ? null : `program_incomplete: ${name}: ${needs.join("; ")}`;
  if (isLogged && warning !== null && readiness.warningAbout(needsKey(name)) !== warning)
    events.note("warn", "program_incomplete", { program: name, message: needs.join("; ") });
  readiness.warn(needsKey(name), warning);
}
