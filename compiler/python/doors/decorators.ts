/**
 * `@api`, `@cron`, `@on` and `@job` above functions: where runs begin besides the entry, and with which settings (python.md F-4). They are read, never run: all that they
 * take is written out.
 */
import type { Call, Expr, FunctionDef, Keyword, Module, Place } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { EVENT_NAME_WORDS, isEventName } from "../../events.ts";
import type { IrDeclaration, IrEndpoint } from "../../ir/graph.ts";
import { type Json, setMember } from "../../json.ts";
import { cronProblem } from "../../lower/cron.ts";
import type { Scope } from "../names/scopes.ts";
import type { Fix, Refusal } from "../refusal.ts";
import type { Annotations } from "./annotations.ts";
import { docstringOf } from "./docstrings.ts";
import { type Literal, literalOf, saysMore } from "./literals.ts";
import { API_OPTIONS, CRON_OPTIONS, JOB_OPTIONS, METHODS, ON_OPTIONS, type Option, TEXT_OF } from "./options.ts";

const MARKS: ReadonlySet<string> = new Set(["api", "cron", "on", "job"]);

/** Which mark a decorator is, by whatever name it was imported; null: it is an ordinary one. */
export function markOf(node: Expr, scope: Scope): string | null {
  const named = node.kind === "Call" ? node.func : node;
  if (named.kind === "Name") {
    const found = scope.find(named.id);
    if (found.kind === "outside") return MARKS.has(named.id) ? named.id : null;
    if (found.kind !== "import" || found.imported.module !== "weft") return null;
    return MARKS.has(found.imported.member ?? "") ? found.imported.member : null;
  }
  if (named.kind !== "Attribute" || named.value.kind !== "Name" || !MARKS.has(named.attr)) return null;
  const outer = scope.find(named.value.id);
  const isWeft = outer.kind === "import" && outer.imported.module === "weft" && outer.imported.member === null;
  return isWeft ? named.attr : null;
}

/** A function with marks, and each of them. */
export type Marked = { readonly node: FunctionDef; readonly marks: readonly { name: string; decorator: Expr }[] };

export function markedFunctions({ body }: Module, scope: Scope): readonly Marked[] {
  return body.flatMap((node): Marked[] => {
    if (node.kind !== "FunctionDef") return [];
    const marks = node.decorators.flatMap((decorator) => {
      const name = markOf(decorator, scope);
      return name === null ? [] : [{ name, decorator }];
    });
    return marks.length === 0 ? [] : [{ node, marks }];
  });
}

/** An expression over `data` that stands in a text of a mark. */
export type WrittenExpression = { readonly at: Place; readonly option: string; readonly text: string };

/** `declared`: schedules, events and rules of jobs. */
export type Doors = {
  readonly endpoints: readonly IrEndpoint[];
  readonly declared: readonly IrDeclaration[];
  readonly expressions: readonly WrittenExpression[];
};

type Reading = {
  readonly module: Module;
  readonly annotations: Annotations;
  readonly labelOf: (node: FunctionDef) => string;
  readonly refuse: (refusal: Refusal) => void;
};

/** The endpoints and schedules of a file, in the order in which they are written. */
export function doorsOf(marked: readonly Marked[], reading: Reading): Doors {
  const endpoints: IrEndpoint[] = [];
  const declared: IrDeclaration[] = [];
  const expressions: WrittenExpression[] = [];
  const seen = new Set<string>();
  const isTwice = (key: string): boolean => seen.size === seen.add(key).size;
  for (const { node, marks } of marked) {
    for (const { name, decorator } of marks) {
      const refuse = (at: Place, row: string, words: Refusal["words"] = {}, fix: Fix | null = null): null => {
        reading.refuse({ at, row, words: { ...words, name }, fix });
        return null;
      };
      const mark: Mark = { name, decorator, node, reading, refuse };
      if (name === "api") {
        const endpoint = endpointOf(mark);
        if (endpoint === null) continue;
        const { method, path } = endpoint;
        if (isTwice(`${method} ${path}`)) refuse(decorator, "decorator_twice", { endpoint: `${method} ${path}` });
        else endpoints.push(endpoint);
      } else if (name === "cron") {
        const schedule = scheduleOf(mark);
        if (schedule !== null) declared.push(schedule);
      } else if (name === "on") {
        const event = eventOf(mark, expressions);
        if (event === null) continue;
        if (isTwice(event.slots.join())) refuse(decorator, "decorator_twice", { endpoint: `@on("${event.slots[1]}")` });
        else declared.push(event);
      } else {
        const job = jobOf(mark);
        if (marks.find((one) => one.name === name)?.decorator !== decorator)
          refuse(decorator, "decorator_twice", { endpoint: "@job" });
        else if (job !== null) declared.push(job);
      }
    }
  }
  return { endpoints, declared, expressions };
}

type Mark = {
  readonly name: string;
  readonly decorator: Expr;
  readonly node: FunctionDef;
  readonly reading: Reading;
  readonly refuse: (at: Place, row: string, words?: Refusal["words"], fix?: Fix | null) => null;
};

function endpointOf(mark: Mark): IrEndpoint | null {
  const { node, reading, refuse } = mark;
  const read = argumentsOf(mark, { positional: ["path", "method"], required: `"/${node.name}"`, options: API_OPTIONS });
  if (read === null) return null;
  const { values, settings } = read;
  const { path } = values;
  if (path === undefined) return null;
  if (typeof path.value !== "string")
    return refuse(path.at, "decorator_value", { option: "path", what: 'a text such as "/orders"' });
  if (!path.value.startsWith("/"))
    return refuse(path.at, "decorator_path", {}, replaced(path.at, JSON.stringify(`/${path.value}`)));
  const method = methodOf(mark, values["method"]);
  if (method === null) return null;
  const lost = lostInPath(path.value, node);
  if (lost !== undefined) refuse(path.at, "path_parameter", { parameter: lost, function: node.name });
  return {
    method,
    path: path.value,
    label: reading.labelOf(node),
    returns: null,
    type: reading.annotations.returnType(node.returns),
    description: docstringOf(node.body),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    line: node.line,
  };
}

/** The first part `{name}` of a path that the function has no parameter for. */
function lostInPath(path: string, { args }: FunctionDef): string | undefined {
  if (args.kwarg !== null) return undefined;
  const own = new Set([...args.posonlyargs, ...args.args, ...args.kwonlyargs].map(({ arg }) => arg));
  return [...path.matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name as string).find((name) => !own.has(name));
}

function methodOf({ refuse }: Mark, given: Given | undefined): string | null {
  if (given === undefined) return "POST";
  const { at, value } = given;
  const written = typeof value === "string" ? value : "";
  const method = written.toUpperCase();
  if (METHODS.includes(method)) return method;
  const near = nearest(method, METHODS);
  return refuse(
    at,
    "decorator_method",
    { methods: METHODS.join(", ") },
    near === null ? null : replaced(at, JSON.stringify(near)),
  );
}

function scheduleOf(mark: Mark): IrDeclaration | null {
  const { node, reading, refuse } = mark;
  const read = argumentsOf(mark, { positional: ["cron"], required: '"0 8 * * *"', options: CRON_OPTIONS });
  if (read === null) return null;
  const { values, settings } = read;
  const { cron } = values;
  if (cron === undefined) return null;
  if (typeof cron.value !== "string")
    return refuse(cron.at, "decorator_value", { option: "cron", what: 'a text such as "0 8 * * *"' });
  const line = cron.value.trim();
  const problem = cronProblem(line);
  if (problem !== null) {
    const { what, write, meant } = problem;
    const fix = meant === null ? null : replaced(cron.at, JSON.stringify(meant));
    return refuse(cron.at, "decorator_cron", { what, write }, fix);
  }
  const slots = [reading.labelOf(node), ...line.split(/\s+/)];
  return { op: "Cr", slots, ...(Object.keys(settings).length === 0 ? {} : { settings }), line: node.line };
}

/** The event that starts jobs of a function. `expressions` receives those of its options. */
function eventOf(mark: Mark, expressions: WrittenExpression[]): IrDeclaration | null {
  const { node, reading, refuse } = mark;
  const read = argumentsOf(mark, { positional: ["event"], required: '"orders/created"', options: ON_OPTIONS });
  const event = read?.values["event"];
  if (read === null || event === undefined) return null;
  const { settings } = read;
  if (typeof event.value !== "string" || !isEventName(event.value))
    return refuse(event.at, "decorator_value", { option: "event", what: EVENT_NAME_WORDS });
  const { posonlyargs, args } = node.args;
  if (posonlyargs.length + args.length === 0)
    return refuse(mark.decorator, "event_parameter", { function: node.name }, null);
  for (const option of ["when", "key"]) {
    const text = settings[option];
    const at = mark.decorator.kind === "Call" ? mark.decorator.keywords.find(({ arg }) => arg === option) : undefined;
    if (typeof text === "string" && at !== undefined) expressions.push({ at: at.value, option, text });
  }
  const slots = [reading.labelOf(node), event.value];
  return { op: "On", slots, ...(Object.keys(settings).length === 0 ? {} : { settings }), line: node.line };
}

/** Rules for the jobs of a function; `@job` alone only says that runs may begin there. */
function jobOf(mark: Mark): IrDeclaration | null {
  const { decorator, node, reading } = mark;
  const read =
    decorator.kind === "Call"
      ? argumentsOf(mark, { positional: [], required: "", options: JOB_OPTIONS })
      : { settings: {} };
  if (read === null) return null;
  const { settings } = read;
  const slots = [reading.labelOf(node)];
  return { op: "Job", slots, ...(Object.keys(settings).length === 0 ? {} : { settings }), line: node.line };
}

type Given = { readonly at: Place; readonly value: Json };
type Taken = {
  readonly positional: readonly string[];
  /** An example of the first argument. */
  readonly required: string;
  readonly options: Readonly<Record<string, Option>>;
};

/** What stands in the brackets: the arguments of its own, and settings. null: something was refused. */
function argumentsOf(
  mark: Mark,
  { positional, required, options }: Taken,
): { readonly values: Readonly<Record<string, Given>>; readonly settings: { readonly [name: string]: Json } } | null {
  const { decorator, refuse } = mark;
  const [first = ""] = positional;
  if (decorator.kind !== "Call") {
    const at = { ...decorator, start: decorator.end };
    return refuse(decorator, "decorator_bare", { argument: first }, replaced(at, `(${required})`));
  }
  const values: { [name: string]: Given } = {};
  const settings: { [name: string]: Json } = {};
  let isSound = true;
  const wrong = (): void => {
    isSound = false;
  };
  for (const [at, name, node] of namedArguments(decorator, positional)) {
    if (name === null) {
      wrong();
      refuse(at, "decorator_spread");
    } else if (name === "") {
      wrong();
      const taken = positional.length === 0 ? "options" : positional.join(" and ");
      refuse(at, "decorator_surplus", { arguments: taken, known: Object.keys(options).join(", ") });
    } else if (Object.hasOwn(values, name)) {
      wrong();
      refuse(at, "decorator_option_twice", { option: name });
    } else if (positional.includes(name) || Object.hasOwn(options, name)) {
      const read = writtenOut(mark, name, node);
      const option = positional.includes(name) ? null : (options[name] as Option);
      const { value, text } = read ?? { value: null, text: "" };
      if (read === undefined) wrong();
      else if (option === null) values[name] = { at: node, value };
      else if (option.takes(value)) {
        setMember(settings, option.setting, value);
        if (option.isExact === true && saysMore(value, text)) settings[`${option.setting}${TEXT_OF}`] = text;
      } else {
        wrong();
        const near = typeof value === "string" ? nearest(value, option.words ?? []) : null;
        const fix = near === null ? null : replaced(node, JSON.stringify(near));
        refuse(node, "decorator_value", { option: name, what: option.what }, fix);
      }
    } else {
      wrong();
      const near = nearest(name, [...positional, ...Object.keys(options)]) ?? alsoCalled(name);
      const row = near === null ? "decorator_option" : "decorator_option_near";
      const words = { option: name, near: near ?? "", known: [...positional, ...Object.keys(options)].join(", ") };
      const written = { ...at, end: at.start + name.length };
      refuse(at, row, words, near === null ? null : replaced(written, near));
    }
  }
  if (isSound && positional.length > 0 && values[first] === undefined) {
    const open = decorator.func.end + 1;
    const isEmpty = decorator.args.length + decorator.keywords.length === 0;
    const at = { ...decorator, start: open, end: open };
    return refuse(decorator, "decorator_bare", { argument: first }, replaced(at, `${required}${isEmpty ? "" : ", "}`));
  }
  return isSound ? { values, settings } : null;
}

/** Second names of options, as models write them. */
function alsoCalled(name: string): string | null {
  const other: Readonly<Record<string, string>> = {
    timezone: "tz",
    methods: "method",
    from: "from_",
    schedule: "cron",
  };
  return Object.hasOwn(other, name) ? (other[name] as string) : null;
}

/** Each argument with its name; null: it spreads others; empty: there are too many. */
function* namedArguments(
  { args, keywords }: Call,
  positional: readonly string[],
): Generator<readonly [Expr | Keyword, string | null, Expr]> {
  for (const [at, node] of args.entries()) yield [node, node.kind === "Starred" ? null : (positional[at] ?? ""), node];
  for (const keyword of keywords) yield [keyword, keyword.arg, keyword.value];
}

/** undefined: it is not written out. A constant of the file can be put in its place. */
function writtenOut({ reading, refuse }: Mark, option: string, node: Expr): Literal | undefined {
  const literal = literalOf(node);
  if (literal !== undefined) return literal;
  const constant = node.kind === "Name" ? constantOf(reading.module, node.id) : null;
  const fix = constant === null ? null : replaced(node, constant);
  refuse(node, "decorator_not_written", { option }, fix);
  return undefined;
}

/** The value of a name that the file sets once, at its top, to a text or a number, as it is written. */
function constantOf({ body }: Module, name: string): string | null {
  const found = body.flatMap((node) =>
    node.kind === "Assign" && node.targets.some((target) => target.kind === "Name" && target.id === name)
      ? [literalOf(node.value)]
      : [],
  );
  const [only] = found;
  return found.length === 1 && (typeof only?.value === "string" || typeof only?.value === "number") ? only.text : null;
}

function replaced({ start, end }: Place, text: string): Fix {
  const title = text.startsWith("(") ? `add ${text}` : `write ${text}`;
  return { title, edits: [{ start, end, text }] };
}
