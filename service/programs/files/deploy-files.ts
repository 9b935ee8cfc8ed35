/**
 * Deployments from files: what the service was started with is deployed when it starts, and again whenever a file changes. A program that no
 * longer compiles keeps its last good version, and that is said loudly: on stderr, in the log, and by /ready.
 */
import type { JsonObject } from "../../../compiler/json.ts";
import { Turns } from "../../../vm/tasks/turns.ts";
import { warningKey } from "../../grant-check.ts";
import { checked } from "../../run/read-request.ts";
import { type DeployMembers, DeployRequest } from "../../schemas/programs.ts";
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { type DeployOutcome, deployProgram } from "../deploy/deploy-program.ts";
import { endpointDocuments } from "../deploy/documents.ts";
import { needsKey, noteNeeds } from "../deploy/needs.ts";
import { type PlannedDeployment, planDeployment } from "../deploy/plan-deployment.ts";
import type { Difference } from "../deploy/review.ts";
import type { PlannedSchedules } from "../deploy/schedules.ts";
import { testsOf } from "../proposals/proposal-tests.ts";
import { propose } from "../proposals/propose.ts";
import type { ProgramStore } from "../store.ts";

/** A program as a surface found it; `fault`: why it cannot even be read. */
type FileProgram = {
  readonly name: string;
  /** As messages call its file. */
  readonly file: string;
} & ({ readonly body: JsonObject } | { readonly fault: string });

/** Where programs come from. The service knows no files of its own. */
export type FilePrograms = {
  read(): Promise<readonly FileProgram[]>;
  /** Reports when files may have changed; returns the way to stop. Absent: they are read once. */
  readonly watch?: (changed: () => void) => () => void;
  /** Called with each program that was deployed or refused. */
  readonly report: (outcome: FileOutcome) => void;
};

export type FileOutcome = { readonly name: string; readonly file: string } & (
  | ({ readonly state: "deployed" } & DeployedFile)
  /** It waits for a person; `kept`: the version that stays until then. */
  | { readonly state: "proposed"; readonly proposal: string; readonly kept: number | null }
  /** `kept`: the version that stays; null: the program is not deployed. */
  | { readonly state: "refused"; readonly message: string; readonly kept: number | null }
  /** Its file is gone: it stays deployed, and callers may change it. `file` is empty. */
  | { readonly state: "released" }
);

type DeployedFile = Omit<DeployOutcome, "difference" | "report"> &
  Places & {
    /** Null for the first version, or when the version is the same. */
    readonly difference: Difference | null;
    /** What the program needs that is not here. */
    readonly needs: readonly string[];
    /** What was noticed about it besides. */
    readonly warnings: readonly string[];
  };

/** Where it answers, and when it runs, as the answer of a deployment shows them. */
type Places = {
  readonly endpoints: ReturnType<typeof endpointDocuments>;
  readonly schedules: PlannedSchedules["shown"];
};

export type FileDeps = {
  readonly services: Services;
  readonly store: ProgramStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What is reported goes to the log as well; default: true. */
  readonly isLogged?: boolean;
};

/** Deploys what there is, and then what changes. Resolves with the way to stop. */
export async function deployFiles(deps: FileDeps, programs: FilePrograms, isShared: boolean): Promise<() => void> {
  const round = { deps, programs, isShared, told: new Map<string, FileOutcome>() };
  await deployAll(round);
  if (programs.watch === undefined) return () => {};
  let busy: Promise<unknown> = Promise.resolve();
  return programs.watch(() => {
    busy = busy.then(() => deployAll(round)).catch(() => {});
  });
}

type Round = {
  readonly deps: FileDeps;
  readonly programs: FilePrograms;
  readonly isShared: boolean;
  /** The last outcome reported for each file: a change of one file reports nothing about the others. */
  readonly told: Map<string, FileOutcome>;
};

async function deployAll({ deps, programs, isShared, told }: Round): Promise<void> {
  const found = await programs.read();
  const turns = new Turns(deps.services.clock, setImmediate);
  const taken = new Map<string, string>();
  const isFirst = told.size === 0;
  const tell = (outcome: FileOutcome): void => {
    const before = told.get(outcome.file);
    told.set(outcome.file, outcome);
    if (isFirst || !isKnown(before, outcome)) programs.report(outcome);
  };
  for (const program of found) {
    const { name, file } = program;
    const other = taken.get(name);
    if (other !== undefined) {
      const message = `${other} has the same name; programs are named after their files`;
      tell({ name, file, state: "refused", message, kept: null });
      continue;
    }
    taken.set(name, file);
    await turns.next();
    tell(await deployOne(deps, program));
  }
  const files = new Set(found.map(({ file }) => file));
  for (const [file, { name }] of told) {
    if (files.has(file)) continue;
    told.delete(file);
    if (!taken.has(name)) for (const key of [warningKey(name), needsKey(name)]) deps.services.readiness.warn(key, null);
  }
  // Other replicas may have been started with other files.
  if (isShared && taken.size === 0) return;
  for (const name of await deps.store.release([...taken.keys()]))
    programs.report({ name, file: "", state: "released" });
}

/** Whether an outcome says nothing new. */
function isKnown(before: FileOutcome | undefined, after: FileOutcome): boolean {
  if (after.state === "deployed") return after.unchanged && before?.state === "deployed";
  if (after.state === "proposed") return before?.state === "proposed" && before.proposal === after.proposal;
  return after.state === "refused" && before?.state === "refused" && before.message === after.message;
}

async function deployOne(deps: FileDeps, program: FileProgram): Promise<FileOutcome> {
  const { services, store, isLogged = true } = deps;
  const { name, file } = program;
  try {
    if ("fault" in program) throw new ServiceFault("invalid_request", program.fault);
    const done = await deployed(deps, name, program.body);
    if ("proposal" in done) return { name, file, state: "proposed", ...done };
    services.readiness.warn(warningKey(name), null);
    noteNeeds(services, name, done.needs, isLogged);
    if (!done.unchanged && isLogged)
      services.events.note("info", "program_deployed", { program: name, version: done.version, source: "file" });
    return { name, file, state: "deployed", ...done };
  } catch (cause) {
    if (!(cause instanceof ServiceFault)) throw cause;
    const kept = (await store.find(name).catch(() => null))?.version ?? null;
    const message = messageOf(cause);
    const stays = kept === null ? "it is not deployed" : `version ${kept} stays`;
    services.readiness.warn(warningKey(name), `program_stale: ${file}: ${stays}: ${message}`);
    if (isLogged) services.events.note("error", "program_refused", { program: name, message, kept_version: kept });
    return { name, file, state: "refused", message, kept };
  }
}

type ProposedFile = { readonly proposal: string; readonly kept: number | null };

async function deployed(deps: FileDeps, name: string, body: JsonObject): Promise<DeployedFile | ProposedFile> {
  const { services, now } = deps;
  const read = checked(DeployRequest, body);
  if ("error" in read) throw read.error;
  const planned = await planDeployment(services, name, { body: read.value, fault: undefined }, now());
  try {
    return await madeCurrent(deps, planned, read.value);
  } catch (cause) {
    // A file is edited after it was signed; where signatures do not count, that must not stop its author.
    if (!(cause instanceof ServiceFault) || cause.error !== "attestation_differs" || services.signatures.isRequired)
      throw cause;
    const unsigned = { ...planned, version: { ...planned.version, attestation: null } };
    const ignored = "attestation_ignored: the file was changed after it was signed";
    return madeCurrent(deps, { ...unsigned, warnings: [...planned.warnings, ignored] }, read.value);
  }
}

async function madeCurrent(
  { services, store, now }: FileDeps,
  planned: PlannedDeployment,
  { tags, description }: DeployMembers,
): Promise<DeployedFile | ProposedFile> {
  const { name } = planned.version;
  const { deploy, maxDeployments, versionsKept, maxSchedules } = services.config.programs;
  const done = await deployProgram(store, planned, {
    source: "file",
    ifMatch: undefined,
    dryRun: deploy === "proposals",
    tags: tags ?? undefined,
    description: description ?? undefined,
    maxDeployments,
    versionsKept,
    maxSchedules,
    host: services.gateway.host,
    reviews: services.reviews,
    signatures: services.signatures,
  });
  if (deploy === "proposals" && !done.unchanged) {
    const { proposalTests, reviews, signatures, config, gateway, freshId } = services;
    const { id } = await propose(store, planned, {
      id: freshId(),
      source: "file",
      proposer: { by: null, via: "file" },
      comment: null,
      tests: testsOf(JSON.parse(planned.version.source), undefined),
      ifMatch: undefined,
      tags: tags ?? undefined,
      description: description ?? undefined,
      catalog: gateway.host.catalog,
      ...{ reviews, signatures, proposalTests, programs: config.programs, now: now() },
    });
    return { proposal: id, kept: (await store.find(name))?.version ?? null };
  }
  const { report: _report, difference, ...outcome } = done;
  const found = difference === null ? null : (JSON.parse(difference) as Difference);
  return {
    ...outcome,
    difference: found,
    endpoints: endpointDocuments(name, planned.ir, planned.endpoints),
    schedules: planned.schedules.shown,
    needs: planned.needs,
    warnings: planned.warnings,
  };
}

/** The first finding with its place. */
function messageOf({ message, members }: ServiceFault): string {
  const [diagnostic] = (members.diagnostics ?? []).filter(({ severity }) => severity === "error");
  if (diagnostic !== undefined) {
    const file = diagnostic.span?.file ?? null;
    const line = diagnostic.line === null ? "" : `line ${diagnostic.line}: `;
    return `${file === null ? "" : `${file}, `}${line}${diagnostic.message}`;
  }
  const [issue] = members.issues ?? [];
  return issue === undefined || message.includes(issue.message)
    ? message
    : `${message}: ${issue.path} ${issue.message}`;
}
