/** `io.StringIO`. */
import { OS_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyList } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Natives, PyType, type Slots, setType, type Value } from "../../object.ts";
import { each, identityKey, isInt, repr } from "../../operations.ts";
import { textLength } from "../../operators/texts.ts";
import { nameOf, sizeOf } from "../arguments.ts";
import type { Part } from "../registry.ts";
import { type NewLine, PyStringIO } from "./text-file.ts";

const slots: Slots<PyStringIO> = {
  iterate(self) {
    self.check(".");
    return self;
  },
  key: identityKey,
  holds: (self) => [self.text, self.position, self.isClosed],
  attribute: (self, name) => (name === "closed" ? self.isClosed : undefined),
};
const STRING_IO_TYPE = setType(PyStringIO, new PyType("_io.StringIO", [], slots));

function opened(value: Value, end: "" | "." = ""): PyStringIO {
  if (!(value instanceof PyStringIO))
    throw raisedLoosely(TYPE_ERROR, `a method of StringIO was called on a value of type ${nameOf(value)}`);
  value.check(end);
  return value;
}

function newLineOf(ctx: Context, value: null | string): NewLine {
  if (value === null || value === "" || value === "\n" || value === "\r" || value === "\r\n") return value;
  // CPython reads it up to the NUL.
  if (value.startsWith("\0")) throw notExact("newline is not a line end");
  throw raised(VALUE_ERROR, `illegal newline value: ${repr(value, ctx)}`);
}

/** Null: without a bound. */
function countOf(value: Value): number | null {
  if (value === null) return null;
  if (!isInt(value)) throw raised(TYPE_ERROR, `argument should be integer or None, not '${nameOf(value)}'`);
  const count = sizeOf(value);
  return count < 0 ? null : count;
}

function seek(file: PyStringIO, offset: Value, whence: Value): number {
  const position = sizeOf(offset);
  const from = sizeOf(whence);
  if (from < 0 || from > 2) throw raised(VALUE_ERROR, `Invalid whence (${from}, should be 0, 1 or 2)`);
  if (position < 0 && from === 0) throw raised(VALUE_ERROR, `Negative seek position ${position}`);
  if (position !== 0 && from !== 0) throw raised(OS_ERROR, "Can't do nonzero cur-relative seeks");
  if (from === 0) file.position = position;
  else if (from === 2) file.position = file.length;
  return file.position;
}

function truncate(file: PyStringIO, size: Value): number {
  if (size !== null && !isInt(size))
    throw raised(TYPE_ERROR, `argument should be integer or None, not '${nameOf(size)}'`);
  const position = size === null ? file.position : sizeOf(size);
  if (position < 0) throw raised(VALUE_ERROR, `Negative size value ${position}`);
  file.truncate(position);
  return position;
}

/** Writes a text, and returns how many characters it has. */
export function write(ctx: Context, file: PyStringIO, text: Value): number {
  file.check();
  if (typeof text !== "string") throw raised(TYPE_ERROR, `string argument expected, got '${nameOf(text)}'`);
  file.write(text, ctx);
  return textLength(text);
}

function readLines(ctx: Context, file: PyStringIO, hint: Value): PyList {
  const most = countOf(hint) ?? 0;
  const lines: Value[] = [];
  let length = 0;
  for (let line = file.readLine(null, ctx); line !== ""; line = file.readLine(null, ctx)) {
    ctx.alloc(Bytes.Element);
    lines.push(line);
    length += textLength(line);
    if (most > 0 && length > most) break;
  }
  return new PyList(lines);
}

const is =
  (value: boolean) =>
  (_: Context, self: Value): boolean =>
    opened(self) !== null && value;

const natives: Natives = {
  "io.StringIO"(ctx, initial: Value, newline: Value) {
    if (newline !== null && typeof newline !== "string")
      throw raised(TYPE_ERROR, `newline must be str or None, not ${nameOf(newline)}`);
    const file = new PyStringIO(newLineOf(ctx, newline));
    if (initial !== null && typeof initial !== "string")
      throw raised(TYPE_ERROR, `initial_value must be str or None, not ${nameOf(initial)}`);
    ctx.alloc(Bytes.Object);
    file.write(initial ?? "", ctx);
    file.position = 0;
    return file;
  },
  "io.StringIO.write": (ctx, self: Value, text: Value) => write(ctx, opened(self), text),
  "io.StringIO.writelines"(ctx, self: Value, lines: Value) {
    const file = opened(self, ".");
    return each(
      lines,
      ctx,
      (line) => {
        write(ctx, file, line);
      },
      () => null,
    );
  },
  "io.StringIO.read": (ctx, self: Value, size: Value) => opened(self).read(countOf(size), ctx),
  "io.StringIO.readline": (ctx, self: Value, size: Value) => opened(self).readLine(countOf(size), ctx),
  "io.StringIO.readlines": (ctx, self: Value, hint: Value) => readLines(ctx, opened(self, "."), hint),
  "io.StringIO.getvalue"(ctx, self: Value) {
    const { text } = opened(self);
    ctx.charge(text.length);
    ctx.alloc(text.length * Bytes.Unit);
    return text;
  },
  "io.StringIO.seek": (_, self: Value, offset: Value, whence: Value) => seek(opened(self), offset, whence),
  "io.StringIO.tell": (_, self: Value) => opened(self).position,
  "io.StringIO.truncate": (_, self: Value, size: Value) => truncate(opened(self), size),
  "io.StringIO.flush": () => null,
  "io.StringIO.readable": is(true),
  "io.StringIO.writable": is(true),
  "io.StringIO.seekable": is(true),
  "io.StringIO.close"(_, self: Value) {
    if (self instanceof PyStringIO) self.isClosed = true;
    return null;
  },
};

export const STRING_IO: Part = { natives, types: { "io.StringIO": STRING_IO_TYPE } };
