/** Types of collections.abc, which say what a value can do and have no values of their own: `isinstance(x, Mapping)`. */

import { PyBytes } from "../kinds/bytes.ts";
import { isCallable } from "../kinds/callable.ts";
import { PyDeque } from "../kinds/collections.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { PySet } from "../kinds/set.ts";
import { PyRange, PySlice } from "../kinds/slice.ts";
import { PyDictView } from "../kinds/view.ts";
import { PyIterator, PyType, typeOf, type Value } from "../object.ts";

type Has = (value: Value) => boolean;

class AbstractType extends PyType {
  readonly has: Has;
  constructor(name: string, has: Has) {
    super(name, [], {}, `collections.abc.${name}`);
    this.has = has;
  }
}

/** Whether a value is one of a type. */
export function isValueOf(value: Value, type: PyType): boolean {
  return type instanceof AbstractType ? type.has(value) : typeOf(value).isA(type);
}

const isDict: Has = (value) => value instanceof PyDict;
const changesItems: Has = (value) => value instanceof PyList || value instanceof PyDeque;
const isSequence: Has = (value) =>
  typeof value === "string" ||
  changesItems(value) ||
  value instanceof PyTuple ||
  value instanceof PyRange ||
  value instanceof PyBytes;
/** A view of values is not a set. */
const isSet: Has = (value) =>
  value instanceof PySet || (value instanceof PyDictView && typeOf(value).name !== "dict_values");
const isCollection: Has = (value) =>
  isSequence(value) || isDict(value) || value instanceof PySet || value instanceof PyDictView;
const changesMembers: Has = (value) => value instanceof PySet && typeOf(value).name === "set";

const TYPES: readonly AbstractType[] = [
  new AbstractType("Callable", isCallable),
  new AbstractType("Collection", isCollection),
  new AbstractType("Container", isCollection),
  new AbstractType(
    "Hashable",
    (value) =>
      !isDict(value) &&
      !changesItems(value) &&
      !changesMembers(value) &&
      !(value instanceof PySlice) &&
      !(value instanceof PyDictView && isSet(value)),
  ),
  new AbstractType("Iterable", (value) => typeOf(value).slots.iterate !== undefined),
  new AbstractType("Iterator", (value) => value instanceof PyIterator),
  new AbstractType("Mapping", isDict),
  new AbstractType("MutableMapping", isDict),
  new AbstractType("MutableSequence", changesItems),
  new AbstractType("MutableSet", changesMembers),
  new AbstractType("Sequence", isSequence),
  new AbstractType("Set", isSet),
  new AbstractType("Sized", (value) => typeOf(value).slots.length !== undefined),
];

/** By the names that they have in Python. */
export const ABSTRACT_TYPES: { readonly [name: string]: PyType } = Object.fromEntries(
  TYPES.map((type) => [type.qualifiedName, type]),
);
