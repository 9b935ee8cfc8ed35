/**
 * What the literal arguments of a call name: hosts, paths, tables, tools, modules, environment names, queues. Reads the
 * roles the catalog gives to parameters; arguments that only a run can know are reported by role, never guessed.
 */

import type { ParameterRole, VerbEntry } from "../catalog.ts";
import { EVENT_PREFIX } from "../events.ts";
import type { IrOperand } from "../ir/graph.ts";
import { readUrl } from "../read-url.ts";

export type Literals = {
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
  readonly tables: readonly string[];
  readonly tools: readonly string[];
  readonly modules: readonly string[];
  readonly env: readonly string[];
  readonly queues: readonly string[];
  readonly models: readonly string[];
  readonly signals: readonly string[];
  readonly approvers: readonly string[];
  readonly programs: readonly string[];
  readonly events: readonly string[];
  readonly accepts: readonly string[];
};

export type ArgumentFacts = {
  readonly literals: Literals;
  /** Roles of arguments that are not literals. */
  readonly dynamic_roles: readonly ParameterRole[];
  /** Those among them whose option is left out, so that the operator's choice holds. */
  readonly default_roles: readonly ParameterRole[];
  /** The verb has a place for a URL or host (else a network-facing one reaches hosts of its own choice). */
  readonly names_host: boolean;
  /** The verb has a place for a path. */
  readonly names_path: boolean;
  /** The verb has a place for a table. */
  readonly names_table: boolean;
};

/** The member that holds the literals of a role. */
export const LITERALS_OF_ROLE: Readonly<Record<ParameterRole, keyof Literals>> = {
  url: "hosts",
  host: "hosts",
  path: "paths",
  table: "tables",
  tool: "tools",
  module: "modules",
  env: "env",
  queue: "queues",
  model: "models",
  signal: "signals",
  approver: "approvers",
  program: "programs",
  event: "events",
};

const NO_LITERALS: Literals = noLiterals();

function noLiterals(): { [member in keyof Literals]: string[] } {
  const none = { hosts: [], paths: [], tables: [], tools: [], modules: [], env: [], queues: [] };
  return { ...none, models: [], signals: [], approvers: [], programs: [], events: [], accepts: [] };
}

export const NO_ARGUMENT_FACTS: ArgumentFacts = {
  literals: NO_LITERALS,
  dynamic_roles: [],
  default_roles: [],
  names_host: false,
  names_path: false,
  names_table: false,
};

export function argumentFacts(verb: VerbEntry | undefined, args: readonly IrOperand[]): ArgumentFacts {
  const parameters = verb?.parameters;
  const optionRoles = verb?.option_roles;
  if (
    parameters === undefined ||
    parameters === null ||
    (optionRoles === undefined && !parameters.some((parameter) => parameter.role !== undefined))
  ) {
    return NO_ARGUMENT_FACTS;
  }
  const literals = noLiterals();
  const dynamic = new Set<ParameterRole>();
  parameters.forEach((parameter, index) => {
    const argument = args[index];
    // A path that is left out is the root of what may be reached.
    if (parameter.role === "path" && parameter.optional && argument === undefined) literals.paths.push(".");
    if (parameter.role === undefined || argument === undefined) return;
    const texts = literalTexts(argument);
    if (texts === null) dynamic.add(parameter.role);
    for (const text of texts ?? []) {
      if (parameter.role === "signal" && text.startsWith(EVENT_PREFIX)) {
        literals.accepts.push(text.slice(EVENT_PREFIX.length));
        continue;
      }
      const named = parameter.role === "url" ? hostOf(text) : parameter.role === "host" ? text.toLowerCase() : text;
      if (named !== null) literals[LITERALS_OF_ROLE[parameter.role]].push(named);
    }
  });
  const defaults: ParameterRole[] = [];
  for (const [option, role] of Object.entries(optionRoles ?? {})) {
    const given = optionOf(option, args.slice(parameters.filter(({ optional }) => !optional).length));
    const named = given === undefined || given === null ? null : literalTexts(given);
    if (named === null) dynamic.add(role);
    else literals[LITERALS_OF_ROLE[role]].push(...named);
    if (given === undefined) defaults.push(role);
  }
  const roles = parameters.map((parameter) => parameter.role);
  return {
    literals,
    dynamic_roles: [...dynamic],
    default_roles: defaults,
    names_host: roles.includes("url") || roles.includes("host"),
    names_path: roles.includes("path"),
    names_table: roles.includes("table"),
  };
}

/** An option in the options, which are the last of these; undefined: left out; null: only the run knows the options. */
export function optionOf(option: string, optional: readonly IrOperand[]): IrOperand | undefined | null {
  const options = optional.at(-1);
  if (options === undefined || options.k === "null") return undefined;
  if (options.k !== "map") return null;
  const given = options.entries.find(([name]) => name === option)?.[1];
  return given?.k === "null" ? undefined : given;
}

/** A literal, or those of a list; null: only a run knows one of them. */
export function literalTexts(operand: IrOperand): readonly string[] | null {
  if (operand.k !== "list") {
    const text = literalText(operand);
    return text === null ? null : [text];
  }
  const texts = operand.items.map(literalText);
  return texts.every((text) => text !== null) ? texts : null;
}

function literalText(operand: IrOperand): string | null {
  if (operand.k === "str") return operand.v;
  return operand.k === "num" ? String(operand.v) : null;
}

/** Host of a URL in lower case; null when the string is not a URL with a host; such a call reaches nothing. */
function hostOf(text: string): string | null {
  const url = readUrl(text);
  return url === null || url.hostname === "" ? null : url.hostname;
}
