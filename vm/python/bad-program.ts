/** What the machine throws where a program is not one that the compiler makes. */
import { FatalFailure } from "../errors/failures.ts";

/** Of a graph that no compiler made. */
export function badProgram(what: string): FatalFailure {
  return new FatalFailure("RUNTIME_BAD_PROGRAM", what, "program");
}
