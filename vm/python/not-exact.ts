/**
 * The failure of a program whose value cannot be what CPython would compute (python.md § 7). It ends the run, and no handler of the program
 * catches it: a wrong value or a guess would be worse.
 */
import { FatalFailure } from "../errors/failures.ts";

/** `sentence` names what is not exact and what to write instead: "the order of a set is not defined; write sorted(s)". */
export function notExact(sentence: string): FatalFailure {
  return new FatalFailure("RUNTIME_NOT_EXACT", sentence, "not_exact");
}
