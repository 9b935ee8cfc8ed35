/**
 * The words that answers carry in `error` and `error_kind` for requests that came to no run, on any surface: what each means, how it comes
 * about, what to do. The one table behind `wf explain` and the documentation; words of failed runs are with their codes
 * (`vm/error-codes.ts`). A test fails for a word that a surface writes and that stands in neither.
 */
export type Word = { readonly title: string; readonly cause: string; readonly fix: string };

const word = (title: string, cause: string, fix: string): Word => ({ title, cause, fix });

const REQUESTS = {
  usage_error: word(
    "the command line is not understood",
    "an unknown command or flag, a value that a flag cannot take, or something missing",
    "see wf help COMMAND",
  ),
  invalid_json: word(
    "what was given is not JSON",
    "a body or file that does not parse, or is no document of the expected kind",
    "correct it at the place that the message names",
  ),
  invalid_request: word(
    "the request is not valid",
    "members that are unknown, missing, of another type, or exclude each other",
    "see issues for the path and what is expected there",
  ),
  policy_violation: word(
    "the program violates the policy; nothing was executed",
    "a step uses what the policy, grant or profile forbids",
    "see policy_errors and wf security-report FILE --grant; ask for a grant that admits it, or leave the step out",
  ),
  compile_error: word(
    "the program does not compile",
    "at least one diagnostic of severity error",
    "see diagnostics; wf check FILE --fix repairs some of them",
  ),
  adapter_config_error: word(
    "the settings of an adapter cannot be used",
    "a setting that is unknown, of another type, the operator's alone, or in conflict with another",
    "see issues for the setting and what is expected",
  ),
  invalid_ir: word("the IR cannot be run", "IR or bytecode that does not hold together", "compile the program again"),
  replay_log_invalid: word(
    "the replay log has another shape",
    "a file that no recording wrote, or one that was changed",
    "record the run again with --record or record_calls",
  ),
  result_too_large: word(
    "the result is larger than an answer may be",
    "the value of the entry label, or a report, is above the bound of the surface",
    "give back less: pick the members that are needed, or ask about a smaller program",
  ),
  payload_too_large: word(
    "the body or a line of it is too large",
    "more bytes than WF_MAX_BODY_BYTES, or than a line of a batch may have",
    "send less, or precompile and send the frame alone",
  ),
};

const SERVICE = {
  forbidden_origin: word(
    "requests of this origin are refused",
    "a page of another site called the service",
    "the operator lists origins in WF_ALLOWED_ORIGINS",
  ),
  forbidden_host: word(
    "requests for this host name are refused",
    "the Host header names neither this machine nor a name that is listed",
    "the operator lists names in WF_ALLOWED_HOSTS",
  ),
  not_found: word("there is nothing at this path", "the path is no endpoint", "see GET / for the endpoints"),
  job_not_found: word(
    "there is no job of this id",
    "a wrong id, or a job whose record is past its retention",
    "check the id; wf jobs list shows the jobs",
  ),
  method_not_allowed: word(
    "the path has no such method",
    "another method than those of the endpoint",
    "use a method of the Allow header",
  ),
  request_timeout: word("the request took too long to arrive", "a slow or broken connection", "send it again"),
  idempotency_in_progress: word(
    "the first request of this key is still running",
    "a second request with the same Idempotency-Key",
    "wait as Retry-After says, then ask again",
  ),
  idempotency_key_reused: word(
    "the key belongs to another request",
    "one Idempotency-Key for two different bodies",
    "give every request a key of its own",
  ),
  job_not_finished: word(
    "the job has not ended",
    "a retry of a job that is waiting or running",
    "cancel it, or wait for it",
  ),
  job_expired: word(
    "the result of the job is past its retention",
    "more time than keep_s or WF_RESULT_TTL_S went by",
    "run the job again, and keep results longer",
  ),
  job_not_retryable: word(
    "the job cannot be retried",
    "it succeeded, or it was not recorded and is to go on from its failure",
    "see issues; retry from the start, or send record_calls with the next one",
  ),
  unsupported_media_type: word(
    "the body has a type that is not read here",
    "another Content-Type than JSON, or a Content-Encoding",
    "send application/json without compression",
  ),
  rate_limited: word("too many requests", "more than WF_RATE_LIMIT for this caller", "wait as Retry-After says"),
  header_fields_too_large: word(
    "the headers are too large",
    "more than 16 KiB of headers",
    "send fewer or shorter ones",
  ),
  server_busy: word(
    "the service is busy",
    "every place for a run is taken, or the machine is overloaded",
    "wait as Retry-After says; the operator may raise WF_MAX_CONCURRENT_RUNS",
  ),
  queue_full: word(
    "the queue of jobs is full",
    "as many jobs wait as WF_QUEUE_MAX admits, or one request asks for more than that",
    "wait as Retry-After says, or let more workers run; without Retry-After send fewer frames at a time",
  ),
  draining: word(
    "the service is shutting down",
    "it was asked to stop",
    "ask again once it is back, or another replica",
  ),
  store_unavailable: word(
    "the store of jobs is not available",
    "its disk or database does not answer",
    "wait as Retry-After says; the operator finds the reason in the log and in GET /ready",
  ),
  interrupted: word(
    "the process ended during the run",
    "it was killed or stopped, or the machine went down; what the run did until then is not known",
    "look at what it changed, then retry the job",
  ),
};

const FILES = {
  input_error: word(
    "a program or file cannot be read",
    "see error_kind: it is not there, not text, or too large",
    "name another file",
  ),
  path_not_found: word(
    "there is nothing at the path",
    "a wrong name or folder",
    "see the names that the message lists",
  ),
  path_not_a_file: word(
    "the path is no file of the expected kind",
    "a folder, a device, or another extension",
    "name a file",
  ),
  path_outside_root: word(
    "the path leads out of the folder",
    "it has .., is absolute, or follows a link",
    "name a path below the folder",
  ),
  empty_source: word(
    "the program is empty",
    "a file or text without a statement",
    "write a program; wf init begins one",
  ),
  unicode_decode_error: word("the file is not UTF-8 text", "another encoding, or binary data", "save it as UTF-8"),
  source_too_large: word(
    "the program is too large",
    "more than 1 MiB of source, or 8 MiB of IR",
    "split it; include the parts",
  ),
  permission_denied: word("the file may not be read", "its mode or owner", "change its mode, or run as another user"),
  unreadable: word("the file cannot be read", "the system refused it for the reason in the message", "see the message"),
  too_many_open_files: word(
    "the system gives no further open file",
    "the limit of this process, or of the machine, on open files is reached",
    "raise it: ulimit -n 1024",
  ),
  output_error: word(
    "something cannot be written",
    "a folder that is missing or full, a file that exists, or no permission",
    "name another place, or give --force where the message says so",
  ),
  file_exists: word(
    "files are there already",
    "wf init writes over nothing unasked",
    "name another folder, or give --force",
  ),
};

const COMMANDS = {
  invalid_configuration: word(
    "the configuration cannot be used",
    "wf.config.json, a file of the operator, a variable or a plugin has a fault",
    "correct what the message names; wf doctor checks all of them",
  ),
  unknown_profile: word("no profile has this name", "neither a built-in nor a file", "wf profiles lists them"),
  invalid_profile: word("the file is no profile", "a member that is unknown or of another type", "see issues"),
  invalid_grant: word("the file is no grant", "a member that is unknown or of another type", "see issues"),
  invalid_policy: word("the file is no policy", "a member that is unknown or of another type", "see issues"),
  invalid_trace: word(
    "the file is no trace",
    "another document than --trace-out writes",
    "wf run FILE --trace-out FILE writes one",
  ),
  invalid_test: word(
    "the file is no test",
    "a member that is unknown or of another type",
    "see docs/testing.md for its members",
  ),
  no_test_found: word(
    "there is no test",
    "no name.expected.json beside name.wf, and no # expect: in it",
    "write one; wf test --update makes it from what the program gives",
  ),
  package_missing: word(
    "an optional package is not installed",
    "the command needs it, nothing else does",
    "install it as the message says",
  ),
  server_unreachable: word(
    "no runner service answers",
    "it is not running, or at another address",
    "start it with wf serve, or name it with --server or WF_SERVER",
  ),
  answer_too_large: word(
    "a service sends more than is taken from it",
    "another server at this address, or a fault of it",
    "see the message; another address with --server or WF_SERVER",
  ),
  mailbox_error: word(
    "the mailbox cannot be used",
    "its folder or an envelope has a fault",
    "see the message; wf mailbox lint checks envelopes",
  ),
  queue_error: word("the queue cannot be used", "its store has a fault", "see the message"),
  cache_error: word("the cache cannot be used", "its store has a fault", "see the message"),
  invalid_entry: word(
    "a line is no entry of the cache",
    "a member that is missing or of another type",
    "correct the line that is named",
  ),
  invalid_record: word(
    "a line is no record of memory",
    "a member that is missing or of another type",
    "correct the line that is named",
  ),
  plugin_error: word(
    "the plugin cannot be used",
    "it is not there, throws when imported, or its definition has a fault",
    "see the message; wf adapter lint FILE finds more",
  ),
  invalid_tests: word(
    "the tests beside the plugin cannot be used",
    "fixture.js or test.js exports something else",
    "see docs/plugins.md for their exports",
  ),
  invalid_page: word(
    "the page has no place for a table",
    "a marker is missing or unknown",
    "put the marker in that the message names",
  ),
};

const IMPORTS = {
  unknown_preset: word(
    "there is no document of this name",
    "neither a preset, nor an address, nor a file that may be read",
    "see close_slugs",
  ),
  fetch_blocked: word(
    "the address may not be fetched",
    "no https, a private address, or a host that is not listed",
    "the operator lists hosts in WF_IMPORT_ALLOW_HOSTS",
  ),
  fetch_failed: word(
    "the document was not fetched",
    "the connection failed, or the server answered with an error",
    "see status; try again, or save the document and name the file",
  ),
  fetch_timeout: word(
    "the document did not come in time",
    "a slow server",
    "try again, or save the document and name the file",
  ),
  too_many_redirects: word(
    "the server redirects too often",
    "a circle, or a long chain of addresses",
    "name the final address",
  ),
  too_large: word("the document is too large", "more than 1 MiB", "import a part of it"),
  not_text: word("the document is no text", "binary data, or a content type that is no text", "give Markdown text"),
  not_utf8: word("the document is not UTF-8", "another encoding", "save it as UTF-8"),
};

const TOOLS = {
  unknown_adapter: word(
    "no adapter has this name",
    "a misspelt name, or a plugin that is not loaded",
    "wf capabilities lists them",
  ),
  adapter_registration: word(
    "the program needs adapters that are not enabled",
    "nobody enabled them, or this server does not provide them",
    "send suggested_adapters as adapters, or ask the operator",
  ),
};

export const ERROR_WORDS = { ...REQUESTS, ...SERVICE, ...FILES, ...COMMANDS, ...IMPORTS, ...TOOLS } as const;
