/**
 * The words that warnings begin with (`word: what exactly`), on any surface and in the start log: what each means, how it comes about, what
 * to do. Warnings change no outcome. A test fails for a warning whose word does not stand here.
 */
import type { Word } from "./errors.ts";

const word = (title: string, cause: string, fix: string): Word => ({ title, cause, fix });

export const WARNING_WORDS = {
  adapter_not_allowed: word(
    "a step calls an adapter outside the allowlist",
    "the grant names the adapters that may be called, and this is none of them",
    "ask for a grant that admits it; the run ends when the step is reached",
  ),
  adapter_not_enabled: word(
    "the program uses an adapter that is not enabled",
    "adapters but core must be enabled, and provided by this build",
    "--enable-adapter NAME, or adapters.enable in a request; its calls fail with ADAPTER_NOT_CONFIGURED",
  ),
  adapter_not_granted: word(
    "an adapter that was asked for is outside the server's allowlist",
    "a request can only ask for less than the server grants",
    "ask the operator, or leave it out",
  ),
  setting_would_refuse: word(
    "a literal argument is outside a setting in force",
    "a host, path, table, tool or module that its list does not name",
    "widen the list, or handle the call's error with Err",
  ),
  setting_clamped: word(
    "a setting is above its most",
    "a value larger than the adapter admits",
    "give the most or less",
  ),
  settings_without_enable: word(
    "settings were given for an adapter that is not enabled",
    "settings alone do not enable an adapter",
    "enable it, or leave its settings out",
  ),
  limit_ignored: word(
    "a limit counts as not given",
    "a value below 1, for max_adapter_calls below 0",
    "give a larger value; the default holds until then",
  ),
  warnings_left_out: word(
    "further warnings of the kind are not shown",
    "a large program with many alike",
    "mend those that are shown first",
  ),
  unknown_adapter_name: word(
    "a policy, a profile or a list of adapters names one that there is not",
    "a misspelt name, or a plugin that is not loaded here",
    "use the name that is suggested; until then the name stands for an adapter that nothing calls",
  ),
  unknown_effect_name: word(
    "a policy names an effect that no step has",
    "a misspelt name",
    "use the name that is suggested",
  ),
  compile_warning: word(
    "the compiler has a warning about the program",
    "see its text and line",
    "wf check FILE shows it with its code",
  ),
  strict_ignored: word(
    "strict has no effect on IR",
    "IR was given in place of source",
    "leave strict out, or give the source",
  ),
  dry_run: word(
    "verbs that write do not act",
    "the run or the server is a dry run",
    "leave --dry-run and WF_DRY_RUN away to act",
  ),
  number_precision: word(
    "a number of the frame loses digits",
    "whole numbers beyond 2^53 cannot be represented exactly",
    "give it as text",
  ),
  replay_checksum_differs: word(
    "the log was recorded with another version of the program",
    "the program was changed since",
    "record again, unless the change does not matter",
  ),
  field_ignored: word("a member of the IR has no meaning here", "IR of another tool or version", "leave it out"),
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
    "no heading such as Mission, Rules or Workflow",
    "give its parts such headings",
  ),
  repeated_steps_dropped: word("steps that say the same were left out", "a title is there twice", "rename one of them"),
  steps_left_out: word(
    "there are more steps than are taken",
    "more than 200 numbered steps, or 25 bullets",
    "split the document",
  ),
  schedule_not_understood: word(
    "the schedule was not read",
    "its words are no schedule that is known",
    "write a Cr line by hand",
  ),
  schedule_times_left_out: word(
    "some times of the schedule were left out",
    "one cron line cannot say them all",
    "write further Cr lines by hand",
  ),
  queue_not_durable: word(
    "messages of queues end with the process",
    "no state directory is configured",
    "set WF_STATE_DIR, or --state-dir for wf serve",
  ),
  memory_not_durable: word(
    "records of memory end with the process",
    "no file is configured",
    "set WF_MEMORY_DB, or --memory-db",
  ),
  videomon_not_durable: word(
    "what was polled ends with the run",
    "no file is configured",
    "set WF_STATE_DIR, or give videomon.db_path",
  ),
  email_copy_not_kept: word(
    "the message was sent, but no copy was stored",
    "the folder of sent mail refused it",
    "look at the folder and its quota; do not send again",
  ),
  transaction_rolled_back: word(
    "a transaction was open at the end of the run",
    "the program neither commits nor rolls back",
    "commit it before the run ends",
  ),
  places_unbounded: word(
    "callers may choose any folder of the machine for files and databases",
    "neither WF_DATA_ROOT nor a security profile is set, and the grant admits adapters that take a place from a request",
    "set WF_DATA_ROOT or a profile, fix the setting in WF_ADAPTERS_CONFIG, or deny the adapter",
  ),
  data_root_volatile: word(
    "files go to a temporary folder",
    "neither WF_DATA_ROOT nor WF_STATE_DIR is set",
    "set one of them",
  ),
  few_descriptors: word(
    "the service takes fewer connections than WF_MAX_CONNECTIONS",
    "the process may not have as many files open as they and the rest of the service need",
    "raise the limit of open files (ulimit -n), or lower WF_MAX_CONNECTIONS",
  ),
  shared_places: word(
    "mailboxes or memory are in a folder that every user of the machine shares",
    "the contract's places below /tmp are in force",
    "set WF_AGENT_ROOT and WF_MEMORY_DB",
  ),
  plugin_facts_missing: word(
    "a plugin does not declare some facts",
    "the worst is assumed of them",
    "declare them; wf adapter lint names them",
  ),
  meta_not_lowered: word(
    "the operator's file states less of an adapter than its definition",
    "facts can only be made stricter",
    "remove the member of $meta",
  ),
  unknown_variable: word("a variable of the environment is read by nobody", "a misspelt name", "correct or unset it"),
  variable_ignored: word("a variable belongs to another surface", "it is set for this one", "unset it"),
  unknown_name: word(
    "a variable names something that does not exist",
    "a misspelt tool or resource",
    "correct it; wf mcp --list shows the names",
  ),
} as const satisfies Readonly<Record<string, Word>>;
