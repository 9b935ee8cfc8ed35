/** Names that programs may use without defining them: builtins, modules and their members. Made from the rows of the library. */
import { PRELUDE_VERBS } from "./prelude.ts";
import { LIBRARY_ROWS } from "./rows.ts";

/** Modules that may be imported (python.md F-5). */
export const KNOWN_MODULES: ReadonlySet<string> = new Set(
  [
    "json re math datetime time collections itertools functools operator random uuid typing string textwrap heapq bisect statistics hashlib",
    "csv io decimal difflib graphlib html unicodedata hmac base64 urllib urllib.parse zoneinfo copy asyncio contextlib concurrent concurrent.futures calendar __future__ enum dataclasses abc",
  ]
    .join(" ")
    .split(" "),
);

/** Modules of types for annotations, which no run has as values. */
const TYPING = ["typing", "collections.abc"];
export const TYPING_MODULES: ReadonlySet<string> = new Set(TYPING);

/** Types of collections.abc that say what a value can do. */
const ABSTRACT_TYPES =
  "Callable Collection Container Hashable Iterable Iterator Mapping MutableMapping MutableSequence MutableSet Sequence Set Sized".split(
    " ",
  );

/** What names of typing and collections.abc are where isinstance or a pattern takes a type. `typing.Set` is `set`. */
export const TESTABLE_TYPES: ReadonlyMap<string, string> = new Map([
  ...ABSTRACT_TYPES.flatMap((name) =>
    TYPING.map((module): [string, string] => [`${module}.${name}`, `collections.abc.${name}`]),
  ),
  ...["Dict", "List", "Set", "Tuple"].map((name): [string, string] => [`typing.${name}`, name.toLowerCase()]),
]);

/** Modules within those that are known, which no page names: programs know them from tracebacks and annotations. */
export const INNER_MODULES: ReadonlySet<string> = new Set(["json.decoder", "collections.abc"]);

const EXCEPTIONS = [
  "BaseException Exception ArithmeticError ZeroDivisionError OverflowError LookupError KeyError IndexError ValueError UnicodeError",
  "UnicodeEncodeError UnicodeDecodeError TypeError AttributeError NameError UnboundLocalError RuntimeError NotImplementedError RecursionError",
  "AssertionError StopIteration OSError TimeoutError ConnectionError FileNotFoundError FileExistsError PermissionError SyntaxError AdapterError",
  "MemoryError EOFError KeyboardInterrupt SystemExit ImportError ModuleNotFoundError IOError EnvironmentError BufferError FloatingPointError",
  "ReferenceError SystemError BrokenPipeError ChildProcessError ConnectionAbortedError ConnectionRefusedError ConnectionResetError",
  "InterruptedError IsADirectoryError NotADirectoryError ProcessLookupError",
]
  .join(" ")
  .split(" ");

/** Types and constants that have no row of their own. */
const VALUES: ReadonlySet<string> = new Set(
  [
    ...PRELUDE_VERBS.keys(),
    ...EXCEPTIONS,
    ...ABSTRACT_TYPES.map((name) => `collections.abc.${name}`),
    "object type __name__",
    "math.pi math.e math.inf math.nan math.tau json.JSONDecodeError json.decoder.JSONDecodeError datetime.MINYEAR datetime.MAXYEAR datetime.UTC",
    "decimal.DecimalException decimal.InvalidOperation decimal.DivisionByZero decimal.Overflow decimal.ROUND_CEILING decimal.ROUND_FLOOR",
    "decimal.ROUND_UP decimal.ROUND_DOWN decimal.ROUND_HALF_UP decimal.ROUND_HALF_DOWN decimal.ROUND_HALF_EVEN decimal.ROUND_05UP",
    "csv.Error csv.QUOTE_MINIMAL csv.QUOTE_ALL csv.QUOTE_NONNUMERIC csv.QUOTE_NONE string.ascii_letters string.ascii_lowercase string.ascii_uppercase string.digits string.hexdigits string.octdigits string.punctuation",
    "string.whitespace string.printable re.I re.IGNORECASE re.M re.MULTILINE re.S re.DOTALL re.X re.VERBOSE re.A re.ASCII re.U re.UNICODE",
    "re.error re.Match re.Pattern calendar.MONDAY calendar.TUESDAY calendar.WEDNESDAY calendar.THURSDAY calendar.FRIDAY calendar.SATURDAY",
    "calendar.SUNDAY calendar.day_name calendar.day_abbr calendar.month_name calendar.month_abbr weft.AdapterError time.time time.time_ns time.monotonic time.monotonic_ns time.perf_counter time.perf_counter_ns time.sleep uuid.uuid4",
    "time.timezone time.altzone time.daylight time.tzname",
    "statistics.StatisticsError graphlib.CycleError re.NOFLAG uuid.NAMESPACE_DNS uuid.NAMESPACE_URL uuid.NAMESPACE_OID uuid.NAMESPACE_X500 uuid.RFC_4122 uuid.RESERVED_NCS uuid.RESERVED_MICROSOFT uuid.RESERVED_FUTURE zoneinfo.ZoneInfoNotFoundError",
    "calendar.IllegalMonthError datetime.tzinfo urllib.parse.ParseResult urllib.parse.SplitResult urllib.parse.DefragResult",
    "random.random random.uniform random.randint random.randrange random.choice random.choices random.sample random.shuffle",
  ]
    .join(" ")
    .split(" "),
);

/** Builtins of Python that do not exist here. A script that names one does not ask for an input. */
export const REFUSED_BUILTINS: ReadonlySet<string> = new Set(
  [
    "eval exec compile globals locals vars dir setattr delattr open input id hash breakpoint help memoryview bytearray complex __import__",
    "classmethod staticmethod property super exit quit aiter anext Ellipsis NotImplemented",
    "BlockingIOError",
    "GeneratorExit IndentationError",
    "TabError StopAsyncIteration UnicodeTranslateError BaseExceptionGroup ExceptionGroup Warning BytesWarning",
    "DeprecationWarning EncodingWarning FutureWarning ImportWarning PendingDeprecationWarning ResourceWarning RuntimeWarning SyntaxWarning",
    "UnicodeWarning UserWarning",
  ]
    .join(" ")
    .split(" "),
);

export const BUILTIN_NAMES: ReadonlySet<string> = new Set(
  [...LIBRARY_ROWS.keys(), ...VALUES].filter((name) => !name.includes(".")),
);

export function isLibraryName(name: string): boolean {
  return LIBRARY_ROWS.has(name) || VALUES.has(name);
}

export function membersOf(module: string): string[] {
  const prefix = `${module}.`;
  return [...LIBRARY_ROWS.keys(), ...VALUES]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => !name.includes("."));
}

let methodNames: ReadonlySet<string> | null = null;

/** Whether a value of some type of the library has a method of this name. */
export function isMethodName(name: string): boolean {
  if (methodNames === null) {
    const found = new Set<string>();
    for (const row of LIBRARY_ROWS.keys()) {
      const owner = row.slice(0, Math.max(0, row.lastIndexOf(".")));
      // What a module has is not a method.
      if (owner !== "" && owner !== "weft" && !KNOWN_MODULES.has(owner)) found.add(row.slice(owner.length + 1));
    }
    methodNames = found;
  }
  return methodNames.has(name);
}
