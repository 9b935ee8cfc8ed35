/**
 * Label references as text (docs/language.md, labels): `->L2`, `L2`, `2`, `->2` and `L2:` are the same label. One rule for
 * schedules, supplied IR and requests; it knows only which ids exist. And what people read of labels.
 */
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { Ir } from "./graph.ts";

/** The id that `written` means. When nothing has that id, the id without its `L`: the one to report. */
export function resolveReference(written: string, exists: (id: string) => boolean): string {
  const arrowless = written.startsWith("->") ? written.slice(2).trimStart() : written;
  const bare = arrowless.endsWith(":") ? arrowless.slice(0, -1) : arrowless;
  const short = bare.startsWith("L") ? bare.slice(1) : bare;
  if (short !== "" && exists(short)) return short;
  return exists(bare) || short === "" ? bare : short;
}

/** A function of the Python form is known by its name, any other label as it is written. */
export function labelName({ labels }: Pick<Ir, "labels">, id: string): string {
  return Object.hasOwn(labels, id) && labels[id]?.python !== undefined ? id : writtenLabel(id);
}

/** What the docstring of its entry, or of its file, says that a program does; null: nothing. */
export function programDescription({ labels, entry }: Pick<Ir, "labels" | "entry">): string | null {
  const of = entry === null || !Object.hasOwn(labels, entry) ? undefined : labels[entry]?.python?.doc;
  const file = Object.values(labels).find(({ python }) => python?.kind === "module");
  return of ?? file?.python?.doc ?? null;
}
