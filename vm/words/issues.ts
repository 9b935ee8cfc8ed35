/**
 * The codes of `issues`: problems of a request, a setting, a policy or IR. Each issue has a path and a message with what is expected there.
 * The types keep the codes of the compiler complete, a test those of the surfaces.
 */
import type { IssueCode } from "../../compiler/ir/issues.ts";
import type { InputIssue } from "../../compiler/policy/policy.ts";

export type IssueWord = { readonly title: string; readonly fix: string };

const issue = (title: string, fix: string): IssueWord => ({ title, fix });

const OF_INPUT = {
  type: issue("the value has the wrong type", "pass what the message expects"),
  unknown_member: issue("unknown member", "use the suggested name, or remove it"),
  unknown_tier: issue("no tier has this name", "use one of the tiers that the message lists"),
  unknown_setting: issue("the adapter does not have this setting", "see wf adapter docs NAME for its settings"),
  unknown_adapter: issue("no adapter has this name", "use the suggested name; wf capabilities lists them"),
  too_large: issue("the value is too large", "send less"),
  duplicate: issue("the value occurs twice", "keep one of them"),
  conflict: issue("two settings exclude each other", "keep one of them"),
  required: issue("a setting is missing", "pass the setting in the message"),
  required_by_profile: issue("the profile requires a setting", "pass the setting in the message"),
  place: issue("the path is not allowed", "name a place below the data root, outside of the service's own files"),
  definition: issue("the adapter's definition is not valid", "report it to the author of the adapter"),
  not_yours: issue("the setting belongs to the operator", "remove it, or ask the operator"),
} as const satisfies Readonly<Record<InputIssue["code"], IssueWord>>;

const OF_IR = {
  schema: issue("the value is not valid", "pass what the message expects"),
  forbidden_member: issue("the member name is refused", "rename it"),
  unknown_op: issue("unknown op", "compile the program again with this version"),
  unknown_kind: issue("unknown kind of operand or condition", "compile the program again with this version"),
  unknown_port: issue("the op does not have this port", "use a port of the op"),
  bad_id: issue("the id is not valid", "use ids like n1"),
  bad_name: issue("the name is not valid", "use letters, digits and _"),
  bad_number: issue("the number cannot be represented", "use a smaller number, or text"),
  duplicate_node: issue("the node id is used twice in its label", "rename one of them"),
  missing_label: issue("the label does not exist", "add it to labels, or correct the name"),
  missing_node: issue("the node does not exist", "add it, or correct the id"),
  port_not_allowed: issue("the edge cannot leave or enter there", "correct its port or target"),
  missing_edge: issue("an edge of the op is missing", "add it"),
  duplicate_edge: issue("there are two edges for one port", "remove one of them"),
  next_cycle: issue("next edges form a cycle", "remove one of them; repeat with While or Call"),
  data_edge_mismatch: issue("data and edges of the node differ", "make them agree"),
  annotation_mismatch: issue("an annotation differs from the graph", "omit annotations: they are computed"),
  checksum_mismatch: issue(
    "the checksum belongs to another program",
    "omit it, or send the program it belongs to; deploy a stored version again from its source",
  ),
  nested_host_function: issue("a function with effects is nested", "assign it with an X of its own first"),
  nothing_to_run: issue("the program has no step to start with", "add a step to the entry label"),
  unsupported_ir_version: issue("the major version is not 1", "compile the program again with this version"),
} as const satisfies Readonly<Record<Exclude<IssueCode, InputIssue["code"]>, IssueWord>>;

const OF_REQUESTS = {
  range: issue("the value is too large or too small", "use a value within the limits in the message"),
  format: issue("the value has the wrong format", "write it as the message says"),
  value: issue("the value is not one of the allowed values", "use one of the values in the message"),
  host: issue("the request must have exactly one Host header", "send one Host header, as HTTP clients do by default"),
  unknown_parameter: issue("the endpoint does not have this query parameter", "use the suggested name, or remove it"),
  input_type: issue("the input has another type than the program declares", "pass the type that the message names"),
  input_missing: issue("a required input is missing", "pass it"),
  delivery_key: issue(
    "the delivery lacks the key that repeated deliveries are found by",
    "send the header or member that dedupe names",
  ),
  challenge: issue("the challenge of an endpoint cannot be answered", "send, or set, what the message expects"),
  encoding: issue("the body cannot be read in the character set that it names", "send it in UTF-8"),
  backup_exists: issue("the folder of the copy exists already", "name a folder that does not exist"),
  unknown_endpoint: issue("the program declares no such endpoint", "use a path that the program declares"),
  unknown_file: issue("main names a file that was not sent", "name one of the files"),
  secret_short: issue("the secret of an endpoint is too short for its scheme", "set a longer secret"),
  exclusive: issue("exactly one of several members is needed", "pass one of the members in the message"),
  path_as_code: issue("the text is a file name", "send it as path, or send the program itself"),
  unknown_label: issue("the entry label does not exist", "use one of the program's labels"),
  replay_log: issue("the log is not valid", "send the record of record_calls"),
  replay_log_invalid: issue("the log is not valid", "record the run again"),
  idempotency_key: issue(
    "the key cannot be used",
    "use 1 to 255 printable ASCII characters, or omit it if the message says so",
  ),
  number_precision: issue(
    "a whole number beyond 2^53 would lose digits, and the request asks for strict",
    "pass the number as text, or omit strict to get a warning instead",
  ),
  too_deep: issue("the body is nested too deeply", "send a flatter one"),
  succeeded: issue("the job succeeded", "nothing; its result is available"),
  diverged: issue(
    "the program makes other calls than the journal has",
    "make the calls of the journal up to that record, or continue from an earlier one",
  ),
  no_record: issue("the job was not recorded", "retry from the start, or send record_calls with the next one"),
} as const satisfies Readonly<Record<string, IssueWord>>;

export const ISSUE_WORDS = { ...OF_INPUT, ...OF_IR, ...OF_REQUESTS } as const;
