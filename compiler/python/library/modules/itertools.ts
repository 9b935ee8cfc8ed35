/** The module itertools. */
import { type Row, row } from "../row.ts";

const lazy = (name: string, params: string, help: string, example: string): Row =>
  row(`itertools.${name}`, params, "Iterator", help, example, { cost: "n" });

export const ITERTOOLS: readonly Row[] = [
  lazy("count", "start=0, step=1", "numbers without an end", "next(itertools.count(5)) == 5"),
  lazy("cycle", "iterable, /", "elements over and over", "next(itertools.cycle('ab')) == 'a'"),
  lazy("repeat", "object, times=...", "one value over and over", "list(itertools.repeat(1, 2)) == [1, 1]"),
  lazy(
    "chain",
    "*iterables",
    "elements of one iterable after the other",
    "list(itertools.chain('a', 'b')) == ['a', 'b']",
  ),
  lazy(
    "chain.from_iterable",
    "iterable, /",
    "elements of every iterable",
    "list(itertools.chain.from_iterable(['a'])) == ['a']",
  ),
  lazy("islice", "iterable, /, *args", "elements from start to stop", "list(itertools.islice('abc', 2)) == ['a', 'b']"),
  lazy("pairwise", "iterable, /", "pairs of neighbours", "list(itertools.pairwise('abc')) == [('a', 'b'), ('b', 'c')]"),
  lazy(
    "zip_longest",
    "*iterables, fillvalue=None",
    "tuples until the longest ends",
    "list(itertools.zip_longest('a', '')) == [('a', None)]",
  ),
  lazy(
    "compress",
    "data, selectors",
    "elements whose selector is true",
    "list(itertools.compress('ab', [0, 1])) == ['b']",
  ),
  row(
    "itertools.tee",
    "iterable, n=2, /",
    "tuple",
    "several iterators over one iterable",
    "len(itertools.tee('ab')) == 2",
    {
      raises: "ValueError",
    },
  ),
  lazy(
    "accumulate",
    "iterable, func=None, *, initial=None",
    "running totals",
    "list(itertools.accumulate([1, 2])) == [1, 3]",
  ),
  lazy(
    "starmap",
    "function, iterable, /",
    "results of a function for tuples of arguments",
    "list(itertools.starmap(pow, [(2, 3)])) == [8]",
  ),
  lazy(
    "takewhile",
    "predicate, iterable, /",
    "elements up to the first that fails",
    "list(itertools.takewhile(bool, [1, 0])) == [1]",
  ),
  lazy(
    "dropwhile",
    "predicate, iterable, /",
    "elements from the first that fails",
    "list(itertools.dropwhile(bool, [1, 0])) == [0]",
  ),
  lazy(
    "filterfalse",
    "function, iterable, /",
    "elements that a function does not keep",
    "list(itertools.filterfalse(None, [0, 1])) == [0]",
  ),
  lazy(
    "groupby",
    "iterable, key=None",
    "runs of elements with one key",
    "[k for k, g in itertools.groupby('aab')] == ['a', 'b']",
  ),
  lazy(
    "product",
    "*iterables, repeat=1",
    "all tuples of one element each",
    "list(itertools.product('a', 'b')) == [('a', 'b')]",
  ),
  lazy(
    "permutations",
    "iterable, r=None",
    "all orders of r elements",
    "list(itertools.permutations('ab', 1)) == [('a',), ('b',)]",
  ),
  lazy(
    "combinations",
    "iterable, r",
    "all choices of r elements",
    "list(itertools.combinations('ab', 2)) == [('a', 'b')]",
  ),
  lazy(
    "combinations_with_replacement",
    "iterable, r",
    "choices that may repeat",
    "list(itertools.combinations_with_replacement('a', 2)) == [('a', 'a')]",
  ),
];
