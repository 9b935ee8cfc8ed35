/** Operators of the views that `keys()`, `values()` and `items()` of a dict give. Those of keys and items are sets, in the order of the dict. */
import { PyTuple } from "../kinds/list.ts";
import { PySet } from "../kinds/set.ts";
import {
  ITEMS_TYPE,
  KEYS_TYPE,
  type PyDictView,
  PyItemsView,
  PyKeysView,
  type PyValuesView,
  VALUES_TYPE,
} from "../kinds/view.ts";
import { Bytes, type Context, fillSlots, type Key, type Operator, type Slots, type Value } from "../object.ts";
import { isSame } from "../operators/compare.ts";
import { known } from "../operators/each.ts";
import { keyOf } from "../operators/keys.ts";
import { containerRepr, listed } from "../operators/text.ts";
import { membersOf, PyDictIterator } from "./dict.ts";
import { addMember, copySet, difference, intersection, orderSets, symmetricDifference } from "./set.ts";

type View = PyKeysView | PyValuesView | PyItemsView;

export function partOf(view: PyDictView): "key" | "value" | "item" {
  return view instanceof PyKeysView ? "key" : view instanceof PyItemsView ? "item" : "value";
}

const common: Slots<View> = {
  length: (self) => self.dict.size,
  iterate: (self) => new PyDictIterator(self.dict, partOf(self)),
  repr: (self, ctx) =>
    containerRepr(
      self,
      "...",
      ctx,
      () => `${self.type.name}([${listed(membersOf(self.dict, partOf(self), ctx), ctx)}])`,
    ),
};

function setOf(value: Value, ctx: Context): PySet {
  if (value instanceof PySet) return value;
  const set = new PySet();
  ctx.alloc(Bytes.Object);
  for (const item of known(value, ctx)) addMember(set, item, ctx);
  return set;
}

function isSetLike(value: Value): value is PySet | PyKeysView | PyItemsView {
  return value instanceof PySet || value instanceof PyKeysView || value instanceof PyItemsView;
}

/** CPython computes all four from a set of the view, so the members of the view are kept, but for `&`. */
function operate(op: Operator, a: Value, b: Value, ctx: Context): PySet | undefined {
  switch (op) {
    case "|":
      return copySet(setOf(b, ctx), copySet(setOf(a, ctx), new PySet(), ctx), ctx);
    case "&":
      return intersection(copySet(setOf(a, ctx), new PySet(), ctx), setOf(b, ctx), ctx);
    case "-":
      return difference(copySet(setOf(a, ctx), new PySet(), ctx), setOf(b, ctx), ctx);
    case "^":
      return symmetricDifference(copySet(setOf(a, ctx), new PySet(), ctx), setOf(b, ctx), ctx);
    default:
      return undefined;
  }
}

const likeSet: Slots<PyKeysView | PyItemsView> = {
  equals(self, other, ctx) {
    if (!isSetLike(other)) return undefined;
    if ((other instanceof PySet ? other.members.size : other.dict.size) !== self.dict.size) return false;
    return known(self, ctx).every((item) => hasMember(other, item, ctx));
  },
  order(self, op, other, ctx) {
    return isSetLike(other) ? orderSets(op, setOf(self, ctx), setOf(other, ctx), ctx) : undefined;
  },
  binary: (self, op, other, ctx) => operate(op, self, other, ctx),
  reflected: (self, op, other, ctx) => operate(op, other, self, ctx),
};

function hasMember(container: PySet | PyDictView, item: Value, ctx: Context): boolean {
  if (container instanceof PySet) return container.members.has(keyOf(item, ctx));
  return container instanceof PyItemsView ? hasItem(container, item, ctx) : container.dict.has(keyOf(item, ctx));
}

function hasItem({ dict }: PyItemsView, item: Value, ctx: Context): boolean {
  if (!(item instanceof PyTuple) || item.items.length !== 2) return false;
  const key: Key = keyOf(item.items[0] as Value, ctx);
  const found = dict.get(key);
  return found !== undefined && isSame(found, item.items[1] as Value, ctx);
}

fillSlots<View>(KEYS_TYPE, common);
fillSlots<View>(VALUES_TYPE, common);
fillSlots<View>(ITEMS_TYPE, common);
fillSlots<PyKeysView>(KEYS_TYPE, {
  ...likeSet,
  contains: (self, item, ctx) => self.dict.has(keyOf(item, ctx)),
});
fillSlots<PyItemsView>(ITEMS_TYPE, { ...likeSet, contains: hasItem });
