/** What None, numbers, types, functions and slices can do besides arithmetic. */
import { raised, TYPE_ERROR } from "../exceptions.ts";
import {
  BOUND_METHOD_TYPE,
  BUILTIN_TYPE,
  FUNCTION_TYPE,
  PyBoundMethod,
  PyBuiltin,
  type PyFunction,
} from "../kinds/callable.ts";
import type { PyFloat } from "../kinds/float.ts";
import { PySlice, SLICE_TYPE } from "../kinds/slice.ts";
import { notExact } from "../not-exact.ts";
import { FLOAT_TYPE, fillSlots, type PyType, TYPE_TYPE } from "../object.ts";
import { floatText } from "../operators/floats.ts";
import { compoundKey, identityKey, keyOf } from "../operators/keys.ts";
import { listed } from "../operators/text.ts";
import { type Elements, equalElements, orderElements } from "./elements.ts";

/** Types that take no other types in brackets. */
const NOT_GENERIC = ["int", "float", "bool", "str", "bytes", "NoneType", "range", "slice", "object"];

// Fractions and all ints are plain values and never reach their slots where only objects do.
fillSlots<PyFloat>(FLOAT_TYPE, {
  truth: (self) => self.value !== 0,
  repr: (self) => floatText(self.value),
});

fillSlots<PyType>(TYPE_TYPE, {
  key: identityKey,
  item(self) {
    if (NOT_GENERIC.includes(self.name)) throw raised(TYPE_ERROR, `type '${self.name}' is not subscriptable`);
    throw notExact(`${self.name}[…] is only supported in annotations`);
  },
});
fillSlots<PyFunction>(FUNCTION_TYPE, { key: identityKey });
// `str.lower` is made anew each time it is read.
fillSlots<PyBuiltin>(BUILTIN_TYPE, {
  key: (self) => compoundKey("b", [self.native.name]),
  equals: (self, other) => other instanceof PyBuiltin && self.native === other.native,
});
fillSlots<PyBoundMethod>(BOUND_METHOD_TYPE, {
  key: ({ self, native }, ctx) =>
    compoundKey("m", [native.name, typeof self === "object" && self !== null ? identityKey(self) : keyOf(self, ctx)]),
  equals: (self, other) => other instanceof PyBoundMethod && self.self === other.self && self.native === other.native,
});

fillSlots<PySlice>(SLICE_TYPE, {
  equals: (self, other, ctx) => (other instanceof PySlice ? equalElements(parts(self), parts(other), ctx) : undefined),
  order: (self, op, other, ctx) =>
    other instanceof PySlice ? orderElements(op, parts(self), parts(other), ctx) : undefined,
  repr: (self, ctx) => `slice(${listed(parts(self).items, ctx)})`,
  attribute: (self, name) => (name === "start" || name === "stop" || name === "step" ? self[name] : undefined),
});

/** Slices are compared as the tuples of their parts. */
function parts({ start, stop, step }: PySlice): Elements {
  return { items: [start, stop, step] };
}
