/** Steps of Python functions: granted in quanta, exactly up to the limit, with a look at the clock at each (docs/runtime.md, steps of Python). */
import { limitFailure } from "../../errors/fatal-failures.ts";
import type { PyState } from "./state.ts";

/** A step is charged that the fuel does not cover, or natives did the work of a slice. True: the slice is over, and the step is taken back. */
export function refuel(s: PyState): boolean {
  const { m } = s;
  looked(s);
  if (s.isFresh && !m.spent) {
    grant(s);
    return false;
  }
  s.isAtStep = false;
  m.fuel += 1;
  m.debt = 0;
  m.spent = false;
  return true;
}

/** A run that was cancelled before gets no more steps at once than lead to that place, and the last of them alone. */
function untilCancelled({ m }: PyState): number {
  const steps = m.ending?.steps ?? Number.POSITIVE_INFINITY;
  const left = steps - m.granted;
  return left < 1 ? Number.POSITIVE_INFINITY : Math.max(1, left - 1);
}

/** A step in the middle of something: the slice ends at the next one. */
export function grantStep(s: PyState): void {
  looked(s);
  grant(s);
  s.m.spent ||= !s.isFresh;
}

/** Looks at the clock, and whether the run is cancelled: then the step is taken back, which was not made. */
function looked(s: PyState): void {
  const { m } = s;
  m.fuel += 1;
  s.isAtStep = true;
  if (m.granted > 0) m.checkTime();
  else m.checkCancelled();
  m.fuel -= 1;
}

function grant(s: PyState): void {
  const { m } = s;
  const quantum = Math.min(m.rest, Math.max(1, m.quantum - Math.trunc(m.debt)), untilCancelled(s));
  m.debt = 0;
  if (quantum < 1) {
    m.fuel += 1;
    throw limitFailure("RUNTIME_MAX_STEPS", "max_steps", m.options.limits.max_steps ?? 0, m.steps());
  }
  m.rest -= quantum;
  m.granted += quantum;
  m.fuel += quantum;
  s.isFresh = s.isAtStep = false;
}
