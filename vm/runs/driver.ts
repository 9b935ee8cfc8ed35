/**
 * Drives a machine to its end: gives the event loop its turns between slices, waits for adapters and timers, and races
 * both against deadline and cancellation. A run that never suspends costs one promise in all.
 */

import type { Json, JsonObject } from "../../compiler/json.ts";
import type { StartedCall } from "../calls/session.ts";
import { abandoned, settle } from "../machine/dispatch.ts";
import { describe, route } from "../machine/failure-routing.ts";
import { hostAbandoned, settleHost } from "../machine/host-calls.ts";
import { run } from "../machine/loop.ts";
import type { Machine } from "../machine/machine.ts";
import type { Pending } from "../machine/options.ts";
import { Stop } from "../machine/slices/stop.ts";
import { traceUnfinished } from "../machine/trace-hooks.ts";
import { containerSize, Mark } from "../memory/accounting.ts";
import { detached, detachedInPieces } from "../memory/copy-out.ts";
import { checkMade, UNCOUNTED_BYTES } from "../memory/shared-budget.ts";
import type { Clock } from "../run.ts";
import { SIZE, type Sized } from "../values/values.ts";
import { Branches } from "./branching/branches.ts";

/** Lets other work of the process run, then calls `then`. */
export type Turn = (then: () => void) => void;

const MAX_TIMER_MS = 2 ** 31 - 1;

type Waiting = Extract<Pending, { kind: "call" | "wait" }>;
type Settled = { readonly value: unknown } | { readonly thrown: unknown } | "expired" | "interrupted";

/**
 * Called at every suspension and slice end where the run can be stored, with the machine and the milliseconds it ran since the last; the run continues
 * with the machine it returns (stored and restored, say). Null: the run continues elsewhere, and its adapters stay open.
 */
export type Relocate = (m: Machine, ranMs: number) => Machine | null;

/**
 * Runs the first slice of a machine that was just loaded: most runs end in it, and need no promise. `sliced` false: continues after it, until
 * the run is over or has to wait. Throws only defects.
 */
export function firstSlice(m: Machine, sliced = true): Stop {
  try {
    m.start();
  } catch (thrown) {
    m.error = describe(m, thrown, -1);
    giveBack(m);
    return Stop.Failed;
  }
  let stop = slice(m, Stop.Yielded);
  while (!sliced && hasYielded(stop)) stop = nextSlice(m, stop);
  return stop;
}

/**
 * One slice, after one that ended in `before`. A run that paused is on its way to where it can be stored, and yields there. One that gets to
 * its end is concluded, in slices of its own when its result is large: its `error` tells whether it failed, its `result` is independent of it.
 */
function slice(m: Machine, before: Stop): Stop {
  let stop = Stop.Failed;
  try {
    stop = m.leaving === null ? advanced(m, before) : Stop.Done;
    // Paused: a run whose result is leaving is not stored any more.
    if (stop === Stop.Done && !conclude(m)) stop = Stop.Paused;
  } finally {
    // Also after a defect. Most runs have drawn nothing.
    if (m.frameLimit > UNCOUNTED_BYTES && (stop === Stop.Done || stop === Stop.Failed)) giveBack(m);
  }
  return stop;
}

/** Runs that have branches under way, with those who run them. */
const forked = new WeakMap<Machine, Branches>();

/** Runs a slice of the program, or of its branches while it waits for them. */
function advanced(m: Machine, before: Stop): Stop {
  let stop = m.pending?.kind === "fork" ? Stop.Suspended : runs(m, before === Stop.Paused);
  while (stop === Stop.Suspended && m.pending?.kind === "fork") {
    const branches = forked.get(m) ?? new Branches(m, waited);
    forked.set(m, branches);
    stop = branches.advance();
    if (m.pending?.kind === "fork") return stop;
    forked.delete(m);
    if (stop === Stop.Done) stop = runs(m, false);
  }
  return stop;
}

/** A slice where the program's slices run. */
function runs(m: Machine, mayYield: boolean): Stop {
  return m.hot === null ? run(m, mayYield) : m.hot.run(m, mayYield);
}

function nextSlice(m: Machine, before: Stop): Stop {
  m.sliceSince = m.options.deps.clock.now();
  return slice(m, before);
}

/** What the frame has drawn on beyond its own is free for other runs. */
function giveBack(m: Machine): void {
  m.options.deps.frames?.giveBack(m);
}

/** Whether the run continues with another slice at once. */
function hasYielded(stop: Stop): boolean {
  return stop === Stop.Yielded || stop === Stop.Paused;
}

/** Whether a run whose last slice ended in `stop` is over, with no adapter to be closed. */
export function isOver(m: Machine, stop: Stop): boolean {
  return (stop === Stop.Done || stop === Stop.Failed) && (m.openSession === null || m.openSession.idle);
}

/** Drives `machine` to its end and returns the machine that got there, concluded. */
export function drive(machine: Machine, turn: Turn, relocate?: Relocate): Promise<Machine> {
  return driven(machine, firstSlice, turn, relocate);
}

/** The same for a machine whose first slice has run already, and ended in `stop`. */
export function driveOn(machine: Machine, stop: Stop, turn: Turn, relocate?: Relocate): Promise<Machine> {
  return driven(machine, () => stop, turn, relocate);
}

/** Continues with a machine that was restored, or that `relocate` released. */
export function resume(machine: Machine, turn: Turn, relocate?: Relocate): Promise<Machine> {
  return driven(machine, (m) => (m.pending === null ? nextSlice(m, Stop.Yielded) : Stop.Suspended), turn, relocate);
}

async function driven(
  machine: Machine,
  begin: (m: Machine) => Stop,
  turn: Turn,
  relocate: Relocate | undefined,
): Promise<Machine> {
  const { clock } = machine.options.deps;
  // Slices are timed only for those who ask: reading the clock is a good part of a short run.
  const now = (): number => (relocate === undefined ? 0 : clock.now());
  let m = machine;
  let left = false;
  try {
    let since = relocate === undefined ? 0 : m.startedAt;
    let stop = begin(m);
    let ran = 0;
    while (stop !== Stop.Done && stop !== Stop.Failed) {
      ran += now() - since;
      if (relocate !== undefined && stop !== Stop.Paused) {
        const next = relocate(m, ran);
        left = next === null;
        if (next !== m) giveBack(m);
        if (next === null) return m;
        m = next;
        ran = 0;
      }
      if (hasYielded(stop)) await new Promise<void>((resolve) => turn(resolve));
      else if (m.pending?.kind === "fork") await forked.get(m)?.moved();
      else if (m.pending !== null && !(await waited(m))) break;
      since = now();
      stop = nextSlice(m, stop);
    }
  } finally {
    giveBack(m);
    if (!left && m.openSession !== null && !m.openSession.idle) await m.openSession.close();
  }
  return m;
}

/** Results up to this size are copied faster than the clock is read. */
const QUICK_RESULT = 1024;

/**
 * Whether the result can leave as it is: a small object of plain values that nothing but its variable holds, and that carries no size,
 * which must not be visible outside. A copy of two members was a tenth of a ten-step run.
 */
function isHandedOver({ resultSlot, SZ, OWN }: Machine, result: Json): boolean {
  if (OWN[resultSlot] !== Mark.Owned || (SZ[resultSlot] as number) > QUICK_RESULT) return false;
  if (typeof result !== "object" || result === null || Array.isArray(result)) return false;
  if ((result as Sized)[SIZE] !== undefined) return false;
  for (const key in result) {
    const member = (result as JsonObject)[key];
    if (typeof member === "object" && member !== null) return false;
  }
  return true;
}

/** Results above this size leave in pieces. */
const LARGE_RESULT = 256 * 1024;
/** The most pieces of a slice, where its time is not over before. */
const MAX_PIECES = 8;

/** The result leaves the machine as a copy; one that is nested too deeply fails the run. False: it is large, and not done yet. */
function conclude(m: Machine): boolean {
  const { result } = m;
  // What runs the program instead of the loop has made a copy.
  if (m.executor !== null || (m.leaving === null && isHandedOver(m, result))) return true;
  try {
    const isContainer = typeof result === "object" && result !== null;
    const size = isContainer ? containerSize(result) : 0;
    if (isContainer && size > LARGE_RESULT) {
      if (!hasLeft(m, result)) return false;
    } else {
      m.result = detached(result);
    }
    if (size > QUICK_RESULT) m.endedAt = m.options.deps.clock.now();
  } catch (thrown) {
    m.leaving = null;
    const error = describe(m, thrown, m.failedSite >= 0 ? m.failedSite : (m.tables.site_at[m.pc] as number));
    m.error = error;
    traceUnfinished(m, error);
  }
  return true;
}

/** Copies some pieces of a large result; false when there are more. Throws when the run was cancelled or is late. */
function hasLeft(m: Machine, result: Exclude<Json, string | number | boolean | null>): boolean {
  if (m.leaving === null) m.leaving = detachedInPieces(result);
  else m.checkTime();
  for (let pieces = 1; ; pieces++) {
    const step = m.leaving.next();
    if (step.done === true) {
      m.result = step.value;
      m.leaving = null;
      return true;
    }
    if (pieces === MAX_PIECES || m.isSliceOver()) return false;
  }
}

/** Waits for what the run is suspended on; false when that ended the run. */
async function waited(m: Machine): Promise<boolean> {
  const pending = m.pending;
  if (pending?.kind !== "call" && pending?.kind !== "wait") throw new Error("suspended on nothing");
  const since = m.options.deps.clock.now();
  const noRoom = whyNoRoom(m);
  const settled = noRoom === null ? await outcome(m, pending) : "interrupted";
  if (m.branch.givenUp) return false;
  m.pending = null;
  try {
    // A pause between attempts ends early where the branch is to be cancelled at its next call.
    const isPaused = pending.kind === "wait" && pending.then === "retry";
    const isCutOff = settled === "interrupted" && !(isPaused && (m.branch.cancelled?.by ?? null) !== null);
    const why = noRoom ?? whyOver(m) ?? (isCutOff ? m.late() : null);
    if (why !== null || settled === "interrupted") throw cutOff(m, pending, why, m.options.deps.clock.now() - since);
    if (pending.kind === "call") m.pc = settle(m, pending, settled);
    else if (pending.then === "host") m.pc = settleHost(m, pending.pc, pending.ms);
    return true;
  } catch (thrown) {
    m.pc = pending.pc;
    m.owed = 0;
    if (pending.kind === "wait" && pending.then === "retry") m.stalled = true;
    const routed = route(m, thrown);
    if (routed === 1) return waited(m);
    return routed === -1;
  }
}

/** The run ends while it waits, or as its wait is over. A call that it waits for is abandoned, and reported as failed. Returns `why`. */
function cutOff(m: Machine, pending: Waiting, why: unknown, ms: number): unknown {
  if (pending.kind === "call") abandoned(m, pending, why);
  else if (pending.then === "host") hostAbandoned(m, pending.pc, why, ms);
  return why;
}

/** A run may wait for hours: what it holds meanwhile is counted before. null: there is room for it. */
function whyNoRoom(m: Machine): unknown {
  try {
    checkMade(m);
    return null;
  } catch (thrown) {
    return thrown;
  }
}

/** Cancelled, or late; null: neither. */
function whyOver(m: Machine): unknown {
  try {
    m.checkTime();
    return null;
  } catch (thrown) {
    return thrown;
  }
}

/** Settles with the pending thing, or as interrupted when the deadline passes or the run is cancelled first. */
function outcome(m: Machine, pending: Waiting): Promise<Settled> {
  const { clock } = m.options.deps;
  const { halt } = m.options;
  // A run that cleans up was cancelled already.
  const signal = (m.ending?.hears ?? true) ? m.options.signal : undefined;
  return new Promise((resolve) => {
    let stop = (): void => {};
    const finish = (settled: Settled): void => {
      stop();
      signal?.removeEventListener("abort", interrupted);
      halt?.removeEventListener("abort", interrupted);
      resolve(settled);
    };
    const interrupted = (): void => finish("interrupted");
    signal?.addEventListener("abort", interrupted);
    halt?.addEventListener("abort", interrupted);
    if (pending.kind === "wait") {
      stop = waitLong(clock, Math.max(0, pending.due - m.elapsed()), () => finish({ value: null }));
    } else {
      // A thenable of an adapter may throw from `then`: the promise around it takes that as a rejection.
      Promise.resolve(pending.promise).then(
        (value) => finish({ value }),
        (thrown: unknown) => finish({ thrown }),
      );
      const runEnds = m.maxTime + 1 - m.elapsed();
      if (pending.call.endsAt() - clock.now() < runEnds)
        stop = whenCallEnds(clock, pending.call, () => finish("expired"));
      else if (runEnds !== Number.POSITIVE_INFINITY) stop = waitLong(clock, runEnds, interrupted);
    }
    if (signal?.aborted || halt?.aborted) interrupted();
  });
}

/** Waits for the end of a call's time, which may have been extended meanwhile. Returns the way to stop. */
export function whenCallEnds(clock: Clock, call: Pick<StartedCall, "endsAt">, then: () => void): () => void {
  const endsAt = call.endsAt();
  if (endsAt === Number.POSITIVE_INFINITY) return () => {};
  let stop = waitLong(clock, Math.max(0, endsAt - clock.now()), () => {
    if (call.endsAt() > endsAt) stop = whenCallEnds(clock, call, then);
    else then();
  });
  return () => stop();
}

/** Timers of the host hold 31 bits and fire at once beyond: a longer wait is made of several. */
export function waitLong(clock: Clock, ms: number, then: () => void): () => void {
  if (ms <= MAX_TIMER_MS) return clock.wait(ms, then);
  let stop = clock.wait(MAX_TIMER_MS, () => {
    stop = waitLong(clock, ms - MAX_TIMER_MS, then);
  });
  return () => stop();
}
