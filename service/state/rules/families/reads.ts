/** What is asked about families. */
import type { KnownJob } from "../../../jobs/families/families.ts";
import type { SharedBudget } from "../../../jobs/families/shared-budget.ts";
import type { Job } from "../../../jobs/job.ts";
import type { JobRequest } from "../../../jobs/run/job-request.ts";
import type { JobKey } from "../../job-port.ts";
import type { Port } from "../../port.ts";
import { row, rows, type Step } from "../../step.ts";
import { type Place, placeOf } from "./start.ts";

type KnownChild = { readonly parent: string; readonly key: string };
type Named = { readonly id: string; readonly key: JobKey };

export type MemberRow = readonly [id: string, job: Job, relation: "self" | "ancestor" | "other"];
export type TreeRow = {
  readonly id: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly detached: boolean;
  readonly shares: boolean;
  readonly job: Job | null;
  readonly round: number;
};

/** The job that a key of its parent started; null: it started none. */
export function* knownChild(_: Port, { parent, key }: KnownChild): Step<KnownJob | null> {
  const known = "SELECT job AS id, shares FROM weft.families WHERE parent = $1 AND key = $2";
  const found = yield* row<{ readonly id: string; readonly shares: boolean | number }>(known, parent, key);
  return found === undefined ? null : { id: found.id, shares: isTrue(found.shares) };
}

/** The budget that a job shares with its parent; null: none, or the job is forgotten. */
export function* sharedBudget(port: Port, id: string): Step<SharedBudget | null> {
  const job = (yield* jobsById(port, [id])).get(id);
  if (job === undefined) return null;
  const { share = null } = JSON.parse(yield* port.requestOf({ job })) as Partial<JobRequest>;
  return share;
}

/** Those of the jobs `ids` that are of the family of `of`. */
export function* familyMembers(
  port: Port,
  { of, ids }: { readonly of: string; readonly ids: readonly string[] },
): Step<readonly MemberRow[]> {
  const { root } = yield* placeOf(of);
  const found = yield* rows<{ readonly job: string }>(
    "SELECT job FROM weft.families WHERE root = $1 AND job = ANY ($2)",
    ...[root, ids],
  );
  const wanted = [...found.map(({ job }) => job), ...(ids.includes(root) ? [root] : [])];
  const before = yield* ancestorsOf(of);
  const jobs = yield* jobsById(port, wanted);
  return wanted.flatMap((id): MemberRow[] => {
    const job = jobs.get(id);
    if (job === undefined) return [];
    return [[id, job, id === of ? "self" : before.has(id) ? "ancestor" : "other"]];
  });
}

function* ancestorsOf(id: string): Step<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let at: Place = yield* placeOf(id); at.parent !== null; at = yield* placeOf(at.parent)) found.add(at.parent);
  return found;
}

/** The family of a job, up to `most` jobs: the one that began it first. Null: the job does not exist. */
export function* familyTree(
  port: Port,
  { id, most }: { readonly id: string; readonly most: number },
): Step<readonly TreeRow[] | null> {
  const { root } = yield* placeOf(id);
  const children = yield* rows<ChildRow>(
    "SELECT job AS id, parent, depth, detached, shares FROM weft.families WHERE root = $1 ORDER BY started_ms, job LIMIT $2",
    ...[root, most],
  );
  const ids = [root, ...children.map((child) => child.id)];
  const jobs = yield* jobsById(port, ids);
  if (children.length === 0 && !jobs.has(root)) return null;
  const rounds = yield* roundsOf(ids);
  const job = jobs.get(root) ?? null;
  const alone = { id: root, parent: null, depth: 0, detached: false, shares: false };
  const first: TreeRow = { ...alone, job, round: rounds.get(root) ?? 1 };
  return [
    first,
    ...children.map(({ detached, shares, ...child }) => ({
      ...child,
      ...{ detached: isTrue(detached), shares: isTrue(shares) },
      job: jobs.get(child.id) ?? null,
      round: rounds.get(child.id) ?? 1,
    })),
  ];
}

type ChildRow = Pick<TreeRow, "id" | "parent" | "depth"> & Readonly<Record<"detached" | "shares", boolean | number>>;

function isTrue(stored: boolean | number): boolean {
  return stored === true || stored === 1;
}

/** In which round those jobs are that began again. */
function* roundsOf(ids: readonly string[]): Step<ReadonlyMap<string, number>> {
  const found = yield* rows<{ readonly job: string; readonly last: number }>(
    "SELECT job, max(round) AS last FROM weft.job_rounds WHERE job = ANY ($1) GROUP BY job",
    ids,
  );
  return new Map(found.map(({ job, last }) => [job, Number(last) + 1]));
}

function* jobsById(port: Port, ids: readonly string[]): Step<ReadonlyMap<string, Job>> {
  const named = yield* rows<Named>(`SELECT id, ${port.jobKey} AS key FROM weft.jobs WHERE id = ANY ($1)`, ids);
  const jobs = yield* port.jobsOf(named.map(({ key }) => key));
  return new Map([...jobs.values()].map((job) => [job.id, job]));
}

/** Families of which no job is left. */
export function* forgetFamilies(_port: Port, _input: null): Step<void> {
  yield* rows(
    `DELETE FROM weft.families WHERE NOT EXISTS (SELECT 1 FROM weft.jobs r WHERE r.id = families.root)
     AND NOT EXISTS (SELECT 1 FROM weft.jobs c WHERE c.id = families.job)`,
  );
}
