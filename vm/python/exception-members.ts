/** How exceptions of CPython's own types are made by a program: what they take, the attributes they get, and the text that these give. */
import {
  ATTRIBUTE_ERROR,
  FILE_EXISTS_ERROR,
  FILE_NOT_FOUND_ERROR,
  IMPORT_ERROR,
  NAME_ERROR,
  OS_ERROR,
  OTHER_OS_ERRORS,
  PERMISSION_ERROR,
  PyException,
  raised,
  SYNTAX_ERROR,
  SYSTEM_EXIT,
  TIMEOUT_ERROR,
  TYPE_ERROR,
  UNICODE_DECODE_ERROR,
  UNICODE_ENCODE_ERROR,
} from "./exceptions.ts";
import { PyBytes } from "./kinds/bytes.ts";
import { PyTuple } from "./kinds/list.ts";
import { notExact } from "./not-exact.ts";
import { type PyType, typeOf, type Value } from "./object.ts";
import { asIndex } from "./operators/index.ts";

type Keywords = ReadonlyMap<string, Value> | null;
type Made = { readonly args?: readonly Value[]; readonly type?: PyType; readonly members: Map<string, Value> };

/** `type(*args, **keywords)`. */
export function madeException(type: PyType, args: readonly Value[], keywords: Keywords): PyException {
  if (keywords !== null && keywords.size > 0 && !TAKE_NAMES.some((one) => type.isA(one)))
    throw raised(TYPE_ERROR, `${type.name}() takes no keyword arguments`);
  const makes = MAKERS.find(([base]) => type.isA(base))?.[1];
  if (makes === undefined) return new PyException(type, new PyTuple(args));
  const made = makes(args, keywords, type);
  return new PyException(made.type ?? type, new PyTuple(made.args ?? args), false, made.members);
}

const TAKE_NAMES = [ATTRIBUTE_ERROR, NAME_ERROR, IMPORT_ERROR];

type Maker = (args: readonly Value[], keywords: Keywords, type: PyType) => Made;

const MAKERS: readonly (readonly [PyType, Maker])[] = [
  [OS_ERROR, osError],
  [SYNTAX_ERROR, syntaxError],
  [SYSTEM_EXIT, (args) => ({ members: named({ code: args.length > 1 ? new PyTuple(args) : (args[0] ?? null) }) })],
  [UNICODE_ENCODE_ERROR, (args) => unicodeError(args, true)],
  [UNICODE_DECODE_ERROR, (args) => unicodeError(args, false)],
  [IMPORT_ERROR, importError],
  [ATTRIBUTE_ERROR, (_, keywords) => ({ members: byKeyword("AttributeError", ["name", "obj"], keywords) })],
  [NAME_ERROR, (_, keywords) => ({ members: byKeyword("NameError", ["name"], keywords) })],
];

function importError(args: readonly Value[], keywords: Keywords): Made {
  const members = byKeyword("ImportError", ["name", "path"], keywords);
  return { members: members.set("msg", args.length === 1 ? (args[0] as Value) : null) };
}

function named(members: { readonly [name: string]: Value }): Map<string, Value> {
  return new Map(Object.entries(members));
}

function byKeyword(type: string, names: readonly string[], keywords: Keywords): Map<string, Value> {
  for (const name of keywords?.keys() ?? [])
    if (!names.includes(name)) throw raised(TYPE_ERROR, `'${name}' is an invalid keyword argument for ${type}()`);
  return new Map(names.map((name) => [name, keywords?.get(name) ?? null]));
}

const { blocked, brokenPipe, child, aborted, refused, reset, interrupted, isFolder, noFolder, noProcess } =
  OTHER_OS_ERRORS;

/** The type that `OSError(errno, …)` makes by its number on Linux; null: one that programs have no name for. */
const BY_NUMBER: ReadonlyMap<Value, PyType | null> = new Map<Value, PyType | null>([
  [1, PERMISSION_ERROR],
  [2, FILE_NOT_FOUND_ERROR],
  [13, PERMISSION_ERROR],
  [17, FILE_EXISTS_ERROR],
  [110, TIMEOUT_ERROR],
  [3, noProcess],
  [4, interrupted],
  [10, child],
  [11, blocked],
  [20, noFolder],
  [21, isFolder],
  [32, brokenPipe],
  [103, aborted],
  [104, reset],
  [108, brokenPipe],
  [111, refused],
  [114, blocked],
  [115, blocked],
]);

const MOST_OF_OS_ERROR = 5;

/** With fewer or more arguments, an OSError is an exception like any other. */
function isFull(args: readonly Value[]): boolean {
  return args.length >= 2 && args.length <= MOST_OF_OS_ERROR;
}

function osError(args: readonly Value[], _: Keywords, type: PyType): Made {
  const [errno = null, strerror = null, filename = null, , filename2 = null] = isFull(args) ? args : [];
  const members = named({ errno, strerror, filename, filename2 });
  const own = type === OS_ERROR ? BY_NUMBER.get(errno === true ? 1 : errno) : type;
  if (own === null) throw notExact(`the type of an OSError with the number ${String(errno)} does not exist here`);
  return { args: filename !== null ? args.slice(0, 2) : args, members, ...(own && { type: own }) };
}

function syntaxError(args: readonly Value[]): Made {
  if (args.length === 2) throw notExact("a SyntaxError with a place is not supported; write the place into its text");
  const places = ["filename", "lineno", "offset", "text", "end_lineno", "end_offset", "print_file_and_line"];
  return { members: new Map([["msg", args[0] ?? null], ...places.map((name) => [name, null] as const)]) };
}

const UNICODE_PARTS = ["encoding", "object", "start", "end", "reason"];

function unicodeError(args: readonly Value[], isEncode: boolean): Made {
  if (args.length !== UNICODE_PARTS.length)
    throw raised(TYPE_ERROR, `function takes exactly ${UNICODE_PARTS.length} arguments (${args.length} given)`);
  const [encoding, object, start, end, reason] = args as [Value, Value, Value, Value, Value];
  textArgument(encoding, 1);
  if (isEncode) textArgument(object, 2);
  else if (!(object instanceof PyBytes))
    throw raised(TYPE_ERROR, `a bytes-like object is required, not '${typeOf(object).name}'`);
  const [first, last] = [asIndex(start), asIndex(end)];
  textArgument(reason, UNICODE_PARTS.length);
  return { members: named({ encoding, object, start: first, end: last, reason }) };
}

function textArgument(value: Value, at: number): void {
  if (typeof value !== "string")
    throw raised(TYPE_ERROR, `argument ${at} must be str, not ${value === null ? "None" : typeOf(value).name}`);
}

/** The text of an exception that follows from its attributes; undefined: from its arguments. */
export function textOfMembers(
  exception: PyException,
  text: (value: Value) => string,
  repr: (value: Value) => string,
): string | undefined {
  const { type, members } = exception;
  if (members === null) return undefined;
  if (type.isA(SYNTAX_ERROR)) return members.has("msg") ? text(members.get("msg") as Value) : undefined;
  if (type.isA(OS_ERROR)) return textOfOsError(exception.args.items, members, text, repr);
  if (type.isA(UNICODE_ENCODE_ERROR) || type.isA(UNICODE_DECODE_ERROR)) return textOfUnicodeError(members);
  return undefined;
}

function textOfOsError(
  args: readonly Value[],
  members: ReadonlyMap<string, Value>,
  text: (value: Value) => string,
  repr: (value: Value) => string,
): string | undefined {
  const [errno = null, strerror = null, filename = null, filename2 = null] = [
    "errno",
    "strerror",
    "filename",
    "filename2",
  ].map((name) => members.get(name));
  const head = `[Errno ${text(errno)}] ${text(strerror)}`;
  if (filename !== null) return `${head}: ${repr(filename)}${filename2 === null ? "" : ` -> ${repr(filename2)}`}`;
  return isFull(args) ? head : undefined;
}

function textOfUnicodeError(members: ReadonlyMap<string, Value>): string {
  const [encoding, object, start, end, reason] = UNICODE_PARTS.map((name) => members.get(name)) as [
    string,
    string | PyBytes,
    number,
    number,
    string,
  ];
  const verb = typeof object === "string" ? "encode" : "decode";
  const what = `'${encoding}' codec can't ${verb}`;
  const one = end === start + 1 && start >= 0 ? unitAt(object, start) : undefined;
  if (one !== undefined) return `${what} ${one} in position ${start}: ${reason}`;
  const units = typeof object === "string" ? "characters" : "bytes";
  return `${what} ${units} in position ${start}-${end - 1}: ${reason}`;
}

function unitAt(object: string | PyBytes, at: number): string | undefined {
  if (typeof object !== "string") {
    const byte = object.bytes[at];
    return byte === undefined ? undefined : `byte 0x${byte.toString(16).padStart(2, "0")}`;
  }
  const code = [...object][at]?.codePointAt(0);
  if (code === undefined) return undefined;
  const hex = code.toString(16);
  if (code < 0x100) return `character '\\x${hex.padStart(2, "0")}'`;
  return `character '${code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`}'`;
}
