/** Values that can be called: functions of the file, natives, methods that are bound to a value. Types are callable too (`object.ts`). */
import { type CallRequest, type Context, type Native, PyObject, PyType, setType, type Value } from "../object.ts";

/** A variable that functions share. */
export class PyCell {
  value: Value | undefined = undefined;
}

/** A function of the file, with the variables that it captured and its defaults, which were evaluated once. */
export class PyFunction extends PyObject {
  declare readonly type: PyType;
  /** Its `__qualname__`. */
  readonly name: string;
  /** Index of its routine. */
  readonly routine: number;
  readonly cells: readonly PyCell[];
  readonly defaults: readonly Value[];
  readonly keywordDefaults: ReadonlyMap<string, Value> | null;
  constructor(
    name: string,
    routine: number,
    cells: readonly PyCell[],
    defaults: readonly Value[],
    keywordDefaults: ReadonlyMap<string, Value> | null,
  ) {
    super();
    this.name = name;
    this.routine = routine;
    this.cells = cells;
    this.defaults = defaults;
    this.keywordDefaults = keywordDefaults;
  }
}
export const FUNCTION_TYPE = setType(
  PyFunction,
  new PyType("function", [], {
    attribute: (self: PyFunction, name: string) =>
      name === "__name__" ? self.name.slice(self.name.lastIndexOf(".") + 1) : undefined,
  }),
);

/** A builtin or a member of a module as a value: `len`, `math.floor`. */
export class PyBuiltin extends PyObject {
  declare readonly type: PyType;
  readonly native: Native;
  constructor(native: Native) {
    super();
    this.native = native;
  }
}
export const BUILTIN_TYPE = setType(
  PyBuiltin,
  new PyType("builtin_function_or_method", [], {
    repr: (self: PyBuiltin) => `<built-in function ${shortName(self.native)}>`,
    attribute: (self: PyBuiltin, name: string) => (name === "__name__" ? shortName(self.native) : undefined),
  }),
);

/** `counts.get` without a call. */
export class PyBoundMethod extends PyObject {
  declare readonly type: PyType;
  readonly self: Value;
  readonly native: Native;
  constructor(self: Value, native: Native) {
    super();
    this.self = self;
    this.native = native;
  }
}
export const BOUND_METHOD_TYPE = setType(
  PyBoundMethod,
  new PyType("builtin_function_or_method", [], {
    attribute: (self: PyBoundMethod, name: string) => (name === "__name__" ? shortName(self.native) : undefined),
  }),
);

/** What a native makes that can be called: `itemgetter("k")`, `partial(f, 1)`. `invoke` runs as a coroutine of the machine. */
export abstract class PyCallable extends PyObject {
  abstract invoke(
    args: readonly Value[],
    keywords: ReadonlyMap<string, Value> | undefined,
    ctx: Context,
  ): ReturnType<Native["run"]>;

  /** The one call that a call of it makes, whose value it has; null: it does more. */
  through(_args: readonly Value[], _keywords: ReadonlyMap<string, Value> | undefined): CallRequest | null {
    return null;
  }
}

export function isCallable(value: Value): boolean {
  return (
    value instanceof PyFunction ||
    value instanceof PyBuiltin ||
    value instanceof PyBoundMethod ||
    value instanceof PyCallable ||
    value instanceof PyType
  );
}

function shortName({ name }: Native): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
