/** `csv.writer` and `csv.DictWriter`, which write into an `io.StringIO`. */
import { CSV_ERROR, type Dialect, dialectOf, shownDialect } from "../../csv/dialect.ts";
import { isRecord, lineOf } from "../../csv/line.ts";
import { ATTRIBUTE_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { PyDict } from "../../kinds/dict.ts";
import type { PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  type Natives,
  nextOf,
  PyIterator,
  PyObject,
  PyType,
  setType,
  type Value,
} from "../../object.ts";
import { gathered, identityKey, iterate, keyOf, repr, text } from "../../operations.ts";
import { nameOf } from "../arguments.ts";
import { begun } from "../calling.ts";
import type { Part } from "../registry.ts";
import { takesNoMore } from "./csv-readers.ts";
import { write } from "./string-io.ts";
import { PyStringIO } from "./text-file.ts";

class PyCsvWriter extends PyObject {
  declare readonly type: PyType;
  readonly file: PyStringIO;
  readonly dialect: Dialect;
  constructor(file: PyStringIO, dialect: Dialect) {
    super();
    this.file = file;
    this.dialect = dialect;
  }
}
const WRITER_TYPE = setType(
  PyCsvWriter,
  new PyType("_csv.writer", [], {
    key: identityKey,
    holds: (self: PyCsvWriter) => [self.file],
    attribute: (self: PyCsvWriter, name: string) => (name === "dialect" ? shownDialect(self.dialect) : undefined),
  }),
);

class PyDictWriter extends PyObject {
  declare readonly type: PyType;
  readonly writer: PyCsvWriter;
  readonly names: Value;
  readonly restValue: Value;
  /** Whether names that are not known are refused. */
  readonly isStrict: boolean;
  constructor(writer: PyCsvWriter, names: Value, restValue: Value, isStrict: boolean) {
    super();
    this.writer = writer;
    this.names = names;
    this.restValue = restValue;
    this.isStrict = isStrict;
  }
}
const DICT_WRITER_TYPE = setType(
  PyDictWriter,
  new PyType(
    "DictWriter",
    [],
    {
      key: identityKey,
      holds: ({ writer, names, restValue }: PyDictWriter) => [writer, names, restValue],
      attribute: (self: PyDictWriter, name: string) =>
        name === "fieldnames" ? self.names : name === "restval" ? self.restValue : undefined,
    },
    "csv.DictWriter",
  ),
);

function writerOf(ctx: Context, file: Value, dialect: Value | undefined, given: PyDict): PyCsvWriter {
  if (!(file instanceof PyStringIO)) throw raised(TYPE_ERROR, 'argument 1 must have a "write" method');
  ctx.alloc(Bytes.Object);
  return new PyCsvWriter(file, dialectOf(ctx, dialect, given));
}

/** The value of `self`, which is of the class. */
function own<T extends PyObject>(value: Value, type: abstract new (...args: never[]) => T): T {
  if (value instanceof type) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a writer was called on a value of type ${nameOf(value)}`);
}

function writeFields(ctx: Context, { file, dialect }: PyCsvWriter, fields: readonly Value[]): number {
  return write(ctx, file, lineOf(dialect, fields, ctx));
}

function* writeRow(ctx: Context, writer: PyCsvWriter, row: Value): Calling {
  if (!isRecord(row)) throw raised(CSV_ERROR, `iterable expected, not ${nameOf(row)}`);
  return writeFields(ctx, writer, yield* gathered(row, ctx));
}

/** Rows that others get a turn after. */
const TURN = 1_000;

function* writeRows(ctx: Context, rows: Value, step: (row: Value) => Calling): Calling {
  const iterator = iterate(rows, ctx);
  for (let count = 1; ; count += 1) {
    const row = yield* nextOf(iterator, ctx);
    if (row === END) return null;
    yield* step(row);
    if (count % TURN === 0) yield null;
  }
}

/** The fields of a dict in the order of the names. */
function* fieldsOf(ctx: Context, writer: PyDictWriter, row: Value): Calling<Value[]> {
  const names = yield* gathered(writer.names, ctx);
  const keys = names.map((name) => keyOf(name, ctx));
  if (!(row instanceof PyDict)) throw raised(ATTRIBUTE_ERROR, `'${nameOf(row)}' object has no attribute 'keys'`);
  if (writer.isStrict) {
    const wrong = [...row.keys()].filter((key) => !keys.includes(key)).map((key) => row.spelling(key));
    const about = `dict contains fields not in fieldnames: ${wrong.map((name) => repr(name, ctx)).join(", ")}`;
    // CPython lists several in the order of a set.
    if (wrong.length > 1) throw raisedLoosely(VALUE_ERROR, about);
    if (wrong.length > 0) throw raised(VALUE_ERROR, about);
  }
  ctx.charge(keys.length);
  return keys.map((key) => row.get(key) ?? (row.has(key) ? null : writer.restValue));
}

function* writeDict(ctx: Context, writer: PyDictWriter, row: Value): Calling {
  return writeFields(ctx, writer.writer, yield* fieldsOf(ctx, writer, row));
}

function* writeHeader(ctx: Context, writer: PyDictWriter): Calling {
  return writeFields(ctx, writer.writer, yield* gathered(writer.names, ctx));
}

function isStrict(ctx: Context, action: Value): boolean {
  if (typeof action !== "string" && !(action instanceof PyBytes))
    throw raised(ATTRIBUTE_ERROR, `'${nameOf(action)}' object has no attribute 'lower'`);
  const lower = typeof action === "string" ? action.toLowerCase() : null;
  if (lower !== "raise" && lower !== "ignore")
    throw raised(VALUE_ERROR, `extrasaction (${text(action, ctx)}) must be 'raise' or 'ignore'`);
  return action === "raise";
}

const natives: Natives = {
  "csv.writer": (ctx, file: Value, dialect: Value | undefined, given: PyDict) => writerOf(ctx, file, dialect, given),
  "_csv.writer.writerow": (ctx, self: Value, row: Value) => begun(writeRow(ctx, own(self, PyCsvWriter), row)),
  "_csv.writer.writerows"(ctx, self: Value, rows: Value) {
    const writer = own(self, PyCsvWriter);
    return begun(writeRows(ctx, rows, (row) => writeRow(ctx, writer, row)));
  },
  "csv.DictWriter"(
    ctx,
    file: Value,
    names: Value,
    restValue: Value,
    action: Value,
    dialect: Value,
    rest: PyTuple,
    given: PyDict,
  ) {
    const strict = isStrict(ctx, action);
    takesNoMore(rest);
    if (names instanceof PyIterator)
      throw notExact("fieldnames is an iterator, which is used up by the first record; write list(...) around it");
    ctx.alloc(Bytes.Object);
    return new PyDictWriter(writerOf(ctx, file, dialect, given), names, restValue, strict);
  },
  "csv.DictWriter.writeheader": (ctx, self: Value) => begun(writeHeader(ctx, own(self, PyDictWriter))),
  "csv.DictWriter.writerow": (ctx, self: Value, row: Value) => begun(writeDict(ctx, own(self, PyDictWriter), row)),
  "csv.DictWriter.writerows"(ctx, self: Value, rows: Value) {
    const writer = own(self, PyDictWriter);
    return begun(writeRows(ctx, rows, (row) => writeDict(ctx, writer, row)));
  },
};

export const CSV_WRITERS: Part = { natives, types: { "csv.DictWriter": DICT_WRITER_TYPE, "_csv.writer": WRITER_TYPE } };
