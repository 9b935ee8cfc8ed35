/**
 * Programs of jobs as they are read from the store, by checksum: the jobs of one program get the same object, so that whatever reads and
 * checks it does so once (`run-plan.ts`). Bounded in number and size; the oldest goes first.
 */
import type { Json } from "../../compiler/json.ts";
import type { JobWork } from "./job.ts";

const MOST_KEPT = 64;
/** Characters; longer programs are read anew each time. */
const LONGEST_KEPT = 262_144;

export class JobPrograms {
  readonly #known = new Map<string, Json>();

  /** Nobody may change what is given. */
  read({ checksum, program }: Pick<JobWork, "checksum" | "program">): Json {
    const known = this.#known.get(checksum);
    if (known !== undefined) return known;
    const read = JSON.parse(program) as Json;
    if (program.length > LONGEST_KEPT) return read;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(checksum, read);
    return read;
  }
}
