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
import type { Slot, SlotClass } from "../ops.ts";
import { EXPECTED } from "../parser/base-parser.ts";
import {
  choice,
  type Expression,
  isRule,
  many,
  optional,
  type Production,
  rule,
  sequence,
  some,
  token,
} from "./expression.ts";

/** Bodies of the rules by name: `ifStatement` becomes `if-statement`. Terminals are still tokens. */
export function readProductions(rules: Readonly<Record<string, Rule>>): Map<string, Expression> {
  return new Map(Object.values(rules).map(({ name, definition }) => [dashed(name), all(definition)]));
}

export function asProductions(bodies: ReadonlyMap<string, Expression>, docs: Docs): Production[] {
  return [...bodies].map(([name, body]) => ({ name, doc: docs[name] ?? "", body }));
}

/** A sentence about the production of that name. */
export type Docs = Readonly<Record<string, string>>;

/** A slot as the rule of its step reads it. */
export type ReadSlot = Pick<Slot, "name" | "class" | "optional" | "repeat" | "values">;

/** The slots of a step, in the order in which its rule reads them. */
export function slotsOfRule(body: Expression): readonly ReadSlot[] {
  const slots = new Map<string, ReadSlot>();
  const visit = (one: Expression, optional: boolean, repeat: boolean): void => {
    if (one.is === "token" && one.slot !== null) {
      const [label = "", values] = (one.label ?? "").split(":");
      const known = slots.get(one.slot);
      slots.set(one.slot, {
        name: one.slot,
        class: label as SlotClass,
        values: values?.split(",") ?? null,
        optional: optional && (known?.optional ?? true),
        repeat: repeat || known?.repeat === true,
      });
    }
    if (isRule(one, CONDITION)) slots.set("cond", { name: "cond", class: "cond", values: null, optional, repeat });
    if (one.is === "optional") visit(one.of, true, repeat);
    if (one.is === "repeat") visit(one.of, optional || one.least === 0, true);
    if (one.is === "sequence" || one.is === "choice") for (const part of one.of) visit(part, optional, repeat);
  };
  visit(body, false, false);
  return [...slots.values()];
}

/** The rule that reads the slot of a condition. */
const CONDITION = "condition";

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function all(parts: readonly IProduction[]): Expression {
  return sequence(...parts.map(read));
}

function read(part: IProduction): Expression {
  if (part instanceof Terminal) return token(part.terminalType.name, ...(part.label?.split("@") ?? []));
  if (part instanceof NonTerminal) return rule(dashed(part.nonTerminalName));
  if (part instanceof Alternation) return choice(...part.definition.map(read));
  const { definition, idx } = part as Option;
  const of = all(definition);
  if (part instanceof Option) return idx >= EXPECTED ? of : optional(of);
  if (part instanceof Repetition) return idx >= EXPECTED ? some(of) : many(of);
  return part instanceof RepetitionMandatory ? some(of) : of;
}
