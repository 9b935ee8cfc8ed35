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
  approval_not_found: word(
    "no question of this id is known",
    "a wrong id, or the job and everything about it is forgotten",
    "wf approve list shows those that are open",
  ),
  approval_not_open: word(
    "the question is not open any more",
    "somebody decided it, its time is over, the program took it back, or its job is over",
    "see what became of it: wf approve show ID",
  ),
  approval_not_yours: word(
    "the decision is not for who asks",
    "to names other people, who asks queued the job himself, decided before, or is not named at all",
    "ask one of those that to names; the operator sets WF_USER_HEADER, or makes a link: wf approve link ID --for user:NAME",
  ),
  link_expired: word("the link does nothing any more", "it was used, or its time is over", "ask for a new one"),
  links_not_configured: word(
    "links cannot be made",
    "the service does not know the address under which people reach it",
    "set WF_PUBLIC_URL",
  ),
  signal_not_wanted: word("the job takes no signals any more", "it is over", "see its state: wf jobs show JOB"),
  signals_full: word(
    "too many signals wait to be read",
    "1,000 signals to the job, or under the key, were sent and not read, or those under all keys are as many as the service keeps",
    "wait until the program has read some or they expire, send less, or raise WF_SIGNALS_MAX and WF_SIGNALS_MAX_BYTES",
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
