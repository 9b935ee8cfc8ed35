/** Kinds of the module collections. */
import { type Row, row } from "../row.ts";

const counter = (name: string, ...rest: Parameters<typeof row> extends [string, ...infer R] ? R : never): Row =>
  row(`collections.Counter.${name}`, ...rest);
const deque = (name: string, ...rest: Parameters<typeof row> extends [string, ...infer R] ? R : never): Row =>
  row(`collections.deque.${name}`, ...rest);

export const COLLECTIONS: readonly Row[] = [
  row(
    "collections.Counter",
    "iterable=..., /, **kwds",
    "Counter",
    "how often each element occurs",
    "Counter('aab')['a'] == 2",
    {
      cost: "n",
    },
  ),
  counter("update", "self, iterable=..., /, **kwds", "None", "adds counts", "Counter('a').update('b') is None", {
    cost: "n",
  }),
  counter(
    "subtract",
    "self, iterable=..., /, **kwds",
    "None",
    "subtracts counts",
    "Counter('a').subtract('a') is None",
    {
      cost: "n",
    },
  ),
  counter(
    "most_common",
    "self, n=None",
    "list[tuple]",
    "pairs with the largest counts first",
    "Counter('aab').most_common(1) == [('a', 2)]",
    {
      cost: "n log n",
    },
  ),
  counter(
    "elements",
    "self",
    "Iterator",
    "every element as often as it was counted",
    "list(Counter('aab').elements()) == ['a', 'a', 'b']",
    {
      cost: "n",
    },
  ),
  counter("total", "self", "int", "the sum of the counts", "Counter('aab').total() == 3", { cost: "n" }),
  counter("copy", "self", "Counter", "a counter of the same counts", "Counter('a').copy() == Counter('a')", {
    cost: "n",
  }),
  counter("fromkeys", "iterable, v=None", "Counter", "is not defined for counters", "hasattr(Counter, 'fromkeys')", {
    raises: "NotImplementedError",
  }),
  row(
    "collections.defaultdict",
    "default_factory=None, iterable=..., /, **kwargs",
    "defaultdict",
    "a dict that makes missing values",
    "defaultdict(int)['a'] == 0",
    { cost: "n" },
  ),
  row(
    "collections.defaultdict.copy",
    "self, /",
    "defaultdict",
    "one of the same members",
    "defaultdict(int).copy() == {}",
    {
      cost: "n",
    },
  ),
  row(
    "collections.defaultdict.fromkeys",
    "iterable, value=None, /",
    "defaultdict",
    "one of keys with one value, which makes no missing values",
    "defaultdict.fromkeys('a') == {'a': None}",
    { cost: "n" },
  ),
  row(
    "collections.OrderedDict",
    "iterable=..., /, **kwargs",
    "OrderedDict",
    "a dict whose order counts",
    "OrderedDict(a=1) == {'a': 1}",
    {
      cost: "n",
    },
  ),
  row(
    "collections.OrderedDict.fromkeys",
    "iterable, value=None",
    "OrderedDict",
    "one of keys with one value",
    "OrderedDict.fromkeys('a') == {'a': None}",
    { cost: "n" },
  ),
  row("collections.OrderedDict.copy", "self", "OrderedDict", "one of the same members", "OrderedDict().copy() == {}", {
    cost: "n",
  }),
  row(
    "collections.OrderedDict.keys",
    "self, /",
    "odict_keys",
    "a view of the keys",
    "list(OrderedDict(a=1).keys()) == ['a']",
  ),
  row(
    "collections.OrderedDict.values",
    "self, /",
    "odict_values",
    "a view of the values",
    "list(OrderedDict(a=1).values()) == [1]",
  ),
  row(
    "collections.OrderedDict.items",
    "self, /",
    "odict_items",
    "a view of keys and values",
    "list(OrderedDict(a=1).items()) == [('a', 1)]",
  ),
  row(
    "collections.OrderedDict.move_to_end",
    "self, key, last=True",
    "None",
    "moves a key to an end",
    "OrderedDict(a=1).move_to_end('a') is None",
    {
      raises: "KeyError",
      cost: "n",
    },
  ),
  row(
    "collections.OrderedDict.setdefault",
    "self, key, default=None",
    "Any",
    "a value, which is set first when missing",
    "OrderedDict().setdefault('a', 0) == 0",
  ),
  row(
    "collections.OrderedDict.pop",
    "self, key, default=...",
    "Any",
    "takes a member out",
    "OrderedDict(a=1).pop('a') == 1",
    {
      raises: "KeyError",
    },
  ),
  row(
    "collections.OrderedDict.popitem",
    "self, last=True",
    "tuple",
    "takes the last or first member out",
    "OrderedDict(a=1).popitem() == ('a', 1)",
    {
      raises: "KeyError",
    },
  ),
  row(
    "collections.deque",
    "iterable=..., maxlen=None",
    "deque",
    "a list that grows and shrinks at both ends",
    "len(deque([1, 2], 1)) == 1",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  deque("append", "self, x, /", "None", "adds an element at the end", "deque().append(1) is None"),
  deque("appendleft", "self, x, /", "None", "adds an element at the front", "deque().appendleft(1) is None"),
  deque("pop", "self, /", "Any", "takes the last element out", "deque([1]).pop() == 1", { raises: "IndexError" }),
  deque("popleft", "self, /", "Any", "takes the first element out", "deque([1]).popleft() == 1", {
    raises: "IndexError",
  }),
  deque("extend", "self, iterable, /", "None", "adds elements at the end", "deque().extend('a') is None", {
    cost: "n",
  }),
  deque("extendleft", "self, iterable, /", "None", "adds elements at the front", "deque().extendleft('a') is None", {
    cost: "n",
  }),
  deque("rotate", "self, n=1, /", "None", "moves elements from the end to the front", "deque([1]).rotate() is None", {
    cost: "n",
  }),
  deque("clear", "self, /", "None", "takes all elements out", "deque([1]).clear() is None"),
  deque("copy", "self, /", "deque", "one of the same elements", "deque([1]).copy() == deque([1])", { cost: "n" }),
  deque("count", "self, x, /", "int", "how many elements are equal", "deque([1]).count(1) == 1", { cost: "n" }),
  deque(
    "index",
    "self, x, start=0, stop=..., /",
    "int",
    "where the first equal element stands",
    "deque([1]).index(1) == 0",
    {
      raises: "ValueError",
      cost: "n",
    },
  ),
  deque("insert", "self, i, x, /", "None", "puts an element before an index", "deque([1]).insert(0, 2) is None", {
    raises: "IndexError",
    cost: "n",
  }),
  deque("remove", "self, value, /", "None", "takes the first equal element out", "deque([1]).remove(1) is None", {
    raises: "ValueError",
    cost: "n",
  }),
  deque("reverse", "self, /", "None", "turns the elements round", "deque([1]).reverse() is None", { cost: "n" }),
];
