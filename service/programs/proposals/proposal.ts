/**
 * What a proposal is: a version that is not current, and waits for a person who accepts or declines it (docs/proposals.md). Stores keep
 * the larger parts as JSON strings that they do not look into.
 */
import type { DeploymentSource, NewVersion } from "../deployment.ts";

export const PROPOSAL_STATES = ["open", "accepted", "declined", "expired"] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** Who did something: `by` null: not named. `via`: through the proxy that names people, straight to the service, or from files. */
export type Actor = { readonly by: string | null; readonly via: "proxy" | "api" | "file" };

/** Times are milliseconds since 1970. */
export type NewProposal = {
  readonly id: string;
  readonly version: NewVersion;
  readonly source: DeploymentSource;
  /** The version that was current; null: none was. */
  readonly base: number | null;
  /** As a deployment gives them; undefined: those of the deployment stay. */
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly description: string | null | undefined;
  /** JSON of ProposalReview (`review-proposal.ts`). */
  readonly review: string;
  readonly comment: string | null;
  readonly proposer: Actor;
  readonly expiresMs: number;
};

export type ProposalFacts = {
  readonly id: string;
  readonly name: string;
  /** An open one whose time is over counts as expired. */
  readonly state: ProposalState;
  readonly base: number | null;
  /** The version that is current now; null: none is. */
  readonly current: number | null;
  /** Of the IR. */
  readonly checksum: string;
  readonly compiler: string;
  /** As versions have it. */
  readonly attestation: string | null;
  readonly source: DeploymentSource;
  readonly comment: string | null;
  readonly proposer: Actor;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** Null: it is open. */
  readonly decision: Decided | null;
  /** What it became; null: it was not accepted. */
  readonly version: number | null;
};

export type Decided = { readonly decider: Actor; readonly comment: string; readonly atMs: number };

export type Proposal = ProposalFacts & {
  /** JSON, as versions keep them. */
  readonly code: string;
  readonly settings: string;
  readonly warnings: string;
  readonly review: string;
};

export type ProposalAdded =
  /** `repeated`: the same content was proposed before, and is open. */
  | { readonly state: "added"; readonly id: string; readonly repeated: boolean }
  | { readonly state: "full" }
  /** Another version became current meanwhile. */
  | { readonly state: "moved"; readonly current: number | null };

export type Decision = {
  readonly id: string;
  readonly decider: Actor;
  readonly comment: string;
};

/** Bounds as those of a deployment. */
export type Acceptance = Decision & {
  /** What the person looked at. */
  readonly checksum: string;
  readonly base: number | null;
  /** Of the version that comes of it, checked for this content; null: it is not signed. */
  readonly attestation: string | null;
  /** It becomes `next` with no share, and the current version stays. */
  readonly asNext: boolean;
  readonly maxDeployments: number;
  readonly versionsKept: number;
  readonly maxSchedules: number;
};

export type ProposalDecided =
  | { readonly state: "accepted"; readonly name: string; readonly version: number; readonly created: boolean }
  | { readonly state: "declined"; readonly name: string }
  | { readonly state: "not_found" }
  | { readonly state: "not_open"; readonly now: ProposalState }
  /** The current version is another one than the proposal was made against, or the person named. */
  | { readonly state: "stale"; readonly base: number | null; readonly current: number | null }
  | { readonly state: "other_content" }
  | { readonly state: "managed" | "full" | "schedules_full" | "no_current"; readonly name: string };

export type ProposalListing = {
  /** null: all. */
  readonly state: ProposalState | null;
  readonly name: string | null;
  readonly limit: number;
  /** The last one of the page before. */
  readonly before: { readonly createdMs: number; readonly id: string } | null;
};
