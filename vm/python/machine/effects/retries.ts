/**
 * Blocks that are repeated (`with retry(…):`). They are kept innermost last. All attempts at a block make their calls with the same ids, so that an adapter
 * which knows a call by its key does it once; the next execution of the block continues after the furthest of them.
 */
import type { PySite } from "../../../../compiler/bytecode/python/code.ts";
import { checkWait } from "../../../machine/host-calls.ts";
import { MAX_ATTEMPTS, pauseLeft, retryDelay } from "../../../machine/retry.ts";
import { badProgram } from "../../bad-program.ts";
import { ADAPTER_ERROR, PyException, Raised, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyFloat } from "../../kinds/float.ts";
import { typeOf, type Value } from "../../object.ts";
import { siteAt } from "../errors.ts";
import type { FunctionFrame } from "../frames.ts";
import type { PyState, Visits } from "../state.ts";

export function beginRetry(s: PyState, [times, backoff, strategy]: readonly Value[]): void {
  if (typeof times !== "number" || !Number.isInteger(times))
    throw raised(TYPE_ERROR, `times of retry must be an int, not ${typeOf(times ?? null).name}`);
  const ms = backoff instanceof PyFloat ? backoff.value : backoff;
  if (typeof ms !== "number")
    throw raised(TYPE_ERROR, `backoff_ms of retry must be a number, not ${typeOf(backoff ?? null).name}`);
  if (times < 0 || !(ms >= 0)) throw raised(VALUE_ERROR, "times and backoff_ms of retry must not be negative");
  if (strategy !== "fixed" && strategy !== "exponential")
    throw raised(VALUE_ERROR, "strategy of retry must be 'fixed' or 'exponential'");
  if (s.blocks.length === 0) s.repeats = 0;
  const before = new Map(s.m.visits);
  const count = Math.min(times, MAX_ATTEMPTS);
  s.blocks.push({ count, backoff: Math.trunc(ms), strategy, before, furthest: before, made: 0 });
}

/** The block has failed: it is repeated, perhaps after a pause (`m.pending`), or what was raised is raised again. */
export function repeatBlock(s: PyState, exception: Value): void {
  const { m } = s;
  const block = s.blocks.at(-1);
  if (block === undefined || !(exception instanceof PyException)) throw badProgram("nothing is repeated here");
  if (!isRetryable(exception) || block.made >= block.count) throw new Raised(exception);
  block.made += 1;
  s.repeats += 1;
  block.furthest = furthestOf(block.furthest, m.visits);
  m.visits.clear();
  for (const [place, visit] of block.before) m.visits.set(place, visit);
  const delay = retryDelay(block, exception.members?.get("retry_after_ms") ?? null);
  checkWait(m, delay);
  const { label, node } = siteAt(s.program.code, (s.frame as FunctionFrame).pc) as PySite;
  s.trace?.repeated(label, node, block.made, block.count, delay);
  const left = pauseLeft(m, { label, node, attempt: block.made }, delay);
  if (left > 0) m.pending = { kind: "wait", ms: left, due: m.elapsed() + left, then: "retry", pc: m.pc };
}

export function endRetry(s: PyState): void {
  const block = s.blocks.pop();
  if (block === undefined) throw badProgram("nothing was repeated here");
  if (block.made === 0) return;
  for (const [place, visit] of furthestOf(block.furthest, s.m.visits)) s.m.visits.set(place, visit);
}

function isRetryable({ type, members }: PyException): boolean {
  return type.isA(ADAPTER_ERROR) && members?.get("retryable") === true;
}

function furthestOf(one: Visits, other: Visits): Visits {
  const furthest = new Map(one);
  for (const [place, visit] of other) if (visit > (furthest.get(place) ?? 0)) furthest.set(place, visit);
  return furthest;
}
