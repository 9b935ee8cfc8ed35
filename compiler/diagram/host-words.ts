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

/** `core.ENV` is `env` in programs. */
export function calledText(call: string): string {
  const [adapter = "", verb = ""] = call.split(".");
  return hostName(adapter, verb) ?? call;
}

/** `reads the clock`; null: another call. */
export const hostDoes = (adapter: string, verb: string): string | null => wordsOf(adapter, verb)?.[1] ?? null;

/** The arguments of such a call with their unit: a program gives a sleep in seconds or milliseconds, and a journal has milliseconds. */
export function hostArguments(verb: string, args: string): string {
  const ms = verb.toUpperCase() === "SLEEP" ? Number(args) : Number.NaN;
  if (args === "" || Number.isNaN(ms)) return args;
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

/** Adapters as people know them. */
export const adapterName = (name: string): string => (name === "core" ? HOST : name);
