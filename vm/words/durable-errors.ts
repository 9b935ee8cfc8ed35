/** The words of `errors.ts` that durable jobs, their journals and their signals bring. */
import { word } from "./word.ts";

export const DURABLE_ERRORS = {
  values_hidden: word(
    "values of journals are not shown here",
    "WF_JOURNAL_VALUES is off, which is the default: journals hold what adapters answered",
    "read the journal without values=1, or let the operator set WF_JOURNAL_VALUES=1",
  ),
  outcome_not_asked: word(
    "the job does not wait for the outcome of this call",
    "a wrong number, a decision that was made already, or a job that continues or is over",
    "wf jobs why JOB shows what it waits for",
  ),
  signal_not_wanted: word("the job takes no signals any more", "it is over", "see its state: wf jobs show JOB"),
  signals_full: word(
    "too many signals wait to be read",
    "1,000 signals to the job, or under the key, were sent and not read",
    "wait until the program has read some, or send less",
  ),
  not_durable: word(
    "the job cannot be durable",
    "a service without a state directory and database, runs in worker threads, or a program that keeps state in an adapter",
    "see issues for the reason; set WF_STATE_DIR or WF_DATABASE_URL, or leave out durable",
  ),
  lifetime_exceeded: word(
    "the lifetime of the job is over",
    "a durable job did not end within lifetime_s, time in line and parked included",
    "queue it again, with a longer lifetime_s if it has to wait that long",
  ),
};
