/**
 * Label references as text (docs/language.md, labels): `->L2`, `L2`, `2`, `->2` and `L2:` are the same label. One rule for
 * schedules, supplied IR and requests; it knows only which ids exist.
 */

/** The id that `written` means. When nothing has that id, the id without its `L`: the one to report. */
export function resolveReference(written: string, exists: (id: string) => boolean): string {
  const arrowless = written.startsWith("->") ? written.slice(2).trimStart() : written;
  const bare = arrowless.endsWith(":") ? arrowless.slice(0, -1) : arrowless;
  const short = bare.startsWith("L") ? bare.slice(1) : bare;
  if (short !== "" && exists(short)) return short;
  return exists(bare) || short === "" ? bare : short;
}
