/** `list`, `tuple`, `range` and `slice` with their methods. */
import { type Row, row } from "../row.ts";

export const LISTS: readonly Row[] = [
  row("list", "iterable=..., /", "list", "a list of the elements", "list('ab') == ['a', 'b']", { cost: "n" }),
  row("list.append", "self, object, /", "None", "adds an element at the end", "[1].append(2) is None"),
  row("list.extend", "self, iterable, /", "None", "adds elements at the end", "[1].extend([2]) is None", { cost: "n" }),
  row("list.insert", "self, index, object, /", "None", "puts an element before an index", "[1].insert(0, 2) is None", {
    raises: "OverflowError",
    cost: "n",
  }),
  row("list.pop", "self, index=-1, /", "Any", "takes an element out", "[1, 2].pop() == 2", {
    raises: "IndexError",
    cost: "n",
  }),
  row("list.remove", "self, value, /", "None", "takes the first equal element out", "[1].remove(1) is None", {
    raises: "ValueError",
    cost: "n",
  }),
  row("list.clear", "self, /", "None", "takes all elements out", "[1].clear() is None"),
  row("list.copy", "self, /", "list", "a list of the same elements", "[1].copy() == [1]", { cost: "n" }),
  row(
    "list.index",
    "self, value, start=0, stop=..., /",
    "int",
    "where the first equal element stands",
    "[1, 2].index(2) == 1",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  row("list.count", "self, value, /", "int", "how many elements are equal", "[1, 1].count(1) == 2", { cost: "n" }),
  row("list.reverse", "self, /", "None", "turns the elements round", "[1, 2].reverse() is None", { cost: "n" }),
  row("list.sort", "self, /, *, key=None, reverse=False", "None", "sorts the elements", "[2, 1].sort() is None", {
    raises: "ValueError",
    cost: "n log n",
  }),
  row("tuple", "iterable=..., /", "tuple", "a tuple of the elements", "tuple('ab') == ('a', 'b')", { cost: "n" }),
  row("tuple.count", "self, value, /", "int", "how many elements are equal", "(1, 1).count(1) == 2", { cost: "n" }),
  row(
    "tuple.index",
    "self, value, start=0, stop=..., /",
    "int",
    "where the first equal element stands",
    "(1, 2).index(2) == 1",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  row("range", "start, stop=..., step=..., /", "range", "ints from start up to stop", "list(range(2)) == [0, 1]", {
    raises: "ValueError",
  }),
  row("range.index", "self, value, /", "int", "where a number stands", "range(5).index(3) == 3", {
    raises: "ValueError",
  }),
  row("range.count", "self, value, /", "int", "how often a number occurs", "range(5).count(3) == 1"),
  row("slice", "start, stop=..., step=None, /", "slice", "a part of a sequence", "[1, 2, 3][slice(1, 3)] == [2, 3]"),
  row(
    "slice.indices",
    "self, length, /",
    "tuple[int, int, int]",
    "its bounds for a length",
    "slice(9).indices(2) == (0, 2, 1)",
    {
      raises: "ValueError",
    },
  ),
];
