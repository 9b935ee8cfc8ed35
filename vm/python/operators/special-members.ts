/**
 * Names with two underscores as members of values. Programs cannot read them, but may ask for them: `hasattr(x, "__iter__")` is how Python code
 * tells lists from numbers.
 */
import { isCallable } from "../kinds/callable.ts";
import { PyIterator, PyType, typeOf, type Value } from "../object.ts";

/** What every value has in CPython 3.11. Names stand here without their underscores. */
const OF_OBJECT = setOf(
  "class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr setattr sizeof str subclasshook",
);

/** What values of a type have besides. */
const BY_TYPE = new Map(
  Object.entries({
    NoneType: "bool",
    int: "abs add and bool ceil divmod float floor floordiv getnewargs index int invert lshift mod mul neg or pos pow radd rand rdivmod rfloordiv rlshift rmod rmul ror round rpow rrshift rshift rsub rtruediv rxor sub truediv trunc xor",
    float:
      "abs add bool ceil divmod float floor floordiv getformat getnewargs int mod mul neg pos pow radd rdivmod rfloordiv rmod rmul round rpow rsub rtruediv sub truediv trunc",
    str: "add contains getitem getnewargs iter len mod mul rmod rmul",
    bytes: "add bytes contains getitem getnewargs iter len mod mul rmod rmul",
    list: "add class_getitem contains delitem getitem iadd imul iter len mul reversed rmul setitem",
    tuple: "add class_getitem contains getitem getnewargs iter len mul rmul",
    dict: "class_getitem contains delitem getitem ior iter len or reversed ror setitem",
    set: "and class_getitem contains iand ior isub iter ixor len or rand ror rsub rxor sub xor",
    frozenset: "and class_getitem contains iter len or rand ror rsub rxor sub xor",
    range: "bool contains getitem iter len reversed",
    slice: "",
  }).map(([type, names]) => [type, setOf(names)]),
);

/** Names of other types, which are not listed type by type: only those that follow from what a type can do are known of them. */
const OF_OTHERS = setOf(
  "aiter anext annotations args await base bases basicsize builtins call cause closure code context copy deepcopy defaults del dict enter " +
    "exit flags func get getformat globals instancecheck kwdefaults length_hint missing module mro name next notes origin parameters prepare " +
    "qualname self setstate subclasscheck subclasses suppress_context text_signature traceback vectorcalloffset weakref weakrefoffset wrapped",
);

const BY_PROTOCOL: ReadonlyMap<string, (value: Value, type: PyType) => boolean> = new Map([
  ["call", isCallable],
  ["next", (value: Value) => value instanceof PyIterator],
  ["iter", (_: Value, { slots }: PyType) => slots.iterate !== undefined],
  ["len", (_: Value, { slots }: PyType) => slots.length !== undefined],
  ["getitem", (_: Value, { slots }: PyType) => slots.item !== undefined],
  ["setitem", (_: Value, { slots }: PyType) => slots.setItem !== undefined],
  ["delitem", (_: Value, { slots }: PyType) => slots.deleteItem !== undefined],
]);

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

const SPECIAL = /^__(\w+)__$/;

/** Whether a value has the member in CPython; "unknown": nothing here says so; null: `name` is of another form. */
export function hasSpecial(value: Value, name: string): boolean | "unknown" | null {
  const inner = SPECIAL.exec(name)?.[1];
  if (inner === undefined) return null;
  if (OF_OBJECT.has(inner)) return true;
  if (value instanceof PyType) return isOfType(value, inner) || "unknown";
  const type = typeOf(value);
  if (isOfType(type, inner)) return true;
  if (BY_TYPE.has(type.name) || type.name === "bool") return false;
  const byProtocol = BY_PROTOCOL.get(inner);
  if (byProtocol !== undefined) return byProtocol(value, type);
  return isOfSome(inner) ? "unknown" : false;
}

function isOfType(type: PyType, inner: string): boolean {
  return [type, ...type.bases].some((one) => BY_TYPE.get(one.name)?.has(inner) === true);
}

function isOfSome(inner: string): boolean {
  return OF_OTHERS.has(inner) || [...BY_TYPE.values()].some((names) => names.has(inner));
}
