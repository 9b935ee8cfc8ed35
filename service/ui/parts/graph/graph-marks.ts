/** What a run did, as the drawing of its program shows it. */
import type { Box } from "../../../../compiler/diagram/model.ts";

export type StepPlace = { readonly label: string; readonly node: string };
export type StepVisits = { readonly count: number; readonly ms: number; readonly failures: number };
export type GraphMarks = {
  /** By `placeKey`. */
  readonly visits: ReadonlyMap<string, StepVisits>;
  /** Where the run is, or what it waits at. */
  readonly present: StepPlace | null;
  readonly failed: StepPlace | null;
};

export const placeKey = ({ label, node }: StepPlace): string => `${label}\n${node}`;

/** Whether a place is that of a box, or of one of the steps that its line of source became. */
export function isAt({ step }: Box, place: StepPlace | null): boolean {
  if (step === null || place === null) return false;
  const key = placeKey(place);
  return placeKey(step) === key || step.others?.some((one) => placeKey(one) === key) === true;
}

/** Of a line of source: as often as its step that was visited most, and the time of all of them. */
export function visitsOf({ step }: Box, { visits }: GraphMarks): StepVisits | undefined {
  if (step === null) return undefined;
  const own = [step, ...(step.others ?? [])].flatMap((one) => visits.get(placeKey(one)) ?? []);
  if (own.length === 0) return undefined;
  return {
    count: Math.max(...own.map(({ count }) => count)),
    ms: own.reduce((sum, { ms }) => sum + ms, 0),
    failures: own.reduce((sum, { failures }) => sum + failures, 0),
  };
}
