/** How a service is, as one probe or all of them say. */

export type Health = "up" | "degraded" | "down" | "unknown";

/** `error`: one lower-case word for what is wrong; null: nothing. */
export type Verdict = { readonly health: Health; readonly error: string | null };

export const UP: Verdict = { health: "up", error: null };

export function degraded(error: string): Verdict {
  return { health: "degraded", error };
}
export function down(error: string): Verdict {
  return { health: "down", error };
}
/** The question itself could not be asked. */
export function unknown(error: string): Verdict {
  return { health: "unknown", error };
}

const SEVERITY: readonly Health[] = ["up", "degraded", "unknown", "down"];

/** The worst of several; the first of equally bad ones. `unknown` without any. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const [first, ...others] = verdicts;
  if (first === undefined) return { health: "unknown", error: null };
  return others.reduce((bad, one) => (SEVERITY.indexOf(one.health) > SEVERITY.indexOf(bad.health) ? one : bad), first);
}

/** A slow or ageing service still does its work. */
export function works(health: Health): boolean {
  return health === "up" || health === "degraded";
}
