/**
 * Summaries of results, for `?summary=1`. Making a summary takes time in proportion to the result. So that asking again
 * is cheap, the members next to the result are cached, and the result is inserted as the stored text.
 */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import { summarize } from "../../../vm/summary/summary.ts";
import type { Job } from "../job.ts";

/** The JSON of a summary before and after its result. */
type Envelope = { readonly before: string; readonly after: string };

/** Results up to this length are read faster than anything else is done for an answer. */
const SMALL_RESULT = 16 * 1024;
const MAX_LENGTH = 4 * 1024 * 1024;

export class JobSummaries {
  readonly #kept = new BoundedMap<Envelope>({
    max: MAX_LENGTH,
    weigh: ({ before, after }, key) => key.length + before.length + after.length,
  });
  readonly #read: (text: string) => unknown;

  /** `read`: parses the JSON of a result. */
  constructor(read: (text: string) => unknown = JSON.parse) {
    this.#read = read;
  }

  /** JSON of the summary of a job and its result. */
  of({ id, attempt }: Pick<Job, "id" | "attempt">, result: string): string {
    const key = `${id} ${attempt}`;
    const known = this.#kept.use(key);
    const envelope = known ?? envelopeOf(this.#read(result), id);
    if (known === undefined && result.length > SMALL_RESULT) this.#kept.set(key, envelope);
    return `${envelope.before}${result}${envelope.after}`;
  }
}

function envelopeOf(result: unknown, id: string): Envelope {
  const { task_id, status, summary, result: _text, ...rest } = summarize(result, { task_id: id });
  return {
    before: `${JSON.stringify({ task_id, status, summary }).slice(0, -1)},"result":`,
    after: `,${JSON.stringify(rest).slice(1)}`,
  };
}
