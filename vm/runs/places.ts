/** Where a run stands: the functions that are under way, with their variables. */
import type { Machine } from "../machine/machine.ts";
import { frameOf } from "../machine/outcome.ts";
import type { BranchMachine } from "../recording/journal.ts";
import type { RunPlace } from "../run.ts";

/** Outermost first. `branch`: what stands there, where the run itself waits for it. */
export function placesOf(m: Machine, branch: BranchMachine | null): readonly RunPlace[] {
  if (m.executor !== null) return [...m.executor.places(), ...(branch?.executor?.places() ?? [])];
  return [{ name: null, line: null, file: null, variables: frameOf(m) }];
}
