/** `dict` with its methods. */
import { KEY_ERROR, raised } from "../../exceptions.ts";
import { DICT_TYPE, PyDict } from "../../kinds/dict.ts";
import { PyItemsView, PyKeysView, PyValuesView } from "../../kinds/view.ts";
import { Bytes, type Context, type Key, type Natives, type Value } from "../../object.ts";
import { each, keyOf } from "../../operations.ts";
import { copyDict, mergeDict, setMember, updateDict } from "../../types/dict.ts";
import type { Part } from "../registry.ts";
import { pair } from "./iterators.ts";

function madeDict(ctx: Context): PyDict {
  ctx.alloc(Bytes.Object);
  return new PyDict();
}

/** `dict.pop(key, default)`. An empty dict does not look at the key. */
export function popMember(ctx: Context, self: PyDict, key: Value, fallback: Value | undefined): Value {
  const found = self.size === 0 ? undefined : self.delete(keyOf(key, ctx));
  if (found !== undefined) return found;
  if (fallback === undefined) throw raised(KEY_ERROR, key);
  return fallback;
}

/** `dict.setdefault(key, default)` */
export function memberOrSet(ctx: Context, self: PyDict, key: Value, fallback: Value): Value {
  const found = self.get(keyOf(key, ctx));
  if (found !== undefined) return found;
  setMember(self, key, fallback, ctx);
  return fallback;
}

/** Takes a member away. */
export function popAt(ctx: Context, self: PyDict, key: Key): Value {
  const spelled = self.spelling(key);
  return pair(ctx, spelled, self.delete(key) as Value);
}

const natives: Natives = {
  dict(ctx, source: Value | undefined, members: PyDict) {
    const dict = madeDict(ctx);
    if (source === undefined) {
      mergeDict(dict, members, ctx);
      return dict;
    }
    return updateDict(dict, source, ctx, () => {
      mergeDict(dict, members, ctx);
      return dict;
    });
  },
  "dict.get"(ctx, self: PyDict, key: Value, fallback: Value) {
    const found = self.get(keyOf(key, ctx));
    return found === undefined ? fallback : found;
  },
  "dict.setdefault": memberOrSet,
  "dict.pop": popMember,
  "dict.popitem"(ctx, self: PyDict) {
    const key = self.lastKey();
    if (key === undefined) throw raised(KEY_ERROR, "popitem(): dictionary is empty");
    return popAt(ctx, self, key);
  },
  "dict.update"(ctx, self: PyDict, source: Value | undefined, members: PyDict) {
    const end = (): null => {
      mergeDict(self, members, ctx);
      return null;
    };
    return source === undefined ? end() : updateDict(self, source, ctx, end);
  },
  "dict.clear"(_, self: PyDict) {
    self.clear();
    return null;
  },
  "dict.copy": (ctx, self: PyDict) => copyDict(self, ctx),
  "dict.keys"(ctx, self: PyDict) {
    ctx.alloc(Bytes.Object);
    return new PyKeysView(self);
  },
  "dict.values"(ctx, self: PyDict) {
    ctx.alloc(Bytes.Object);
    return new PyValuesView(self);
  },
  "dict.items"(ctx, self: PyDict) {
    ctx.alloc(Bytes.Object);
    return new PyItemsView(self);
  },
  "dict.fromkeys"(ctx, keys: Value, value: Value) {
    const dict = madeDict(ctx);
    return each(
      keys,
      ctx,
      (key) => setMember(dict, key, value, ctx),
      () => dict,
    );
  },
};

export const DICTS: Part = { natives, types: { dict: DICT_TYPE } };
