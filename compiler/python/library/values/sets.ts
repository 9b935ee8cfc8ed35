/** `set` and `frozenset` with their methods. */
import { type Row, row } from "../row.ts";

/** Methods of both types. */
const READING: readonly Row[] = ["set", "frozenset"].flatMap((type) => [
  row(`${type}.union`, "self, /, *others", type, "members of all", "{1}.union([2]) == {1, 2}", { cost: "n" }),
  row(`${type}.intersection`, "self, /, *others", type, "members that all have", "{1, 2}.intersection([2]) == {2}", {
    cost: "n",
  }),
  row(`${type}.difference`, "self, /, *others", type, "members that no other has", "{1, 2}.difference([2]) == {1}", {
    cost: "n",
  }),
  row(
    `${type}.symmetric_difference`,
    "self, other, /",
    type,
    "members of one only",
    "{1}.symmetric_difference([2]) == {1, 2}",
    {
      cost: "n",
    },
  ),
  row(`${type}.issubset`, "self, other, /", "bool", "whether the other has all members", "{1}.issubset([1, 2])", {
    cost: "n",
  }),
  row(`${type}.issuperset`, "self, other, /", "bool", "whether it has all of the other", "{1, 2}.issuperset([1])", {
    cost: "n",
  }),
  row(`${type}.isdisjoint`, "self, other, /", "bool", "whether no member is in both", "{1}.isdisjoint([2])", {
    cost: "n",
  }),
  row(`${type}.copy`, "self, /", type, "a set of the same members", "{1}.copy() == {1}", { cost: "n" }),
]);

export const SETS: readonly Row[] = [
  row("set", "iterable=..., /", "set", "a set of the elements", "set([1, 1]) == {1}", { cost: "n" }),
  row("frozenset", "iterable=..., /", "frozenset", "a set that cannot change", "frozenset([1]) == {1}", { cost: "n" }),
  ...READING,
  row("set.add", "self, elem, /", "None", "adds a member", "{1}.add(2) is None"),
  row("set.remove", "self, elem, /", "None", "takes a member out", "{1}.remove(1) is None", { raises: "KeyError" }),
  row("set.discard", "self, elem, /", "None", "takes a member out if it is there", "{1}.discard(2) is None"),
  row("set.pop", "self, /", "Any", "takes the only member out", "{1}.pop() == 1", { raises: "KeyError" }),
  row("set.clear", "self, /", "None", "takes all members out", "{1}.clear() is None"),
  row("set.update", "self, /, *others", "None", "adds members", "{1}.update([2]) is None", { cost: "n" }),
  row(
    "set.intersection_update",
    "self, /, *others",
    "None",
    "keeps what all have",
    "{1}.intersection_update([1]) is None",
    {
      cost: "n",
    },
  ),
  row(
    "set.difference_update",
    "self, /, *others",
    "None",
    "takes out what others have",
    "{1}.difference_update([1]) is None",
    {
      cost: "n",
    },
  ),
  row(
    "set.symmetric_difference_update",
    "self, other, /",
    "None",
    "keeps members of one only",
    "{1}.symmetric_difference_update([1]) is None",
    {
      cost: "n",
    },
  ),
];
