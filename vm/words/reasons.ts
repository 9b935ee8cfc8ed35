/** Why a durable job is `interrupted`: the `reason` of its result, with meaning, cause and fix. */
import { word } from "./word.ts";

export const INTERRUPTION_REASONS = {
  crash_loop: word(
    "the run ended its process again and again without coming further",
    "the program, or an adapter that it calls, takes more memory than there is, or ends the process in another way",
    "see in the log what ended the process; then wf jobs retry JOB, or wf jobs migrate JOB FILE with a program that avoids it. The operator sets WF_DURABLE_MOST_CRASHES",
  ),
  diverged: word(
    "the journal of the job does not fit its program any more, so nothing was made; see error_structured",
    "another version of Weft, or of an adapter, makes another call than the one in the journal",
    "continue with the version that began the job, or from an earlier record: wf jobs migrate JOB FILE --from SEQ",
  ),
  diverged_in_transaction: word(
    "the process ended in a transaction, and going through it again led to another call than before, so nothing more was made; see error_structured",
    "what the transaction reads has changed meanwhile, or a call within it has other arguments each time, such as the id of the transaction",
    "check the effects of the calls in the transaction that are not in its database, then continue from an earlier record: wf jobs migrate JOB FILE --from SEQ",
  ),
  restored: word(
    "the store was restored from a copy in which the job was open; what it did since is not known",
    "wf restore: the job may have come to its end after the copy was made",
    "look at its effects; then queue it again with wf jobs retry JOB, or let a durable one continue with --from failure",
  ),
  journal_unreadable: word(
    "the journal of the job cannot be read",
    "a record or a large value is missing or damaged, as after a database was restored in parts or lost its last commits",
    "restore the whole database from a backup, or queue the program again after checking which effects it had",
  ),
};
