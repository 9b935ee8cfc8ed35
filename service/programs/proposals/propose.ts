/** Storing a version that is not current, with what a person wants to know before saying yes. Nothing that runs is changed. */

import type { AdapterCatalog } from "../../../compiler/catalog.ts";
import { programDescription } from "../../../compiler/ir/references.ts";
import type { ServiceConfig } from "../../config.ts";
import { later, ServiceFault } from "../../wire/errors.ts";
import { managedByFiles, versionConflict } from "../deploy/deploy-program.ts";
import { endpointDocuments } from "../deploy/documents.ts";
import type { PlannedDeployment } from "../deploy/plan-deployment.ts";
import type { Reviews } from "../deploy/reviews.ts";
import type { DeploymentSource } from "../deployment.ts";
import { irHashOf, type Signatures } from "../signing/signatures.ts";
import type { ProgramStore } from "../store.ts";
import type { Actor, ProposalAdded } from "./proposal.ts";
import type { ProposalTests } from "./proposal-tests.ts";
import type { ProposalTest } from "./run-tests.ts";

/** A proposal that is not decided ends by itself. */
const LIFE_MS = 30 * 24 * 3_600_000;
const MAX_ATTEMPTS = 20;

export type ProposeOptions = {
  readonly id: string;
  readonly proposer: Actor;
  readonly source: DeploymentSource;
  readonly comment: string | null;
  readonly tests: readonly ProposalTest[];
  /** The version that must be current; undefined: whichever is. */
  readonly ifMatch: number | undefined;
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly description: string | null | undefined;
  readonly catalog: AdapterCatalog;
  readonly reviews: Reviews;
  readonly signatures: Signatures;
  readonly proposalTests: ProposalTests;
  readonly programs: Pick<ServiceConfig["programs"], "maxProposals">;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Rejects with ServiceFault. */
export async function propose(
  store: ProgramStore,
  planned: PlannedDeployment,
  options: ProposeOptions,
): Promise<Extract<ProposalAdded, { state: "added" }>> {
  const { version, ir, settings, endpoints, needs } = planned;
  const { catalog, source, reviews, signatures, proposalTests, programs, now } = options;
  const tests = await proposalTests.run(version.ir, settings.label, options.tests, catalog);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await store.current(version.name);
    const base = current?.deployment.version ?? null;
    if (options.ifMatch !== undefined && base !== options.ifMatch) throw versionConflict(base);
    if (current?.deployment.source === "file" && source === "api") throw managedByFiles(version.name);
    const { difference, report, changes } = await reviews.of(current?.version ?? null, version, catalog, true);
    // One that is not signed yet may be signed by the person who accepts it.
    const irHash = irHashOf(version);
    if (version.attestation !== null) signatures.admit({ ...version, report, irHash }, now);
    const places = { endpoints: endpointDocuments(version.name, ir, endpoints), schedules: planned.schedules.shown };
    const review = `{"difference":${difference},"changes":${changes},"report":${report},"tests":${JSON.stringify(tests)},"places":${JSON.stringify(places)},"ir_hash":${JSON.stringify(irHash)},"needs":${JSON.stringify(needs)}}`;
    const { id, tags, proposer, comment } = options;
    const description = options.description === undefined ? (programDescription(ir) ?? undefined) : options.description;
    const proposal = { id, version, source, base, tags, description, review, comment, proposer };
    const done = await store.propose({ ...proposal, expiresMs: now + LIFE_MS }, programs.maxProposals);
    if (done.state === "added") return done;
    if (done.state === "full") {
      const message = `${programs.maxProposals} proposals wait already (WF_PROPOSALS_MAX)`;
      throw new ServiceFault("proposals_full", message);
    }
  }
  throw later("server_busy", "the deployment changes all the time; try again", 1);
}
