/** Deploying a planned version: against the version that is current, again when another one becomes current meanwhile. */
import { programDescription } from "../../../compiler/ir/references.ts";
import type { Host } from "../../../vm/host.ts";
import { later, ServiceFault } from "../../wire/errors.ts";
import type { DeploymentSource } from "../deployment.ts";
import { noProgram } from "../loaded-programs.ts";
import { irHashOf, type Signatures } from "../signing/signatures.ts";
import type { Changed, CurrentProgram, Deployed, ProgramStore, RolledBack } from "../store.ts";
import type { PlannedDeployment } from "./plan-deployment.ts";
import type { Reviews } from "./reviews.ts";

type DeployRules = {
  readonly maxDeployments: number;
  readonly versionsKept: number;
  readonly maxSchedules: number;
};

export type DeployOptions = DeployRules & {
  readonly source: DeploymentSource;
  /** The version that must be current; undefined: whichever is. */
  readonly ifMatch: number | undefined;
  readonly dryRun: boolean;
  /** It becomes `next` with no share of calls. */
  readonly asNext?: boolean;
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly description: string | null | undefined;
  readonly host: Pick<Host, "catalog">;
  readonly reviews: Reviews;
  readonly signatures: Signatures;
};

export type DeployOutcome = Pick<Extract<Deployed, { state: "deployed" }>, "version" | "created" | "unchanged"> & {
  /** JSON; null for the first version, or when the version is the same. */
  readonly difference: string | null;
  /** JSON of the summary of the security report. */
  readonly report: string;
};

const MAX_ATTEMPTS = 100;

/** Rejects with ServiceFault. */
export async function deployProgram(
  store: ProgramStore,
  planned: PlannedDeployment,
  options: DeployOptions,
): Promise<DeployOutcome> {
  const { name } = planned.version;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await store.current(name);
    const base = current?.deployment.version ?? null;
    if (options.ifMatch !== undefined && base !== options.ifMatch) throw versionConflict(base);
    if (current?.deployment.source === "file" && options.source === "api") throw managedByFiles(name);
    const { catalog } = options.host;
    const { difference, report } = await options.reviews.of(current?.version ?? null, planned.version, catalog);
    // A dry run also says what a version would change that is not signed yet.
    const { version: made } = planned;
    if (!options.dryRun || made.attestation !== null)
      options.signatures.admit({ ...made, report, irHash: irHashOf(made) }, made.createdMs);
    if (options.dryRun) {
      const unchanged = current !== null && isSame(current, planned);
      const [newest] = await store.versions({ name, limit: 1, before: null });
      const version = unchanged ? (base ?? 1) : (newest?.version ?? 0) + 1;
      return { version, created: current === null, unchanged, difference: unchanged ? null : difference, report };
    }
    const { source, tags, maxDeployments, versionsKept, maxSchedules } = options;
    // What it is for stands in the program, unless the deployment says so itself.
    const description =
      options.description === undefined ? (programDescription(planned.ir) ?? undefined) : options.description;
    const bounds = { maxDeployments, versionsKept, maxSchedules };
    const { asNext = false } = options;
    const done = await store.deploy({ version: planned.version, base, source, tags, description, asNext, ...bounds });
    if (done.state === "no_current") throw noCurrent(name);
    if (done.state === "deployed") return { ...done, difference: done.unchanged ? null : difference, report };
    if (done.state === "managed") throw managedByFiles(name);
    if (done.state === "full") throw programsFull(maxDeployments);
    if (done.state === "schedules_full") throw schedulesFull();
  }
  throw later("server_busy", "the deployment changes all the time; try again", 1);
}

/** Whether the version has the content of the planned one. */
function isSame({ version: known }: CurrentProgram, { version }: PlannedDeployment): boolean {
  return known.checksum === version.checksum && known.source === version.source && known.settings === version.settings;
}

/** Throws ServiceFault for a change that was refused. */
export function expectChanged(name: string, done: Changed | RolledBack, version?: number): void {
  switch (done.state) {
    case "changed":
      return;
    case "not_found":
      throw noProgram(name);
    case "version_not_found":
      throw noProgram(name, version);
    case "managed":
      throw managedByFiles(name);
    case "schedules_full":
      throw schedulesFull();
    default:
      throw versionConflict(done.current);
  }
}

export function versionConflict(current: number | null): ServiceFault {
  const now = current === null ? "no version exists" : `version ${current} is current`;
  return new ServiceFault("version_conflict", `${now}; If-Match names another one`);
}

export function programsFull(most: number): ServiceFault {
  return new ServiceFault("programs_full", `there are ${most} deployments already (WF_PROGRAMS_MAX)`);
}

export function schedulesFull(): ServiceFault {
  const message = "all deployments together would have more schedules than there may be (WF_SCHEDULES_MAX)";
  return new ServiceFault("schedules_full", message);
}

export function noCurrent(name: string): ServiceFault {
  return new ServiceFault("next_invalid", `'${name}' has no current version, next to which another one could be`);
}

export function managedByFiles(name: string): ServiceFault {
  return new ServiceFault("managed_by_files", `'${name}' comes from files of the service and is not changed over HTTP`);
}
