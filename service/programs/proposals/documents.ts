/** Proposals as answers show them: what a version newly reaches and which settings change stand first. */
import type { ReportSummary } from "../../../compiler/policy/report-shape.ts";
import type { Emitted } from "../../events/emitters.ts";
import { jsonWith } from "../deploy/documents.ts";
import type { Difference, ReviewedChanges } from "../deploy/review.ts";
import type { Signatures } from "../signing/signatures.ts";
import type { Actor, Proposal, ProposalFacts } from "./proposal.ts";
import type { TestReport } from "./proposal-tests.ts";

/** JSON of it is kept with a proposal. `changes`: of settings and text, also of a first version. */
type ProposalReview = {
  readonly difference: Difference | null;
  readonly changes: ReviewedChanges;
  readonly report: Pick<ReportSummary, "events" | "unknown">;
  readonly tests: TestReport;
  /** Null: it came as source. */
  readonly ir_hash?: string | null;
  /** What the program lacked here when it was proposed; earlier versions did not write it down. */
  readonly needs?: readonly string[];
  readonly places: { readonly endpoints: readonly object[]; readonly schedules: readonly object[] };
};

export function proposalFacts(proposal: ProposalFacts, signatures: Signatures) {
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
    signed: signatures.signer(proposal.attestation),
  };
}

function decisionOf({ by, via }: Actor, comment: string, atMs: number) {
  return { by, via, comment, at: time(atMs) };
}

/** Names of events that the version may emit; `computed`: only a run knows them all. */
export function emittedIn({ review }: Proposal): { readonly names: readonly string[]; readonly computed: boolean } {
  const { events, unknown } = (JSON.parse(review) as ProposalReview).report;
  return { names: events, computed: unknown.some(({ what }) => UNKNOWN_EVENTS.has(what)) };
}

const UNKNOWN_EVENTS: ReadonlySet<string> = new Set(["events", "adapters", "verbs"]);

/** The JSON of a proposal. `emits`, `warnings`: about it as it is now. */
export function proposalText(
  proposal: Proposal,
  emits: Emitted | null,
  warnings: readonly string[],
  signatures: Signatures,
): string {
  const { difference, changes, report, tests, places, needs = [] } = JSON.parse(proposal.review) as ProposalReview;
  const facts = {
    ...proposalFacts(proposal, signatures),
    newly_reaches: difference?.newly_reaches ?? null,
    settings_changes: changes.settings,
    source_difference: changes.source,
    difference,
    report,
    tests,
    ...places,
    emits,
    warnings: [
      ...warnings,
      ...(proposal.state === "open" ? needs : []),
      ...(JSON.parse(proposal.warnings) as readonly string[]),
    ],
  };
  return jsonWith(facts, proposal.code, `{"settings":${proposal.settings}}`);
}

/** What was found out about the content when it was proposed, which an attestation is about. */
export function reviewedContent({ review }: Pick<Proposal, "review">) {
  const { report, ir_hash: irHash = null } = JSON.parse(review) as ProposalReview;
  return { report: JSON.stringify(report), irHash };
}

const time = (ms: number): string => new Date(ms).toISOString();
