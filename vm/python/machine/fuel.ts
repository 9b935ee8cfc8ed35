/** Steps of Python functions: granted in quanta, exactly up to the limit, with a look at the clock at each (docs/runtime.md, steps of Python). */
import { limitFailure } from "../../errors/fatal-failures.ts";
import type { PyState } from "./state.ts";

/** A step is charged that the fuel does not cover, or natives did the work of a slice. True: the slice is over, and the step is taken back. */
export function refuel(s: PyState): boolean {
  const { m } = s;
  if (m.granted > 0) m.checkTime();
  else m.checkCancelled();
  if (s.isFresh && !m.spent) {
    grant(s);
    return false;
  }
  m.fuel += 1;
  m.debt = 0;
  m.spent = false;
  return true;
}

/** A step in the middle of something: the slice ends at the next one. */
export function grantStep(s: PyState): void {
  if (s.m.granted > 0) s.m.checkTime();
  grant(s);
  s.m.spent ||= !s.isFresh;
}

function grant(s: PyState): void {
  const { m } = s;
  const quantum = Math.min(m.rest, Math.max(1, m.quantum - Math.trunc(m.debt)));
  m.debt = 0;
  if (quantum < 1) {
    m.fuel += 1;
    throw limitFailure("RUNTIME_MAX_STEPS", "max_steps", m.options.limits.max_steps ?? 0, m.steps());
  }
  m.rest -= quantum;
  m.granted += quantum;
  m.fuel += quantum;
  s.isFresh = false;
}
