/**
 * The codes of `issues`: the problems of a request, a setting, a policy or IR, each with the path it is at and a message that says what is
 * expected there. The compiler's own are held complete by their types, those of the surfaces by a test.
 */
import type { IssueCode } from "../../compiler/ir/issues.ts";
import type { InputIssue } from "../../compiler/policy/policy.ts";

export type IssueWord = { readonly title: string; readonly fix: string };

const issue = (title: string, fix: string): IssueWord => ({ title, fix });

const OF_INPUT = {
  type: issue("the value has another type", "give what the message expects"),
  unknown_member: issue("the member is not known", "use the name that is suggested, or leave it out"),
  unknown_tier: issue("no tier has this name", "use one of the tiers that the message lists"),
  unknown_setting: issue("the adapter has no such setting", "see wf adapter docs NAME for its settings"),
  unknown_adapter: issue("no adapter has this name", "use the name that is suggested; wf capabilities lists them"),
  too_large: issue("there is more than may be", "send less"),
  duplicate: issue("it is given twice", "keep one of them"),
  conflict: issue("two settings exclude each other", "keep one of them"),
  required: issue("a setting is missing", "give the setting that the message names"),
  required_by_profile: issue("the profile asks for a setting", "give the setting that the message names"),
  place: issue("the path may not be chosen", "name a place below the data root, outside of the service's own files"),
  definition: issue("the adapter's definition has a fault", "tell the author of the adapter"),
  not_yours: issue("the setting belongs to the operator", "leave it out, or ask the operator"),
} as const satisfies Readonly<Record<InputIssue["code"], IssueWord>>;

const OF_IR = {
  schema: issue("the value has another shape", "give what the message expects"),
  forbidden_member: issue("the member name is refused", "rename it"),
  unknown_op: issue("the op is not known", "compile the program again with this version"),
  unknown_kind: issue("the kind of operand or condition is not known", "compile the program again with this version"),
  unknown_port: issue("the op has no such port", "use a port of the op"),
  bad_id: issue("the id is not one", "use ids like n1"),
  bad_name: issue("the name is not one", "use letters, digits and _"),
  bad_number: issue("the number cannot be represented", "give a smaller one, or text"),
  duplicate_node: issue("the node id is used twice in its label", "rename one of them"),
  missing_label: issue("the label is not there", "add it to labels, or correct the name"),
  missing_node: issue("the node is not there", "add it, or correct the id"),
  port_not_allowed: issue("the edge cannot leave or enter there", "correct its port or target"),
  missing_edge: issue("an edge of the op is missing", "add it"),
  duplicate_edge: issue("there are two edges for one port", "remove one of them"),
  next_cycle: issue("next edges form a circle", "remove one of them; repeat with While or Call"),
  data_edge_mismatch: issue("data and edges of the node differ", "make them say the same"),
  annotation_mismatch: issue("an annotation is not what the graph gives", "leave annotations out: they are computed"),
  checksum_mismatch: issue(
    "the checksum is that of another program",
    "leave it out, or send the program it belongs to",
  ),
  nested_host_function: issue("a function with effects is nested", "assign it with an X of its own first"),
  nothing_to_run: issue("the program has no step to begin with", "add a step to the entry label"),
  unsupported_ir_version: issue("the major version is not 1", "compile the program again with this version"),
} as const satisfies Readonly<Record<Exclude<IssueCode, InputIssue["code"]>, IssueWord>>;

const OF_REQUESTS = {
  range: issue("the value is too large or too small", "give one within the bounds of the message"),
  format: issue("the value is not written as it must be", "write it as the message says"),
  value: issue("the value is none of those admitted", "give one that the message lists"),
  host: issue("the request names its host not once", "send one Host header, as every client does by itself"),
  unknown_parameter: issue(
    "the endpoint has no such parameter in its query",
    "use the name that is suggested, or leave it out",
  ),
  exclusive: issue("exactly one of several members is needed", "give one of those that the message names"),
  path_as_code: issue("the text is the name of a file", "send it as path, or send the program itself"),
  unknown_label: issue("the label to begin with does not exist", "use one of the program's labels"),
  replay_log: issue("the log has another shape", "send what record_calls gave"),
  replay_log_invalid: issue("the log has another shape", "record the run again"),
  idempotency_key: issue(
    "the key cannot be used",
    "1 to 255 printable ASCII characters, or none where the message says so",
  ),
  too_deep: issue("the body is nested too deep", "send a flatter one"),
  succeeded: issue("the job succeeded", "nothing: its result is there"),
  no_record: issue("the job was not recorded", "retry from the start, or send record_calls with the next one"),
} as const satisfies Readonly<Record<string, IssueWord>>;

export const ISSUE_WORDS = { ...OF_INPUT, ...OF_IR, ...OF_REQUESTS } as const;
