/** What a run did, as the drawing of its program shows it. */
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
