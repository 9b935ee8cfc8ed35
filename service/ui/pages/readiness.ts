/** What `/ready` says: whether the service takes work, and what its operator should look at. */
export type Ready = { readonly status: string; readonly queue: string; readonly warnings?: readonly string[] };

/** The warnings about a deployment that today's grant refuses, and about one that needs what is not here. */
const OF_PROGRAM = /^program_(refused|incomplete): ([a-z0-9-]+): (.*)$/s;
/** The word of a warning, which `wf explain` knows; several may stand in one text. */
const WORD = /(^|; )[a-z]+(?:_[a-z]+)+: /g;

export type Trouble = { readonly kind: string; readonly why: string };

/** By the name of the program; one that is refused is not said to be incomplete as well. */
export function troubledPrograms(warnings: readonly string[]): ReadonlyMap<string, Trouble> {
  const found = new Map<string, Trouble>();
  for (const warning of warnings) {
    const [, kind, name, why] = OF_PROGRAM.exec(warning) ?? [];
    if (kind === undefined || name === undefined || why === undefined) continue;
    if (kind === "refused" || !found.has(name)) found.set(name, { kind, why: why.replace(WORD, "$1") });
  }
  return found;
}

export const isOfProgram = (warning: string): boolean => OF_PROGRAM.test(warning);

/** A warning as a person reads it, on the page of what it is about. */
export const warningText = (warning: string): string => (OF_PROGRAM.exec(warning)?.[3] ?? warning).replace(WORD, "$1");
