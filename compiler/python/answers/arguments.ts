/** Arguments of adapters that are written out, next to what the catalog says of them: kinds of values, choices, spans, lines of cron. */
import type { Call, Dict, Expr } from "../../../grammar/python/tree.ts";
import { listed } from "../../../grammar/text/english.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { readValueType, type ValueType } from "../../catalog/value-types.ts";
import { formProblem, WRITTEN } from "../../catalog/written-forms.ts";
import { type LiteralType, MEMORY_NAMESPACES, type TextForm, type VerbEntry } from "../../catalog.ts";
import { secondName } from "../lowering/adapter-calls.ts";
import { partsOf, type Type } from "./types.ts";
import { answerOf } from "./uses.ts";
import type { Walk } from "./walk.ts";

export function checkArguments(w: Walk, node: Call, name: string, verb: VerbEntry, types: readonly Type[]): void {
  const parameters = verb.parameters ?? [];
  const options = verb.options === undefined ? null : readValueType(verb.options);
  const own = parameters.at(-1)?.name === "options" ? parameters.slice(0, -1) : parameters;
  const check = (place: number, argument: string, value: Expr, type: Type | undefined): void => {
    const parameter = place >= 0 ? own[place] : undefined;
    if (parameter?.form !== undefined) {
      checkForm(w, value, parameter.form, name, argument);
      return;
    }
    if (parameter?.types !== undefined) {
      checkKind(w, value, type, parameter.types, parameter.optional, name, argument);
      return;
    }
    const known = options?.k === "object" ? options.members : undefined;
    const option = known?.get(argument)?.type;
    // A dict of options in the place of an argument is refused as such.
    const isOptions = value.kind === "Dict" && value.keys.some((key) => known?.has(wordOfKey(key)));
    if (option !== undefined && !isOptions) checkOption(w, value, option, name, argument);
  };
  const isPlaced = parameters[0]?.name !== "namespace_or_key" && !node.args.some(({ kind }) => kind === "Starred");
  if (isPlaced) for (const [at, value] of node.args.entries()) check(at, own[at]?.name ?? "", value, types[at]);
  for (const [at, { arg, value }] of node.keywords.entries()) {
    if (arg !== null) {
      const meant = secondName(verb, arg);
      check(isPlaced ? own.findIndex((one) => one.name === meant) : -1, meant, value, types[node.args.length + at]);
    } else if (value.kind === "Dict") {
      for (const [index, key] of (value as Dict).keys.entries())
        if (key?.kind === "Constant") check(-1, String(key.value), (value as Dict).values[index] as Expr, undefined);
    }
  }
}

function wordOfKey(key: Expr | null): string {
  return key?.kind === "Constant" ? String(key.value) : "";
}

const KINDS: { readonly [type in LiteralType]: string } = {
  text: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "True or False",
  list: "a list",
  object: "a dict",
  null: "None",
};

function checkKind(
  w: Walk,
  value: Expr,
  type: Type | undefined,
  types: readonly LiteralType[],
  optional: boolean,
  name: string,
  argument: string,
): void {
  const kinds = listed(
    types.map((one) => KINDS[one]),
    "or",
  );
  const answer = type === undefined ? null : answerOf(type);
  if (answer !== null && !types.includes("object")) {
    w.note(value, "answer_as_argument", {
      name,
      argument,
      kinds,
      members: [...answer.members.keys()].join(", "),
      of: answer.of ?? "",
    });
    return;
  }
  const literal = kindOf(value);
  const kind = literal ?? (type === undefined ? null : kindOfType(type)) ?? kindOfParameter(w, value);
  if (kind === null || (kind === "null" && optional) || types.includes(kind)) return;
  if (kind === "integer" && types.includes("number")) return;
  // A number that is not written out may be whole.
  if (kind === "number" && literal === null && types.includes("integer")) return;
  w.note(value, "argument_kind", { name, argument, kinds });
}

/** What a part of an answer is for certain, besides None. */
function kindOfType(type: Type): LiteralType | null {
  const kinds = partsOf(type).map(({ k }) => (k in KINDS_OF_TYPES ? KINDS_OF_TYPES[k as "list"] : null));
  return kinds.every((one) => one === kinds[0]) ? (kinds[0] ?? null) : null;
}

const KINDS_OF_TYPES = { list: "list", map: "object", object: "object", text: "text", number: "number" } as const;

const KINDS_OF_ANNOTATIONS: ReadonlyMap<string, LiteralType> = new Map([
  ["str", "text"],
  ["int", "integer"],
  ["float", "number"],
  ["bool", "boolean"],
]);

/** What the annotation of a parameter says that the function never sets, and that has no default. */
function kindOfParameter({ owner, scope }: Walk, value: Expr): LiteralType | null {
  if (value.kind !== "Name" || owner?.kind !== "FunctionDef" || scope.rebound.has(value.id)) return null;
  const { posonlyargs, args, defaults } = owner.args;
  const required = [...posonlyargs, ...args];
  const annotation = required
    .slice(0, required.length - defaults.length)
    .find(({ arg }) => arg === value.id)?.annotation;
  return annotation?.kind === "Name" ? (KINDS_OF_ANNOTATIONS.get(annotation.id) ?? null) : null;
}

/** What a literal is; null: it is another expression. */
function kindOf(value: Expr): LiteralType | null {
  switch (value.kind) {
    case "Constant":
      return (
        ({ str: "text", int: "integer", float: "number", bool: "boolean", none: "null" } as const)[
          value.type as "str"
        ] ?? null
      );
    case "JoinedStr":
      return "text";
    case "List":
    case "ListComp":
    case "Tuple":
      return "list";
    case "Dict":
    case "DictComp":
      return "object";
    default:
      return null;
  }
}

function checkOption(w: Walk, value: Expr, type: ValueType, name: string, argument: string): void {
  const parts = type.k === "union" ? type.of : [type];
  for (const part of parts) if (part.k === "form") checkForm(w, value, part.form, name, argument);
  const kind = kindOf(value);
  if (kind === null || parts.some((part) => fits(part, kind, value))) {
    for (const part of parts) if (part.k === "map") checkMembers(w, value, part.of, name, argument);
    return;
  }
  const texts = parts.flatMap((part) => (part.k === "literal" && typeof part.value === "string" ? [part.value] : []));
  if (kind === "text" && texts.length > 0 && value.kind === "Constant") {
    const near = nearest(String(value.value), texts) ?? "";
    const words = {
      name,
      argument,
      near,
      value: String(value.value),
      values: texts.map((text) => JSON.stringify(text)).join(", "),
    };
    w.note(value, near === "" ? "argument_choice" : "argument_choice_near", words);
    return;
  }
  const kinds = listed([...new Set(parts.filter(({ k }) => k !== "null").map(wordOf))], "or");
  w.note(value, "argument_kind", { name, argument, kinds });
}

/** The values of a dict that is written out: `headers={"X-Page": 2}`. */
function checkMembers(w: Walk, value: Expr, type: ValueType, name: string, argument: string): void {
  if (value.kind !== "Dict") return;
  for (const [at, key] of value.keys.entries()) {
    const member = value.values[at] as Expr;
    const kind = kindOf(member);
    if (key?.kind !== "Constant" || kind === null || fits(type, kind, member)) continue;
    const kinds = listed([...new Set((type.k === "union" ? type.of : [type]).map(wordOf))], "or");
    w.note(member, "argument_kind", { name, argument: `${argument}["${key.value}"]`, kinds });
  }
}

function fits(part: ValueType, kind: LiteralType, value: Expr): boolean {
  switch (part.k) {
    case "any":
    case "choices":
      return true;
    case "form":
      return kind === "text" || kind === "integer" || kind === "number";
    case "text":
      return kind === "text";
    case "number":
      return kind === "integer" || kind === "number";
    case "integer":
      return kind === "integer";
    case "bool":
      return kind === "boolean";
    case "null":
      return kind === "null";
    case "list":
      return kind === "list";
    case "map":
    case "object":
      return kind === "object";
    case "literal":
      return value.kind !== "Constant" ? kind === "text" : value.value === part.value;
    case "union":
      return part.of.some((one) => fits(one, kind, value));
  }
}

function wordOf(part: ValueType): string {
  switch (part.k) {
    case "literal":
      return JSON.stringify(part.value);
    case "list":
      return KINDS.list;
    case "map":
    case "object":
      return KINDS.object;
    case "bool":
      return KINDS.boolean;
    case "number":
    case "integer":
    case "text":
      return KINDS[part.k];
    case "form":
      return part.form === "namespace" ? NAMESPACES : WRITTEN[part.form];
    default:
      return "another value";
  }
}

const NAMESPACES = `one of ${MEMORY_NAMESPACES.join(", ")}`;

function checkForm(w: Walk, value: Expr, form: TextForm, name: string, argument: string): void {
  const given = literalOf(value);
  if (given === null) return;
  if (form === "namespace") checkNamespace(w, value, given, name, argument);
  else {
    const problem = formProblem(given, form, name === "timer.sleep");
    if (problem !== null) w.note(value, "argument_form", { name, argument, ...problem });
  }
}

/** Numbers below zero too; null: it is not written out. */
function literalOf(value: Expr): string | number | boolean | null {
  if (value.kind === "UnaryOp" && value.op === "-") {
    const inner = literalOf(value.operand);
    return typeof inner === "number" ? -inner : null;
  }
  if (value.kind !== "Constant" || value.type === "none") return null;
  return typeof value.value === "bigint" ? Number(value.value) : (value.value as string | number | boolean);
}

function checkNamespace(w: Walk, at: Expr, given: string | number | boolean, name: string, argument: string): void {
  const known = w.names.catalog.adapter("memory")?.namespaces ?? MEMORY_NAMESPACES;
  if (typeof given === "string" && known.includes(given)) return;
  w.note(at, "argument_form", { name, argument, what: `cannot be '${given}'`, write: NAMESPACES });
}
