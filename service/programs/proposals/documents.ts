/** Proposals as answers show them: what a version newly reaches and which settings change stand first. */
import { jsonWith } from "../deploy/documents.ts";
import type { Difference, ReviewedChanges } from "../deploy/review.ts";
import type { Actor, Proposal, ProposalFacts } from "./proposal.ts";
import type { TestReport } from "./proposal-tests.ts";

/** JSON of it is kept with a proposal. `changes`: of settings and text, also of a first version. */
type ProposalReview = {
  readonly difference: Difference | null;
  readonly changes: ReviewedChanges;
  readonly report: object;
  readonly tests: TestReport;
  readonly places: { readonly endpoints: readonly object[]; readonly schedules: readonly object[] };
};

export function proposalFacts(proposal: ProposalFacts) {
  const { id, name, state, base, current, checksum, source, comment, proposer, decision, version } = proposal;
  return {
    id,
    name,
    state,
    base,
    current,
    stale: state === "open" && base !== current,
    checksum,
    source,
    proposed_by: proposer.by,
    proposed_via: proposer.via,
    comment,
    proposed_at: time(proposal.createdMs),
    expires_at: time(proposal.expiresMs),
    decision: decision === null ? null : decisionOf(decision.decider, decision.comment, decision.atMs),
    version,
  };
}

function decisionOf({ by, via }: Actor, comment: string, atMs: number) {
  return { by, via, comment, at: time(atMs) };
}

/** The JSON of a proposal. `warnings`: about it as it is now. */
export function proposalText(proposal: Proposal, warnings: readonly string[]): string {
  const { difference, changes, report, tests, places } = JSON.parse(proposal.review) as ProposalReview;
  const facts = {
    ...proposalFacts(proposal),
    newly_reaches: difference?.newly_reaches ?? null,
    settings_changes: changes.settings,
    source_difference: changes.source,
    difference,
    report,
    tests,
    ...places,
    warnings: [...warnings, ...(JSON.parse(proposal.warnings) as readonly string[])],
  };
  return jsonWith(facts, proposal.code, `{"settings":${proposal.settings}}`);
}

const time = (ms: number): string => new Date(ms).toISOString();
