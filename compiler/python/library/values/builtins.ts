/** Builtin functions, and types that are called like functions. */
import { type Row, row } from "../row.ts";

export const BUILTINS: readonly Row[] = [
  row("len", "obj, /", "int", "number of elements, members or code points", "len('abc') == 3"),
  row("sum", "iterable, /, start=0", "Any", "start plus every element", "sum([1, 2]) == 3", { cost: "n" }),
  row("min", "*args, key=None, default=...", "Any", "the first smallest element or argument", "min([2, 1]) == 1", {
    raises: "ValueError",
    cost: "n",
  }),
  row("max", "*args, key=None, default=...", "Any", "the first largest element or argument", "max(1, 2) == 2", {
    raises: "ValueError",
    cost: "n",
  }),
  row("any", "iterable, /", "bool", "whether one element is true", "any([0, 1])", { cost: "n" }),
  row("all", "iterable, /", "bool", "whether every element is true", "all([1, 2])", { cost: "n" }),
  row("sorted", "iterable, /, *, key=None, reverse=False", "list", "a sorted list", "sorted([2, 1]) == [1, 2]", {
    cost: "n log n",
  }),
  row(
    "enumerate",
    "iterable, start=0",
    "enumerate",
    "pairs of number and element",
    "list(enumerate('a')) == [(0, 'a')]",
  ),
  row("zip", "*iterables, strict=False", "zip", "tuples of elements", "list(zip('a', [1])) == [('a', 1)]", {
    raises: "ValueError",
  }),
  row("map", "func, /, *iterables", "map", "results of a function", "list(map(len, ['ab'])) == [2]"),
  row(
    "filter",
    "function, iterable, /",
    "filter",
    "elements that a function keeps",
    "list(filter(None, [0, 1])) == [1]",
  ),
  row("reversed", "sequence, /", "reversed", "elements from the last to the first", "list(reversed([1, 2])) == [2, 1]"),
  row("iter", "object, sentinel=..., /", "Iterator", "an iterator over the elements", "next(iter([1])) == 1"),
  row("next", "iterator, default=..., /", "Any", "the next element of an iterator", "next(iter([]), 0) == 0", {
    raises: "StopIteration",
  }),
  row("type", "object, /", "type", "the type of a value", "type(1) is int"),
  row("isinstance", "obj, class_or_tuple, /", "bool", "whether a value has one of the types", "isinstance(True, int)", {
    cost: "n",
  }),
  row("issubclass", "cls, class_or_tuple, /", "bool", "whether a type is one of the types", "issubclass(bool, int)", {
    cost: "n",
  }),
  row("callable", "obj, /", "bool", "whether a value can be called", "callable(len)"),
  row("hasattr", "obj, name, /", "bool", "whether a value has the attribute", "hasattr([], 'append')"),
  row("getattr", "object, name, default=..., /", "Any", "an attribute by its name", "getattr(5, 'x', 0) == 0", {
    raises: "AttributeError",
  }),
  row("repr", "obj, /", "str", "the text of a value as Python writes it", "repr('a') == \"'a'\"", { cost: "n" }),
  row("ascii", "obj, /", "str", "the same with escapes for all but ASCII", "ascii('a') == \"'a'\"", { cost: "n" }),
  row("format", "value, format_spec='', /", "str", "a value by a format", "format(5, '03d') == '005'", {
    raises: "ValueError",
    cost: "n",
  }),
  row("chr", "i, /", "str", "the character of a code point", "chr(97) == 'a'", { raises: "ValueError OverflowError" }),
  row("ord", "c, /", "int", "the code point of a character", "ord('a') == 97"),
];
