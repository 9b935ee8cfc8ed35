/**
 * What the parser of the Python form refuses, as a table: the diagnostic code of each fault, what is said of it, and what to write instead.
 * `{word}` is filled from the fault's `words`. A file has one fault at most, the first.
 */

export type Fault = {
  readonly code: string;
  readonly sentence: string;
  /** What to write instead; null where the sentence says it. */
  readonly instead: string | null;
};

function row(code: string, sentence: string, instead: string | null = null): Fault {
  return { code, sentence, instead };
}

const CHARACTERS = {
  text_unterminated: row("WF6101", "this text is never closed", "close it with {quote}"),
  bracket_unclosed: row("WF6101", "'{opener}' is never closed", "add {closer}"),
  bracket_unopened: row("WF6101", "'{closer}' closes no bracket", "remove it, or open the bracket before"),
  bracket_mismatched: row(
    "WF6101",
    "'{closer}' does not close '{opener}'",
    "close the brackets in the order in which they were opened",
  ),
  character: row("WF6102", "the character {code} has no meaning in a program", "{instead}"),
  fence: row("WF6102", "the fences of a Markdown code block do not belong to the program", "leave them out"),
  source_too_long: row("WF6103", "the source has more than {most}", "split it into several files"),
  brackets_too_deep: row(
    "WF6103",
    "more than 200 brackets are open at once",
    "store the inner values in variables first",
  ),
  blocks_too_deep: row(
    "WF6103",
    "blocks are nested more than {most} levels deep",
    "move the inner blocks into functions",
  ),
  expression_too_deep: row("WF6103", "this expression is nested too deeply", "store parts of it in variables first"),
  name_too_long: row("WF6103", "this name has more than {most} characters", "use a shorter name"),
  parts_too_many: row("WF6103", "there are more than {most} parts here", "read long data from an input or a file"),
  elifs_too_many: row("WF6103", "this statement has more than {most} elif branches", "look the value up in a dict"),
  indentation_unexpected: row(
    "WF6104",
    "this line is indented, but no block begins above it",
    "align it with the line above",
  ),
  indentation_between: row(
    "WF6104",
    "this line is not aligned with any block above it",
    "align it with the block it belongs to",
  ),
  indentation_mixed: row("WF6104", "this indentation depends on how wide a tab is", "indent with blanks only"),
  block_missing: row("WF6104", "an indented block must follow {statement}", "indent the lines below it, or write pass"),
  colon_missing: row("WF6104", "a ':' must end {statement}", "add the colon"),
  line_joined_badly: row(
    "WF6105",
    "'\\' joins two lines only at the very end of the first",
    "remove what follows it, or use brackets",
  ),
  lines_escaped: row("WF6105", "the lines of this program are joined by '\\n'", "write line breaks in place of \\n"),
  line_joined_to_nothing: row("WF6105", "'\\' joins this line to a next one, but the file ends", "remove it"),
};

const LITERALS = {
  number_malformed: row("WF6106", "'{number}' is not a valid {kind} number", "put a blank between a number and a word"),
  number_digit: row("WF6106", "'{digit}' is not a {kind} digit"),
  number_leading_zeros: row(
    "WF6106",
    "a decimal number must not begin with 0",
    "write {digits}, or 0o{digits} for octal",
  ),
  number_too_long: row(
    "WF6106",
    "a decimal number has at most 4300 digits, this one has {count}",
    "write it in hexadecimal",
  ),
  escape_malformed: row("WF6107", "the escape {escape} lacks digits or a name", "write \\\\ for a backslash"),
  escape_out_of_range: row("WF6107", "{escape} is beyond the last character, U+10FFFF"),
  escape_surrogate: row("WF6107", "{escape} is half a character", "write the whole character, or its \\U escape"),
  escape_by_name: row(
    "WF6107",
    "characters cannot be written by their names here",
    "write the character, or its \\u escape",
  ),
  bytes_not_ascii: row("WF6107", "bytes hold ASCII characters only, not '{character}'", 'write "…".encode()'),
  bytes_and_text: row("WF6107", "a text and bytes cannot stand side by side", "make both texts, or both bytes"),
  format_single_brace: row("WF6108", "a single '}' in an f-string closes nothing", "write {mark} for a brace"),
  format_unclosed: row("WF6108", "this field of the f-string is never closed", "add }"),
  format_empty: row("WF6108", "this field of the f-string has no value", "write a value, or {{ }} for braces"),
  format_too_deep: row(
    "WF6108",
    "fields are nested too deeply in this f-string",
    "store the inner value in a variable first",
  ),
  format_conversion: row("WF6108", "a conversion is one of !r, !s and !a"),
  format_backslash: row(
    "WF6108",
    "Python 3.11 allows no '\\' in a field of an f-string",
    "store the value in a variable first",
  ),
  format_comment: row(
    "WF6108",
    "Python 3.11 allows no '#' in a field of an f-string",
    "store the value in a variable first",
  ),
  format_quotes: row(
    "WF6108",
    "Python 3.11 ends this f-string at the quote in its field",
    "use other quotes in the field",
  ),
  format_bracket: row("WF6108", "'{mark}' closes no bracket in this field of the f-string"),
  format_text_unterminated: row(
    "WF6108",
    "a text in this field of the f-string is never closed",
    "close it with {mark}",
  ),
};

const EXPRESSIONS = {
  syntax: row("WF6109", "{found} cannot stand here"),
  not_in_operand: row("WF6109", "'not' cannot follow this operator", "put it in brackets"),
  walrus_target: row("WF6110", "':=' sets a plain name only"),
  target: row("WF6110", "{what} cannot be assigned to"),
  target_equality: row("WF6110", "'=' assigns, and here a value is needed", "write == to compare"),
  target_augmented: row(
    "WF6110",
    "{what} cannot be changed in place",
    "write name, name[key] or name.attribute on the left",
  ),
  target_annotated: row("WF6110", "{what} cannot have an annotation", "annotate a single name"),
  target_deleted: row("WF6110", "{what} cannot be deleted"),
  target_debug: row("WF6110", "__debug__ cannot be assigned to"),
  target_star_alone: row("WF6111", "a starred target must stand in a list or tuple", "add a comma"),
  target_two_stars: row("WF6111", "only one target of an assignment can have a star"),
  target_too_many: row("WF6111", "more than 255 targets stand before the starred one"),
  star_alone: row(
    "WF6111",
    "a starred value must stand in a list, tuple, set or call",
    "add a comma, or remove the star",
  ),
  star_operand: row("WF6111", "this operation cannot be unpacked as it is", "put it in brackets"),
  star_in_comprehension: row("WF6111", "a comprehension cannot unpack its elements", "use a loop"),
  dict_or_set: row("WF6109", "keys with values and plain elements cannot be mixed in braces"),
  dict_key: row("WF6109", "this cannot be the key of a dict", "put it in brackets"),
  slice_bound: row("WF6109", "this cannot be the bound of a slice", "put it in brackets"),
};

const CALLS = {
  argument_name: row("WF6112", "the name of an argument must be a plain name", "write == to compare"),
  argument_repeated: row("WF6112", "the argument '{name}' is given twice", "remove one of them"),
  argument_after_keyword: row(
    "WF6112",
    "a positional argument cannot follow one with a name",
    "put it first, or give it a name",
  ),
  argument_after_mapping: row("WF6112", "a positional argument cannot follow '**'", "put it first"),
  argument_star_after_mapping: row("WF6112", "'*' cannot follow '**' in a call", "put it first"),
  generator_bare: row(
    "WF6112",
    "a comprehension next to other arguments needs brackets of its own",
    "put it in brackets",
  ),
  base_generator: row("WF6112", "a comprehension cannot be the base of a class"),
  parameter_repeated: row("WF6113", "the parameter '{name}' is declared twice", "rename one of them"),
  parameter_default_order: row(
    "WF6113",
    "'{name}' has no default, but a parameter before it has one",
    "give it a default, or put it first",
  ),
  parameter_after_mapping: row("WF6113", "no parameter can follow the one with '**'"),
  parameter_two_stars: row("WF6113", "only one parameter can have a '*'"),
  parameter_star_alone: row("WF6113", "a parameter with a name must follow '*'", "remove it, or add one"),
  parameter_star_default: row("WF6113", "a parameter with '*' or '**' cannot have a default"),
  parameter_slash: row("WF6113", "'/' must follow a parameter, once, and stand before '*'"),
};

const STATEMENTS = {
  older_word: row("WF6109", "Python has no '{word}'", "write {python}"),
  older_call: row("WF6109", "a call in brackets of its own is not Python", "write f(a, b)"),
  older_dollar: row("WF6109", "a variable is read by its name alone", "remove the $"),
  older_question: row("WF6109", "'?' is not an operator of Python", "write x is not None"),
  older_limit: row(
    "WF6109",
    "'while' has no limit of its own",
    "count the passes, and raise an exception above the limit",
  ),
  older_step: row("WF6109", "'{word}' is a step of the opcode form", "write {python}"),
  older_type: row("WF6109", "'{type}' is not a type of inputs in this form", "write def with an annotation"),
  older_decorator: row("WF6109", "this decorator is not known", 'write @api("/path", method="GET") above def'),
  older_unknown: row("WF6109", "the function '{name}' does not exist", "define it, or correct its name"),
  older_shared: row(
    "WF6109",
    "'{name}' shares the variables of its caller, and more than one function calls it, or it has parameters",
    "give it parameters, return its value, and call it as {name}(…)",
  ),
  older_handler: row("WF6109", "this handler has no Python form", "write try: and except Exception: {name}()"),
  older_loop: row(
    "WF6109",
    "'{name}' has its former value after this loop, and the last one in Python",
    "give the variable of the loop a name of its own",
  ),
  older_copy: row(
    "WF6109",
    "'{name}' is changed here, and another name may hold it: names had copies, and share the value in Python",
    "store a copy before the change: {name} = dict({name}), or list({name})",
  ),
  older_except: row(
    "WF6109",
    "this except names no class of exceptions",
    "write except {python}, and str(…) for its message",
  ),
  older_entry: row("WF6109", "a run begins at '{name}', and in Python at 'main'", "move main above it, or rename it"),
  older_return: row("WF6109", "this gives the text done, and None in Python", 'write return "done" or return None'),
  print_statement: row("WF6109", "print is a function", "write print(…)"),
  else_if: row("WF6109", "'else if' is written as one word", "write elif"),
  foreign_operator: row("WF6109", "Python has no operator '{operator}'", "write {python}"),
  import_module: row("WF6114", "'from' needs the name of a module"),
  import_comma: row("WF6114", "a comma cannot end these imports", "remove it, or put the names in brackets"),
  import_star_inside: row("WF6114", "'import *' is only allowed at the top of a file"),
  future_unknown: row("WF6114", "'{name}' is not a feature of __future__"),
  future_late: row("WF6114", "imports from __future__ must stand at the beginning of the file"),
  except_all_last: row("WF6115", "an 'except:' without a class must be the last one"),
  except_many: row("WF6115", "several exception classes need brackets around them", "write except ({classes})"),
  except_star: row("WF6115", "exception groups ('except*') are not supported", "write except"),
  try_alone: row("WF6115", "'try' needs an except or finally block"),
  pattern_after_keyword: row("WF6116", "a positional pattern cannot follow one with a name"),
  pattern_as_wildcard: row("WF6116", "'_' cannot be a name of a pattern", "use another name, or remove it"),
  pattern_complex: row("WF6116", "a complex number is a real part, a sign and an imaginary part"),
  pattern_rest_last: row("WF6116", "'**' must be the last part of a mapping pattern"),
  pattern_rest_wildcard: row("WF6116", "'**_' is not needed: a mapping pattern ignores other keys", "remove it"),
  pattern_star_alone: row("WF6116", "a starred pattern must stand in a sequence", "add a comma, or remove the star"),
  pattern_two_stars: row("WF6116", "only one pattern of a sequence can have a star"),
  pattern_value: row(
    "WF6116",
    "a pattern is a literal, a name or an attribute",
    "compare in a guard: case x if x == …",
  ),
  pattern_name_twice: row("WF6116", "'{name}' is bound twice in this pattern"),
  pattern_names_differ: row("WF6116", "the alternatives of a pattern must bind the same names"),
  pattern_unreachable: row("WF6116", "everything fits {pattern}, so what follows is never tried", "put it last"),
  pattern_key_twice: row("WF6116", "the mapping pattern has the key {key} twice"),
  pattern_attribute_twice: row("WF6116", "the class pattern has the attribute '{name}' twice"),
};

const PLACES = {
  return_outside: row("WF6117", "'return' stands outside of a function"),
  return_in_generator: row("WF6117", "an asynchronous generator cannot return a value"),
  yield_outside: row("WF6117", "'yield' stands outside of a function"),
  yield_in_comprehension: row("WF6117", "'yield' cannot stand in a comprehension"),
  yield_from_async: row("WF6117", "'yield from' cannot stand in an asynchronous function"),
  await_outside: row("WF6117", "'await' stands outside of an asynchronous function", "write async def"),
  async_outside: row("WF6117", "'async {word}' stands outside of an asynchronous function", "write async def"),
  break_outside: row("WF6117", "'break' stands outside of a loop"),
  continue_outside: row("WF6117", "'continue' stands outside of a loop"),
  blocks_static: row(
    "WF6103",
    "loops, with and try are nested more than 20 levels deep",
    "move the inner ones into functions",
  ),
};

const NAMES = {
  global_late: row("WF6118", "'{name}' is used before it is declared {word}", "declare it first"),
  global_parameter: row("WF6118", "'{name}' is a parameter and cannot be {word} too"),
  global_and_nonlocal: row("WF6118", "'{name}' cannot be nonlocal and global"),
  global_annotated: row("WF6118", "'{name}' has an annotation and cannot be {word}"),
  nonlocal_outside: row("WF6118", "'nonlocal' stands outside of a function"),
  nonlocal_unbound: row("WF6118", "no function around this one sets '{name}'", "set it there first"),
  walrus_rebinds: row("WF6118", "':=' cannot set '{name}', a name that a comprehension around it loops over"),
  walrus_in_iterable: row("WF6118", "':=' cannot stand in what a comprehension loops over", "set the name before"),
  walrus_in_class: row("WF6118", "':=' cannot stand in a comprehension of a class"),
  loop_rebinds_walrus: row("WF6118", "a comprehension cannot loop over '{name}', which ':=' sets in it"),
};

const ANNOTATIONS = {
  annotation_only_names: row("WF6117", "an annotation cannot hold 'await', 'yield' or ':='"),
};

const NEWER = {
  type_statement: row("WF6119", "'type' statements need Python 3.12", "write {name} = …"),
  type_parameters: row("WF6119", "type parameters need Python 3.12", "remove them"),
};

const TABLE = {
  ...CHARACTERS,
  ...LITERALS,
  ...EXPRESSIONS,
  ...CALLS,
  ...STATEMENTS,
  ...PLACES,
  ...NAMES,
  ...ANNOTATIONS,
  ...NEWER,
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof TABLE;

export const FAULTS: Readonly<Record<string, Fault>> = TABLE;
