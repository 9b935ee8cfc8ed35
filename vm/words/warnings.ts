/**
 * The first word of every warning (`word: details`), on any surface and in the start log, with meaning, cause and fix. Warnings never change
 * a result. A test fails for a warning whose word is not in this table.
 */
import type { Word } from "./errors.ts";

const word = (title: string, cause: string, fix: string): Word => ({ title, cause, fix });

export const WARNING_WORDS = {
  adapter_not_allowed: word(
    "a step calls an adapter outside the allowlist",
    "the allowlist does not contain the adapter",
    "ask for a grant that allows it; otherwise the run ends at that step",
  ),
  adapter_not_enabled: word(
    "the program uses an adapter that is not enabled",
    "every adapter except core must be enabled, and provided by this build",
    "--enable-adapter NAME on a command line, adapters.enable of your own request or deployment, or as the operator of a service WF_ENABLE_ADAPTERS",
  ),
  notice_target_missing: word(
    "a deployment names a target of notices that is not there",
    "the file of WF_NOTICES has no target of this name, so nothing is sent",
    "add the target to the file, or deploy with the name of another one",
  ),
  notice_target_failing: word(
    "notices do not arrive at their target",
    "the target is down, answers slowly, redirects, or refuses them; they are tried again for three days",
    "GET /notices has the code of the last try",
  ),
  public_url_missing: word(
    "a deployment verifies the address of the service, which is not set",
    "deliveries to an endpoint are signed with their address, so all are refused",
    "set WF_PUBLIC_URL to the address that senders use",
  ),
  secret_missing: word(
    "a deployment names a secret that is not there",
    "the secret that verifies deliveries of an endpoint is not set, so all are refused",
    "set the secret, as WF_SECRET_NAME or as a file of WF_SECRETS_DIR",
  ),
  program_incomplete: word(
    "a deployed program cannot work here",
    "it uses an adapter that is not enabled, or its endpoint a secret that is not set",
    "enable the adapter, or set the secret; with --strict-deploy such a program is refused",
  ),
  adapter_not_granted: word(
    "a requested adapter is outside the server's allowlist",
    "a request can never extend the server's grant",
    "ask the operator, or remove it",
  ),
  setting_would_refuse: word(
    "a literal argument is outside a setting in force",
    "a host, path, table, tool or module that is not in its list",
    "widen the list, or handle the call's error with Err",
  ),
  variable_hidden: word(
    "the program reads a variable that has no value here",
    "a program sees only the variables that WF_EXPOSE_ENV names; for the others it returns its default, or null",
    "name it in WF_EXPOSE_ENV, or pass the value in the frame",
  ),
  setting_clamped: word(
    "a setting exceeds its maximum",
    "a value above the maximum of the adapter, or a permission that only the operator can give",
    "use the maximum or less; ask the operator for the permission",
  ),
  settings_without_enable: word(
    "settings were given for an adapter that is not enabled",
    "settings alone do not enable an adapter",
    "enable it, or remove its settings",
  ),
  limit_ignored: word(
    "a limit is ignored",
    "a value below 1, for max_adapter_calls below 0",
    "pass a larger value; until then the default applies",
  ),
  wait_longer_than_job: word(
    "a wait is as long as the life of its job, or longer",
    "a span or timeout that is written out goes beyond lifetime_s, and the wait ends with the job",
    "shorten the wait, or give the job or its deployment a longer lifetime_s",
  ),
  warnings_left_out: word(
    "further warnings of this kind are not shown",
    "a large program with many similar warnings",
    "fix the warnings shown above first",
  ),
  unknown_adapter_name: word(
    "a policy, a profile or a list names an unknown adapter",
    "a misspelt name, or a plugin that is not loaded here",
    "use the suggested name; until then the name matches no adapter",
  ),
  unknown_effect_name: word(
    "a policy names an effect that no step has",
    "a misspelt name",
    "use the name that is suggested",
  ),
  input_type: word(
    "an input has another type than the program declares",
    "a value of another type than an annotation says (in the opcode form # frame: or a D type), in a request that is not strict",
    "pass the type in the message; a strict request is refused",
  ),
  input_missing: word(
    "a required input is missing",
    "a request that is not strict has no member for a parameter without a default (in the opcode form name!: type)",
    "pass the input; a strict request is refused",
  ),
  input_unknown: word(
    "the frame has a member that the program does not declare",
    "a misspelt name, or a variable that no declaration mentions",
    "use the suggested name, declare it, or leave it out",
  ),
  compile_warning: word(
    "the compiler has a warning about the program",
    "see its text and line",
    "wf check FILE shows it with its code",
  ),
  strict_ignored: word(
    "strict has no effect on IR",
    "IR was given in place of source, with strict",
    "omit strict, or pass the source",
  ),
  dry_run: word(
    "verbs that write do not act",
    "the run or the server is a dry run",
    "remove --dry-run / WF_DRY_RUN to apply changes",
  ),
  number_precision: word(
    "a whole number of the request loses digits",
    "whole numbers beyond 2^53 cannot be represented exactly",
    "pass it as text",
  ),
  record_cut: word(
    "the record ends before the run did",
    "result, record and trace of an answer have one bound (WF_MAX_RESULT_BYTES), and so have the records of all runs",
    "record a shorter run, or one whose calls take and return less; the record has complete: false and cannot be replayed as a whole",
  ),
  trace_cut: word(
    "the trace lacks events in its middle",
    "result, record and trace of an answer have one bound (WF_MAX_RESULT_BYTES)",
    "ask for shorter values with trace_options.max_value_bytes, or for fewer events",
  ),
  replay_checksum_differs: word(
    "the log was recorded with another version of the program",
    "the program was changed since",
    "record again, unless the change does not matter",
  ),
  field_ignored: word(
    "a member of the IR has no meaning here",
    "the IR comes from another tool or version",
    "leave it out",
  ),
  legacy_ignored: word(
    "the member legacy of the IR has no meaning here",
    "IR of the predecessor",
    "nothing, or compile the source again",
  ),
  legacy_field_ignored: word(
    "a member of the request has no meaning here",
    "it belongs to the predecessor",
    "leave it out",
  ),
  orphan_node: word("a step of the IR is never reached", "no edge leads to it", "add the edge, or remove the step"),
  no_steps_found: word("the document has no steps", "no numbered headings, numbers or bullets", "number its steps"),
  no_parts_found: word(
    "the document has no parts of an agent",
    "it lacks headings such as Mission, Rules or Workflow",
    "give its parts such headings",
  ),
  repeated_steps_dropped: word("repeated steps were omitted", "two steps have the same title", "rename one of them"),
  steps_left_out: word(
    "the document has too many steps",
    "more than 200 numbered steps, or 25 bullets",
    "split the document",
  ),
  schedule_not_understood: word(
    "the schedule was not read",
    "the words do not form a known schedule",
    "write a Cr line by hand",
  ),
  schedule_times_left_out: word(
    "some times of the schedule were omitted",
    "one cron line cannot express all of them",
    "write further Cr lines by hand",
  ),
  not_durable: word(
    "deployments are lost when the process ends",
    "no state directory and no database is configured",
    "set WF_STATE_DIR or WF_DATABASE_URL",
  ),
  waits_not_durable: word(
    "a wait of the job ends with the process",
    "the program waits for a time or a signal, and the job is not durable",
    "set WF_STATE_DIR, and leave durable out or send true",
  ),
  resumed_by_newer_version: word(
    "a durable run continued under another version",
    "the service was updated while the run was under way, and the journal fits",
    "nothing; `wf jobs journal` shows where it continued",
  ),
  outcome_unknown: word(
    "it is unknown whether a call had its effect",
    "the process ended while the call was under way",
    "look at the other side; on_unknown says what becomes of such calls",
  ),
  program_refused: word(
    "a deployment cannot run under the grant or the trusted keys of today",
    "the grant of the service was tightened, or the version is not signed by a key that is trusted now",
    "deploy a version that the grant admits, or widen the grant; sign the version with a trusted key",
  ),
  program_stale: word(
    "a file changed to something that cannot be deployed, and the version before it stays",
    "the program does not compile, or the grant refuses it",
    "correct the file; the message says what is wrong",
  ),
  schedules_paused: word(
    "schedules paused themselves",
    "five jobs in a row were refused or rejected",
    "look at their jobs, then resume them: wf schedule resume",
  ),
  approvals_anonymous: word(
    "all who reach the service may decide questions",
    "the adapter approval is enabled, and no proxy names people",
    "set WF_USER_HEADER and WF_TRUST_PROXY, or keep the endpoint from others",
  ),
  next_aborted: word(
    "a version next to the current one ended by itself",
    "more of its last runs failed than its rule allows",
    "look at its failed jobs; wf programs next NAME VERSION --weight N gives it a share again",
  ),
  attestation_ignored: word(
    "the signature of a file is not about what the file holds",
    "the file was changed after it was signed, and the service trusts no keys that would refuse it",
    "sign it again: wf sign program FILE --key KEY",
  ),
  trusted_keys_stale: word(
    "changed files of trusted keys are not valid, so those of before count",
    "a file of WF_TRUSTED_KEYS cannot be read or is not as documented",
    "correct the file that the warning names",
  ),
  unsigned_code: word(
    "requests may bring code that is not signed",
    "WF_TRUSTED_KEYS is set, which governs deployments, and WF_CODE is not deployed",
    "set WF_CODE=deployed",
  ),
  proposals_anonymous: word(
    "all who reach the service may accept what they propose",
    "WF_DEPLOY is proposals, and no proxy names people",
    "set WF_USER_HEADER and WF_TRUST_PROXY, or keep the endpoint from others",
  ),
  commits_may_be_lost: word(
    "the database confirms commits that a crash of it may lose",
    "synchronous_commit is off for the account or the database",
    "ALTER ROLE ... SET synchronous_commit = on, or leave it as it is by default",
  ),
  store_corrupt: word(
    "the job store is damaged, and takes no more work",
    "a page of the file, or a record in it, is not what was written",
    "stop the service and run wf doctor --recover, or restore a copy",
  ),
  clock_behind_store: word(
    "the clock lags the newest time of the job store, which continues from that time",
    "the clock of the machine, or of the database, was set back, or has not been set since it started",
    "set the clock; the warning ends when it has caught up",
  ),
  queue_not_durable: word(
    "messages of queues are lost when the process ends",
    "no state directory is configured",
    "set WF_STATE_DIR, or --state-dir for wf serve",
  ),
  memory_not_durable: word(
    "records of memory are lost when the process ends",
    "no file is configured",
    "set WF_MEMORY_DB, or --memory-db",
  ),
  videomon_not_durable: word(
    "polled data is lost when the run ends",
    "no file is configured",
    "set WF_STATE_DIR, or give videomon.db_path",
  ),
  calendar_events_left_out: word(
    "some events of a calendar cannot be read and are not in the answer",
    "a time or rule that does not exist, or text that is cut off",
    'correct the events in the calendar, or give `unreadable` as "fail" to make the call fail instead',
  ),
  calendar_zone_unknown: word(
    "events are shown as if they had no time zone",
    "they name a time zone that neither the calendar nor this machine knows",
    'correct the events in the calendar, or give `unreadable` as "fail" to make the call fail instead',
  ),
  email_copy_not_kept: word(
    "the message was sent, but no copy was stored",
    "the folder of sent mail refused it",
    "check the folder and its quota; do not send it again",
  ),
  transaction_rolled_back: word(
    "a transaction was open at the end of the run",
    "the program neither committed nor rolled it back",
    "commit it before the run ends",
  ),
  places_unbounded: word(
    "callers may choose any folder of the machine for files and databases",
    "WF_CALLER_PLACES=any is set, and the grant allows adapters that take a path from a request",
    "unset it, fix the setting in WF_ADAPTERS_CONFIG, or deny the adapter",
  ),
  data_root_volatile: word(
    "files go to a temporary folder",
    "neither WF_DATA_ROOT nor WF_STATE_DIR is set",
    "set one of them",
  ),
  few_descriptors: word(
    "the service takes fewer connections than WF_MAX_CONNECTIONS",
    "the limit of open files is too low for that many connections and the rest of the service",
    "raise the limit of open files (ulimit -n), or lower WF_MAX_CONNECTIONS",
  ),
  archive_failed: word(
    "jobs past their retention are kept, because they cannot be written to the archive",
    "the folder of WF_JOBS_ARCHIVE cannot be written: it is a file, belongs to another user, or its disk is full",
    "make room, or name a folder that the service may write; the next sweep tries again",
  ),
  version_unsigned: word(
    "the version could not become current as it is: it is not signed",
    "the service admits signed versions only (WF_TRUSTED_KEYS)",
    "sign it with wf sign program, and deploy it with --attestation FILE or --sign KEY",
  ),
  shared_places: word(
    "mailboxes or memory may be shared with other users of the machine",
    "they are in the default places below /tmp, which another user can use, or other machines reach the service",
    "set WF_AGENT_ROOT and WF_MEMORY_DB",
  ),
  plugin_facts_missing: word(
    "a plugin does not declare some facts",
    "the most restrictive values are assumed",
    "declare them; wf adapter lint lists them",
  ),
  meta_not_lowered: word(
    "the operator's file states weaker facts than the definition of an adapter",
    "facts can only be made stricter",
    "remove the member of $meta",
  ),
  unknown_variable: word("unknown environment variable", "a misspelt name", "correct or unset it"),
  variable_ignored: word("a variable belongs to another surface", "it has no effect on this surface", "unset it"),
  unknown_name: word(
    "a variable names something that does not exist",
    "a misspelt tool or resource",
    "correct it; wf mcp --list shows the names",
  ),
} as const satisfies Readonly<Record<string, Word>>;
