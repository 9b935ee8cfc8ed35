/** Counts that metrics keep until they are read. */
/** By label values, joined by blanks: none has one. */
export type Counts = Map<string, number>;

export function labelled(names: readonly string[], values: string): Record<string, string> {
  const each = values.split(" ");
  return Object.fromEntries(names.map((name, at) => [name, each[at] ?? ""]));
}

export function count(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, value) => total + value, 0);
}
