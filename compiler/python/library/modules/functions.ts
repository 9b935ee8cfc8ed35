/** The modules functools, operator, heapq, bisect and copy. */
import { type Row, row } from "../row.ts";

const FUNCTOOLS: readonly Row[] = [
  row(
    "functools.reduce",
    "function, iterable, initial=..., /",
    "Any",
    "folds elements with a function",
    "functools.reduce(max, [1, 3, 2]) == 3",
    {
      cost: "n",
    },
  ),
  row(
    "functools.partial",
    "func, /, *args, **keywords",
    "partial",
    "a function with some arguments set",
    "functools.partial(pow, 2)(3) == 8",
  ),
  row(
    "functools.wraps",
    "wrapped",
    "Callable",
    "gives a function the name of another one",
    "functools.wraps(len)(lambda x: x).__name__ == 'len'",
  ),
  row(
    "functools.cmp_to_key",
    "mycmp",
    "Callable",
    "a key out of a comparing function",
    "sorted([2, 1], key=functools.cmp_to_key(lambda a, b: a - b)) == [1, 2]",
  ),
  row(
    "functools.cache",
    "user_function, /",
    "Callable",
    "a function that remembers its results",
    "functools.cache(len)('ab') == 2",
  ),
  row(
    "functools.lru_cache",
    "maxsize=128, typed=False",
    "Callable",
    "one that remembers the last ones",
    "functools.lru_cache(len)('ab') == 2",
  ),
  row(
    "functools._lru_cache_wrapper.cache_info",
    "self, /",
    "tuple",
    "hits, misses, maxsize and currsize",
    "functools.cache(len).cache_info().hits == 0",
  ),
  row(
    "functools._lru_cache_wrapper.cache_parameters",
    "self, /",
    "dict",
    "how it was made",
    "functools.cache(len).cache_parameters() == {'maxsize': None, 'typed': False}",
  ),
  row(
    "functools._lru_cache_wrapper.cache_clear",
    "self, /",
    "None",
    "forgets all results",
    "functools.cache(len).cache_clear() is None",
  ),
];

const BINARY: readonly (readonly [name: string, help: string, example: string])[] = [
  ["add", "a + b", "operator.add(1, 2) == 3"],
  ["sub", "a - b", "operator.sub(3, 2) == 1"],
  ["mul", "a * b", "operator.mul(3, 2) == 6"],
  ["truediv", "a / b", "operator.truediv(3, 2) == 1.5"],
  ["floordiv", "a // b", "operator.floordiv(3, 2) == 1"],
  ["mod", "a % b", "operator.mod(3, 2) == 1"],
  ["pow", "a ** b", "operator.pow(3, 2) == 9"],
  ["lshift", "a << b", "operator.lshift(1, 2) == 4"],
  ["rshift", "a >> b", "operator.rshift(4, 2) == 1"],
  ["and_", "a & b", "operator.and_(3, 2) == 2"],
  ["or_", "a | b", "operator.or_(1, 2) == 3"],
  ["xor", "a ^ b", "operator.xor(3, 2) == 1"],
];

const OPERATOR: readonly Row[] = [
  ...BINARY.flatMap(([name, help, example]) => [
    row(`operator.${name}`, "a, b, /", "Any", help, example),
    row(
      `operator.i${name.replace("_", "")}`,
      "a, b, /",
      "Any",
      `${help}, in place`,
      example.replace(`.${name}(`, `.i${name.replace("_", "")}(`),
    ),
  ]),
  row("operator.lt", "a, b, /", "bool", "a < b", "operator.lt(1, 2)"),
  row("operator.le", "a, b, /", "bool", "a <= b", "operator.le(1, 1)"),
  row("operator.gt", "a, b, /", "bool", "a > b", "operator.gt(2, 1)"),
  row("operator.ge", "a, b, /", "bool", "a >= b", "operator.ge(1, 1)"),
  row("operator.eq", "a, b, /", "bool", "a == b", "operator.eq(1, 1)"),
  row("operator.ne", "a, b, /", "bool", "a != b", "operator.ne(1, 2)"),
  row("operator.neg", "a, /", "Any", "-a", "operator.neg(1) == -1"),
  row("operator.pos", "a, /", "Any", "+a", "operator.pos(1) == 1"),
  row("operator.invert", "a, /", "Any", "~a", "operator.invert(1) == -2"),
  row("operator.inv", "a, /", "Any", "~a", "operator.inv(1) == -2"),
  row("operator.abs", "a, /", "Any", "the size of a number", "operator.abs(-1) == 1"),
  row("operator.truth", "a, /", "bool", "the truth of a value", "operator.truth([1])"),
  row("operator.not_", "a, /", "bool", "not a", "operator.not_(0)"),
  row("operator.index", "a, /", "int", "a value as an index", "operator.index(True) == 1"),
  row("operator.concat", "a, b, /", "Any", "a + b of sequences", "operator.concat('a', 'b') == 'ab'"),
  row("operator.iconcat", "a, b, /", "Any", "a + b, in place", "operator.iconcat([1], [2]) == [1, 2]"),
  row("operator.contains", "a, b, /", "bool", "b in a", "operator.contains('ab', 'a')", { cost: "n" }),
  row("operator.getitem", "a, b, /", "Any", "a[b]", "operator.getitem('ab', 1) == 'b'"),
  row("operator.setitem", "a, b, c, /", "None", "a[b] = c", "operator.setitem({}, 'a', 1) is None"),
  row("operator.delitem", "a, b, /", "None", "del a[b]", "operator.delitem([1], 0) is None"),
  row("operator.countOf", "a, b, /", "int", "how often b occurs in a", "operator.countOf('aab', 'a') == 2", {
    cost: "n",
  }),
  row("operator.indexOf", "a, b, /", "int", "where b occurs in a", "operator.indexOf('ab', 'b') == 1", {
    raises: "ValueError",
    cost: "n",
  }),
  row(
    "operator.itemgetter",
    "*items",
    "Callable",
    "a function that takes items out",
    "operator.itemgetter(1)('ab') == 'b'",
  ),
  row(
    "operator.attrgetter",
    "*attrs",
    "Callable",
    "a function that reads attributes",
    "operator.attrgetter('real')(5) == 5",
  ),
  row(
    "operator.methodcaller",
    "name, /, *args, **kwargs",
    "Callable",
    "a function that calls a method",
    "operator.methodcaller('upper')('a') == 'A'",
  ),
];

const HEAPQ: readonly Row[] = [
  row("heapq.heapify", "heap, /", "None", "orders a list as a heap", "heapq.heapify([2, 1]) is None", { cost: "n" }),
  row("heapq.heappush", "heap, item, /", "None", "adds an element", "heapq.heappush([], 1) is None"),
  row("heapq.heappop", "heap, /", "Any", "takes the smallest element out", "heapq.heappop([1]) == 1", {
    raises: "IndexError",
  }),
  row(
    "heapq.heapreplace",
    "heap, item, /",
    "Any",
    "takes the smallest out, then adds one",
    "heapq.heapreplace([1], 2) == 1",
    {
      raises: "IndexError",
    },
  ),
  row(
    "heapq.heappushpop",
    "heap, item, /",
    "Any",
    "adds one, then takes the smallest out",
    "heapq.heappushpop([1], 2) == 1",
  ),
  row("heapq.nlargest", "n, iterable, key=None", "list", "the n largest elements", "heapq.nlargest(1, [1, 2]) == [2]", {
    cost: "n log n",
  }),
  row(
    "heapq.nsmallest",
    "n, iterable, key=None",
    "list",
    "the n smallest elements",
    "heapq.nsmallest(1, [1, 2]) == [1]",
    {
      cost: "n log n",
    },
  ),
  row(
    "heapq.merge",
    "*iterables, key=None, reverse=False",
    "Iterator",
    "sorted iterables as one",
    "list(heapq.merge([1, 3], [2])) == [1, 2, 3]",
    {
      cost: "n log n",
    },
  ),
];

const BISECT: readonly Row[] = ["bisect", "bisect_right", "bisect_left", "insort", "insort_right", "insort_left"].map(
  (name) =>
    row(
      `bisect.${name}`,
      "a, x, lo=0, hi=None, *, key=None",
      name.startsWith("b") ? "int" : "None",
      name.startsWith("b") ? "where a value belongs among sorted ones" : "puts a value among sorted ones",
      name.startsWith("b") ? `bisect.${name}([1, 3], 2) == 1` : `bisect.${name}([1, 3], 2) is None`,
      { raises: "ValueError IndexError", cost: name.startsWith("b") ? "log n" : "n" },
    ),
);

const COPY: readonly Row[] = [
  row("copy.copy", "x", "Any", "a copy with the same parts", "copy.copy([1]) == [1]", { cost: "n" }),
  row("copy.deepcopy", "x", "Any", "a copy with copies of all parts", "copy.deepcopy([[1]]) == [[1]]", { cost: "n" }),
];

export const FUNCTIONS: readonly Row[] = [...FUNCTOOLS, ...OPERATOR, ...HEAPQ, ...BISECT, ...COPY];
