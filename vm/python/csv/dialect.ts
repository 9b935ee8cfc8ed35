/** What a form of CSV is, and CPython's checks of it. */
import { EXCEPTION, raised, raisedLoosely, TYPE_ERROR } from "../exceptions.ts";
import type { PyDict } from "../kinds/dict.ts";
import { notExact } from "../not-exact.ts";
import { type Context, PyObject, PyType, setType, type Value } from "../object.ts";
import { identityKey, isInt, truth } from "../operations.ts";
import { textLength } from "../operators/texts.ts";

export const CSV_ERROR = new PyType("Error", [EXCEPTION, ...EXCEPTION.bases], {}, "_csv.Error");

/** As the constants of the module count them. */
export const enum Quoting {
  Minimal = 0,
  All = 1,
  NonNumeric = 2,
  None = 3,
}

/** A character that is null is not used. */
export type Dialect = {
  readonly delimiter: string;
  readonly quotechar: string | null;
  readonly escapechar: string | null;
  readonly doublequote: boolean;
  readonly skipinitialspace: boolean;
  readonly lineterminator: string;
  readonly quoting: Quoting;
  readonly strict: boolean;
};

/** `dialect` of a reader or writer. */
class PyDialect extends PyObject {
  declare readonly type: PyType;
  readonly members: Dialect;
  constructor(members: Dialect) {
    super();
    this.members = members;
  }
}
export const DIALECT_TYPE = setType(
  PyDialect,
  new PyType("_csv.Dialect", [], {
    key: identityKey,
    attribute: ({ members }: PyDialect, name: string) =>
      Object.hasOwn(DEFAULTS, name) ? members[name as keyof Dialect] : undefined,
  }),
);

const shownDialects = new WeakMap<Dialect, PyDialect>();

/** The same object each time that it is asked for. */
export function shownDialect(dialect: Dialect): PyDialect {
  const known = shownDialects.get(dialect);
  if (known !== undefined) return known;
  const made = new PyDialect(dialect);
  shownDialects.set(dialect, made);
  return made;
}

const DEFAULTS: { readonly [name: string]: Value } = {
  delimiter: ",",
  quotechar: '"',
  escapechar: null,
  doublequote: true,
  skipinitialspace: false,
  lineterminator: "\r\n",
  quoting: Quoting.Minimal,
  strict: false,
};

const NAMED: { readonly [name: string]: { readonly [member: string]: Value } } = {
  excel: {},
  "excel-tab": { delimiter: "\t" },
  unix: { lineterminator: "\n", quoting: Quoting.All },
};

/** `dialect` is undefined where the program names none. */
export function dialectOf(ctx: Context, dialect: Value | undefined, given: PyDict): Dialect {
  const members: { [name: string]: Value } = { ...DEFAULTS };
  for (const name of given.keys())
    if (typeof name !== "string" || !Object.hasOwn(DEFAULTS, name))
      throw raisedLoosely(TYPE_ERROR, `csv has no parameter ${String(name)}`);
  Object.assign(members, named(dialect));
  for (const name of given.keys()) members[name as string] = given.get(name) as Value;
  const is = (name: string): boolean => truth(members[name] as Value, ctx);
  let quoting = quotingOf(members["quoting"] as Value);
  const delimiter = character("delimiter", members["delimiter"] as Value);
  if (delimiter === null) throw raisedLoosely(TYPE_ERROR, '"delimiter" must be a 1-character string');
  const quotechar = character("quotechar", members["quotechar"] as Value);
  if (members["quotechar"] === null && dialect === undefined && !given.has("quoting")) quoting = Quoting.None;
  if (quoting !== Quoting.None && quotechar === null)
    throw raised(TYPE_ERROR, "quotechar must be set if quoting enabled");
  const { lineterminator } = members;
  if (typeof lineterminator !== "string") throw raisedLoosely(TYPE_ERROR, '"lineterminator" must be a string');
  return {
    delimiter,
    quotechar,
    escapechar: character("escapechar", members["escapechar"] as Value),
    doublequote: is("doublequote"),
    skipinitialspace: is("skipinitialspace"),
    lineterminator,
    quoting,
    strict: is("strict"),
  };
}

function named(dialect: Value | undefined): { readonly [member: string]: Value } {
  if (dialect === undefined) return {};
  if (dialect instanceof PyDialect) return dialect.members;
  if (typeof dialect !== "string")
    throw notExact('a dialect is a name here: "excel", "excel-tab" or "unix"; give others by keywords');
  if (!Object.hasOwn(NAMED, dialect)) throw raised(CSV_ERROR, "unknown dialect");
  return NAMED[dialect] ?? {};
}

function character(name: string, value: Value): string | null {
  if (value === null) return null;
  if (typeof value !== "string" || textLength(value) !== 1)
    throw raisedLoosely(TYPE_ERROR, `"${name}" must be a 1-character string`);
  return value;
}

function quotingOf(value: Value): Quoting {
  if (!isInt(value) || typeof value === "boolean") throw raisedLoosely(TYPE_ERROR, '"quoting" must be an integer');
  if (value < 0 || value > Quoting.None) throw raised(TYPE_ERROR, 'bad "quoting" value');
  return Number(value);
}
