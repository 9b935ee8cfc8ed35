/** Takes the place of what the compiler has for other files of a program and for the machine: in the page a program is one file, and does not run. */
import type { Fault } from "../../../../compiler/python/imports/members.ts";

export const OF_FILES = {};
export const HOSTED = [];
export const CALENDAR_METHODS = [];

export function memberOf(): Fault {
  throw new Error("a program in the page is one file");
}

/** The service refuses an import of what is not there. */
export function missingMember(): null {
  return null;
}

/** The service says what serves in place of a member. */
export function absentMember(module: string, name: string): Fault {
  return { row: "unknown_member", words: { module, name } };
}
