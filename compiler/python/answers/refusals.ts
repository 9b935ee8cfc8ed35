/** What a program does with answers of adapters (`answers/`). */
import { row } from "../refusal-row.ts";

export const ANSWERS = {
  always_true: row("WF6050", "the answer of {name} is always true", "test a member of it, such as .{member}"),
  always_true_text: row(
    "WF6050",
    "this text is never empty, so the condition is always true",
    "compare it with one of {values}",
  ),
  always_ok: row(
    "WF6050",
    "this is always true: a status of 400 and above raises AdapterError",
    'accept them with accept_status="any", or write except AdapterError as e: if e.status == …',
  ),
  never_none: row("WF6050", "{name} is never None here", "compare it with a value that it can have"),
  never_none_member: row("WF6050", "the answer of {name} is never None", "test its member .{member}"),
  never_none_list: row(
    "WF6050",
    "the answer of {name} is never None: without results it is an empty list",
    "test it with not",
  ),
  status_refused: row(
    "WF6051",
    "the status is never {status} here: 400 and above raise AdapterError",
    'accept them with accept_status="any", or write except AdapterError as e: if e.status == {status}',
  ),
  never_this: row("WF6051", "this is never '{value}'", "it is one of {values}"),
  never_this_near: row("WF6051", "this is never '{value}'", "did you mean '{near}'? It is one of {values}"),
  never_text: row("WF6051", "this is {what}, which equals no text"),
  never_number: row("WF6051", "this is a text, which equals no number"),
  error_code: row(
    "WF6051",
    "the code of an AdapterError is never '{value}'",
    "codes are written like ADAPTER_TIMEOUT; a status of HTTP is e.status",
  ),
  answer_compared: row(
    "WF6051",
    "the answer of {name} is an object, and equals no such value",
    "compare one of its members: {members}",
  ),
  unknown_answer_member: row("WF6052", "the answer of {of} has no member '{name}'", "it has {members}"),
  unknown_answer_member_near: row(
    "WF6052",
    "the answer of {of} has no member '{name}'",
    "write .{near}; it has {members}",
  ),
  unknown_error_member: row("WF6052", "an AdapterError has no member '{name}'", "it has {members}"),
  member_of_plain: row("WF6052", "{of} gives {what}, which has no member '{name}'"),
  method_not_called: row(
    "WF6052",
    "'{name}' is a method of dicts here, and not the member",
    'write ["{name}"] for the member, or {name}() to call it',
  ),
  response_not_called: row("WF6052", "'{name}' is a method", "call it: .{name}()"),
  member_called: row("WF6052", "'{name}' is {what}, which is not called", "write .{name} alone"),
  answer_as_text: row(
    "WF6053",
    "the answer of {name} is an object and not a text",
    "use one of its members: {members}",
  ),
  answer_as_text_member: row("WF6053", "the answer of {name} is an object and not a text", "write .{member}"),
  answer_as_list: row(
    "WF6053",
    "the answer of {name} is an object and not a list",
    "use one of its members: {members}",
  ),
  answer_as_list_member: row(
    "WF6053",
    "the answer of {name} is an object and not a list",
    'write ["{member}"]; it has {members}',
  ),
  answer_by_place: row(
    "WF6053",
    "the answer of {name} is an object and not a list",
    "use one of its members: {members}",
  ),
  list_compared: row(
    "WF6051",
    "the answer of {name} is a list, and equals no such value",
    "compare len(…) of it, or a member of an element",
  ),
  record_compared: row("WF6051", "this is a dict, and equals no such value", 'compare a member of it: row["name"]'),
  never_a_record: row(
    "WF6051",
    "the elements of this list are dicts, and none equals such a value",
    'write any(row["name"] == value for row in rows)',
  ),
  record_unpacked: row(
    "WF6053",
    "this is a dict and not a tuple: unpacking it gives the names of its members",
    'read them by name: row["name"]; SQL names a computed column with AS',
  ),
  record_by_place: row(
    "WF6053",
    "this is a dict and not a list: its members have names and no places",
    'read them by name: row["name"]; SQL names a computed column with AS',
  ),
  records_as_plain: row(
    "WF6053",
    "the elements of this list are dicts, and {name} does not look into them",
    'take out a member first: [row["name"] for row in rows]',
  ),
  text_as_lines: row(
    "WF6053",
    "this is a text, and {name} would read each of its characters as a line",
    "write .splitlines() after it",
  ),
  branch_called: row(
    "WF6053",
    "'{name}(…)' calls the function at once, and parallel needs the function itself",
    "write parallel({name}, items)",
  ),
  answer_as_argument: row(
    "WF6053",
    "'{argument}' of {name} is {kinds}, and the answer of {of} is an object",
    "use one of its members: {members}",
  ),
  argument_kind: row("WF6054", "'{argument}' of {name} must be {kinds}"),
  argument_choice: row("WF6054", "'{argument}' of {name} is never '{value}'", "it is one of {values}"),
  argument_choice_near: row(
    "WF6054",
    "'{argument}' of {name} is never '{value}'",
    "did you mean '{near}'? It is one of {values}",
  ),
  argument_form: row("WF6054", "'{argument}' of {name} {what}", "write {write}"),
  namespace_or_lifetime: row(
    "WF6054",
    "{name} with three values takes a namespace, a key and a value, and {shown} reads like a lifetime",
    "write ttl_s={shown} for a lifetime, or namespace=… and value={shown}",
  ),
  namespaced_key: row("WF6054", "the second of two values of {name} is a key, which is a text", "write it as a text"),
  namespaced_key_meant: row(
    "WF6054",
    "the second of two values of {name} is the key in a namespace",
    "write {option}={shown}",
  ),
  run_ended_inside: row(
    "WF6056",
    "{name} ends the run, and what stands in finally would not run",
    "call it after the try",
  ),
  yield_in_try: row(
    "WF6057",
    "Python closes a generator that is left early, and no run knows when",
    "write the try around the loop that reads it",
  ),
  hidden_adapter: row("WF6055", "the local '{name}' hides the adapter", "give the local another name"),
};
