/** `csv.reader` and `csv.DictReader`. */

import { CSV_ERROR, DIALECT_TYPE, type Dialect, dialectOf, shownDialect } from "../../csv/dialect.ts";
import { CsvParser } from "../../csv/parser.ts";
import { raised, raisedLoosely, TYPE_ERROR } from "../../exceptions.ts";
import { PyDict } from "../../kinds/dict.ts";
import { floatOf } from "../../kinds/float.ts";
import { PyList, type PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  finish,
  type Natives,
  type Next,
  nextOf,
  PyIterator,
  PyType,
  type Slots,
  setType,
  type Value,
} from "../../object.ts";
import { gathered, iterate, keyOf } from "../../operations.ts";
import { nameOf } from "../arguments.ts";
import type { Part } from "../registry.ts";
import { floatFromText } from "../values/number-texts.ts";

/** Reads records from lines: each value is a list of fields. */
class PyCsvReader extends PyIterator {
  declare readonly type: PyType;
  override readonly isDirect: boolean;
  lines = 0;
  readonly source: PyIterator;
  readonly dialect: Dialect;
  readonly #parser: CsvParser;

  constructor(source: PyIterator, dialect: Dialect, ctx: Context) {
    super();
    this.source = source;
    this.dialect = dialect;
    this.isDirect = source.isDirect;
    this.#parser = new CsvParser(dialect, (text) => floatOf(floatFromText(text, ctx)));
  }

  override next(ctx: Context): PyList | typeof END {
    this.#parser.begin();
    for (;;) {
      const record = this.#after(this.source.next(ctx), ctx);
      if (record !== undefined) return record;
    }
  }

  override *pull(ctx: Context): Calling<PyList | typeof END> {
    this.#parser.begin();
    for (;;) {
      const record = this.#after(yield* nextOf(this.source, ctx), ctx);
      if (record !== undefined) return record;
    }
  }

  /** What is known after a line; undefined: the record continues on the next one. */
  #after(line: Next, ctx: Context): PyList | typeof END | undefined {
    if (line === END) return this.#parser.end() ? this.#parser.record(ctx) : END;
    if (typeof line !== "string")
      throw raised(
        CSV_ERROR,
        `iterator should return strings, not ${nameOf(line)} (the file should be opened in text mode)`,
      );
    this.lines += 1;
    return this.#parser.feed(line, ctx) ? this.#parser.record(ctx) : undefined;
  }
}

const itself = (self: PyIterator): PyIterator => self;
const readerSlots: Slots<PyCsvReader> = {
  iterate: itself,
  holds: (self) => [self.source, self.lines],
  attribute: (self, name) =>
    name === "line_num" ? self.lines : name === "dialect" ? shownDialect(self.dialect) : undefined,
};
const READER_TYPE = setType(PyCsvReader, new PyType("_csv.reader", [], readerSlots));

/** Reads records as dicts. Names that are not given are those of the first record. */
class PyDictReader extends PyIterator {
  declare readonly type: PyType;
  override readonly isDirect: boolean;
  readonly restKey: Value;
  readonly restValue: Value;
  lines = 0;
  readonly reader: PyCsvReader;
  #names: Value;

  constructor(reader: PyCsvReader, names: Value, restKey: Value, restValue: Value) {
    super();
    this.reader = reader;
    this.isDirect = reader.isDirect;
    this.#names = names;
    this.restKey = restKey;
    this.restValue = restValue;
  }

  override next(ctx: Context): Next {
    return finish(this.pull(ctx));
  }

  override *pull(ctx: Context): Calling<Next> {
    if (this.lines === 0) yield* this.names(ctx);
    let record = yield* nextOf(this.reader, ctx);
    this.lines = this.reader.lines;
    while (record instanceof PyList && record.items.length === 0) record = yield* nextOf(this.reader, ctx);
    if (!(record instanceof PyList)) return END;
    return this.#row(yield* gathered(yield* this.names(ctx), ctx), record.items, ctx);
  }

  *names(ctx: Context): Calling {
    if (this.#names === null) {
      const first = yield* nextOf(this.reader, ctx);
      if (first !== END) this.#names = first;
    }
    this.lines = this.reader.lines;
    return this.#names;
  }

  #row(names: readonly Value[], fields: readonly Value[], ctx: Context): PyDict {
    const row = new PyDict();
    const set = (name: Value, value: Value): void => row.set(keyOf(name, ctx), name, value);
    for (const [at, name] of names.entries()) {
      const field = fields[at];
      if (field !== undefined) set(name, field);
    }
    if (fields.length > names.length) set(this.restKey, new PyList(fields.slice(names.length)));
    for (const name of names.slice(fields.length)) set(name, this.restValue);
    ctx.alloc(Bytes.Object + row.size * Bytes.Entry);
    return row;
  }
}

const dictReaderSlots: Slots<PyDictReader> = {
  iterate: itself,
  holds: (self) => [self.reader, self.restKey, self.restValue],
  attribute(self, name, ctx) {
    if (name === "line_num") return self.lines;
    if (name === "restkey") return self.restKey;
    if (name === "restval") return self.restValue;
    if (name !== "fieldnames") return undefined;
    if (!self.isDirect)
      throw notExact("fieldnames cannot wait for code of the program; write list(...) around the lines");
    return finish(self.names(ctx));
  },
};
const DICT_READER_TYPE = setType(PyDictReader, new PyType("DictReader", [], dictReaderSlots, "csv.DictReader"));

function readerOf(ctx: Context, lines: Value, dialect: Value | undefined, given: PyDict): PyCsvReader {
  ctx.alloc(Bytes.Object);
  return new PyCsvReader(iterate(lines, ctx), dialectOf(ctx, dialect, given), ctx);
}

/** The module hands further arguments on to the reader or writer, which takes none. */
export function takesNoMore(rest: PyTuple): void {
  if (rest.items.length > 0) throw raisedLoosely(TYPE_ERROR, "csv was given too many arguments");
}

const natives: Natives = {
  "csv.reader": (ctx, lines: Value, dialect: Value | undefined, given: PyDict) => readerOf(ctx, lines, dialect, given),
  "csv.DictReader"(
    ctx,
    lines: Value,
    names: Value,
    restKey: Value,
    restValue: Value,
    dialect: Value,
    rest: PyTuple,
    given: PyDict,
  ) {
    takesNoMore(rest);
    if (names instanceof PyIterator)
      throw notExact("fieldnames is an iterator, which is used up by the first record; write list(...) around it");
    ctx.alloc(Bytes.Object);
    return new PyDictReader(readerOf(ctx, lines, dialect, given), names, restKey, restValue);
  },
};

export const CSV_READERS: Part = {
  natives,
  types: {
    "csv.Error": CSV_ERROR,
    "csv.DictReader": DICT_READER_TYPE,
    "_csv.reader": READER_TYPE,
    "_csv.Dialect": DIALECT_TYPE,
  },
  values: { "csv.QUOTE_MINIMAL": 0, "csv.QUOTE_ALL": 1, "csv.QUOTE_NONNUMERIC": 2, "csv.QUOTE_NONE": 3 },
};
