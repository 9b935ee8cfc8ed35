/** Whether a program is one of the Python form, as its IR says. */
export function isPythonIr({
  labels,
}: {
  readonly labels: { readonly [id: string]: { readonly python?: unknown } };
}): boolean {
  for (const id in labels) if (labels[id]?.python !== undefined) return true;
  return false;
}
