/**
 * What the compiler of the Python form refuses, as a table: the diagnostic code of each row, what is said of it, and what to write instead. `{word}` is filled from
 * the refusal's words. Nothing is guessed: a row says one thing.
 */
import { ANSWERS } from "./answers/refusals.ts";
import { OF_FILES } from "./imports/refusals.ts";
import { type RefusalRow, row } from "./refusal-row.ts";

const NAMES = {
  unknown_name: row(
    "WF6001",
    "nothing defines '{name}'",
    "set it before it is read, or give it as a parameter; a text needs quotes",
  ),
  unknown_name_near: row("WF6001", "nothing defines '{name}'", "did you mean '{near}'?"),
  unknown_name_import: row(
    "WF6001",
    "nothing defines '{name}'",
    "set it before it is read, or write {line} at the top",
  ),
  unknown_name_instead: row(
    "WF6001",
    "nothing defines '{name}'",
    "set it before it is read; in place of {name}: {instead}",
  ),
  unknown_member: row("WF6002", "{module} has no member '{name}'"),
  unknown_module: row("WF6003", "the module '{module}' does not exist here"),
  module_instead: row("WF6003", "the module '{module}' does not exist here", "{instead}"),
  module_is_adapter: row(
    "WF6003",
    "'import {module}' means another module in Python",
    "remove the import: {adapter} is an adapter, and needs none; or write from weft import {adapter}",
  ),
  module_of_python: row(
    "WF6002",
    "the module {module} of Python has no member '{name}'",
    "the adapter needs from weft import {module} in place of import {module}",
  ),
  import_relative: row(
    "WF6003",
    "a program of one file has no modules next to it",
    "write the whole name of the module: from helpers import add",
  ),
  import_above: row("WF6003", "imports from a folder above are not known", "write the whole name of the module"),
  import_ambiguous: row(
    "WF6007",
    "'{name}' is imported, and gets another meaning in this file, too",
    "give one of the two another name: import … as …",
  ),
  import_star: row("WF6003", "'import *' hides which names a file has", "import the names that you use"),
  refused_builtin: row("WF6004", "{name} does not exist here"),
  refused_builtin_instead: row("WF6004", "{name} does not exist here", "{instead}"),
  object_made: row(
    "WF6004",
    "object() does not exist here",
    "ask with in whether a key is there, or compare with a text that no value has",
  ),
  module_value: row("WF6005", "'{name}' is a module, which is not a value", "use a member of it"),
  typing_value: row(
    "WF6005",
    "'{name}' is a type for annotations, which is not a value",
    "use it in annotations, isinstance or cast(int, x)",
  ),
  adapter_value: row(
    "WF6005",
    "'{name}' is an adapter, which is not a value",
    "call one of its verbs: {name}.verb(...)",
  ),
  verb_value: row(
    "WF6005",
    "'{name}' is a verb of an adapter, which is not a value",
    "call it, or write a function around it: lambda x: {name}(x)",
  ),
  host_value: row(
    "WF6005",
    "'{name}' asks the host, and is not a value",
    "call it where it is needed, or write a function around it: lambda: {name}()",
  ),
};

/** In place of a row: what is wrong is said of the import already. */
export const SAID_BEFORE = "";

const CALLS = {
  unknown_verb: row("WF6010", "the call {name} does not exist", "its adapter has {verbs}"),
  unknown_verb_near: row("WF6010", "the call {name} does not exist", "did you mean '{near}'?"),
  adapter_spread: row("WF6011", "the arguments of {name} must be written out", "write each argument, without * and **"),
  adapter_keywords: row("WF6011", "{name} takes no arguments by name"),
  too_many_arguments: row("WF6011", "{name} takes at most {n} arguments"),
  argument_twice: row("WF6011", "{name} gets '{argument}' twice"),
  options_dict: row("WF6011", "the options of {name} are not a dict", "write each as a named argument: {keywords}"),
  options_by_name: row("WF6011", "{name} takes its options by name", "they are {options}"),
  unknown_argument: row("WF6011", "{name} has no argument '{argument}'", "it has {names}"),
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
  class_exception: row(
    "WF6022",
    "the class of exceptions '{name}' can only have one base and no body",
    "give what it carries as arguments, raise {name}(message, status), and read it from error.args",
  ),
  class_record: row(
    "WF6022",
    "classes are not known: '{name}'",
    "use a dict, or a TypedDict for the types of an input",
  ),
  class_choices: row("WF6022", "classes are not known: '{name}'", 'use constants of the file, as in RED = "red"'),
  class_pattern: row(
    "WF6022",
    "positional patterns of classes are not known",
    "name the attributes, or compare with case int()",
  ),
  with: row("WF6023", "this 'with' is not known", "with retry(3): repeats its block; for others write what they do"),
  retry_as: row("WF6023", "retry has no value for 'as'", "write with retry(…): without as"),
  retry_beside: row("WF6023", "retry stands alone in its 'with'", "write one with inside the other"),
  retry_uncalled: row("WF6023", "retry is called", "write with retry():"),
  retry_decorator: row("WF6023", "retry is not a decorator", "write with retry(3): around the call, in the function"),
  suppress_beside: row("WF6023", "suppress stands alone in its 'with'", "write with suppress(KeyError):"),
  suppress_value: row("WF6005", "suppress is not a value", "write with suppress(KeyError):"),
  parallel_value: row("WF6005", "parallel is not a value", "call it: parallel(f, items)"),
  retry_value: row("WF6005", "retry is not a value", "write with retry(3): in front of the block that it repeats"),
  await: row(
    "WF6024",
    "only calls of async functions, of verbs, of asyncio.gather and asyncio.sleep are awaited",
    "leave await out",
  ),
  async_call: row(
    "WF6024",
    "'{name}(…)' alone does nothing: {name} is an async function",
    "write await {name}(…), or await asyncio.gather(*[{name}(x) for x in xs]) for many at the same time",
  ),
  async_value: row("WF6024", "the async function '{name}' is not a value", "call it: await {name}(…)"),
  async_rebound: row("WF6024", "the async function '{name}' has other values, too", "take another name"),
  async_generator: row("WF6024", "async generators are not known", "return a list"),
  async_decorator: row("WF6024", "decorators of async functions are not known", "write a plain function"),
  gather_unawaited: row("WF6024", "gather does nothing before it is awaited", "write await asyncio.gather(…)"),
  pause_unawaited: row("WF6024", "asyncio.sleep does nothing before it is awaited", "write await asyncio.sleep(…)"),
  pause_argument: row("WF6024", "asyncio.sleep takes the seconds alone here", "write await asyncio.sleep(seconds)"),
  pause_value: row("WF6005", "asyncio.sleep is not a value", "write await asyncio.sleep(seconds)"),
  gather_argument: row(
    "WF6024",
    "gather takes calls of async functions, or one list of them that is made on the spot",
    "write await asyncio.gather(*[f(x) for x in xs])",
  ),
  gather_settles: row("WF6024", "options of gather are not known", "write parallel(f, items, settle=True)"),
  gather_value: row("WF6005", "gather is not a value", "write await asyncio.gather(*[f(x) for x in xs])"),
  run_value: row("WF6005", "asyncio.run is not a value", "call it: asyncio.run(main())"),
  run_argument: row("WF6024", "asyncio.run takes the call of an async function", "write asyncio.run(main())"),
  pool_value: row(
    "WF6005",
    "a pool of threads is not a value",
    "write with ThreadPoolExecutor(8) as pool: and list(pool.map(f, items)) in it",
  ),
  pool_with: row(
    "WF6023",
    "a pool of threads stands alone in its 'with', under a name of its own",
    "write with ThreadPoolExecutor(8) as pool:",
  ),
  pool_untaken: row("WF6023", "results of a pool are taken at once", "write list(pool.map(f, items))"),
  pool_method: row(
    "WF6023",
    "'{name}' of a pool is not known",
    "write list(pool.map(f, items)), or parallel(f, items, settle=True)",
  ),
  pool_several: row(
    "WF6023",
    "map of a pool takes one list here",
    "write a function of one argument, and a list of pairs",
  ),
  async_for: row("WF6024", "'async for' is not known", "write for"),
  async_comprehension: row("WF6024", "asynchronous comprehensions are not known"),
  attribute_write: row(
    "WF6025",
    "the attribute '{name}' cannot be set",
    'write d["{name}"] = … for a member of a dict',
  ),
  bad_target: row("WF6025", "this cannot be assigned to"),
  branch_write: row(
    "WF6027",
    "a branch must not change '{name}', which it shares with others",
    "return the value, and put the values together after the branches",
  ),
  bare_raise: row("WF6026", "'raise' alone stands in no except block here", "raise an exception"),
  complex: row("WF6028", "complex numbers are not known"),
  pattern: row("WF6029", "{what} in a pattern is not supported, because it needs backtracking", "match in two steps"),
  set_order: row(
    "WF6030",
    "the order of a set is not defined in Python: with two members or more the run ends here",
    "write sorted(…)",
  ),
  ellipsis: row("WF6028", "'...' is not a value here", "write pass"),
  nested_too_deeply: row("WF1012", "this expression is nested too deeply", "store parts of it in variables"),
};

/** What makes endpoints, schedules and inputs. */
const DOORS = {
  decorator_bare: row("WF6040", "@{name} needs {argument}", "write it in the brackets, in quotes"),
  decorator_surplus: row(
    "WF6040",
    "@{name} takes {arguments} only, besides options by name",
    "its options are {known}",
  ),
  decorator_spread: row("WF6040", "the options of @{name} must be written out", "write each option, without * and **"),
  decorator_option: row("WF6040", "@{name} has no option '{option}'", "its options are {known}"),
  decorator_option_near: row("WF6040", "@{name} has no option '{option}'", "did you mean '{near}'?"),
  decorator_option_twice: row("WF6040", "@{name} gets '{option}' twice", "remove one of them"),
  decorator_not_written: row(
    "WF6041",
    "'{option}' of @{name} is read before the program runs, and so must be written out",
    "write a text, number, True, False, or a list or dict of such",
  ),
  decorator_value: row("WF6041", "'{option}' of @{name} must be {what}"),
  decorator_path: row("WF6041", "the path of @api must begin with /"),
  path_parameter: row(
    "WF6046",
    "the path has the part '{parameter}', and {function} has no parameter of that name",
    "add it to the function, or give the path the name of a parameter",
  ),
  decorator_method: row("WF6041", "endpoints do not answer this method", "use one of {methods}"),
  decorator_cron: row("WF6041", "{what}", "write {write}"),
  decorator_place: row(
    "WF6042",
    "@{name} stands above a function inside of another block",
    "put the function at the top of the file",
  ),
  decorator_in_script: row(
    "WF6042",
    "@{name} stands in a script, whose statements would run for every call",
    "put the statements into a function main",
  ),
  decorator_name: row("WF6042", "the file defines '{function}' more than once", "give each function a name of its own"),
  decorator_twice: row("WF6042", "{endpoint} is declared twice", "change one, or remove it"),
  event_parameter: row(
    "WF6042",
    "the event is the first argument of {function}, which has no parameter",
    "write def {function}(event):",
  ),
  decorator_expression: row(
    "WF6041",
    "'{option}' of @on cannot be used: {problem}",
    "write an expression over data without calls of adapters, such as data.total > 100",
  ),
  statement_beside_main: row(
    "WF6043",
    "this statement would run before main in every run",
    'move it into main, or below if __name__ == "__main__":',
  ),
  adapter_at_top: row(
    "WF6043",
    "{name} stands at the top of the file, and would be called at every endpoint and schedule",
    "call it in a function",
  ),
  input_star: row(
    "WF6044",
    "'*{name}' of {function} can get nothing: inputs are given by name",
    "name each input, or take one that is a list",
  ),
  input_near: row(
    "WF6044",
    "'{name}' is an input, because nothing sets it, but is nearly '{near}', which is set",
    "write {near}, or give the input another name",
  ),
  annotation_unknown: row(
    "WF6045",
    "the annotation {name} is not checked",
    "use str, int, float, bool, list, dict, Literal or a TypedDict, or leave it out",
  ),
};

export const REFUSALS: Readonly<Record<string, RefusalRow>> = {
  ...NAMES,
  ...OF_FILES,
  ...CALLS,
  ...ANSWERS,
  ...FORMS,
  ...DOORS,
};
