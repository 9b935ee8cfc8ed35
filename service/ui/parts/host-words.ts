/**
 * Calls that ask the host of a run for the time, for random values or for a pause, in the words of programs: journals and reports have them as verbs of
 * `core`.
 */

/** Shown in place of `core`, which no program in Python names. */
const HOST = "built in";

/** The function of the module `weft` that stands for each verb, and what it does. */
const WORDS: Readonly<Record<string, readonly [name: string, does: string]>> = {
  NOW: ["now", "reads the clock"],
  ISO: ["iso", "reads the clock"],
  UUID: ["uuid", "draws random values"],
  ENV: ["env", "reads the environment"],
  SLEEP: ["sleep", "sleeps"],
};

const wordsOf = (adapter: string, verb: string) =>
  adapter === "core" && Object.hasOwn(WORDS, verb.toUpperCase()) ? WORDS[verb.toUpperCase()] : undefined;

/** `sleep`; null: another call. */
export const hostName = (adapter: string, verb: string): string | null => wordsOf(adapter, verb)?.[0] ?? null;

/** `reads the clock`; null: another call. */
export const hostDoes = (adapter: string, verb: string): string | null => wordsOf(adapter, verb)?.[1] ?? null;

/** The arguments of such a call as a program gives them: a sleep is in seconds there, and in milliseconds in a journal. */
export function hostArguments(verb: string, args: string): string {
  const ms = verb.toUpperCase() === "SLEEP" ? Number(args) : Number.NaN;
  return args === "" || Number.isNaN(ms) ? args : String(ms / 1000);
}

/** Adapters as people know them. */
export const adapterName = (name: string): string => (name === "core" ? HOST : name);
