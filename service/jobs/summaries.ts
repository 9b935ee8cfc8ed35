/**
 * Summaries of results, for `?summary=1`. A result has to be read for its summary, which takes as long as it is large: so that asking again
 * is cheap, what a summary says beside the result is remembered, and the result goes in as the text it was stored as.
 */
import { summarize } from "../../vm/summary.ts";
import type { Job } from "./job.ts";

/** JSON of a summary before and behind its result. */
type Envelope = { readonly before: string; readonly behind: string };

/** Results up to this length are read faster than anything else is done for an answer. */
const SMALL_RESULT = 16 * 1024;
const MOST_LENGTH = 4 * 1024 * 1024;

export class JobSummaries {
  /** What was asked for last is last. */
  readonly #kept = new Map<string, Envelope>();
  #length = 0;
  readonly #read: (text: string) => unknown;

  /** `read`: parses the JSON of a result. */
  constructor(read: (text: string) => unknown = JSON.parse) {
    this.#read = read;
  }

  /** JSON of the summary of a job and its result. */
  of({ id, attempt }: Pick<Job, "id" | "attempt">, result: string): string {
    const key = `${id} ${attempt}`;
    const known = this.#kept.get(key);
    if (known !== undefined) this.#kept.delete(key);
    const envelope = known ?? envelopeOf(this.#read(result), id);
    if (known !== undefined) this.#kept.set(key, known);
    else if (result.length > SMALL_RESULT) this.#keep(key, envelope);
    return `${envelope.before}${result}${envelope.behind}`;
  }

  #keep(key: string, envelope: Envelope): void {
    const length = lengthOf(key, envelope);
    if (length > MOST_LENGTH) return;
    this.#kept.set(key, envelope);
    this.#length += length;
    for (const [oldest, kept] of this.#kept) {
      if (this.#length <= MOST_LENGTH) return;
      this.#kept.delete(oldest);
      this.#length -= lengthOf(oldest, kept);
    }
  }
}

function lengthOf(key: string, { before, behind }: Envelope): number {
  return key.length + before.length + behind.length;
}

function envelopeOf(result: unknown, id: string): Envelope {
  const { task_id, status, summary, result: _text, ...rest } = summarize(result, { task_id: id });
  return {
    before: `${JSON.stringify({ task_id, status, summary }).slice(0, -1)},"result":`,
    behind: `,${JSON.stringify(rest).slice(1)}`,
  };
}
