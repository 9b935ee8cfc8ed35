/** `collections.defaultdict` and `collections.OrderedDict`. */
import { KEY_ERROR, raised, TYPE_ERROR } from "../../../exceptions.ts";
import { isCallable } from "../../../kinds/callable.ts";
import {
  PyDefaultDict,
  PyOrderedDict,
  PyOrderedItemsView,
  PyOrderedKeysView,
  PyOrderedValuesView,
} from "../../../kinds/collections.ts";
import { DICT_TYPE, PyDict } from "../../../kinds/dict.ts";
import { LIST_TYPE, PyList } from "../../../kinds/list.ts";
import { PySet, SET_TYPE } from "../../../kinds/set.ts";
import {
  Bytes,
  type Calling,
  type Context,
  INT_TYPE,
  type Natives,
  PyType,
  type Slots,
  setType,
  type Value,
} from "../../../object.ts";
import { each, equals, isSame, keyOf, repr, truth } from "../../../operations.ts";
import { containerRepr, listed } from "../../../operators/text.ts";
import { dictRepr, membersOf, mergeDict, PyDictIterator, setMember, updateDict } from "../../../types/dict.ts";
import type { Part } from "../../registry.ts";
import { memberOrSet, popAt, popMember } from "../../values/dicts.ts";

// defaultdict

/** What the usual factories make, without a call. */
function madeBy(factory: Value, ctx: Context): Value | undefined {
  if (factory === INT_TYPE) return 0;
  ctx.alloc(Bytes.Object);
  if (factory === LIST_TYPE) return new PyList([]);
  if (factory === DICT_TYPE) return new PyDict();
  return factory === SET_TYPE ? new PySet() : undefined;
}

function* madeByCall(dict: PyDefaultDict, key: Value, ctx: Context): Calling {
  const value = yield { callee: dict.factory, args: [] };
  setMember(dict, key, value, ctx);
  return value;
}

function copyDefault(from: PyDefaultDict, ctx: Context): PyDefaultDict {
  ctx.alloc(Bytes.Object);
  const copy = new PyDefaultDict();
  copy.factory = from.factory;
  mergeDict(copy, from, ctx);
  return copy;
}

const defaultSlots: Slots<PyDefaultDict> = {
  item(self, key, ctx) {
    const found = self.get(keyOf(key, ctx));
    if (found !== undefined) return found;
    if (self.factory === null) throw raised(KEY_ERROR, key);
    const value = madeBy(self.factory, ctx);
    if (value === undefined) return madeByCall(self, key, ctx);
    setMember(self, key, value, ctx);
    return value;
  },
  repr: (self, ctx) => `defaultdict(${repr(self.factory, ctx)}, ${dictRepr(self, ctx)})`,
  binary(self, op, other, ctx) {
    if (op !== "|" || !(other instanceof PyDict)) return undefined;
    const merged = copyDefault(self, ctx);
    mergeDict(merged, other, ctx);
    return merged;
  },
  reflected(self, op, other, ctx) {
    if (op !== "|" || !(other instanceof PyDict)) return undefined;
    const merged = new PyDefaultDict();
    ctx.alloc(Bytes.Object);
    merged.factory = self.factory;
    mergeDict(merged, other, ctx);
    mergeDict(merged, self, ctx);
    return merged;
  },
  attribute: (self, name) => (name === "default_factory" ? self.factory : undefined),
};
const DEFAULT_DICT_TYPE = setType(PyDefaultDict, new PyType("collections.defaultdict", [DICT_TYPE], defaultSlots));

/** Fills a new dict from a dict or pairs, and from names. */
function filled(dict: PyDict, source: Value | undefined, named: PyDict, ctx: Context): Value | Calling {
  const end = (): Value => {
    mergeDict(dict, named, ctx);
    return dict;
  };
  return source === undefined ? end() : updateDict(dict, source, ctx, end);
}

/** Fills a new dict with keys of one value. */
function keyed(dict: PyDict, keys: Value, value: Value, ctx: Context): Value | Calling {
  ctx.alloc(Bytes.Object);
  return each(
    keys,
    ctx,
    (key) => setMember(dict, key, value, ctx),
    () => dict,
  );
}

// OrderedDict

function copyOrdered(from: PyDict, ctx: Context): PyOrderedDict {
  ctx.alloc(Bytes.Object);
  const copy = new PyOrderedDict();
  mergeDict(copy, from, ctx);
  return copy;
}

function equalInOrder(a: PyOrderedDict, b: PyOrderedDict, ctx: Context): boolean {
  if (a.size !== b.size || !equals(new PyList(membersOf(a, "key", ctx)), new PyList(membersOf(b, "key", ctx)), ctx))
    return false;
  for (const key of a.keys()) if (!isSame(a.get(key) as Value, b.get(key) as Value, ctx)) return false;
  return true;
}

const orderedSlots: Slots<PyOrderedDict> = {
  iterate: (self) => new PyDictIterator(self, "key"),
  equals: (self, other, ctx) =>
    other instanceof PyOrderedDict ? equalInOrder(self, other, ctx) : DICT_TYPE.slots.equals?.(self, other, ctx),
  repr: (self, ctx) =>
    self.size === 0
      ? "OrderedDict()"
      : containerRepr(self, "...", ctx, () => `OrderedDict([${listed(membersOf(self, "item", ctx), ctx)}])`),
  binary(self, op, other, ctx) {
    if (op !== "|" || !(other instanceof PyDict)) return undefined;
    const merged = copyOrdered(self, ctx);
    mergeDict(merged, other, ctx);
    return merged;
  },
  reflected(self, op, other, ctx) {
    if (op !== "|" || !(other instanceof PyDict)) return undefined;
    const merged = copyOrdered(other, ctx);
    mergeDict(merged, self, ctx);
    return merged;
  },
};
const ORDERED_DICT_TYPE = setType(PyOrderedDict, new PyType("collections.OrderedDict", [DICT_TYPE], orderedSlots));

function moveToEnd(ctx: Context, self: PyOrderedDict, key: Value, last: Value): Value {
  const at = keyOf(key, ctx);
  const value = self.get(at);
  if (value === undefined) throw raised(KEY_ERROR, key);
  const spelled = self.spelling(at);
  const isLast = truth(last, ctx);
  if (isLast && self.lastKey() === at) return null;
  self.delete(at);
  if (isLast) {
    self.set(at, spelled, value);
    return null;
  }
  ctx.charge(self.size);
  const rest = copyOrdered(self, ctx);
  self.clear();
  self.set(at, spelled, value);
  mergeDict(self, rest, ctx);
  return null;
}

const natives: Natives = {
  "collections.defaultdict"(ctx, factory: Value, source: Value | undefined, named: PyDict) {
    if (factory !== null && !isCallable(factory)) throw raised(TYPE_ERROR, "first argument must be callable or None");
    ctx.alloc(Bytes.Object);
    const dict = new PyDefaultDict();
    dict.factory = factory;
    return filled(dict, source, named, ctx);
  },
  "collections.defaultdict.fromkeys": (ctx, keys: Value, value: Value) => keyed(new PyDefaultDict(), keys, value, ctx),
  "collections.defaultdict.copy": (ctx, self: PyDefaultDict) => copyDefault(self, ctx),
  "collections.OrderedDict"(ctx, source: Value | undefined, named: PyDict) {
    ctx.alloc(Bytes.Object);
    return filled(new PyOrderedDict(), source, named, ctx);
  },
  "collections.OrderedDict.fromkeys": (ctx, keys: Value, value: Value) => keyed(new PyOrderedDict(), keys, value, ctx),
  "collections.OrderedDict.copy": (ctx, self: PyOrderedDict) => copyOrdered(self, ctx),
  "collections.OrderedDict.keys": (_, self: PyOrderedDict) => new PyOrderedKeysView(self),
  "collections.OrderedDict.values": (_, self: PyOrderedDict) => new PyOrderedValuesView(self),
  "collections.OrderedDict.items": (_, self: PyOrderedDict) => new PyOrderedItemsView(self),
  "collections.OrderedDict.move_to_end": moveToEnd,
  "collections.OrderedDict.setdefault": memberOrSet,
  "collections.OrderedDict.pop": popMember,
  "collections.OrderedDict.popitem"(ctx, self: PyOrderedDict, last: Value) {
    const key = truth(last, ctx) ? self.lastKey() : self.keys().next().value;
    if (key === undefined) throw raised(KEY_ERROR, "dictionary is empty");
    return popAt(ctx, self, key);
  },
};

export const DICTS: Part = {
  natives,
  types: { "collections.defaultdict": DEFAULT_DICT_TYPE, "collections.OrderedDict": ORDERED_DICT_TYPE },
};
