/**
 * The words in `error` and `error_kind` of requests that started no run, on any surface, with meaning, cause and fix. `wf explain` and the
 * documentation are made from this table; words of failed runs are with their codes (`vm/errors/error-codes.ts`). A test fails for a word
 * that a surface writes and that is in neither table.
 */
import { DEPLOYMENT_ERRORS } from "./deployment-errors.ts";
import { DURABLE_ERRORS } from "./durable-errors.ts";
import { word } from "./word.ts";

export type { Word } from "./word.ts";

const REQUESTS = {
  usage_error: word(
    "the command line is not valid",
    "an unknown command or flag, an invalid value, or a missing argument",
    "see wf help COMMAND",
  ),
  invalid_json: word(
    "the input is not JSON",
    "a body or file that does not parse, or is not a document of the expected kind",
    "correct it at the place that the message names",
  ),
  invalid_request: word(
    "the request is not valid",
    "unknown, missing, mistyped or mutually exclusive members",
    "see issues for the path and what is expected there",
  ),
  input_invalid: word(
    "the inputs are not what the program declares; nothing was executed",
    "a value of another type than an annotation says (in the opcode form # frame: or a D type), or a required input that is missing",
    "see issues for the path, the declared type and the type found; strict: false (--loose) makes it a warning",
  ),
  policy_violation: word(
    "the program violates the policy; nothing was executed",
    "a step uses what the policy, grant or profile forbids",
    "see policy_errors and wf security-report FILE --grant; ask for a grant that allows it, or remove the step",
  ),
  compile_error: word(
    "the program does not compile",
    "at least one diagnostic of severity error",
    "see diagnostics; wf check FILE --fix fixes some of them",
  ),
  adapter_config_error: word(
    "the settings of an adapter are not valid",
    "a setting that is unknown, mistyped, reserved for the operator, or in conflict with another",
    "see issues for the setting and what is expected",
  ),
  invalid_ir: word("the IR cannot be run", "inconsistent IR or bytecode", "compile the program again"),
  replay_log_invalid: word(
    "the replay log is not valid",
    "a file that is not a recording, or was changed",
    "record the run again with --record or record_calls",
  ),
  result_too_large: word(
    "the result is too large for an answer",
    "the value of the entry label, or a report, exceeds the limit of the surface",
    "return less: pick the required members, or use a smaller program",
  ),
  payload_too_large: word(
    "the body or a line of it is too large",
    "more than WF_MAX_BODY_BYTES, or a batch line above its limit",
    "send less, or compile the program first and send the IR",
  ),
};

const SERVICE = {
  ui_read_only: word(
    "the console may only read",
    "a page of this service sent a request that changes something",
    "the operator sets WF_UI=act, or use the command line",
  ),
  forbidden_origin: word(
    "requests of this origin are refused",
    "a web page of another site sent the request, or a proxy changed its Host header",
    "the proxy passes Host on, or the operator lists origins in WF_ALLOWED_ORIGINS",
  ),
  forbidden_host: word(
    "requests for this host name are refused",
    "the Host header names neither this machine nor a listed name",
    "the operator lists names in WF_ALLOWED_HOSTS",
  ),
  not_found: word("nothing is served at this path", "the path is not an endpoint", "see GET / for the endpoints"),
  ...DEPLOYMENT_ERRORS,
  job_not_found: word(
    "no job has this id",
    "a wrong id, or a job that was deleted after its retention",
    "check the id; wf jobs list shows the jobs",
  ),
  method_not_allowed: word(
    "the path does not support this method",
    "a method that the endpoint does not have",
    "use a method of the Allow header",
  ),
  request_timeout: word("the request took too long to arrive", "a slow or broken connection", "send it again"),
  idempotency_in_progress: word(
    "the first request with this key is still running",
    "a second request with the same Idempotency-Key",
    "wait as Retry-After says, then send it again",
  ),
  idempotency_key_reused: word(
    "the key was used with a different request",
    "one Idempotency-Key for two different bodies",
    "use a new key for every request",
  ),
  job_dropped: word(
    "a rule of the program queued no job",
    "as many jobs run as concurrency allows, and on_full says drop",
    "send it again later, or let on_full be queue",
  ),
  job_exists: word(
    "a job with the same key is queued or runs",
    "unique of the program allows one job for each value of its key, and on_conflict says reject",
    "use the job in job_id, or let on_conflict be return or replace",
  ),
  flow_invalid: word(
    "the rules of @job are not valid",
    "a limit of 0, a rule with a member that is unknown or missing, or a key that does not look like the path of an input",
    "see issues for the line and what is expected; docs/how-to/flow-control.md shows the rules",
  ),
  flow_key_invalid: word(
    "a rule cannot read its key from the inputs; nothing was queued",
    "an input that is missing, null, a list or an object, or a text of more than 512 characters, where concurrency, rate, fair or priority needs it",
    "see issues for the input; give it a text, a number, true or false",
  ),
  expired: word(
    "the job was not begun in time",
    "it waited in line for longer than start_by_s",
    "queue it again; raise start_by_s, the limits that held it back, or WF_QUEUE_WORKERS",
  ),
  timeout_exceeded: word(
    "the job ran for longer than its timeout",
    "its run took more than timeout_s, time that it waited for something not included",
    "raise timeout_s, or do less in one job",
  ),
  job_not_finished: word(
    "the job has not ended",
    "a retry of a job that is waiting or running",
    "cancel it, or wait for it",
  ),
  job_expired: word(
    "the result of the job was deleted after its retention",
    "keep_s or WF_RESULT_TTL_S has passed",
    "run the job again, and keep results longer",
  ),
  job_not_retryable: word(
    "the job cannot be retried",
    "it succeeded, or it was not recorded and cannot continue from its failure",
    "see issues; retry from the start, or send record_calls with the next one",
  ),
  unsupported_media_type: word(
    "unsupported content type",
    "a Content-Type other than JSON, or a Content-Encoding",
    "send application/json without compression",
  ),
  rate_limited: word(
    "too many requests",
    "more requests from this client than WF_RATE_LIMIT",
    "wait as Retry-After says",
  ),
  header_fields_too_large: word(
    "the headers are too large",
    "more than 16 KiB of headers",
    "send fewer or shorter headers",
  ),
  server_busy: word(
    "the service is busy",
    "all run slots are in use, or the machine is overloaded",
    "wait as Retry-After says; the operator may raise WF_MAX_CONCURRENT_RUNS",
  ),
  answer_dropped: word("carried out, but its response was dropped", "too many are unread", "repeat it with its key"),
  queue_full: word(
    "the queue of jobs is full",
    "WF_QUEUE_MAX jobs are waiting, or one request has more jobs than that",
    "wait as Retry-After says, or let more workers run; without Retry-After send fewer frames at a time",
  ),
  draining: word(
    "the service is shutting down",
    "it received a signal to stop",
    "send it again after the restart, or to another replica",
  ),
  store_unavailable: word(
    "the store of jobs is not available",
    "the disk or database does not respond",
    "wait as Retry-After says; the operator finds the reason in the log and in GET /ready",
  ),
  interrupted: word(
    "the process died during the run",
    "it was killed or stopped, or the machine failed; the effects of the run until then are unknown",
    "check what it changed, then retry the job",
  ),
};

const FILES = {
  input_error: word(
    "a program or file cannot be read",
    "see error_kind: it does not exist, is not text, or is too large",
    "name another file",
  ),
  key_invalid: word(
    "the file is not a private key that signs programs",
    "another kind of key, a passphrase, or another file",
    "name a private key of Ed25519 in PEM; wf sign keygen makes one",
  ),
  path_not_found: word("the path does not exist", "a wrong name or folder", "see the names in the message"),
  path_not_a_file: word(
    "the path is not a file of the expected kind",
    "a folder, a device, or another extension",
    "name a file",
  ),
  path_outside_root: word(
    "the path leads outside the folder",
    "it has .., is absolute, or follows a link",
    "name a path below the folder",
  ),
  empty_source: word("the program is empty", "a program without statements", "write a program; wf init creates one"),
  arrow_damaged: word(
    "the file is not a whole Arrow file or stream",
    "it was cut off or changed, or has another format",
    "write it again; results of the rows before are kept",
  ),
  arrow_unsupported: word(
    "the Arrow file holds what frames cannot",
    "a column of another type, two columns of one name, or compression",
    "write it as the message says",
  ),
  unicode_decode_error: word("the file is not UTF-8 text", "another encoding, or binary data", "save it as UTF-8"),
  source_too_large: word(
    "the program is too large",
    "more than 1 MiB of source, or 8 MiB of IR",
    "split it; include the parts",
  ),
  permission_denied: word(
    "the file may not be read",
    "the file's mode or owner",
    "change its mode, or run as another user",
  ),
  unreadable: word(
    "the file cannot be read",
    "the operating system refused it for the reason in the message",
    "see the message",
  ),
  too_many_open_files: word(
    "too many files are open",
    "this process, or the machine, has reached its limit of open files",
    "raise it: ulimit -n 1024",
  ),
  output_error: word(
    "an output file cannot be written",
    "a folder that is missing or full, a file that exists, or no permission",
    "name another file, or pass --force if the message says so",
  ),
  file_exists: word(
    "the files already exist",
    "wf init never overwrites files unless you pass --force",
    "name another folder, or pass --force",
  ),
};

const COMMANDS = {
  invalid_configuration: word(
    "the configuration is not valid",
    "an error in wf.config.json, an operator file, a variable or a plugin",
    "correct the problem in the message; wf doctor checks all of them",
  ),
  unknown_profile: word("no profile has this name", "it is neither built in nor a file", "wf profiles lists them"),
  invalid_profile: word("the file is not a profile", "an unknown or mistyped member", "see issues"),
  invalid_grant: word("the file is not a grant", "an unknown or mistyped member", "see issues"),
  invalid_policy: word("the file is not a policy", "an unknown or mistyped member", "see issues"),
  invalid_trace: word(
    "the file is not a trace",
    "a document that --trace-out did not write",
    "wf run FILE --trace-out FILE writes one",
  ),
  invalid_test: word("the file is not a test", "an unknown or mistyped member", "see docs/testing.md for its members"),
  no_test_found: word(
    "no test was found",
    "neither name.expected.json next to name.wf nor # result: or # expect: in it",
    "write one; wf test --update creates it from the program's result",
  ),
  result_misfit: word(
    "a result does not fit the columns of an Arrow file",
    "the first record batch had other members, or values of another type",
    "return the same members and types for every row, or write JSON lines with --out",
  ),
  package_missing: word(
    "an optional package is not installed",
    "only this command needs it",
    "install it as the message says",
  ),
  server_unreachable: word(
    "the runner service cannot be reached",
    "it is not running, or has another address",
    "start it with wf serve, or name it with --server or WF_SERVER",
  ),
  proxy_refused: word(
    "something in front of the service refuses the request",
    "a proxy that asks for credentials or bounds the size of requests, or an address that is not a service",
    "see the message; credentials belong into the address, such as https://TOKEN@weft.example.com",
  ),
  checksum_differs: word(
    "a version would be another program at the other service",
    "the two services have compilers that differ, or the source was read otherwise",
    "bring both services to one version of Weft, then promote again",
  ),
  answer_too_large: word(
    "the response of a service is too large",
    "another server at this address, or an error of the service",
    "see the message; another address with --server or WF_SERVER",
  ),
  mailbox_error: word(
    "the mailbox cannot be used",
    "an error in its folder or in an envelope",
    "see the message; wf mailbox lint checks envelopes",
  ),
  queue_error: word("the queue cannot be used", "its store returned an error", "see the message"),
  cache_error: word("the cache cannot be used", "its store returned an error", "see the message"),
  invalid_entry: word(
    "a line is not an entry of the cache",
    "a missing or mistyped member",
    "correct the line in the message",
  ),
  invalid_record: word(
    "a line is not a record of memory",
    "a missing or mistyped member",
    "correct the line in the message",
  ),
  plugin_error: word(
    "the plugin cannot be used",
    "it does not exist, throws when imported, or has an invalid definition",
    "see the message; wf adapter lint FILE finds more",
  ),
  invalid_tests: word(
    "the tests of the plugin cannot be used",
    "fixture.js or test.js does not export what is expected",
    "see docs/plugins.md for their exports",
  ),
  invalid_page: word(
    "the page lacks a marker for a table",
    "a marker is missing or unknown",
    "add the marker in the message",
  ),
};

const IMPORTS = {
  unknown_preset: word(
    "no document has this name",
    "it is not a preset, an address or a readable file",
    "see close_slugs",
  ),
  fetch_blocked: word(
    "the address may not be fetched",
    "not https, a private address, or a host that is not listed",
    "the operator lists hosts in WF_IMPORT_ALLOW_HOSTS",
  ),
  fetch_failed: word(
    "the document was not fetched",
    "the connection failed, or the server answered with an error",
    "see status; try again, or save the document and name the file",
  ),
  fetch_timeout: word(
    "the document did not arrive in time",
    "a slow server",
    "try again, or save the document and name the file",
  ),
  too_many_redirects: word(
    "the server redirects too often",
    "a loop, or a long chain of redirects",
    "name the final address",
  ),
  too_large: word("the document is too large", "more than 1 MiB", "import a part of it"),
  not_text: word("the document is not text", "binary data, or a content type other than text", "pass Markdown text"),
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
    "they were not enabled, or this server does not provide them",
    "send suggested_adapters as adapters, or ask the operator",
  ),
};

export const ERROR_WORDS = {
  ...REQUESTS,
  ...SERVICE,
  ...DURABLE_ERRORS,
  ...FILES,
  ...COMMANDS,
  ...IMPORTS,
  ...TOOLS,
} as const;
