/** What the routes of deployments work with. */
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { needsKey } from "../deploy/needs.ts";
import { warningKey } from "../grant-check.ts";
import type { ProgramStore } from "../store.ts";

export type ProgramsContext = {
  readonly services: Services;
  readonly store: ProgramStore;
  /** Deployments end with the process. */
  readonly isMemory: boolean;
  /** Milliseconds since 1970, by the clock of the schedules. */
  readonly now: () => number;
};

const NOT_DURABLE =
  "not_durable: deployments are kept in memory and end with the process; set WF_STATE_DIR or WF_DATABASE_URL";

export function durabilityWarnings({ isMemory }: ProgramsContext): readonly string[] {
  return isMemory ? [NOT_DURABLE] : [];
}

/** What an operator should know of a deployment: today's grant refuses it, or it ends with the process. */
export function programWarnings(context: ProgramsContext, name: string): readonly string[] {
  const refused = context.services.readiness.warningAbout(warningKey(name));
  const incomplete = context.services.readiness.warningAbout(needsKey(name));
  return [refused, incomplete].filter((one) => one !== null).concat(durabilityWarnings(context));
}

/** Throws ServiceFault deploy_disabled. */
export function checkDeployAllowed({ services: { config } }: ProgramsContext): void {
  if (config.programs.deploy) return;
  const message = "this service takes no deployments; the operator can set WF_DEPLOY=on";
  throw new ServiceFault("deploy_disabled", message);
}
