/**
 * Branches as a machine sees them: where they begin, what a branch begins with, and how their values come back (docs/language.md,
 * branches). Who runs them, and when, is decided elsewhere (`vm/runs/branching/branches.ts`).
 */
import { instructionLength } from "../../../compiler/bytecode/opcodes.ts";
import type { ForkAux } from "../../../compiler/bytecode/program.ts";
import type { Json } from "../../../compiler/json.ts";
import { BranchFailed, MAX_BRANCH_NESTING, nestedTooDeep, settledFailure } from "../../errors/branch-failures.ts";
import { limitFailure } from "../../errors/fatal-failures.ts";
import { bookValue, exactSize, fits, Mark, resolveSizes, tooLarge } from "../../memory/accounting.ts";
import { operand } from "../../memory/containers.ts";
import { NO_EXTRA } from "../../memory/load-frame.ts";
import type { RunError } from "../../run.ts";
import { charge } from "../../tasks/work-meter.ts";
import { unsetSize } from "../../values/json-size.ts";
import { visited } from "../call-checks.ts";
import { Rec, RecordKind } from "../control-stack.ts";
import { attemptOf } from "../journal-hooks.ts";
import type { Machine } from "../machine.ts";
import { deepen } from "../slow-paths.ts";
import type { ForkPlan } from "./fork-plan.ts";

/** What beginning a branch takes, in units of work: about a hundred steps. */
const BRANCH_WORK = 6400;

/** `Fork d x k v a…`: true when there are branches to wait for. */
export function fork(m: Machine, pc: number): boolean {
  const { code, site_at } = m.tables;
  const { item, routines } = forkAt(m, pc);
  const list = item === null ? null : operand(m, pc + 5);
  const elements = list === null && item === null ? null : Array.isArray(list) ? (list as readonly Json[]) : [];
  const count = elements === null ? routines.length : elements.length;
  if (elements !== null) countElements(m, count);
  if (m.branch.nesting === MAX_BRANCH_NESTING) throw nestedTooDeep();
  const site = site_at[pc] as number;
  const depth = branchDepth(m, pc);
  if (count > 0 && depth > m.depth) deepen(m, pc, depth, 0, site);
  const { place, visit } = visited(m, pc, attemptOf(m, site));
  if (count === 0) {
    bookValue(m, code[pc + 1] as number, []);
    return false;
  }
  m.pending = { kind: "fork", pc, plan: opcodePlan(m, pc, elements), place: `${place}/${visit}` };
  return true;
}

function forkAt(m: Machine, pc: number): ForkAux {
  return m.tables.aux[m.tables.code[pc + 2] as number] as ForkAux;
}

function countElements(m: Machine, count: number): void {
  if (count > m.maxIterations) {
    const data = { length: count };
    throw limitFailure("RUNTIME_MAX_LOOP_ITERS", "max_loop_iters", m.maxIterations, m.mostIterations(), data);
  }
  m.iterations = Math.max(m.iterations, count);
}

function branchDepth(m: Machine, pc: number): number {
  return (m.CS[m.sp + Rec.Base] as number) + (m.tables.code[pc + 3] as number);
}

/**
 * Makes `m`, which is loaded with nothing, ready to run branch number `at` of the fork that `owner` waits for. Throws when its
 * variables are too large.
 */
function beginBranch(m: Machine, owner: Machine, pc: number, at: number, element: Json | undefined): void {
  const { item, routines } = forkAt(owner, pc);
  copyVariables(owner, m);
  const index = routines[item === null ? at : 0] as number;
  const { CS } = m;
  CS[Rec.Kind] = RecordKind.Root;
  CS[Rec.CallPc] = -1;
  CS[Rec.Routine] = index;
  CS[Rec.Base] = branchDepth(owner, pc);
  CS[Rec.LoopBase] = 0;
  CS[Rec.Repeats] = 0;
  const routine = m.tables.routines[index];
  m.pc = routine?.pc ?? 0;
  m.owed = routine?.charge ?? 0;
  charge(m.meter, BRANCH_WORK + owner.variables);
  if (!fits(m, m.frameSize())) {
    resolveSizes(m);
    if (!fits(m, m.frameSize())) throw tooLarge(m, m.frameSize(), null);
  }
  if (item !== null && element !== undefined) bookValue(m, m.program.slots.get(item) as number, element);
}

/** Values are shared from now on: neither side may change one in place. */
function copyVariables(from: Machine, to: Machine): void {
  const { V, SZ, OWN, variables } = from;
  for (let slot = 0; slot < variables; slot++) {
    const value = V[slot];
    if (value === undefined) continue;
    if (OWN[slot] === Mark.Owned) OWN[slot] = Mark.None;
    to.frameBytes += (SZ[slot] as number) - (to.SZ[slot] as number);
    to.V[slot] = value;
    to.SZ[slot] = SZ[slot] as number;
    to.OWN[slot] = OWN[slot] as number;
  }
  to.exact = from.exact;
  // What the program never names belongs to the run's own variables.
  if (from.frames.length > 0 || from.extra === NO_EXTRA) return;
  to.extra = from.extra;
  for (const key of Object.keys(from.extra)) to.frameBytes += exactSize(from.extra[key] as Json) - unsetSize(key);
}

/** Counts a value that a branch of `m` ended with. `held`: bytes of those before. Returns their bytes; throws when they are too many. */
function holdValue(m: Machine, pc: number, value: Json, held: number): number {
  const d = m.tables.code[pc + 1] as number;
  const size = exactSize(value, m.meter) + 1;
  // As it would be with the list in its variable.
  const total = (): number => m.frameBytes + size + 1 - (m.SZ[d] as number);
  if (!fits(m, total())) {
    resolveSizes(m);
    if (!fits(m, total())) throw tooLarge(m, total(), m.names[d] ?? null);
  }
  m.frameBytes += size;
  return held + size;
}

/** Values that were held count no more: they are stored now, or dropped. */
export function releaseValues(m: Machine, held: number): void {
  m.frameBytes -= held;
  m.branchValues = null;
}

/** All branches have ended: their values are stored, and the run continues after the step. */
function storeValues(m: Machine, pc: number, values: readonly Json[]): void {
  bookValue(m, m.tables.code[pc + 1] as number, values);
  m.pc = pc + instructionLength(m.tables.code, pc);
}

/** Of an Each or a Par. */
function opcodePlan(owner: Machine, pc: number, elements: readonly Json[] | null): ForkPlan<Machine> {
  const { routines, limit, mode } = forkAt(owner, pc);
  const settles = mode === "settle";
  return {
    count: elements === null ? routines.length : elements.length,
    limit,
    settles,
    begin: (m, at) => beginBranch(m, owner, pc, at, elements?.[at]),
    value: ({ result }) => (settles ? { ok: true, value: result } : result),
    settled: (_m, error) => settledFailure(error),
    cause: (_m, error) => error,
    failure: (error, at, failed) => new BranchFailed(error as RunError, at, failed),
    hold: (value, held) => holdValue(owner, pc, value, held),
    store: (values) => storeValues(owner, pc, values),
  };
}
