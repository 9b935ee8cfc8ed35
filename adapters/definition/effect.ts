export type Effect = "pure" | "io-read" | "io-write" | "control";

/** Logger of an adapter: names of events and values of the operator's, never argument values or secrets. */
export type AdapterLog = (
  event: string,
  fields?: { readonly [name: string]: string | number | boolean | null },
) => void;
