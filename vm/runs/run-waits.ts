/** What a run says that was to end at once, and cannot. */
import type { RunAnswer } from "./requests.ts";

/** Thrown when a run that was to end synchronously has to wait. The run continues: `answer` is what `run` would have returned. */
export class RunWaits extends Error {
  readonly answer: Promise<RunAnswer>;

  constructor(answer: Promise<RunAnswer>) {
    super("the run has to wait for an adapter or a timer: await the answer, or start it with run");
    this.name = "RunWaits";
    this.answer = answer;
    // Who does not want it any more need not handle its failure.
    answer.catch(() => {});
  }
}
