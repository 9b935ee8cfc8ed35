/** What `/ready` says: whether the service takes work, and what its operator should look at. */
export type Ready = { readonly status: string; readonly queue: string; readonly warnings?: readonly string[] };

/** The warning about a deployment that today's grant refuses. */
const REFUSED = /^program_refused: ([a-z0-9-]+): (.*)$/s;

/** Why, by the name of the program. */
export function refusedPrograms(warnings: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    warnings.flatMap((warning) => {
      const [, name, why] = REFUSED.exec(warning) ?? [];
      return name === undefined || why === undefined ? [] : [[name, why] as const];
    }),
  );
}

export const isRefusal = (warning: string): boolean => REFUSED.test(warning);
