/** The types of the Python module `weft` (clients/python/weft), made from the catalog and the rows of the library. */
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { readValueType, type ValueType } from "../../compiler/catalog/value-types.ts";
import type { AdapterEntry, LiteralType, Parameter, TextForm, VerbEntry } from "../../compiler/catalog.ts";
import { API_OPTIONS, CRON_OPTIONS, JOB_OPTIONS, METHODS, ON_OPTIONS } from "../../compiler/python/doors/options.ts";
import { PRELUDE_NAMES, preludeFunction } from "../../compiler/python/library/prelude.ts";
import { LIBRARY_ROWS } from "../../compiler/python/library/rows.ts";

/** Second names of parameters and options, as `compiler/python/lowering/adapter-calls.ts` has them. */
const SECOND: Readonly<Record<string, readonly string[]>> = {
  timeout_s: ["timeout"],
  body: ["json"],
  query: ["params"],
  from: ["from_"],
  ttl_s: ["ttl"],
  ttl_seconds: ["ttl"],
  delay_s: ["delay"],
  prompt: ["messages"],
};

const LITERAL: Readonly<Record<LiteralType, string>> = {
  text: "str",
  number: "float",
  integer: "int",
  boolean: "bool",
  list: "Sequence[Any]",
  object: "Mapping[str, Any]",
  null: "None",
};
const FORM: Readonly<Record<TextForm, string>> = {
  span: "float | str",
  cron: "str",
  instant: "float | str",
  zone: "str",
  namespace: "str",
};
/** Words of Python, which no parameter and no attribute has as its name. */
const WORDS = new Set(
  "from in is not and or if else for while with as def class return pass import global lambda".split(" "),
);
/** Calls that end the run. */
const NEVER = new Set(["job.again"]);
/** Attributes of every dict. */
const OF_DICT = new Set("clear copy fromkeys get items keys pop popitem setdefault update values".split(" "));

export function namesText(): string {
  const list = (names: readonly string[]): string => names.map((name) => `    "${name}",\n`).join("");
  const adapters = builtinCatalog.names();
  const functions = FUNCTIONS;
  return `${HEAD}\nADAPTERS = (\n${list(adapters)})\nFUNCTIONS = (\n${list(functions)})\n`;
}

export function stubText(): string {
  const answers: string[] = [];
  const adapters = builtinCatalog
    .names()
    .map((name) => adapterText(builtinCatalog.adapter(name) as AdapterEntry, answers));
  const functions = FUNCTIONS.map(functionText);
  return [HEAD, BASE, doorsText(), ...answers, ...adapters, ...functions].join("\n");
}

/** An adapter goes before a function of its name. */
const FUNCTIONS = PRELUDE_NAMES.filter((name) => !builtinCatalog.names().includes(name));

function functionText(name: string): string {
  const row = LIBRARY_ROWS.get(preludeFunction(name) ?? "");
  if (row === undefined) return `def ${name}(*args: Any) -> Any: ...\n`;
  return `def ${name}(${paramsText(row.params)}) -> ${resultText(row.result)}:\n    ${JSON.stringify(row.help)}\n`;
}

const HEAD = '"""Made from the catalog of Weft by test/client/stubs.test.ts (WEFT_DOCS=write). Do not edit."""\n';

const BASE = `from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, NoReturn, TypeVar, overload

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")
_R = TypeVar("_R")

class Record(dict[str, Any]):
    """Data that Weft made: a dict whose members can be read as attributes."""
    def __getattr__(self, name: str) -> Any: ...

class _Object(dict[str, Any]):
    """An object with known members, which are attributes too."""

class _Map(dict[str, _T]):
    """A dict with any members, which are attributes too."""
    def __getattr__(self, name: str) -> _T: ...

class Answer(_Object):
    """An answer that is always an object: it has no truth value."""

class _Response(Answer):
    def json(self, **options: Any) -> Any: ...
    def raise_for_status(self) -> None: ...

class AdapterError(RuntimeError):
    """A call of an adapter failed."""
    message: str
    code: str
    status: int | None
    details: Any
    retryable: bool
    retry_after_ms: float | None
    adapter: str
    verb: str

@overload
def parallel(f: Callable[[_T], _R], items: Iterable[_T], limit: int = 8, settle: Literal[False] = False) -> list[_R]: ...
@overload
def parallel(f: Callable[[_T], _R], items: Iterable[_T], limit: int = 8, *, settle: Literal[True]) -> list[Record]: ...
@overload
def parallel(f: Sequence[Callable[[], _R]], *, limit: int = 8, settle: Literal[False] = False) -> list[_R]: ...
@overload
def parallel(f: Sequence[Callable[[], _R]], *, limit: int = 8, settle: Literal[True]) -> list[Record]: ...
def retry(times: int = 3, backoff_ms: float = 0, strategy: Literal["fixed", "exponential"] = "fixed") -> AbstractContextManager[None]: ...
`;

function doorsText(): string {
  const option = (name: string): string => `${name}: Any = ...`;
  const of = (options: object): string => Object.keys(options).map(option).join(", ");
  const methods = METHODS.map((method) => `"${method}"`).join(", ");
  return `def api(path: str, method: Literal[${methods}] = "POST", *, ${of(API_OPTIONS)}) -> Callable[[_F], _F]: ...
def cron(cron: str, *, ${of(CRON_OPTIONS)}) -> Callable[[_F], _F]: ...
def on(event: str, *, ${of(ON_OPTIONS)}) -> Callable[[_F], _F]: ...
`;
}

/** Adapters that are a mark above a function as well. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  job: [
    "    @overload",
    "    def __call__(self, function: _F, /) -> _F: ...",
    "    @overload",
    `    def __call__(self, *, ${Object.keys(JOB_OPTIONS)
      .map((name) => `${name}: Any = ...`)
      .join(", ")}) -> Callable[[_F], _F]: ...`,
  ],
};

function adapterText(entry: AdapterEntry, answers: string[]): string {
  const { name, verbs, open_verbs } = entry;
  const lines = [`class _${name}:`, ...(MARKS[name] ?? [])];
  for (const verb of verbs) {
    if (verb.unlisted === true) continue;
    const own = plainName(verb.name.replaceAll(".", "_"));
    const result = NEVER.has(`${name}.${own}`)
      ? "NoReturn"
      : verb.result === undefined
        ? "Any"
        : answerType(readValueType(verb.result), `_${name}_${own}`, name, answers);
    const forms = signatures(verb);
    for (const form of forms) {
      if (forms.length > 1) lines.push("    @overload");
      lines.push(`    def ${own}(${["self", ...form].join(", ")}) -> ${result}: ...`);
    }
    const lower = plainName(own.toLowerCase());
    if (lower !== own && !verbs.some((other) => other.name === lower)) lines.push(`    ${lower} = ${own}`);
  }
  if (open_verbs) lines.push("    def __getattr__(self, verb: str) -> Callable[..., Any]: ...");
  return `${lines.length === 1 ? `${lines[0]} ...` : lines.join("\n")}\n\n${name}: _${name}\n`;
}

/** Parameters of each way to call a verb: one of cache with its namespace first, and one without. */
function signatures({ parameters, options }: VerbEntry): readonly (readonly string[])[] {
  if (parameters === null) return [["*args: Any", "**options: Any"]];
  const takesOptions = parameters.at(-1)?.name === "options";
  const places = takesOptions ? parameters.slice(0, -1) : parameters;
  const chosen = takesOptions ? optionsOf(options) : [];
  if (places[0]?.name !== "namespace_or_key") return [signature(places, chosen)];
  const [space, key, ...rest] = places as [Parameter, Parameter, ...Parameter[]];
  const own = [{ ...space, name: "key" }, ...rest.map((one) => ({ ...one, optional: one.name !== "value" }))];
  return [
    signature(own, [...chosen, ["namespace", "str | int | None"]]),
    signature([{ ...space, name: "namespace" }, { ...space, name: "key" }, ...own.slice(1)], chosen),
  ].map((form) => (key === undefined ? [] : form));
}

type Option = readonly [name: string, type: string];

function signature(places: readonly Parameter[], chosen: readonly Option[]): readonly string[] {
  const given: string[] = [];
  const named = new Map<string, string>();
  let canLeaveOut = false;
  for (const place of places) {
    const { name, optional, repeat } = place;
    const type = placeType(place);
    if (repeat) {
      given.push(`*${plainName(name)}: ${type}`);
      continue;
    }
    // What comes after one that may be left out may be left out, as its second name may be used.
    canLeaveOut ||= optional || SECOND[name] !== undefined;
    given.push(`${plainName(name)}: ${canLeaveOut ? `${orNone(type)} = ...` : type}`);
    for (const second of SECOND[name] ?? []) if (second !== plainName(name)) named.set(second, type);
  }
  for (const [name, type] of chosen) {
    if (!places.some((place) => place.name === name) && !WORDS.has(name)) named.set(name, type);
    for (const second of SECOND[name] ?? []) named.set(second, type);
  }
  const more = [...named].map(([name, type]) => `${name}: ${orNone(type)} = ...`);
  const isStarred = places.some(({ repeat }) => repeat);
  return more.length === 0 ? given : [...given, ...(isStarred ? [] : ["*"]), ...more];
}

function placeType({ types, form }: Parameter): string {
  if (form !== undefined) return FORM[form];
  return types === undefined ? "Any" : unionOf(types.map((type) => LITERAL[type]));
}

function optionsOf(options: string | undefined): readonly Option[] {
  const read = options === undefined ? null : readValueType(options);
  if (read?.k !== "object") return [];
  return [...read.members].map(([name, { type }]) => [name, argumentType(type)]);
}

function argumentType(type: ValueType): string {
  switch (type.k) {
    case "list":
      return `Sequence[${argumentType(type.of)}]`;
    case "map":
      return `Mapping[str, ${argumentType(type.of)}]`;
    case "object":
      return "Mapping[str, Any]";
    case "union":
      return unionOf(type.of.map(argumentType));
    default:
      return plainType(type);
  }
}

function plainType(type: ValueType): string {
  switch (type.k) {
    case "text":
    case "choices":
      return "str";
    case "number":
      return "float";
    case "integer":
      return "int";
    case "bool":
      return "bool";
    case "null":
      return "None";
    case "literal":
      return typeof type.value === "boolean"
        ? `Literal[${type.value ? "True" : "False"}]`
        : `Literal[${JSON.stringify(type.value)}]`;
    case "form":
      return FORM[type.form];
    default:
      return "Any";
  }
}

/** `place`: the name of the class that an object gets. */
function answerType(type: ValueType, place: string, adapter: string, answers: string[], depth = 0): string {
  switch (type.k) {
    case "list":
      return `list[${answerType(type.of, place, adapter, answers, depth + 1)}]`;
    case "map": {
      // The operator's schema says which members documents have.
      const of = answerType(type.of, place, adapter, answers, depth + 1);
      return of === "Any" ? "Any" : `_Map[${of}]`;
    }
    case "union": {
      // Options decide which of them it is.
      const isMixed =
        type.of.some(({ k }) => k === "object") && type.of.some(({ k }) => k !== "object" && k !== "null");
      if (isMixed) return "Any";
      return unionOf(
        type.of.map((one, at) => answerType(one, `${place}${at === 0 ? "" : at}`, adapter, answers, depth + 1)),
      );
    }
    case "object": {
      const base = depth > 0 ? "_Object" : adapter === "http" ? "_Response" : "Answer";
      const members = [...type.members].filter(
        ([name]) => !WORDS.has(name) && !OF_DICT.has(name) && /^[A-Za-z_]\w*$/.test(name),
      );
      const lines = members.map(
        ([name, member]) =>
          `    ${name}: ${answerType(member.type, `${place}_${name}`, adapter, answers, depth + 1)}\n`,
      );
      if (type.isOpen) lines.push("    def __getattr__(self, name: str) -> Any: ...\n");
      const text = `(${base}):\n${lines.length === 0 ? "    ...\n" : lines.join("")}`;
      // Verbs of one adapter often answer the same.
      const same = answers.find((one) => one.startsWith(`class _${adapter}_`) && one.endsWith(text));
      if (same !== undefined) return same.slice("class ".length, same.indexOf("("));
      answers.push(`class ${place}${text}`);
      return place;
    }
    default:
      return plainType(type);
  }
}

function unionOf(types: readonly string[]): string {
  const all = [...new Set(types.flatMap((type) => (type.includes("[") ? [type] : type.split(" | "))))];
  if (all.includes("Any")) return "Any";
  return [...all.filter((one) => one !== "None"), ...(all.includes("None") ? ["None"] : [])].join(" | ");
}

function orNone(type: string): string {
  return type === "Any" || type.endsWith("None") ? type : `${type} | None`;
}

/** Parameters of a row, each of any type; defaults as they are. */
function paramsText(params: string): string {
  return params
    .split(/,\s*/)
    .filter((one) => one !== "")
    .map((one) => {
      if (one === "/" || one === "*") return one;
      const [name = "", value] = one.split("=");
      return `${plainName(name)}: Any${value === undefined ? "" : " = ..."}`;
    })
    .join(", ");
}

function resultText(result: string): string {
  return result.replaceAll("object", "Any");
}

function plainName(name: string): string {
  return WORDS.has(name) ? `${name}_` : name;
}
