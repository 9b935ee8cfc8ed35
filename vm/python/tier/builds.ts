/** When the routines of a program become functions of JavaScript: after some calls and passes of loops in the loop, from bytecode that was verified. */
import { pythonFault } from "../../../compiler/bytecode/python/verify.ts";
import { makeFunction } from "../../tier/build.ts";
import type { TierPolicy } from "../../tier/policy.ts";
import type { Built, Routine } from "../machine/frames.ts";
import type { PyProgram, RoutineBuilder } from "../machine/program.ts";
import { NATIVES } from "./natives.ts";
import { translate } from "./translate.ts";

/** Calls and passes before a routine is built. */
const HEAT = 500;
/** Words of a routine, and registers: the engine does not optimise larger functions. */
const MAX_WORDS = 4000;
const MAX_REGISTERS = 500;

/** What builds the routines of a host's programs; null: they stay in the loop. */
export function pythonBuilder(policy: TierPolicy | null): RoutineBuilder | null {
  if (policy === null) return null;
  // Programs of tests are built at once.
  return { heat: policy.hotSlices === 0 ? 1 : HEAT, build: (program, routine) => built(program, routine, policy) };
}

function built({ code, constants }: PyProgram, routine: Routine, policy: TierPolicy): Built | null {
  if (routine.end - routine.pc > MAX_WORDS || routine.registers > MAX_REGISTERS) return null;
  if (pythonFault(code, routine) !== null) return null;
  const { leaves } = policy;
  const text = translate(code, routine, leaves !== undefined);
  if (text === null) return null;
  const run = makeFunction<Built["run"]>(text.source, { K: constants, leaves, ...NATIVES });
  if (typeof run !== "string") return { run, entries: text.entries };
  if (run === "refused") policy.refused(routine.name, run);
  return null;
}
