/**
 * Reads the rules of a chevrotain parser as productions. A part that only a faulty program lacks is marked by its number
 * (`EXPECTED` in parser/base-parser.ts) and is required here.
 */
import {
  Alternation,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  type Rule,
  Terminal,
} from "chevrotain";
import { EXPECTED } from "../parser/base-parser.ts";
import { choice, type Expression, many, optional, type Production, rule, sequence, some, token } from "./expression.ts";

/** Bodies of the rules by name: `ifStatement` becomes `if-statement`. Terminals are still tokens. */
export function readProductions(rules: Readonly<Record<string, Rule>>): Map<string, Expression> {
  return new Map(Object.values(rules).map(({ name, definition }) => [dashed(name), all(definition)]));
}

export function asProductions(bodies: ReadonlyMap<string, Expression>, docs: Docs): Production[] {
  return [...bodies].map(([name, body]) => ({ name, doc: docs[name] ?? "", body }));
}

/** A sentence about the production of that name. */
export type Docs = Readonly<Record<string, string>>;

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function all(parts: readonly IProduction[]): Expression {
  return sequence(...parts.map(read));
}

function read(part: IProduction): Expression {
  if (part instanceof Terminal) return token(part.terminalType.name, part.label ?? null);
  if (part instanceof NonTerminal) return rule(dashed(part.nonTerminalName));
  if (part instanceof Alternation) return choice(...part.definition.map(read));
  const { definition, idx } = part as Option;
  const of = all(definition);
  if (part instanceof Option) return idx >= EXPECTED ? of : optional(of);
  if (part instanceof Repetition) return idx >= EXPECTED ? some(of) : many(of);
  return part instanceof RepetitionMandatory ? some(of) : of;
}
