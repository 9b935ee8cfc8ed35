/** What the routes of deployments work with. */
import type { Emitters } from "../../events/emitters.ts";
import { warningKey } from "../../grant-check.ts";
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { needsKey } from "../deploy/needs.ts";
import type { VersionFacts } from "../deployment.ts";
import type { ProgramStore } from "../store.ts";

export type ProgramsContext = {
  readonly services: Services;
  readonly store: ProgramStore;
  readonly emitters: Emitters;
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
  if (config.programs.deploy === "off") throw deployDisabled();
}

/** For what makes a version current without a proposal. Throws ServiceFault deploy_disabled or proposals_only. */
export function checkDirectAllowed(context: ProgramsContext): void {
  checkDeployAllowed(context);
  if (context.services.config.programs.deploy !== "proposals") return;
  const message = "this service takes proposals only: add ?propose=1, or use wf propose";
  throw new ServiceFault("proposals_only", message);
}

/** A version that was never accepted is not made current again. Throws ServiceFault proposals_only. */
export function checkAccepted(
  { services: { config } }: ProgramsContext,
  version: Pick<VersionFacts, "acceptance" | "version">,
): void {
  if (config.programs.deploy !== "proposals" || version.acceptance !== null) return;
  const message = `version ${version.version} was never accepted; propose its source again`;
  throw new ServiceFault("proposals_only", message);
}

function deployDisabled(): ServiceFault {
  const message = "this service takes no deployments; the operator can set WF_DEPLOY=on, or WF_DEPLOY=proposals";
  return new ServiceFault("deploy_disabled", message);
}
