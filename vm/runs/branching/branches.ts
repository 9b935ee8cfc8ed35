/**
 * Runs the branches of a run (`Each`, `Par`): those that are live take turns, a slice each, until all have ended; then the step that has them
 * continues. The meters of the run travel to whichever branch has its turn, so that steps and calls are counted against one budget, exactly.
 * What comes of it does not depend on when adapters answer: values, trace and record are put together in the order of the elements.
 */
import type { Json } from "../../../compiler/json.ts";
import { branchName, insideBranch } from "../../errors/branch-failures.ts";
import { RUNTIME_CODES } from "../../errors/error-codes.ts";
import { releaseValues } from "../../machine/branching/fork.ts";
import { Turns } from "../../machine/branching/turns.ts";
import { CallFailure } from "../../machine/call-checks.ts";
import { abandoned } from "../../machine/dispatch.ts";
import { describe, route } from "../../machine/failure-routing.ts";
import { run } from "../../machine/loop.ts";
import type { Machine } from "../../machine/machine.ts";
import type { MachineOptions } from "../../machine/options.ts";
import { Stop } from "../../machine/slices/stop.ts";
import { traceUnfinished } from "../../machine/trace-hooks.ts";
import { UNCOUNTED_BYTES } from "../../memory/shared-budget.ts";
import type { RunError } from "../../run.ts";
import { errorOf, idle, keepMachine, lendMeters, machineOf, returnFuel } from "./branch-machines.ts";
import { BranchSignal } from "./branch-signal.ts";
import { CancelledBranches } from "./cancelled-branches.ts";
import { type Branch, type Fork, forkOf, inOrder, isCutShort, join, type Kept, namesOf } from "./forks.ts";

/** Waits for what a machine is suspended on; false when that ended its run. */
export type Waited = (m: Machine) => Promise<boolean>;

/** Live branches of one run, nested ones included. One for each level more may be, so that no two wait for each other's room. */
const MAX_LIVE = 256;

export class Branches {
  readonly #root: Machine;
  readonly #waited: Waited;
  readonly #options: MachineOptions;
  readonly #signal: BranchSignal;
  readonly #turns = new Turns((adapter) => this.#freed(adapter));
  /** Branches that wait for an adapter to be free, in the order in which they came. */
  readonly #queues = new Map<string, Branch[]>();
  /** Branches that make no call for now, because their journal says so. */
  #held: Branch[] = [];
  readonly #ready: Branch[] = [];
  /** With branches that have not ended; nested ones after those they stand in. */
  readonly #forks: Fork[] = [];
  readonly #waiting = new Set<Branch>();
  #live = 0;
  readonly #cancelled: CancelledBranches;
  #isReleased = false;
  /** What the step of the run came to; null: not known yet. */
  #outcome: Stop | null = null;
  #defect: { readonly thrown: unknown } | null = null;
  #wake: () => void = () => {};

  /** `root`: suspended on branches. */
  constructor(root: Machine, waited: Waited) {
    this.#root = root;
    this.#waited = waited;
    this.#signal = new BranchSignal(root.options.signal);
    this.#options = {
      ...root.options,
      session: root.session,
      signal: this.#signal,
      startedAt: root.startedAt,
      inputs: null,
      trace: null,
      journal: null,
    };
    returnFuel(root, root);
    this.#cancelled = new CancelledBranches(root, {
      live: () => this.#forks.flatMap(({ live }) => [...live.values()].map(({ m }) => m)),
      begun: () => Object.fromEntries(this.#forks.map((fork) => [namesOf(fork), fork.begun])),
      interrupt: this.#signal.interrupt,
    });
    this.#open(root, null);
    this.#cancelled.again();
  }

  /** A slice of all branches. Done: the run continues after the step. Suspended: all wait for something, or the run does. */
  advance(): Stop {
    let work = this.#root.quantum;
    let beyond = false;
    this.#root.options.journal?.runs?.();
    if (this.#cancelled.hears()) {
      // Those that wait have to hear of it before the first of them continues.
      if (this.#releases()) return Stop.Yielded;
      this.#ready.sort(inOrder);
    }
    while (this.#outcome === null) {
      if (this.#defect !== null) throw this.#defect.thrown;
      if (work <= 0) return Stop.Yielded;
      const branch = this.#ready.shift();
      if (branch !== undefined) {
        work -= this.#slice(branch);
      } else if (this.#begins(beyond)) {
        beyond = false;
      } else if (!beyond && this.#waiting.size === 0) {
        // Perhaps every live branch waits for room of its own.
        beyond = true;
      } else if (!this.#stallEnds()) {
        if (this.#waiting.size === 0) throw new Error("no branch can continue");
        return Stop.Suspended;
      }
    }
    return this.#outcome;
  }

  /** The branches are cancelled: none of them waits for its turn any more. False: that was done before. */
  #releases(): boolean {
    if (this.#isReleased) return false;
    this.#isReleased = true;
    const queued = [...this.#queues.values()].flat();
    this.#queues.clear();
    for (const { m } of queued) m.pending = null;
    this.#ready.push(...queued);
    return true;
  }

  /** No branch can run: those that were held are tried again, or the run ends. False: they are still held. */
  #stallEnds(): boolean {
    const { journal } = this.#root.options;
    const over = journal?.stalls?.(this.#waiting.size, this.#held.length) ?? null;
    if (over !== null) {
      this.#over(this.#forks[0] as Fork, over);
      return true;
    }
    const free = this.#held.filter(({ m }) => m.options.journal?.holds !== true);
    if (free.length === 0) return false;
    journal?.runs?.();
    this.#held = this.#held.filter((branch) => !free.includes(branch));
    for (const { m } of free) m.pending = null;
    this.#ready.push(...free);
    return true;
  }

  /** Settles when one of the branches that wait can continue. */
  moved(): Promise<void> {
    if (this.#ready.length > 0 || this.#defect !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #open(owner: Machine, around: Branch | null): void {
    const fork = forkOf(owner, around);
    owner.branchValues = fork.values;
    this.#forks.push(fork);
    if (around !== null) around.inner = fork;
  }

  /** Begins one more branch; false: no branch is left, or no room. `beyond`: also where the run has as many as it may. */
  #begins(beyond: boolean): boolean {
    for (let index = this.#forks.length - 1; index >= 0; index--) {
      const fork = this.#forks[index] as Fork;
      if (fork.begun === fork.plan.count || fork.live.size >= fork.limit) continue;
      if (isCutShort(fork)) continue;
      if (this.#live >= MAX_LIVE && !(beyond && fork.live.size === 0)) continue;
      this.#begin(fork);
      return true;
    }
    return false;
  }

  #begin(fork: Fork): void {
    const { owner } = fork;
    const at = fork.begun++;
    const name = branchName(owner.branch.name, fork.place, at);
    const sink = owner.options.trace?.apart(name) ?? null;
    const own = owner.options.journal ?? null;
    const journal = own?.apart?.(name) ?? own;
    const plain = sink === null && journal === null;
    const options = plain ? this.#options : { ...this.#options, trace: sink, journal };
    const m = machineOf(this.#root.program, options);
    m.branch = {
      name,
      nesting: owner.branch.nesting + 1,
      turns: this.#turns,
      cancelled: this.#cancelled,
      givenUp: false,
    };
    m.callTimes = this.#root.callTimes;
    journal?.runsOn?.(m);
    const branch: Branch = { m, fork, at, sink, journal, inner: null, turn: null, stop: Stop.Yielded };
    fork.live.set(at, branch);
    this.#live += 1;
    try {
      fork.plan.begin(m, at);
      this.#ready.push(branch);
    } catch (thrown) {
      this.#failed(branch, describe(m, thrown, -1));
    }
  }

  /** Returns about how many steps that took. */
  #slice(branch: Branch): number {
    const { m } = branch;
    const root = this.#root;
    if (branch.stop === Stop.Failed) {
      this.#failed(branch, errorOf(m));
      return 0;
    }
    const before = root.granted;
    lendMeters(root, m);
    try {
      branch.stop = run(m, branch.stop === Stop.Paused);
    } finally {
      returnFuel(m, root);
    }
    const used = root.granted - before + m.debt;
    const { turn } = branch;
    branch.turn = null;
    // It had its turn and did not take it.
    if (turn !== null && this.#turns.isFree(turn)) this.#freed(turn);
    switch (branch.stop) {
      case Stop.Done:
        this.#ended(branch);
        break;
      case Stop.Failed:
        this.#failed(branch, errorOf(m));
        break;
      case Stop.Suspended:
        this.#suspended(branch);
        break;
      default:
        this.#ready.push(branch);
        return root.quantum;
    }
    return used;
  }

  #suspended(branch: Branch): void {
    const { pending } = branch.m;
    if (pending?.kind === "fork") {
      this.#open(branch.m, branch);
    } else if (pending?.kind === "turn" && pending.adapter === null) {
      this.#held.push(branch);
    } else if (pending?.kind === "turn") {
      const adapter = pending.adapter as string;
      const queue = this.#queues.get(adapter);
      if (queue === undefined) this.#queues.set(adapter, [branch]);
      else queue.push(branch);
    } else {
      this.#wait(branch);
    }
  }

  /** The branch that asked first tries again. */
  #freed(adapter: string): void {
    const branch = this.#queues.get(adapter)?.shift();
    if (branch === undefined) return;
    branch.m.pending = null;
    branch.turn = adapter;
    this.#ready.push(branch);
    this.#wake();
  }

  #wait(branch: Branch): void {
    this.#waiting.add(branch);
    this.#waited(branch.m).then(
      (goesOn) => {
        if (!this.#waiting.delete(branch)) return;
        branch.stop = goesOn ? Stop.Suspended : Stop.Failed;
        this.#ready.push(branch);
        this.#wake();
      },
      (thrown: unknown) => {
        this.#defect ??= { thrown };
        this.#wake();
      },
    );
  }

  #ended(branch: Branch): void {
    const { fork, m } = branch;
    this.#keep(fork, branch.at, fork.plan.value(m));
    this.#left(branch);
  }

  #failed(branch: Branch, error: RunError): void {
    const { fork, at } = branch;
    if (RUNTIME_CODES[error.code].class !== "ordinary") {
      const end = this.#cancelled.endOf(error);
      if (end === null) this.#over(fork, new CallFailure(insideBranch(error, branch.m.branch.name)));
      else this.#wasCancelled(branch, end);
      return;
    }
    fork.failed += 1;
    const { plan } = fork;
    if (fork.first === null || at < fork.first.at) fork.first = { at, cause: plan.cause(branch.m, error) };
    if (plan.settles) this.#keep(fork, at, plan.settled(branch.m, error));
    this.#left(branch);
  }

  /** Of several, one whose cleanup did not come to its end says how. */
  #wasCancelled(branch: Branch, error: RunError): void {
    const { fork, m } = branch;
    const before = fork.cancelled?.error.data["cleanup"];
    if (before === undefined || before === "done") fork.cancelled = { error, branch: m.branch.name };
    this.#left(branch);
  }

  #keep(fork: Fork, at: number, value: Json): void {
    fork.values[at] = value;
    try {
      fork.held = fork.plan.hold(value, fork.held);
    } catch (thrown) {
      this.#over(fork, thrown);
    }
  }

  /** The branch is over. When it was the last one, the step that has it continues. */
  #left(branch: Branch): void {
    if (this.#outcome !== null) return;
    const { fork, m } = branch;
    fork.ended += 1;
    fork.plan.left?.(m, branch.at);
    this.#close(branch);
    if (m.options.trace === null && m.forget(idle(m))) keepMachine(m);
    if (fork.ended === fork.plan.count || (fork.live.size === 0 && isCutShort(fork))) this.#settle(fork);
  }

  #close(branch: Branch): void {
    const { fork, m, at, sink, journal } = branch;
    const root = this.#root;
    root.iterations = Math.max(root.iterations, m.mostIterations());
    if (m.frameLimit > UNCOUNTED_BYTES) m.options.deps.frames?.giveBack(m);
    fork.live.delete(at);
    this.#live -= 1;
    if (sink === null && journal === null) return;
    fork.kept.set(at, { sink, journal });
    for (let next = fork.kept.get(fork.joined); next !== undefined; next = fork.kept.get(fork.joined)) {
      join(fork, next);
      fork.kept.delete(fork.joined);
      fork.joined += 1;
    }
  }

  #settle(fork: Fork): void {
    const { owner, around, pc, plan, first } = fork;
    this.#forks.splice(this.#forks.indexOf(fork), 1);
    releaseValues(owner, fork.held);
    owner.pending = null;
    owner.pc = pc;
    owner.owed = 0;
    let routed: -1 | 1 | 3 = -1;
    try {
      if (fork.cancelled !== null) throw new CallFailure(insideBranch(fork.cancelled.error, fork.cancelled.branch));
      if (around === null) this.#cancelled.check();
      if (first !== null && !plan.settles) throw plan.failure(first.cause, first.at, fork.failed);
      plan.store(fork.values);
    } catch (thrown) {
      routed = route(owner, thrown);
    }
    if (around === null) {
      this.#outcome = routed === -1 ? Stop.Done : routed === 1 ? Stop.Suspended : Stop.Failed;
      return;
    }
    around.inner = null;
    around.stop = routed === 3 ? Stop.Failed : Stop.Suspended;
    if (routed === 1) this.#wait(around);
    else this.#ready.push(around);
  }

  /** What was thrown at the step of `fork` ends the run: calls that are under way are given up. */
  #over(fork: Fork, thrown: unknown): void {
    let why = thrown;
    for (let at: Fork | undefined = fork; at !== undefined; at = at.around?.fork) {
      const { owner, around } = at;
      this.#drop(at, why);
      releaseValues(owner, at.held);
      owner.pending = null;
      owner.pc = at.pc;
      owner.owed = 0;
      route(owner, why);
      if (around !== null) why = new CallFailure(insideBranch(errorOf(owner), around.m.branch.name));
    }
    this.#outcome = Stop.Failed;
    this.#signal.interrupt();
  }

  /** Gives up the branches of `fork`, those in them first. */
  #drop(fork: Fork, why: unknown): void {
    for (const branch of [...fork.live.values()]) {
      const { m } = branch;
      if (branch.inner !== null && m.error === null) this.#drop(branch.inner, why);
      this.#waiting.delete(branch);
      m.branch.givenUp = true;
      if (m.pending?.kind === "call") abandoned(m, m.pending, why);
      if (m.error === null && m.options.trace !== null) traceUnfinished(m, describe(m, why, -1));
      this.#close(branch);
    }
    for (const at of [...fork.kept.keys()].sort((a, b) => a - b)) join(fork, fork.kept.get(at) as Kept);
    fork.kept.clear();
  }
}
