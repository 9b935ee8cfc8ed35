/** `dict` with its methods. */
import { type Row, row } from "../row.ts";

export const DICTS: readonly Row[] = [
  row(
    "dict",
    "iterable=..., /, **kwargs",
    "dict",
    "a dict of members, pairs or names",
    "dict([('a', 1)], b=2) == {'a': 1, 'b': 2}",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  row("dict.get", "self, key, default=None, /", "Any", "a value, or the default", "{}.get('a', 0) == 0"),
  row(
    "dict.setdefault",
    "self, key, default=None, /",
    "Any",
    "a value, which is set first when missing",
    "{}.setdefault('a', 0) == 0",
  ),
  row("dict.pop", "self, key, default=..., /", "Any", "takes a member out", "{'a': 1}.pop('a') == 1", {
    raises: "KeyError",
  }),
  row("dict.popitem", "self, /", "tuple", "takes the last member out", "{'a': 1}.popitem() == ('a', 1)", {
    raises: "KeyError",
  }),
  row("dict.update", "self, iterable=..., /, **kwargs", "None", "sets members", "{}.update(a=1) is None", {
    raises: "ValueError",
    cost: "n",
  }),
  row("dict.clear", "self, /", "None", "takes all members out", "{}.clear() is None"),
  row("dict.copy", "self, /", "dict", "a dict of the same members", "{'a': 1}.copy() == {'a': 1}", { cost: "n" }),
  row("dict.keys", "self, /", "dict_keys", "a view of the keys", "list({'a': 1}.keys()) == ['a']"),
  row("dict.values", "self, /", "dict_values", "a view of the values", "list({'a': 1}.values()) == [1]"),
  row("dict.items", "self, /", "dict_items", "a view of keys and values", "list({'a': 1}.items()) == [('a', 1)]"),
  row(
    "dict.fromkeys",
    "iterable, value=None, /",
    "dict",
    "a dict of keys with one value",
    "dict.fromkeys('a') == {'a': None}",
    {
      cost: "n",
    },
  ),
];
