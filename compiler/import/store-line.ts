/** The one line that keeps a step or part outside the run, for the targets that have such a place. */
import { weftString } from "./literals.ts";
import type { DocumentType, ImportTarget } from "./shapes.ts";

const KEPT_SECONDS = 3600;

export type Stored = {
  readonly target: ImportTarget;
  /** Namespace in the memory. */
  readonly kind: DocumentType;
  readonly slug: string;
  readonly key: string;
  /** Name of the variable. */
  readonly value: string;
};

export function storeLine({ target, kind, slug, key, value }: Stored): readonly string[] {
  const place = `${weftString(slug)} ${weftString(key)} ${value} ${KEPT_SECONDS} ->stored`;
  if (target === "cache") return [`  R cache.set ${place}`];
  if (target === "memory") return [`  R memory.put ${weftString(kind)} ${place}`];
  return [];
}
