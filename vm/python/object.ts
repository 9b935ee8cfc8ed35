/**
 * What a value of a Python program is, and what a kind of values can do (python.md § 3). None, booleans, texts and most numbers are plain
 * JavaScript values; everything else is a PyObject with a type. A whole JavaScript number is an int, any other one a float; a whole float,
 * an infinity, nan and -0.0 are boxes (`kinds/float.ts`), an int beyond 2^53 - 1 is a BigInt.
 *
 * Cells (list, dict, set, deque …) have identity and are changed in place. Nothing here knows the machine: what an operation needs of
 * a run it gets as its `Context`.
 */
import type { Json } from "../../compiler/json.ts";
import type { ShownState } from "../recording/shown-state.ts";

export type Value = null | boolean | number | bigint | string | PyObject;

export abstract class PyObject {
  /** On the prototype of each class, so that instances stay small. */
  abstract readonly type: PyType;
}

/** What an operation may ask of its run. */
export interface Context {
  /** Counts work: about one unit for a code unit or element that is looked at. Ends a run that is late or cancelled. */
  charge(units: number): void;
  /** Counts bytes of a value that was made (docs/runtime.md, bytes of Python programs). */
  alloc(bytes: number): void;
  /** Asked before something large is built: fails when its bytes can never fit. */
  room(bytes: number): void;
  /** Takes a line that the program prints; missing: it is dropped. */
  print?(text: string): void;
  /** What the run shows of itself; missing: nothing. */
  readonly shown?: ShownState;
  /** Containers whose text is being made, so that a cycle ends as `[...]`. */
  readonly open: Set<PyObject>;
}

/** Bytes that `alloc` counts. */
export const enum Bytes {
  /** A container, an exception, a function value, a boxed number. */
  Object = 32,
  /** An element of a list, tuple or set. */
  Element = 8,
  /** An entry of a dict. */
  Entry = 24,
  /** A code unit of a text. */
  Unit = 2,
}

/** What a key is looked up by: equal keys of Python have the same one (1, 1.0 and True; equal tuples). */
export type Key = string | number | bigint | null;

export type Order = "<" | "<=" | ">" | ">=";
export type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**" | "<<" | ">>" | "|" | "^" | "&" | "@";

/**
 * What the values of a type do when an operator or builtin meets them. A slot that is missing means that Python raises TypeError there, but for
 * `truth` (true), `equals` (identity), `text` (as `repr`), `format` (as `text`, with an empty spec only) and `contains` (by iterating).
 * `undefined` as a result is Python's NotImplemented. `T` is the class of the values.
 */
export type Slots<T> = {
  truth?(self: T, ctx: Context): boolean;
  length?(self: T, ctx: Context): number;
  iterate?(self: T, ctx: Context): PyIterator;
  /** `reversed(self)`. */
  reverse?(self: T, ctx: Context): PyIterator;
  contains?(self: T, item: Value, ctx: Context): boolean | Calling<boolean>;
  /** A coroutine where the program's own code makes what is missing (defaultdict). */
  item?(self: T, key: Value, ctx: Context): Value | Calling;
  setItem?(self: T, key: Value, value: Value, ctx: Context): void;
  deleteItem?(self: T, key: Value, ctx: Context): void;
  equals?(self: T, other: Value, ctx: Context): boolean | undefined;
  order?(self: T, op: Order, other: Value, ctx: Context): boolean | undefined;
  /** Missing: unhashable. */
  key?(self: T, ctx: Context): Key;
  repr?(self: T, ctx: Context): string;
  text?(self: T, ctx: Context): string;
  format?(self: T, spec: string, ctx: Context): string;
  binary?(self: T, op: Operator, other: Value, ctx: Context): Value | undefined;
  /** `other op self`, after `other` did not know. */
  reflected?(self: T, op: Operator, other: Value, ctx: Context): Value | undefined;
  /** `divmod(a, b)`, one of which is of the type; missing: it is made of `//` and `%`. */
  divmod?(a: Value, b: Value, ctx: Context): Value | undefined;
  /** `self op= other` in place; undefined: as `self = self op other`. */
  inPlace?(self: T, op: Operator, other: Value, ctx: Context): Value | Calling | undefined;
  unary?(self: T, op: "-" | "+" | "~" | "abs", ctx: Context): Value | undefined;
  /** Of a number: the int that it is rounded to in a direction. */
  whole?(
    self: T,
    toward: "ROUND_DOWN" | "ROUND_FLOOR" | "ROUND_CEILING" | "ROUND_HALF_EVEN",
    ctx: Context,
  ): number | bigint;
  /** Of a number: the nearest float. */
  real?(self: T): number;
  /** Of a number: `round(self, digits)`. */
  round?(self: T, digits: number, ctx: Context): Value;
  /** A data attribute; undefined: none of that name. Methods stand in `PyType.methods`. */
  attribute?(self: T, name: string, ctx: Context): Value | undefined;
  /** The values in it that no operator shows, for what measures or compares all that a run holds. */
  holds?(self: T): readonly Value[];
  /** The value as it leaves the run; missing: TypeError "Object of type X is not JSON serializable". `leave` is for members. */
  json?(self: T, ctx: Context, leave: (value: Value) => Json): Json;
};

/** A type as a value: what `type(x)` gives, and what is called to make one. */
export class PyType extends PyObject {
  declare readonly type: PyType;
  /** As messages name it: `int`, `collections.deque`. Its last part is Python's `__name__`. */
  readonly name: string;
  /** With its module, as `repr` names it: `collections.Counter`. */
  readonly qualifiedName: string;
  /** Bases from the next one to the last, without `object`: of bool [int], of Counter [dict]. */
  readonly bases: readonly PyType[];
  // biome-ignore lint/suspicious/noExplicitAny: the slots of one type take only its own values, which the caller has looked up by type.
  readonly slots: Slots<any>;
  /** Methods by name; those of bases are found through `bases`. Filled by the library. */
  readonly methods = new Map<string, Native>();
  /** Constants of the type by name: `utc` of `datetime.timezone`. Filled by the library. */
  readonly constants = new Map<string, Value>();
  /** What calling the type does; null: TypeError "cannot create 'X' instances". Set by the library. */
  constructs: Native | null = null;

  constructor(name: string, bases: readonly PyType[] = [], slots: object = {}, qualifiedName = name) {
    super();
    this.name = name;
    this.qualifiedName = qualifiedName;
    this.bases = bases;
    this.slots = Object.assign(Object.create(bases[0]?.slots ?? null), slots);
  }

  /** Whether values of this type are also values of `other`. */
  isA(other: PyType): boolean {
    return this === other || other === OBJECT_TYPE || this.bases.includes(other);
  }

  constant(name: string): Value | undefined {
    const own = this.constants.get(name);
    if (own !== undefined) return own;
    for (const base of this.bases) {
      const found = base.constants.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  method(name: string): Native | undefined {
    const own = this.methods.get(name);
    if (own !== undefined) return own;
    for (const base of this.bases) {
      const found = base.methods.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const TYPE = new PyType("type", [], { repr: (self: PyType) => `<class '${self.qualifiedName}'>` });
(PyType.prototype as { type: PyType }).type = TYPE;

export { TYPE as TYPE_TYPE };

/** The base of all types, which `bases` leaves out. */
export const OBJECT_TYPE: PyType = new PyType("object");

/** The types of the values that are plain JavaScript values. Their slots are filled where their operations stand. */
export const NONE_TYPE = new PyType("NoneType");
export const INT_TYPE = new PyType("int");
export const BOOL_TYPE = new PyType("bool", [INT_TYPE]);
export const FLOAT_TYPE = new PyType("float");
export const STR_TYPE = new PyType("str");

export function typeOf(value: Value): PyType {
  switch (typeof value) {
    case "string":
      return STR_TYPE;
    case "number":
      return Number.isInteger(value) ? INT_TYPE : FLOAT_TYPE;
    case "boolean":
      return BOOL_TYPE;
    case "bigint":
      return INT_TYPE;
    default:
      return value === null ? NONE_TYPE : value.type;
  }
}

/** Gives the type to all instances of a class. */
export function setType(made: { readonly prototype: PyObject }, type: PyType): PyType {
  Object.defineProperty(made.prototype, "type", { value: type });
  return type;
}

/** Adds slots to a type that was made before its operations could be written; its subtypes get them as well. */
export function fillSlots<T>(type: PyType, slots: Slots<T>): void {
  Object.assign(type.slots, slots);
}

// Iterators

/** The end of an iterator. */
export const END = Symbol("end");
export type Next = Value | typeof END;

/**
 * A living iterator. Most know their next value at once (`next`); those that run code of the program for it (a generator, `map` with a
 * function of the file) only through the machine, and `pull` is a coroutine of it: `yield*` it.
 */
export abstract class PyIterator extends PyObject {
  declare readonly type: PyType;
  /** Whether `next` may be called. */
  readonly isDirect: boolean = true;
  /** How often a loop of the program took a value of it. */
  passes = 0;
  /** What a generator returned, for who has just seen its end. */
  takeReturned(): Value {
    return null;
  }
  /** At the end always END, also when asked again. */
  abstract next(ctx: Context): Next;
  // biome-ignore lint/correctness/useYield: an iterator that knows its values has nothing to ask for.
  *pull(ctx: Context): Calling<Next> {
    return this.next(ctx);
  }
}

/** The next value of any iterator, in a native that calls back. */
export function* nextOf(iterator: PyIterator, ctx: Context): Calling<Next> {
  return iterator.isDirect ? iterator.next(ctx) : yield* iterator.pull(ctx);
}

// Natives

/** What a native asks of the machine: to call a value of the program. It gets the result back, or what it raised thrown at it. */
export type CallRequest = {
  readonly callee: Value;
  readonly args: readonly Value[];
  readonly keywords?: ReadonlyMap<string, Value>;
};
/** A native that calls back runs as a coroutine of the machine: it can wait for adapters, and its slices end where it asks (`null`: give others a turn). */
export type Calling<T = Value> = Generator<CallRequest | null, T, Value>;

/** The result of a native that calls nothing, without a turn of others. */
export function finish<T>(calling: Calling<T>): T {
  for (;;) {
    const step = calling.next(null);
    if (step.done === true) return step.value;
  }
}

/**
 * A builtin, a member of a module or a method. `args` holds one entry for each parameter of its row (compiler/python/library), in that
 * order: `undefined` for one that was left out and has no constant default, a tuple for `*args`, a dict for `**kwargs`; of a method the
 * first one is the value that it was called on.
 */
export type Native = {
  /** As in its row: `len`, `str.replace`, `math.floor`. */
  readonly name: string;
  readonly run: NativeRun;
  /** A method that is called on the type: `dict.fromkeys`. */
  readonly isStatic: boolean;
  /** Made from the row on first use (`binding.ts`). */
  signature: unknown;
};
// biome-ignore lint/suspicious/noExplicitAny: each native knows the kinds of its parameters from its row and checks them itself.
export type NativeRun = (ctx: Context, ...args: any[]) => Value | Calling;

/** A table of natives by the name of their row. */
export type Natives = { readonly [name: string]: NativeRun };

/** A generator object of JavaScript, and so a native that calls back. Values of programs never have this method. */
export function isCalling(result: Value | Calling): result is Calling {
  return typeof result === "object" && result !== null && !(result instanceof PyObject);
}
