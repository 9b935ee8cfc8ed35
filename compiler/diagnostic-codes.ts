/**
 * Every diagnostic of the language as data (docs/diagnostics.md): stable code and name, severity per mode, and
 * the templates of message and suggestion. `{word}` in a template is filled from a finding's `words`; a suggestion with
 * a placeholder that the finding does not fill is left out. No stage writes message text of its own.
 * `aliases` are the names of the shared conformance cases. Codes are never reused; docs/diagnostics.md explains each one.
 */
import type { Severity } from "../grammar/diagnostic.ts";
import { PYTHON_CODES, PYTHON_WARNINGS } from "./python/codes.ts";

/** What is said of one kind of finding. */
export type DiagnosticCode = {
  readonly name: string;
  readonly aliases: readonly string[];
  /** null: not reported in that mode. */
  readonly strict: Severity | null;
  readonly loose: Severity | null;
  readonly message: string;
  readonly suggestion: string | null;
};

const SEVERITIES: Readonly<Record<string, Severity | null>> = {
  E: "error",
  W: "warning",
  H: "hint",
  "-": null,
};

/** `modes` is the severity in strict and in non-strict mode, as in the reference: `E/W`. */
function row(
  name: string,
  modes: `${"E" | "W" | "H" | "-"}/${"E" | "W" | "H" | "-"}`,
  message: string,
  suggestion: string | null = null,
  aliases: readonly string[] = [],
): DiagnosticCode {
  const [strict = "", loose = ""] = modes.split("/");
  return {
    name,
    aliases,
    strict: SEVERITIES[strict] ?? null,
    loose: SEVERITIES[loose] ?? null,
    message,
    suggestion,
  };
}

const TEXT_AND_SYNTAX = {
  WF1001: row(
    "unterminated_string",
    "E/E",
    "string is not closed on this line",
    "close it with {q}; for an apostrophe, quote the whole word",
  ),
  WF1002: row("unclosed_bracket", "E/E", "'{b}' is never closed", "add {close}"),
  WF1003: row("unexpected_bracket", "E/E", "unexpected '{b}'", "remove it"),
  WF1004: row("malformed_literal", "E/E", "expected {expected} in {kind}", 'write {"key": value} or [a, b]'),
  WF1005: row("bad_variable", "E/W", "'{word}' is not a variable name", 'quote it: "{word}"'),
  WF1006: row("missing_label_id", "E/E", "label has no name", "write L1:", ["empty_label_id"]),
  WF1007: row("number_out_of_range", "E/E", "number {text} is out of range", "quote it if it is text"),
  WF1008: row("bad_nested_call", "E/E", "expected a function name after '('", "write a nested call as (add a b)"),
  WF1009: row("unexpected_token", "E/W", "unexpected {token}", "remove it"),
  WF1010: row("invalid_character", "E/E", "invalid character {U+hex}", "save the file as UTF-8"),
  WF1011: row("too_large", "E/E", "{what} exceeds {limit}", "split the program"),
  WF1012: row("nesting_too_deep", "E/E", "nesting deeper than {limit}", "use a variable for the inner part"),
  WF1013: row("too_many_findings", "H/H", "{n} more {findings} not shown"),
};

const STRUCTURE = {
  WF2001: row("unknown_op", "E/W", "unknown statement '{word}'", "did you mean '{near}'?", [
    "unknown_module_prefix",
    "unknown_module_op",
  ]),
  WF2002: row("declaration_in_label", "E/W", "'{op}' belongs above the first label", "move it above the first label", [
    "label_autoclose",
  ]),
  WF2003: row("step_outside_label", "E/W", "step '{op}' is not in a label", "add L1: above it", [
    "label_scope_top_level",
  ]),
  WF2004: row("arity", "E/W", "{op} needs {slots}", "write {signature}"),
  WF2005: row("duplicate_label", "E/W", "label '{id}' is declared twice", "rename one of them"),
  WF2006: row("label_form", "E/W", "write a label as L{id}:", "write L{id}:"),
  WF2007: row("missing_handler", "E/W", "Err names no handler", "write Err ->L_handler", ["err_missing_handler"]),
  WF2008: row("bad_result_binding", "E/W", "expected ->name, found '{word}'", "write ->{word}", [
    "call_return_binding",
  ]),
  WF2009: row(
    "unreachable_step",
    "E/W",
    "steps after {op} in '{label}' never run",
    "move them above {op}, or into a label of their own",
    ["graph_unreachable", "graph_edge_invalid_port", "label_must_end_j"],
  ),
  WF2010: row("label_without_steps", "E/W", "label '{id}' has no steps", "add J and a value to the label", [
    "label_missing_steps",
  ]),
  WF2011: row(
    "label_without_result",
    "E/W",
    "label '{id}' does not end in J, If, Loop or While",
    "end it with J and a value",
    ["label_j_count", "endpoint_j_count"],
  ),
  WF2013: row("bad_option", "E/W", "'{word}' is not one of {expected}", "did you mean '{near}'?"),
  WF2015: row("several_results", "E/W", "more than one result name", "keep one result name"),
};

const REFERENCES = {
  WF3001: row("unknown_label", "E/W", "label '{id}' does not exist", "did you mean ->{near}?", [
    "undeclared_label",
    "undeclared_endpoint_label",
  ]),
  WF3002: row(
    "unknown_node",
    "E/E",
    "@{node} names no earlier step of '{label}'",
    "use one of this label's steps n1 to n{k}",
    ["graph_err_at_node_unknown", "graph_retry_at_node_unknown"],
  ),
  WF3003: row("endpoint_target_form", "E/W", "write the endpoint's label as ->L{id}", "write ->L{id}", [
    "endpoint_label_target",
  ]),
  WF3004: row("empty_reference", "E/W", "reference names no label", "name the label, as in ->L1", ["if_branch_target"]),
  WF3005: row("duplicate_endpoint", "E/W", "endpoint {method} {path} is declared twice", "remove one of them"),
  WF3006: row(
    "endpoint_result_mismatch",
    "E/W",
    "endpoint returns '{a}' but label '{id}' returns '{b}'",
    "change one of them",
    ["endpoint_return_mismatch"],
  ),
  WF3007: row("undefined_cache", "E/W", "cache '{name}' is not declared", "add C {name} key 60"),
  WF3008: row("undefined_queue", "E/W", "queue '{name}' is not declared", "add Q {name}"),
  WF3009: row("undefined_transaction", "E/W", "transaction '{name}' is not declared", "add Txn {name}"),
  WF3010: row("undefined_policy", "E/W", "policy '{name}' is not declared", "add Pol {name} auth=true"),
  WF3011: row("include_syntax", "E/W", 'write: include "path" as name', 'write include "path" as name'),
  WF3012: row(
    "include_not_found",
    "E/W",
    "cannot find '{path}'",
    "put it in {places} searched, or make its folder an include root (--include-root)",
  ),
  WF3013: row("include_cycle", "E/E", "include cycle: {a} -> {b} -> {a}", "remove one of the includes"),
  WF3014: row("include_contract", "E/W", "'{path}' is not a module: {reason}", null),
  WF3015: row("include_label_conflict", "E/W", "alias '{alias}' gives label '{id}' twice", "use another alias"),
  WF3016: row("include_has_errors", "E/W", "'{path}' has {errors}", null, ["include_module_has_errors"]),
  WF3017: row(
    "include_disabled",
    "E/E",
    "includes are not available here",
    "send one self-contained program, or precompile it to IR",
  ),
  WF3018: row(
    "include_outside_root",
    "E/E",
    "'{path}' is outside the include roots",
    "move it, or start with --include-root",
  ),
  WF3019: row("include_limit", "E/E", "includes exceed {what} {limit}", null),
  WF3020: row("unknown_cron_label", "E/W", "label '{id}' does not exist", "did you mean {near}?"),
  WF3021: row("bad_cron", "E/W", "'{expr}': {what}"),
};

const DATAFLOW = {
  WF4001: row(
    "undefined_variable",
    "E/W",
    "nothing sets '{name}' before this step",
    "quote it if it is text, or declare it with '# frame: {name}'",
    ["graph_dataflow_undefined"],
  ),
  WF4002: row(
    "undefined_path_root",
    "W/-",
    "'{word}' is {reading}: nothing sets '{root}'",
    'quote it as "{word}", or write ${word}',
  ),
  WF4003: row("input_type_conflict", "W/W", "input '{name}' is declared as {a} and as {b}", "keep one of them"),
};

const ADAPTERS = {
  WF5001: row("unknown_adapter", "E/W", "unknown adapter '{name}'", "did you mean '{near}'?", ["unknown_adapter_verb"]),
  WF5002: row("unknown_verb", "E/W", "adapter '{adapter}' has no verb '{verb}'", "did you mean '{near}'?", [
    "unknown_adapter_verb",
  ]),
  WF5003: row("unimplemented_verb", "E/W", "core.{verb} is not available", "use Loop or Filt", [
    "core_runtime_unimplemented",
  ]),
  WF5004: row("unknown_function", "E/W", "unknown function '{name}'", "did you mean '{near}'?"),
  WF5005: row(
    "impure_nested_call",
    "E/E",
    "'{fn}' cannot be nested",
    "give it a line of its own: t = {fn}(), or X t {fn}",
  ),
  WF5006: row("computed_target", "E/W", "adapter and verb must be written out", "use If with one R per verb"),
  WF5007: row("argument_count", "W/W", "{target} takes {signature}", "{repair}"),
  WF5008: row(
    "adapter_not_allowed",
    "W/W",
    "{adapter}.{verb} is not allowed under {source}",
    "use a grant that admits {adapter}",
  ),
  WF5009: row("adapter_case", "E/W", "adapter names are lower case", "write {name}"),
  WF5010: row(
    "retry_not_idempotent",
    "W/-",
    "retrying {adapter}.{verb} may repeat its effect",
    "pass an idempotency key, or do not retry it",
  ),
  WF5011: row("argument_type", "W/W", "{target}: argument {n} must be {expected}", null),
  WF5012: row("surplus_argument", "E/W", "{target} takes {signature}", "{repair}"),
  WF5020: row(
    "transaction_in_branch",
    "E/W",
    "a branch of {op} can neither begin nor end a transaction",
    "begin and end it around the {op}, or do one after the other with Loop",
  ),
  WF5021: row(
    "wait_in_transaction",
    "E/W",
    "{call} waits inside a transaction, which ends with its connection",
    "commit before the wait, and begin another transaction after it",
  ),
  WF5022: row("odd_argument", "E/E", "{target} would take {what} for {as}", "{repair}"),
  WF5023: row("malformed_argument", "E/W", "'{argument}' of {target} {what}", "write {write}"),
  WF5024: row("misread_answer", "E/W", "{what}", "{repair}"),
};

const ADVICE = {
  WF9001: row(
    "extra_slots",
    "E/W",
    "{op} ignores '{word}'",
    "remove it; if it belongs to a text, quote the whole text; if it is a value, write a list: [a, b]",
  ),
  WF9002: row("inline_steps", "H/H", "one step per line reads better", "put each step on its own line"),
  WF9003: row("split_call", "H/H", "write {adapter}.{VERB}", "write {adapter}.{VERB}"),
  WF9004: row("verb_spelling", "H/H", "catalog spelling is {verb}", "write {verb}"),
  WF9005: row("call_without_result", "H/H", "result goes to _call_result", "add ->name"),
  WF9006: row("alias_used", "H/H", "canonical name is {op}", "write {op}"),
  WF9008: row(
    "j_is_not_jump",
    "W/W",
    "J returns a value; it does not go to label '{id}'",
    "use If true or Call to go there, or quote the text",
  ),
  WF9009: row("comparison_text", "H/-", "'=' compares text", "write =="),
  WF9010: row("integer_precision", "W/W", "{text} cannot be represented exactly", "quote it"),
  WF9012: row("path_like_word", "E/W", "'{word}' is text, not an index", "write (get rows i)"),
  WF9013: row("comment_in_word", "W/W", "'#' starts a comment here", "quote the word, or put a space before #"),
  WF9014: row("unused_label", "H/-", "label '{id}' is never used", null, ["label_unreachable"]),
  WF9015: row("nothing_to_run", "W/W", "the program has nothing to run", "write def main():, or a label with steps"),
  WF9017: row(
    "result_like_label",
    "W/W",
    "'->{name}' is a result name here, not a label",
    "give the result a name that reads like one",
  ),
  WF9018: row("result_not_last", "W/W", "put ->{name} at the end", "move ->{name} to the end of the line"),
  WF9019: row("no_effect", "W/W", "{op} has no effect here", null),
  WF9021: row("meaning_fixed", "-/-", "differs from the predecessor: {how}", null),
  WF9022: row("handler_effects", "W/-", "handler '{id}' adds {kinds}", "check that the handler may do this"),
  WF9023: row("second_handler", "W/W", "'{op}' on {node} is ignored: line {n} protects it", "remove one of them"),
  WF9024: row("retry_without_step", "W/W", "Retry protects nothing", "put it under the step it repeats"),
  WF9025: row("bad_input_comment", "W/W", "expected an input as name: type", "write name: {near}"),
  WF9026: row("duplicate_key", "W/W", "key '{key}' is repeated", "remove the first one"),
  WF9027: row(
    "entry_not_obvious",
    "H/H",
    "runs start at '{id}', the first label, not at '{other}'",
    "name the label in the request, or move it to the top",
  ),
  WF9028: row(
    "shadowed_input",
    "-/-",
    "input '{name}' is overwritten before anything reads it",
    "give the new value another name, or do not declare '{name}' as an input",
  ),
  WF9029: row(
    "unhandled_call",
    "-/-",
    "nothing handles a failure of {calls}",
    "add Err ->L_handler under it; as the first step of the label it covers every step below",
  ),
  WF9040: row("branches_without_calls", "H/-", "no branch makes a call, so nothing is gained", "Loop costs less"),
  WF9041: row(
    "wait_without_timeout",
    "H/-",
    "{call} waits as long as the job lives",
    'pass {"timeout": "7d"}, and read from the result whether the time was over',
  ),
  WF9042: row(
    "long_sleep",
    "-/-",
    "core.SLEEP of {n} s keeps the place that the job runs in",
    "timer.sleep parks the job meanwhile",
  ),
  WF9043: row(
    "waits_one_by_one",
    "H/-",
    "{call} waits in each turn of this loop, one after the other",
    "Each waits for all at once",
  ),
  WF9044: row(
    "wait_longer_than_job",
    "W/W",
    "{call} takes {span}, and a job lives for {life}",
    "shorten it, or give the job a longer lifetime_s; {call} ends with the job",
  ),
};

/** Their sentence comes with the finding, from grammar/python/faults.ts and compiler/python/refusals.ts. */
const PYTHON = Object.fromEntries(
  Object.entries(PYTHON_CODES).map(([code, name]) => [
    code,
    row(name, PYTHON_WARNINGS.has(code) ? "W/W" : "E/E", "{what}"),
  ]),
);

/** By code, as `WF2004`. */
export const DIAGNOSTIC_CODES: Readonly<Record<string, DiagnosticCode>> = {
  ...TEXT_AND_SYNTAX,
  ...STRUCTURE,
  ...REFERENCES,
  ...DATAFLOW,
  ...ADAPTERS,
  ...PYTHON,
  ...ADVICE,
};
