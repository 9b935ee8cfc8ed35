/** The words of the functions that came after version 1.0, as `function-texts.ts` has those of the others. */
/** The words of one function. */
export type FunctionText = {
  /** Arguments as readers write them: `x?` may be left out, `x…` stands for any number, defaults in brackets. */
  readonly takes: string;
  readonly gives: string;
  /** When it fails; nothing for a function that fails in no way of its own. */
  readonly fails?: string;
  readonly example: string;
};

/** By name, in the order of the function table. */
export const LATER_FUNCTION_TEXTS: Readonly<Record<string, FunctionText>> = {
  plus: {
    takes: "a, b",
    gives: "sum of numbers; texts or lists joined; nothing is converted",
    fails: "anything else: `cannot add <type> and <type>`",
    example: '`plus("ab", "c")` → `"abc"`',
  },
  sum: {
    takes: "list, field?",
    gives: "sum of the elements, or of a field of each; 0 for an empty list",
    fails: "an element is not a number",
    example: '`sum([{"n": 1}, {"n": 2}], "n")` → `3`',
  },
  avg: {
    takes: "list, field?",
    gives: "mean of the elements, or of a field of each; null for an empty list",
    fails: "an element is not a number",
    example: "`avg([1, 2, 6])` → `3`",
  },
  coalesce: {
    takes: "values…",
    gives: "the first value that is not null; else null",
    example: "`coalesce(null, 0, 7)` → `0`",
  },
  any: {
    takes: "list",
    gives: "whether an element is truthy; false for an empty list",
    example: '`any([0, "", 3])` → `true`',
  },
  all: {
    takes: "list",
    gives: "whether every element is truthy; true for an empty list",
    example: '`all([1, ""])` → `false`',
  },
  chars: {
    takes: "text",
    gives: "list of its characters",
    example: '`chars("añ")` → `["a", "ñ"]`',
  },
  lines: {
    takes: "text",
    gives: "list of its lines, without line ends",
    example: '`lines("a\\nb\\n")` → `["a", "b"]`',
  },
  words: {
    takes: "text",
    gives: "parts between runs of white space",
    example: '`words(" red  car ")` → `["red", "car"]`',
  },
  capitalize: {
    takes: "text",
    gives: "first character in upper case, the rest in lower case",
    example: '`capitalize("hELLO you")` → `"Hello you"`',
  },
  title: {
    takes: "text",
    gives: "every word capitalized",
    example: '`title("the OLD house")` → `"The Old House"`',
  },
  pad: {
    takes: 'text, width, fill? (space), side? ("end")',
    gives: 'text filled up to the width; side `"start"`, `"end"` or `"both"` is where the fill goes',
    fails: 'fill is ""; unknown side',
    example: '`pad(7, 3, "0", "start")` → `"007"`',
  },
  repeat: {
    takes: "text or list, count",
    gives: 'the value several times in a row; "" or [] for a count below 1',
    example: '`repeat("ab", 3)` → `"ababab"`',
  },
  at: {
    takes: "value, key",
    gives:
      "element or character by whole number, negative from the end; member by exactly that key; null when it is missing",
    fails: "index of a list or text is not a whole number; number or boolean as value",
    example: '`at({"a.b": 1}, "a.b")` → `1`',
  },
  put_at: {
    takes: "value, keys, v",
    gives: "copy with v below exactly these keys, one key or a list of them; missing objects are made",
    fails: "index out of range; number, boolean or text on the way",
    example: '`put_at({"a.b": [1, 2]}, ["a.b", -1], 9)` → `{"a.b": [1, 9]}`',
  },
  first: {
    takes: "list or text",
    gives: "first element or character; null when empty",
    example: "`first([7, 8])` → `7`",
  },
  last: {
    takes: "list or text",
    gives: "last element or character; null when empty",
    example: '`last("abc")` → `"c"`',
  },
  take: {
    takes: "list or text, count",
    gives: "the first elements or characters",
    example: "`take([1, 2, 3], 2)` → `[1, 2]`",
  },
  drop: {
    takes: "list or text, count",
    gives: "all but the first elements or characters",
    example: "`drop([1, 2, 3], 2)` → `[3]`",
  },
  count: {
    takes: "value, wanted?",
    gives:
      "number of elements, characters or members; with `wanted` how many elements equal it, or how often a text has it",
    example: '`count(["a", "b", "a"], "a")` → `2`',
  },
  each: {
    takes: "value",
    gives: "what a loop passes: elements of a list, characters of a text, keys of an object, nothing for null",
    fails: "number or boolean: `cannot loop over <type>`",
    example: '`each({"a": 1, "b": 2})` → `["a", "b"]`',
  },
  pairs: {
    takes: "value",
    gives: "what a loop with two names passes: entries of an object, elements of a list, nothing for null",
    fails: "text, number or boolean",
    example: '`pairs({"a": 1})` → `[["a", 1]]`',
  },
  enumerate: {
    takes: "value, start? (0)",
    gives: "pairs of position and what `each` gives",
    example: '`enumerate(["x", "y"])` → `[[0, "x"], [1, "y"]]`',
  },
  entries: {
    takes: "object",
    gives: "list of pairs of key and value",
    fails: "not an object",
    example: '`entries({"a": 1})` → `[["a", 1]]`',
  },
  from_entries: {
    takes: "list of pairs?",
    gives: "object of pairs of key and value; the last of equal keys wins; an object stays as it is",
    fails: "an element is not a pair",
    example: '`from_entries([["a", 1]])` → `{"a": 1}`',
  },
  sort_by: {
    takes: 'list, field, order? ("asc")',
    gives:
      'sorted by a field, `"asc"` or `"desc"`, stable, as [Sort](language.md#steps) does; the field may be a path or a position',
    fails: "other order",
    example: '`sort_by([["a", 1], ["b", 2]], 1, "desc")` → `[["b", 2], ["a", 1]]`',
  },
  group_by: {
    takes: "list, field",
    gives: "object of lists: elements by the text of a field",
    example: '`group_by([{"k": "a", "n": 1}], "k")` → `{"a": [{"k": "a", "n": 1}]}`',
  },
  count_by: {
    takes: "list, field",
    gives: "object of numbers: how many elements have a field's text",
    example: '`count_by([{"k": "a"}, {"k": "a"}], "k")` → `{"a": 2}`',
  },
  index_by: {
    takes: "list, field",
    gives: "object of elements by the text of a field; the last of equal keys wins",
    example: '`index_by([{"id": 7}], "id")` → `{"7": {"id": 7}}`',
  },
  min_by: {
    takes: "list, field",
    gives: "first element with the smallest field; null for an empty list",
    fails: "fields of mixed types",
    example: '`min_by([{"n": 2}, {"n": 1}], "n")` → `{"n": 1}`',
  },
  max_by: {
    takes: "list, field",
    gives: "first element with the largest field; null for an empty list",
    fails: "fields of mixed types",
    example: '`max_by([{"n": 2}, {"n": 1}], "n")` → `{"n": 2}`',
  },
  find: {
    takes: "list, field, value",
    gives: "first element whose field equals the value; else null",
    example: '`find([{"id": 1}, {"id": 2}], "id", 2)` → `{"id": 2}`',
  },
  diff: {
    takes: "list, other",
    gives: "elements of the first list that the other list does not have",
    example: "`diff([1, 2, 3], [2])` → `[1, 3]`",
  },
  intersect: {
    takes: "list, other",
    gives: "elements that both lists have, each once, in the order of the first",
    example: "`intersect([3, 1, 3], [3, 4])` → `[3]`",
  },
  chunk: {
    takes: "list, size",
    gives: "list of lists of at most `size` elements",
    fails: "size below 1",
    example: "`chunk([1, 2, 3], 2)` → `[[1, 2], [3]]`",
  },
  date_parse: {
    takes: "text, zone? (UTC)",
    gives: "milliseconds since 1970 of an [RFC 3339 text](#dates); `zone` holds where the text names none",
    fails: "not a date; no such date; unknown time zone",
    example: '`date_parse("2024-02-29T12:00:00Z")` → `1709208000000`',
  },
  date_format: {
    takes: "time, pattern?, zone? (UTC)",
    gives: "text of a [time](#dates), RFC 3339 without a pattern; `%Y-%m-%d` or `YYYY-MM-DD`",
    fails: "unknown code in the pattern; unknown time zone",
    example: '`date_format(0, "%d %b %Y")` → `"01 Jan 1970"`',
  },
  date_add: {
    takes: "time, count, unit, zone? (UTC)",
    gives: "time, a number of [units](#dates) later; a month later is the same day or the last of the month",
    fails: "unknown unit; part of a month",
    example: '`date_add("2024-01-31", 1, "month")` → `1709164800000`',
  },
  date_diff: {
    takes: "from, to, unit, zone? (UTC)",
    gives: "whole units from the first time to the second, cut towards zero",
    fails: "unknown unit",
    example: '`date_diff("2024-01-31", "2024-03-01", "days")` → `30`',
  },
  date_part: {
    takes: "time, part, zone? (UTC)",
    gives:
      "`year month day hour minute second ms weekday yearday week quarter`; Monday is 1, weeks are those of ISO 8601",
    fails: "unknown part",
    example: '`date_part("2024-12-30", "week")` → `1`',
  },
  date_trunc: {
    takes: "time, unit, zone? (UTC)",
    gives: "beginning of the unit that holds the time; weeks begin on Monday",
    fails: "unknown unit",
    example: '`date_trunc("2024-05-17T10:00:00Z", "month")` → `1714521600000`',
  },
  match: {
    takes: "text, pattern",
    gives: "first match of a [pattern](#patterns): `found`, `text`, `start`, `end`, `groups`, `named`",
    fails: "`bad pattern: <why>`",
    example:
      '`match("id 42", "[0-9]")` → `{"found": true, "text": "4", "start": 3, "end": 4, "groups": [], "named": {}}`',
  },
  find_all: {
    takes: "text, pattern",
    gives: "texts of all matches; with one group what it took, with several lists of them",
    fails: "bad pattern",
    example: '`find_all("a1 b22", "[0-9]+")` → `["1", "22"]`',
  },
  replace_all: {
    takes: "text, pattern, new",
    gives: "all matches replaced; `$1` or `${name}` in `new` is what a group took",
    fails: "bad pattern",
    example: '`replace_all("2024-05", "(.+)-(.+)", "$2/$1")` → `"05/2024"`',
  },
  split_by: {
    takes: "text, pattern",
    gives: "parts between matches",
    fails: "bad pattern",
    example: '`split_by("a, b;c", "[,;] *")` → `["a", "b", "c"]`',
  },
};
