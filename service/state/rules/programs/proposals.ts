/** Proposals: versions that wait for a person (docs/proposals.md). Accepting one makes it current in the same transaction. */
import type { DeploymentSource, VersionAcceptance } from "../../../programs/deployment.ts";
import type {
  Acceptance,
  Actor,
  Decided,
  Decision,
  NewProposal,
  Proposal,
  ProposalAdded,
  ProposalDecided,
  ProposalFacts,
  ProposalListing,
  ProposalState,
} from "../../../programs/proposals/proposal.ts";
import type { Port } from "../../port.ts";
import { row, rows, run, type Step, value } from "../../step.ts";
import { programChanges } from "./changes.ts";

/** Decided ones that are kept, and for how long. */
const KEPT = 1000;
const KEPT_MS = 30 * 24 * 3_600_000;

type FactsRow = {
  readonly id: string;
  readonly name: string;
  readonly state: ProposalState;
  readonly base: number | null;
  readonly current: number | null;
  readonly checksum: string;
  readonly compiler: string;
  readonly attestation: string | null;
  readonly deploy_source: DeploymentSource;
  readonly note: string | null;
  readonly proposer: string;
  readonly created_ms: number;
  readonly expires_ms: number;
  readonly decision: string | null;
  readonly became: number | null;
};

const FACTS = `p.id, p.name, CASE WHEN p.state = 'open' AND p.expires_ms <= $1::bigint THEN 'expired' ELSE p.state END AS state, p.base,
  d.version AS current, p.checksum, p.compiler, p.attestation, p.deploy_source, p.note, p.proposer, p.created_ms, p.expires_ms, p.decision, p.became`;
const FROM = "FROM weft.proposals p LEFT JOIN weft.deployments d ON d.name = p.name";
const ADD = `INSERT INTO weft.proposals
  (id, name, state, base, deploy_source, content, checksum, compiler, semantics, source_hash, created_ms, expires_ms, warnings, schedules,
   settings, source, ir, facts, review, note, proposer, attestation)
  VALUES ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`;
const ATTEST = "UPDATE weft.proposals SET attestation = $2 WHERE id = $1";

function factsOf(row: FactsRow): ProposalFacts {
  const { deploy_source: source, note: comment, created_ms: createdMs, expires_ms: expiresMs, became } = row;
  const { id, name, state, base, current, checksum, compiler, attestation } = row;
  return {
    ...{ id, name, state, base, current, checksum, compiler, attestation, source, comment, createdMs, expiresMs },
    proposer: JSON.parse(row.proposer) as Actor,
    decision: row.decision === null ? null : (JSON.parse(row.decision) as Decided),
    version: became,
  };
}

export const proposalChanges = {
  *addProposal(
    port: Port,
    { proposal, most }: { readonly proposal: NewProposal; readonly most: number },
  ): Step<ProposalAdded> {
    const { id, version, source, base, tags, description, review, comment, proposer, expiresMs } = proposal;
    const { name, content, checksum, compiler, semantics, sourceHash, warnings, schedules, settings } = version;
    const now = port.wall();
    yield* forget(now);
    const current = (yield* value<number | null>("SELECT version FROM weft.deployments WHERE name = $1", name)) ?? null;
    if (current !== base) return { state: "moved", current };
    const same = yield* value<string>(
      `SELECT id FROM weft.proposals WHERE name = $1 AND content = $2 AND state = 'open' AND base IS NOT DISTINCT FROM $3::bigint`,
      ...[name, content, base],
    );
    if (same !== undefined) {
      if (version.attestation !== null) yield* run(ATTEST, same, version.attestation);
      return { state: "added", id: same, repeated: true };
    }
    const open = yield* value<number>("SELECT count(*) FROM weft.proposals WHERE state = 'open'");
    if ((open ?? 0) >= most) return { state: "full" };
    const facts = JSON.stringify({ tags, description });
    yield* run(
      ADD,
      ...[
        id,
        name,
        base,
        source,
        content,
        checksum,
        compiler,
        semantics,
        sourceHash,
        now,
        expiresMs,
        warnings,
        schedules,
      ],
      ...[settings, version.source, port.seal(version.ir, checksum), facts, review, comment],
      ...[JSON.stringify(proposer), version.attestation],
    );
    return { state: "added", id, repeated: false };
  },

  *acceptProposal(port: Port, request: Acceptance): Step<ProposalDecided> {
    const { id, checksum, base, decider, comment, attestation, maxDeployments, versionsKept, maxSchedules } = request;
    const now = port.wall();
    const found = yield* undecided(id, now);
    if (found.state !== "open") return found;
    const { kept, current } = found;
    const { name, content, compiler, semantics, source_hash: sourceHash, warnings, schedules, settings, source } = kept;
    if (current !== kept.base || base !== kept.base) return { state: "stale", base: kept.base, current };
    if (checksum !== kept.checksum) return { state: "other_content" };
    const ir = port.open(kept.ir, checksum);
    const parts = { ir, source, settings, warnings, schedules };
    const version = { name, content, checksum, compiler, semantics, sourceHash, createdMs: now, attestation, ...parts };
    const facts = JSON.parse(kept.facts) as Pick<NewProposal, "tags" | "description">;
    const { proposer } = kept;
    const acceptance: VersionAcceptance = {
      ...decider,
      at: new Date(now).toISOString(),
      comment,
      proposal: id,
      proposed_by: (JSON.parse(proposer) as Actor).by,
    };
    const done = yield* programChanges.deployProgram(port, {
      version,
      base,
      source: kept.deploy_source,
      tags: facts.tags,
      description: facts.description,
      acceptance: JSON.stringify(acceptance),
      asNext: request.asNext,
      ...{ maxDeployments, versionsKept, maxSchedules },
    });
    if (done.state === "moved") return { state: "stale", base, current: done.current };
    if (done.state !== "deployed") return { state: done.state, name };
    yield* decided(request, "accepted", done.version, now);
    return { state: "accepted", name, version: done.version, created: done.created };
  },

  *declineProposal(port: Port, request: Decision): Step<ProposalDecided> {
    const now = port.wall();
    const found = yield* undecided(request.id, now);
    if (found.state !== "open") return found;
    yield* decided(request, "declined", null, now);
    return { state: "declined", name: found.kept.name };
  },
};

export const proposalReads = {
  *findProposal(port: Port, { id }: { readonly id: string }): Step<Proposal | null> {
    type Row = FactsRow & Pick<Proposal, "code" | "settings" | "warnings" | "review">;
    const found = yield* row<Row>(
      `SELECT ${FACTS}, p.source AS code, p.settings, p.warnings, p.review ${FROM} WHERE p.id = $2`,
      ...[port.wall(), id],
    );
    if (found === undefined) return null;
    const { code, settings, warnings, review } = found;
    return { ...factsOf(found), code, settings, warnings, review };
  },

  /** Newest first. */
  *listProposals(port: Port, { state, name, limit, before }: ProposalListing): Step<readonly ProposalFacts[]> {
    const found = yield* rows<FactsRow>(
      `SELECT * FROM (SELECT ${FACTS} ${FROM} WHERE ($2::text IS NULL OR p.name = $2::text)
         AND ($3::bigint IS NULL OR p.created_ms < $3::bigint OR (p.created_ms = $3::bigint AND p.id < $4::text))) AS found
       WHERE $5::text IS NULL OR state = $5::text ORDER BY created_ms DESC, id DESC LIMIT $6`,
      ...[port.wall(), name, before?.createdMs ?? null, before?.id ?? null, state, limit],
    );
    return found.map(factsOf);
  },

  *countProposals(port: Port): Step<number> {
    const sql = "SELECT count(*) FROM weft.proposals WHERE state = 'open' AND expires_ms > $1";
    return Number((yield* value<number>(sql, port.wall())) ?? 0);
  },
};

type Kept = FactsRow & {
  readonly content: string;
  readonly semantics: number;
  readonly source_hash: string | null;
  readonly warnings: string;
  readonly schedules: string;
  readonly settings: string;
  readonly source: string;
  readonly ir: string;
  readonly facts: string;
};
type Undecided =
  | { readonly state: "open"; readonly kept: Kept; readonly current: number | null }
  | Extract<ProposalDecided, { readonly state: "not_found" | "not_open" }>;

function* undecided(id: string, now: number): Step<Undecided> {
  const kept = yield* row<Kept>("SELECT * FROM weft.proposals WHERE id = $1 FOR UPDATE", id);
  if (kept === undefined) return { state: "not_found" };
  const state = kept.state === "open" && kept.expires_ms <= now ? "expired" : kept.state;
  if (state !== "open") return { state: "not_open", now: state };
  const current = yield* value<number | null>("SELECT version FROM weft.deployments WHERE name = $1", kept.name);
  return { state: "open", kept, current: current ?? null };
}

/** Of one that is decided, the version has the IR, or the IR is not needed any more. */
function* decided(
  { id, decider, comment }: Decision,
  state: ProposalState,
  became: number | null,
  now: number,
): Step<void> {
  const decision: Decided = { decider, comment, atMs: now };
  yield* run(
    "UPDATE weft.proposals SET state = $2, decision = $3, became = $4, ir = '' WHERE id = $1",
    ...[id, state, JSON.stringify(decision), became],
  );
}

function* forget(now: number): Step<void> {
  yield* run("UPDATE weft.proposals SET state = 'expired', ir = '' WHERE state = 'open' AND expires_ms <= $1", now);
  yield* run("DELETE FROM weft.proposals WHERE state <> 'open' AND created_ms < $1", now - 2 * KEPT_MS);
  yield* run(
    `DELETE FROM weft.proposals WHERE id IN (SELECT id FROM weft.proposals WHERE state <> 'open'
       ORDER BY created_ms DESC, id DESC LIMIT 1000000 OFFSET $1)`,
    KEPT,
  );
}
