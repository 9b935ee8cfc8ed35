/** What None, numbers, types, functions and slices can do besides arithmetic. */
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
import { FLOAT_TYPE, fillSlots, type PyType, TYPE_TYPE, type Value } from "../object.ts";
import { isSame } from "../operators/compare.ts";
import { floatText } from "../operators/floats.ts";
import { compoundKey, identityKey, keyOf } from "../operators/keys.ts";
import { repr } from "../operators/text.ts";

// Fractions and all ints are plain values and never reach their slots where only objects do.
fillSlots<PyFloat>(FLOAT_TYPE, {
  truth: (self) => self.value !== 0,
  repr: (self) => floatText(self.value),
});

fillSlots<PyType>(TYPE_TYPE, { key: identityKey });
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
  equals: (self, other, ctx) =>
    other instanceof PySlice
      ? parts(self).every((part, index) => isSame(part, parts(other)[index] as Value, ctx))
      : undefined,
  repr: (self, ctx) =>
    `slice(${parts(self)
      .map((part) => repr(part, ctx))
      .join(", ")})`,
  attribute: (self, name) => (name === "start" || name === "stop" || name === "step" ? self[name] : undefined),
});

function parts({ start, stop, step }: PySlice): readonly Value[] {
  return [start, stop, step];
}
