/**
 * Where deployments live: in the store of the jobs, so that a job of a deployment, a schedule that fires and a version that becomes
 * current can share one transaction. Every change is one transaction. Methods reject with ServiceFault `store_unavailable` when
 * the store cannot answer.
 */

import type { JobStatus } from "../jobs/job.ts";
import type { Unpromised } from "../schedules/next-times.ts";
import type { NextChannel } from "./channels/channel.ts";
import type { DeployedVersion, Deployment, DeploymentSource, NewVersion, VersionFacts } from "./deployment.ts";
import type {
  Acceptance,
  Decision,
  NewProposal,
  Proposal,
  ProposalAdded,
  ProposalDecided,
  ProposalFacts,
  ProposalListing,
} from "./proposals/proposal.ts";

export type DeployRequest = {
  readonly version: NewVersion;
  /** The current version that the caller expects; null for a new program. Any other version is not replaced. */
  readonly base: number | null;
  readonly source: DeploymentSource;
  /** undefined: those of the deployment stay. */
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly description: string | null | undefined;
  /** JSON of VersionAcceptance; absent: it was never proposed. */
  readonly acceptance?: string;
  /** It becomes `next` with no share, and the current version stays. */
  readonly asNext?: boolean;
  /** Bounds on deployments, and on versions of this one beyond those that jobs name. */
  readonly maxDeployments: number;
  readonly versionsKept: number;
  /** Of all deployments together. */
  readonly maxSchedules: number;
};

/** Why nothing was changed. */
export type ChangeRefused =
  | { readonly state: "not_found" }
  /** It came from files, and the request did not. */
  | { readonly state: "managed" }
  /** Another version is current; null: none. */
  | { readonly state: "moved"; readonly current: number | null };

/** All deployments together would have more schedules than there may be. */
type SchedulesFull = { readonly state: "schedules_full" };

export type Deployed =
  | {
      readonly state: "deployed";
      readonly version: number;
      /** The name was not deployed before. */
      readonly created: boolean;
      /** The current version has this content already. */
      readonly unchanged: boolean;
    }
  | { readonly state: "full" }
  /** Nothing is current next to which it could be. */
  | { readonly state: "no_current" }
  | SchedulesFull
  | Exclude<ChangeRefused, { readonly state: "not_found" }>;

export type Rollback = {
  readonly name: string;
  readonly version: number;
  /** undefined: whichever version is current. */
  readonly ifMatch: number | undefined;
  readonly source: DeploymentSource;
  readonly maxSchedules: number;
};

/** undefined: stays as it is. */
export type DeploymentChange = {
  readonly name: string;
  readonly enabled: boolean | undefined;
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly description: string | null | undefined;
  readonly source: DeploymentSource;
  readonly ifMatch: number | undefined;
};

export type Removal = {
  readonly name: string;
  readonly source: DeploymentSource;
  readonly ifMatch: number | undefined;
};

export type Changed = { readonly state: "changed" } | ChangeRefused;
/** `version_not_found`: the deployment has no such version, or no longer. */
export type RolledBack = Changed | SchedulesFull | { readonly state: "version_not_found" };

export type NextRequest = Removal & Pick<NextChannel, "version" | "weight" | "key" | "abort">;
/** `version`: the one that is expected to be `next`. */
export type NextPromotion = Rollback;
export type NextOutcome = { readonly name: string; readonly version: number; readonly failed: boolean };

export type NextSet = Exclude<RolledBack, { readonly state: "schedules_full" }> | { readonly state: "is_current" };
export type NextEnded =
  | { readonly state: "ended"; readonly version: number }
  | { readonly state: "no_next" }
  | ChangeRefused;

export type DeploymentListing = {
  readonly limit: number;
  /** Only names after this one; null: from the first. */
  readonly after: string | null;
  /** Only deployments with this tag, of this value unless it is null. */
  readonly tag: { readonly key: string; readonly value: string | null } | null;
  /** Only deployments whose name or description contains this, in either case. */
  readonly q: string | null;
};

export type VersionListing = {
  readonly name: string;
  readonly limit: number;
  /** Only versions before this one; null: from the newest. */
  readonly before: number | null;
};

/** What a deployment does. `lastJob`: the id of its newest job, with its state and end; null: it has none that is kept. */
export type ProgramActivity = {
  readonly name: string;
  readonly lastJob: string | null;
  readonly status: JobStatus | null;
  readonly finishedMs: number | null;
  /** Of its schedules that are not held: the first time that was promised, and those that were not promised one. */
  readonly promisedMs: number | null;
  readonly unpromised: readonly Unpromised[];
};

export type CurrentProgram = { readonly deployment: Deployment; readonly version: DeployedVersion };

export interface ProgramStore {
  deploy(request: DeployRequest): Promise<Deployed>;
  rollback(request: Rollback): Promise<RolledBack>;
  setNext(request: NextRequest): Promise<NextSet>;
  promoteNext(request: NextPromotion): Promise<RolledBack | { readonly state: "no_next" }>;
  abortNext(request: Removal): Promise<NextEnded>;
  /** A run of `next` ended; how many of how many failed, where that ended `next`. */
  noteNext(outcome: NextOutcome): Promise<{ readonly failures: number; readonly of: number } | null>;
  change(request: DeploymentChange): Promise<Changed>;
  /** Versions that a kept job names stay until the job is gone. */
  remove(request: Removal): Promise<Changed>;
  /** Deployments from files other than these become those of callers. */
  release(kept: readonly string[]): Promise<readonly string[]>;
  find(name: string): Promise<Deployment | null>;
  /** The current version with its deployment. */
  current(name: string): Promise<CurrentProgram | null>;
  /** Also a version of a removed deployment that a job still names. */
  version(name: string, version: number): Promise<DeployedVersion | null>;
  /** Newest first. */
  versions(listing: VersionListing): Promise<readonly VersionFacts[]>;
  /** By name. */
  list(listing: DeploymentListing): Promise<readonly Deployment[]>;
  /** Of deployments with these names, in any order. */
  activity(names: readonly string[]): Promise<readonly ProgramActivity[]>;
  /** Unless `most` are open. */
  propose(proposal: NewProposal, most: number): Promise<ProposalAdded>;
  /** Makes it the current version, unless another one is current than the proposal was made against. */
  accept(acceptance: Acceptance): Promise<ProposalDecided>;
  decline(decision: Decision): Promise<ProposalDecided>;
  proposal(id: string): Promise<Proposal | null>;
  /** Newest first. */
  proposals(listing: ProposalListing): Promise<readonly ProposalFacts[]>;
  openProposals(): Promise<number>;
  /**
   * Reports the name of each deployment that changed, whichever process changed it; null: any may have changed. Signals of
   * other processes may be late. Returns the way to stop listening.
   */
  onChanged(listener: (name: string | null) => void): () => void;
}
