/**
 * Programs of jobs as they are read from the store, by checksum: the jobs of one program get the same object, so that whatever reads and
 * checks it does so once (`run-plan.ts`). Bounded in number and size; the oldest goes first.
 */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import { isObject, type Json } from "../../../compiler/json.ts";
import type { JobWork } from "../job.ts";

const MAX_KEPT = 64;
/** Characters; longer programs are read anew each time. */
const MAX_KEPT_LENGTH = 262_144;

export class JobPrograms {
  readonly #known = new BoundedMap<Json>({ max: MAX_KEPT });

  /** The result is shared and must not be changed. */
  read({ checksum, program }: Pick<JobWork, "checksum" | "program">): Json {
    const known = this.#known.get(checksum);
    if (known !== undefined) return known;
    const read = withoutFacts(JSON.parse(program) as Json);
    if (program.length > MAX_KEPT_LENGTH) return read;
    this.#known.set(checksum, read);
    return read;
  }
}

/** What the catalog said when the job was queued. That of today decides: an adapter may have changed since, or be gone. */
const FACTS = ["effect", "effect_tier", "effect_kinds"] as const;

/** Changes the value, which is new. */
function withoutFacts(program: Json): Json {
  const nodes = isObject(program) ? program["nodes"] : null;
  if (!Array.isArray(nodes)) return program;
  for (const node of nodes) if (isObject(node)) for (const fact of FACTS) delete (node as Record<string, Json>)[fact];
  return program;
}
