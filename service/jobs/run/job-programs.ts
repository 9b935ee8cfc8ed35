/**
 * Programs of jobs as they are read from the store, by checksum: the jobs of one program get the same object, so that whatever reads and
 * checks it does so once (`run-plan.ts`). Bounded in number and size; the oldest goes first.
 */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import type { Json } from "../../../compiler/json.ts";
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
    const read = JSON.parse(program) as Json;
    if (program.length > MAX_KEPT_LENGTH) return read;
    this.#known.set(checksum, read);
    return read;
  }
}
