/** The branches of a run as those who run them know them. */
import type { Json } from "../../../compiler/json.ts";
import { branchName } from "../../errors/branch-failures.ts";
import type { ForkPlan } from "../../machine/branching/fork-plan.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Stop } from "../../machine/slices/stop.ts";
import type { MachineJournal } from "../../recording/journal.ts";
import type { BranchSink } from "../../recording/trace.ts";
import type { RunError } from "../../run.ts";

/** The branches of one visit of a step. */
export type Fork = {
  readonly owner: Machine;
  /** That `owner` runs; null: it is the run itself. */
  readonly around: Branch | null;
  readonly pc: number;
  readonly place: string;
  readonly plan: ForkPlan<Machine>;
  readonly limit: number;
  readonly live: Map<number, Branch>;
  readonly values: Json[];
  /** What ended branches have traced and recorded, until it is their turn. */
  readonly kept: Map<number, Kept>;
  begun: number;
  ended: number;
  joined: number;
  held: number;
  failed: number;
  first: { readonly at: number; readonly cause: unknown } | null;
  /** How a branch ended that was cancelled. */
  cancelled: { readonly error: RunError; readonly branch: string } | null;
};

export type Kept = { readonly sink: BranchSink | null; readonly journal: MachineJournal | null };

export type Branch = Kept & {
  readonly m: Machine;
  readonly fork: Fork;
  readonly at: number;
  inner: Fork | null;
  /** The adapter that is free for it. */
  turn: string | null;
  stop: Stop;
};

/** The branches that `owner` waits for, none of which has begun. */
export function forkOf(owner: Machine, around: Branch | null): Fork {
  const { pending } = owner;
  if (pending?.kind !== "fork") throw new Error("no branches were begun");
  const { pc, plan, place } = pending;
  return {
    owner,
    around,
    pc,
    place,
    plan,
    limit: owner.options.journal?.inTurns ? 1 : plan.limit,
    live: new Map(),
    values: [],
    kept: new Map(),
    begun: 0,
    ended: 0,
    joined: 0,
    held: 0,
    failed: 0,
    first: null,
    cancelled: null,
  };
}

/** Branches inside of branches come in the place of those that they are in. */
export function inOrder(a: Branch, b: Branch): number {
  const [one, other] = [numbersOf(a), numbersOf(b)];
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? one.length - other.length : (one[at] as number) - (other[at] ?? -1);
}

function numbersOf({ at, fork }: Branch): readonly number[] {
  return fork.around === null ? [at] : [...numbersOf(fork.around), at];
}

/** No branch of it begins any more, because one was cancelled; those that had begun before do, in a run that continues. */
export function isCutShort(fork: Fork): boolean {
  if (fork.cancelled === null) return false;
  return fork.begun >= (fork.owner.options.journal?.begun?.(namesOf(fork)) ?? 0);
}

/** What the names of its branches begin with. */
export function namesOf({ owner, place }: Fork): string {
  return branchName(owner.branch.name, place, "");
}

/** Adds what an ended branch has traced and recorded, when it is its turn. */
export function join({ owner }: Fork, { sink, journal }: Kept): void {
  sink?.join();
  if (journal !== null) owner.options.journal?.join?.(journal);
}
