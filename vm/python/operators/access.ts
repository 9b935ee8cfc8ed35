/** What is in a value: length, items, attributes, elements one after the other. */
import { ATTRIBUTE_ERROR, raised, TYPE_ERROR } from "../exceptions.ts";
import { PyBoundMethod, PyBuiltin } from "../kinds/callable.ts";
import { PyOrderedDict } from "../kinds/collections.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyList } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import {
  type Calling,
  type Context,
  END,
  type Native,
  nextOf,
  type PyIterator,
  PyType,
  typeOf,
  type Value,
} from "../object.ts";
import { isSame } from "./compare.ts";
import { isMissing } from "./missing-members.ts";
import { hasSpecial } from "./special-members.ts";

/** `len(value)`. */
export function length(value: Value, ctx: Context): number {
  if (value instanceof PyList) return value.items.length;
  const type = typeOf(value);
  if (type.slots.length !== undefined) return type.slots.length(value, ctx);
  throw raised(TYPE_ERROR, `object of type '${type.name}' has no len()`);
}

/** `value[key]`. A coroutine where a function of the program makes what is missing (defaultdict). */
export function item(value: Value, key: Value, ctx: Context): Value | Calling {
  if (value instanceof PyList && typeof key === "number") {
    const found = value.items[key];
    if (found !== undefined) return found;
  } else if (value instanceof PyDict && typeof key === "string") {
    const found = value.get(key);
    if (found !== undefined) return found;
  }
  const type = typeOf(value);
  if (type.slots.item !== undefined) return type.slots.item(value, key, ctx);
  throw raised(TYPE_ERROR, `'${type.name}' object is not subscriptable`);
}

/** `container[key] = value`. */
export function setItem(container: Value, key: Value, value: Value, ctx: Context): void {
  const type = typeOf(container);
  if (type.slots.setItem === undefined)
    throw raised(TYPE_ERROR, `'${type.name}' object does not support item assignment`);
  type.slots.setItem(container, key, value, ctx);
}

/** `del container[key]`. */
export function deleteItem(container: Value, key: Value, ctx: Context): void {
  const { slots, name } = typeOf(container);
  if (slots.deleteItem === undefined) {
    // CPython says it otherwise of sequences and sets.
    const does = slots.length === undefined || name === "mappingproxy" ? "does not" : "doesn't";
    throw raised(TYPE_ERROR, `'${name}' object ${does} support item deletion`);
  }
  slots.deleteItem(container, key, ctx);
}

/** `iter(value)`. */
export function iterate(value: Value, ctx: Context): PyIterator {
  const type = typeOf(value);
  if (type.slots.iterate !== undefined) return type.slots.iterate(value, ctx);
  throw raised(TYPE_ERROR, `'${type.name}' object is not iterable`);
}

/** `item in container`. */
export function contains(container: Value, item: Value, ctx: Context): boolean | Calling<boolean> {
  const { slots, name } = typeOf(container);
  if (slots.contains !== undefined) return slots.contains(container, item, ctx);
  if (slots.iterate === undefined) throw raised(TYPE_ERROR, `argument of type '${name}' is not iterable`);
  const iterator = slots.iterate(container, ctx);
  if (!iterator.isDirect) return searchCalling(iterator, item, ctx);
  for (let found = iterator.next(ctx); found !== END; found = iterator.next(ctx)) {
    ctx.charge(1);
    if (isSame(found, item, ctx)) return true;
  }
  return false;
}

function* searchCalling(iterator: PyIterator, item: Value, ctx: Context): Calling<boolean> {
  for (;;) {
    const found = yield* nextOf(iterator, ctx);
    if (found === END) return false;
    if (isSame(found, item, ctx)) return true;
  }
}

function isMissingSpecial(value: Value, name: string): boolean {
  const has = hasSpecial(value, name);
  return has === true || has === "unknown";
}

/** `value.name`. */
export function attribute(value: Value, name: string, ctx: Context): Value {
  const type = typeOf(value);
  const own = type.slots.attribute?.(value, name, ctx);
  if (own !== undefined) return own;
  const method = type.method(name);
  if (method !== undefined) return method.isStatic ? new PyBuiltin(method) : new PyBoundMethod(value, method);
  if (name === "__class__") return type;
  const constant = (value instanceof PyType ? value : type).constant(name);
  if (constant !== undefined) return constant;
  if (!(value instanceof PyType)) {
    if (isMissing(type, name) || isMissingSpecial(value, name))
      throw notExact(`'${name}' of ${type.name} is not supported`);
    throw raised(ATTRIBUTE_ERROR, `'${type.name}' object has no attribute '${name}'`);
  }
  const unbound = value.method(name);
  if (unbound !== undefined) return new PyBuiltin(unbound.isStatic ? unbound : unboundOf(value, name, unbound));
  if (name === "__name__") return value.name.slice(value.name.lastIndexOf(".") + 1);
  if (isMissing(value, name) || isMissingSpecial(value, name))
    throw notExact(`'${name}' of ${value.name} is not supported`);
  throw raised(ATTRIBUTE_ERROR, `type object '${value.name}' has no attribute '${name}'`);
}

const CHANGES_OF_DICT: ReadonlySet<string> = new Set(["pop", "popitem", "setdefault", "update", "clear"]);

const unboundMethods = new WeakMap<Native, Native>();

/** A method as it is read from its type: it looks at the value that it is called on. */
function unboundOf(type: PyType, name: string, method: Native): Native {
  let unbound = unboundMethods.get(method);
  if (unbound === undefined) {
    const owner = [type, ...type.bases].find((one) => one.methods.get(name) === method) ?? type;
    unbound = {
      ...method,
      run(ctx, self: Value, ...args) {
        if (self instanceof PyOrderedDict && owner !== self.type && CHANGES_OF_DICT.has(name))
          throw notExact(`dict.${name} leaves an OrderedDict in disorder; call the method of the value`);
        if (typeOf(self).isA(owner)) return method.run(ctx, self, ...args);
        throw raised(
          TYPE_ERROR,
          `descriptor '${name}' for '${owner.name}' objects doesn't apply to a '${typeOf(self).name}' object`,
        );
      },
    };
    unboundMethods.set(method, unbound);
  }
  return unbound;
}
