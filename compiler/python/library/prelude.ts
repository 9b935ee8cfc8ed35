/**
 * The functions of docs/functions.md that Python lacks (python.md § 2). Programs call them by their bare names, or import them from `weft`, which is
 * the module that their rows name. They take the kinds that their parameters say and convert nothing: another kind raises TypeError. What Python itself
 * has under a name (`len`, `sum`, `sorted`) is not here.
 */
import { type Row, row } from "./row.ts";

type Line = readonly [name: string, params: string, result: string, help: string, example: string, raises?: string];

const NUMBERS: readonly Line[] = [
  ["add", "a, b, /", "int | float | str | list", "a + b: numbers, two texts or two lists", "add(2, 0.5) == 2.5"],
  ["plus", "a, b, /", "int | float | str | list", "the same as add", "plus('ab', 'c') == 'abc'"],
  ["sub", "a, b, /", "int | float", "a - b", "sub(2, 5) == -3"],
  ["mul", "a, b, /", "int | float", "a * b", "mul(4, 2.5) == 10.0"],
  ["div", "a, b, /", "float", "a / b", "div(9, 2) == 4.5", "ZeroDivisionError"],
  ["idiv", "a, b, /", "int | float", "a // b", "idiv(-9, 2) == -5", "ZeroDivisionError"],
  ["mod", "a, b, /", "int | float", "a % b of numbers", "mod(-7, 3) == 2", "ZeroDivisionError"],
  ["ceil", "x, /", "int", "the next int upwards", "ceil(1.2) == 2", "ValueError OverflowError"],
  ["floor", "x, /", "int", "the next int downwards", "floor(-1.2) == -2", "ValueError OverflowError"],
  ["clamp", "x, lo, hi", "int | float", "max(lo, min(hi, x))", "clamp(15, 0, 10) == 10"],
  [
    "avg",
    "list, field=None",
    "float | None",
    "the mean of a list, or of a field; None: it is empty",
    "avg([1, 2, 6]) == 3.0",
  ],
];

const LOGIC: readonly Line[] = [
  ["eq", "a, b, /", "bool", "a == b", "eq({'a': 1}, {'a': 1})"],
  ["ne", "a, b, /", "bool", "a != b", "ne(1, '1')"],
  ["lt", "a, b, /", "bool", "a < b", "lt('apple', 'banana')"],
  ["lte", "a, b, /", "bool", "a <= b", "lte(2, 2)"],
  ["gt", "a, b, /", "bool", "a > b", "gt(10, 9)"],
  ["gte", "a, b, /", "bool", "a >= b", "not gte(1, 2)"],
  [
    "ite",
    "condition, a=None, b=None, /",
    "object",
    "a if condition else b, both made before",
    "ite(1, 'y', 'n') == 'y'",
  ],
  ["coalesce", "*values", "object", "the first value that is not None", "coalesce(None, 0, 7) == 0"],
  ["echo", "v=None, /", "object", "v", "echo(5) == 5"],
  ["noop", "", "None", "None", "noop() is None"],
  ["fail", "message='failed', /", "None", "raises RuntimeError with the message", "True", "RuntimeError"],
];

const TEXTS: readonly Line[] = [
  ["concat", "*texts", "str", "texts joined", "concat('q=', '4') == 'q=4'"],
  ["join", "separator, list", "str", "texts of a list joined", "join('-', ['a', 'b']) == 'a-b'"],
  [
    "split",
    "text, separator=None",
    "list[str]",
    "the parts of a text",
    "split('a,b', ',') == ['a', 'b']",
    "ValueError",
  ],
  ["lower", "text", "str", "lower case", "lower('ÄB') == 'äb'"],
  ["upper", "text", "str", "upper case", "upper('äb') == 'ÄB'"],
  ["replace", "text, old, new", "str", "all occurrences replaced", "replace('a.b', '.', '/') == 'a/b'"],
  ["contains", "hay, needle", "bool", "needle in hay", "contains([1, 2], 2)"],
  ["startswith", "text, part", "bool", "whether a text begins so", "startswith('harbour', 'har')"],
  ["endswith", "text, part", "bool", "whether a text ends so", "not endswith('harbour', 'bar')"],
  ["strip", "text", "str", "without white space at its ends", "strip('  a   b ') == 'a   b'"],
  ["lstrip", "text", "str", "without white space at its start", "lstrip('  a ') == 'a '"],
  ["rstrip", "text", "str", "without white space at its end", "rstrip('  a ') == '  a'"],
  ["trim", "text", "str", "words with one space between them", "trim('  a   b ') == 'a b'"],
  ["substr", "text, start=0, length=None", "str", "a part by its length", "substr('harbour', 3, 2) == 'bo'"],
  ["substring", "v, start=0, end=None", "str | list", "v[start:end]", "substring('hello', -3) == 'llo'"],
  [
    "capitalize",
    "text",
    "str",
    "first character in upper case, the rest lower",
    "capitalize('hELLO you') == 'Hello you'",
  ],
  ["title", "text", "str", "every word capitalized", 'title("it\'s OLD") == "It\'s Old"'],
  ["chars", "text", "list[str]", "the characters of a text", "chars('añ') == ['a', 'ñ']"],
  ["lines", "text", "list[str]", "its lines without their ends", "lines('a\\nb\\n') == ['a', 'b']"],
  ["words", "text", "list[str]", "its parts between white space", "words(' red  car ') == ['red', 'car']"],
  [
    "pad",
    "text, width, fill=' ', side='end'",
    "str",
    "a text filled up to a width",
    "pad('7', 3, '0', 'start') == '007'",
    "ValueError",
  ],
  ["repeat", "v, count", "str | list", "a text or a list several times", "repeat('ab', 3) == 'ababab'"],
  [
    "match",
    "text, pattern",
    "dict",
    "the first match: found, text, start, end, groups, named",
    "match('id 42', '[0-9]')['text'] == '4'",
    "ValueError",
  ],
  [
    "find_all",
    "text, pattern",
    "list",
    "the texts of all matches",
    "find_all('a1 b22', '[0-9]+') == ['1', '22']",
    "ValueError",
  ],
  [
    "replace_all",
    "text, pattern, new",
    "str",
    "all matches replaced; $1 is what a group took",
    "replace_all('2024-05', '(.+)-(.+)', '$2/$1') == '05/2024'",
    "ValueError",
  ],
  [
    "split_by",
    "text, pattern",
    "list[str]",
    "the parts between matches",
    "split_by('a, b;c', '[,;] *') == ['a', 'b', 'c']",
    "ValueError",
  ],
  ["parse", "text", "object", "the value of a JSON text, as json.loads", "parse('[1]') == [1]", "JSONDecodeError"],
  [
    "stringify",
    "v",
    "str",
    "compact JSON text",
    "stringify({'k': [1, None, 'é']}) == '{\"k\":[1,null,\"é\"]}'",
    "ValueError",
  ],
];

const LISTS: readonly Line[] = [
  ["length", "v", "int", "len(v)", "length('abc') == 3"],
  ["arr", "*values", "list", "a list of the arguments", "arr(1, 'b') == [1, 'b']"],
  ["push", "list, v", "list", "a new list with v at its end", "push([1], 2) == [1, 2]"],
  ["first", "v", "object", "the first element or character; None: it is empty", "first([7, 8]) == 7"],
  ["last", "v", "object", "the last element or character; None: it is empty", "last('abc') == 'c'"],
  ["take", "v, count", "list | str", "the first elements or characters", "take([1, 2, 3], 2) == [1, 2]"],
  ["drop", "v, count", "list | str", "all but the first elements or characters", "drop([1, 2, 3], 2) == [3]"],
  ["sort", "list", "list", "sorted(list)", "sort([10, 9, 1]) == [1, 9, 10]"],
  ["reverse", "v", "list", "the elements or characters backwards", "reverse('abc') == ['c', 'b', 'a']"],
  [
    "unique",
    "list",
    "list",
    "the first of each set of equal elements",
    "unique([1, '1', 1, [2], [2]]) == [1, '1', [2]]",
  ],
  ["flatten", "list", "list", "lists inside taken out, one level", "flatten([1, [2, [3]], []]) == [1, 2, [3]]"],
  [
    "chunk",
    "list, size",
    "list[list]",
    "lists of at most size elements",
    "chunk([1, 2, 3], 2) == [[1, 2], [3]]",
    "ValueError",
  ],
  ["count", "v, wanted=...", "int", "len(v), or how often v has what is wanted", "count(['a', 'b', 'a'], 'a') == 2"],
  ["diff", "list, other", "list", "elements that the other list does not have", "diff([1, 2, 3], [2]) == [1, 3]"],
  ["intersect", "list, other", "list", "elements that both have, each once", "intersect([3, 1, 3], [3, 4]) == [3]"],
  [
    "sort_by",
    "list, field, order='asc'",
    "list",
    "sorted by a field, 'asc' or 'desc'",
    "sort_by([{'n': 2}, {'n': 1}], 'n') == [{'n': 1}, {'n': 2}]",
    "ValueError",
  ],
  [
    "group_by",
    "list, field",
    "dict",
    "lists of elements by the value of a field",
    "group_by([{'k': 'a'}], 'k') == {'a': [{'k': 'a'}]}",
  ],
  [
    "count_by",
    "list, field",
    "dict",
    "how many elements have each value of a field",
    "count_by([{'k': 'a'}, {'k': 'a'}], 'k') == {'a': 2}",
  ],
  [
    "index_by",
    "list, field",
    "dict",
    "elements by the value of a field; the last one stays",
    "index_by([{'id': 7}], 'id') == {7: {'id': 7}}",
  ],
  [
    "min_by",
    "list, field",
    "object",
    "the first element with the smallest field",
    "min_by([{'n': 2}, {'n': 1}], 'n') == {'n': 1}",
  ],
  [
    "max_by",
    "list, field",
    "object",
    "the first element with the largest field",
    "max_by([{'n': 2}, {'n': 1}], 'n') == {'n': 2}",
  ],
  [
    "find",
    "list, field, value",
    "object",
    "the first element whose field equals the value",
    "find([{'id': 1}, {'id': 2}], 'id', 2) == {'id': 2}",
  ],
  [
    "filter_high_score",
    "list, minimum=0",
    "list",
    "dicts whose score, or else relevance, is high enough",
    "filter_high_score([{'score': 2}, {'score': 9}], 5) == [{'score': 9}]",
  ],
];

const DICTS: readonly Line[] = [
  ["obj", "key, v, /", "dict", "a dict of one member", "obj('n', 1) == {'n': 1}"],
  [
    "get",
    "v, path, default=None",
    "object",
    "what stands at a path, a.b or a list of keys",
    "get({'a': [10, 20]}, 'a.1') == 20",
  ],
  [
    "put",
    "object, path, v",
    "dict",
    "a new dict with v at a path",
    "put({'a': {'b': 1}}, 'a.c', 2) == {'a': {'b': 1, 'c': 2}}",
  ],
  ["at", "v, key", "object", "v[key], or None where it is missing", "at({'a.b': 1}, 'a.b') == 1"],
  [
    "put_at",
    "v, keys, value",
    "dict | list",
    "a copy with the value below exactly these keys",
    "put_at({'a': [1, 2]}, ['a', -1], 9) == {'a': [1, 9]}",
    "IndexError",
  ],
  ["keys", "object", "list", "the keys of a dict", "keys({'b': 1}) == ['b']"],
  ["values", "object", "list", "the values of a dict", "values({'b': 1}) == [1]"],
  ["entries", "object", "list[list]", "lists of key and value", "entries({'a': 1}) == [['a', 1]]"],
  ["pairs", "v", "list", "entries of a dict, elements of a list", "pairs({'a': 1}) == [['a', 1]]"],
  ["each", "v", "list", "elements, characters or keys", "each({'a': 1, 'b': 2}) == ['a', 'b']"],
  [
    "from_entries",
    "pairs",
    "dict",
    "a dict of pairs of key and value",
    "from_entries([['a', 1]]) == {'a': 1}",
    "ValueError",
  ],
  ["merge", "*objects", "dict", "a new dict of all members; later ones win", "merge({'a': 1}, {'a': 3}) == {'a': 3}"],
  [
    "pick",
    "object, *keys",
    "dict",
    "the named members; keys may be one list",
    "pick({'a': 1, 'b': 2}, 'b', 'z') == {'b': 2}",
  ],
  [
    "omit",
    "object, *keys",
    "dict",
    "the other members; keys may be one list",
    "omit({'a': 1, 'b': 2}, 'b') == {'a': 1}",
  ],
];

const DATES: readonly Line[] = [
  [
    "date_parse",
    "text, zone=None",
    "int",
    "milliseconds since 1970 of a text of RFC 3339",
    "date_parse('2024-02-29T12:00:00Z') == 1709208000000",
    "ValueError",
  ],
  [
    "date_format",
    "time, pattern=None, zone=None",
    "str",
    "the text of a time",
    "date_format(0, '%d %b %Y') == '01 Jan 1970'",
    "ValueError",
  ],
  [
    "date_add",
    "time, count, unit, zone=None",
    "int",
    "a time, a number of units later",
    "date_add('2024-01-31', 1, 'month') == 1709164800000",
    "ValueError",
  ],
  [
    "date_diff",
    "start, end, unit, zone=None",
    "int",
    "whole units from one time to another",
    "date_diff('2024-01-31', '2024-03-01', 'days') == 30",
    "ValueError",
  ],
  [
    "date_part",
    "time, part, zone=None",
    "int",
    "a part of a time",
    "date_part('2024-12-30', 'week') == 1",
    "ValueError",
  ],
  [
    "date_trunc",
    "time, unit, zone=None",
    "int",
    "the beginning of a unit",
    "date_trunc('2024-05-17T10:00:00Z', 'month') == 1714521600000",
    "ValueError",
  ],
  [
    "iso_ts",
    "seconds",
    "str",
    "an instant as YYYY-MM-DDTHH:MM:SSZ",
    "iso_ts(0) == '1970-01-01T00:00:00Z'",
    "ValueError",
  ],
];

/** What clients of a service see of a job while it runs and waits. Other runs show nothing. */
const SHOWN: readonly Line[] = [
  ["progress", "value, text=None", "None", "shows how far it is, from 0 to 1", "progress(1) is None", "ValueError"],
  ["set_state", "name, value, /", "None", "shows a value under a name", "set_state('n', 1) is None", "ValueError"],
];

export const PRELUDE: readonly Row[] = [NUMBERS, LOGIC, TEXTS, LISTS, DICTS, DATES, SHOWN]
  .flat()
  .map(([name, params, result, help, example, raises]) =>
    row(`weft.${name}`, params, result, help, example, { cost: "n", ...(raises === undefined ? {} : { raises }) }),
  );

/** Functions that ask the host: calls of the verbs of core that they name. */
export const PRELUDE_VERBS: ReadonlyMap<string, string> = new Map([
  ["weft.now", "NOW"],
  ["weft.iso", "ISO"],
  ["weft.uuid", "UUID"],
  ["weft.env", "ENV"],
  ["weft.sleep", "SLEEP"],
]);

/** Second names, as docs/functions.md has them. */
const ALIASES: Readonly<Record<string, string>> = {
  add: "concat_lists",
  eq: "equal equals",
  ne: "neq notequal not_equal",
  lte: "le",
  gte: "ge",
  contains: "has includes",
  lines: "splitlines",
  length: "size",
  arr: "array",
  push: "append",
  avg: "average mean",
  parse: "from_json",
  stringify: "to_json",
  entries: "items",
  diff: "difference",
  intersect: "intersection",
};

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...[...PRELUDE.map(({ name }) => name), ...PRELUDE_VERBS.keys()].map((name): [string, string] => [
    name.slice(5),
    name,
  ]),
  ...Object.entries(ALIASES).flatMap(([name, others]) =>
    others.split(" ").map((other): [string, string] => [other, `weft.${name}`]),
  ),
]);

/** The function of the library that a bare name calls where nothing else defines it. */
export function preludeFunction(name: string): string | undefined {
  return BY_NAME.get(name);
}

export const PRELUDE_NAMES: readonly string[] = [...BY_NAME.keys()];
