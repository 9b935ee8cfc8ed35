/**
 * What the compiler of the Python form refuses, as a table: the diagnostic code of each row, what is said of it, and what to write instead. `{word}` is filled from
 * the refusal's words. Nothing is guessed: a row says one thing.
 */
export type RefusalRow = { readonly code: string; readonly sentence: string; readonly instead: string | null };

function row(code: string, sentence: string, instead: string | null = null): RefusalRow {
  return { code, sentence, instead };
}

const NAMES = {
  unknown_name: row(
    "WF6001",
    "nothing defines '{name}'",
    "set it before it is read, or give it as a parameter; a text needs quotes",
  ),
  unknown_name_near: row("WF6001", "nothing defines '{name}'", "did you mean '{near}'?"),
  unknown_member: row("WF6002", "{module} has no member '{name}'"),
  unknown_member_near: row("WF6002", "{module} has no member '{name}'", "did you mean '{near}'?"),
  unknown_module: row("WF6003", "the module '{module}' does not exist here"),
  module_instead: row(
    "WF6003",
    "the module '{module}' does not exist here",
    "{instead} serves: call its verbs, no import is needed",
  ),
  import_star: row("WF6003", "'import *' hides which names a file has", "import the names that you use"),
  refused_builtin: row("WF6004", "{name} does not exist here"),
  module_value: row("WF6005", "'{name}' is a module, which is not a value", "use a member of it"),
  typing_value: row("WF6005", "'{name}' is a type for annotations, which is not a value"),
  adapter_value: row(
    "WF6005",
    "'{name}' is an adapter, which is not a value",
    "call one of its verbs: {name}.verb(...)",
  ),
  verb_value: row("WF6005", "'{name}' is a verb of an adapter, which is not a value", "call it where it is needed"),
};

const CALLS = {
  unknown_verb: row("WF6010", "the call {name} does not exist"),
  unknown_verb_near: row("WF6010", "the call {name} does not exist", "did you mean '{near}'?"),
  adapter_spread: row("WF6011", "the arguments of {name} must be written out", "write each argument, without * and **"),
  adapter_keywords: row("WF6011", "{name} takes no arguments by name"),
  too_many_arguments: row("WF6011", "{name} takes at most {n} arguments"),
  argument_twice: row("WF6011", "{name} gets '{argument}' twice"),
  options_twice: row("WF6011", "{name} gets its options twice", "write them as named arguments only"),
  unknown_argument: row("WF6011", "{name} has no argument '{argument}'"),
  unknown_argument_near: row("WF6011", "{name} has no argument '{argument}'", "did you mean '{near}'?"),
  missing_argument: row("WF6011", "{name} needs '{argument}'"),
};

const FORMS = {
  is: row("WF6020", "'is' compares identity, which is only defined for None, True and False", "write {op}"),
  dunder: row("WF6021", "'{name}' is not known: names with two underscores are Python's own"),
  class: row(
    "WF6022",
    "classes are not known; '{name}' can only be a class of exceptions without a body",
    "use a dict and functions",
  ),
  class_pattern: row(
    "WF6022",
    "positional patterns of classes are not known",
    "name the attributes, or compare with case int()",
  ),
  with: row("WF6023", "this 'with' is not known"),
  await: row("WF6024", "'await' is not known here"),
  async_def: row(
    "WF6024",
    "async functions are not known yet",
    "write a plain function; parallel calls are made by parallel(f, items)",
  ),
  async_for: row("WF6024", "'async for' is not known", "write for"),
  async_comprehension: row("WF6024", "asynchronous comprehensions are not known"),
  attribute_write: row(
    "WF6025",
    "the attribute '{name}' cannot be set",
    'write d["{name}"] = … for a member of a dict',
  ),
  bad_target: row("WF6025", "this cannot be assigned to"),
  bare_raise: row("WF6026", "'raise' alone stands in no except block here", "raise an exception"),
  complex: row("WF6028", "complex numbers are not known"),
  ellipsis: row("WF6028", "'...' is not a value here", "write pass"),
  nested_too_deeply: row("WF1012", "this expression is nested too deeply", "store parts of it in variables"),
};

export const REFUSALS: Readonly<Record<string, RefusalRow>> = { ...NAMES, ...CALLS, ...FORMS };
