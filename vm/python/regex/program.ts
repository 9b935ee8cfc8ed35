/** Trees of patterns as programs of the machine that follows all ways at once. */
import { notExact } from "../not-exact.ts";

import type { Has } from "./sets.ts";
import { type Assertion, canBeEmpty, type Look, type Node } from "./tree.ts";

export type Instruction =
  | { readonly op: "set"; readonly set: number; readonly next: number }
  /** Both ways, the first one preferred. */
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "save"; readonly register: number; readonly next: number }
  /** Notes where an iteration that may match nothing begins. */
  | { readonly op: "mark"; readonly register: number; readonly next: number }
  /** An iteration that matched nothing is the last one. */
  | { readonly op: "check"; readonly register: number; readonly moved: number; readonly still: number }
  | { readonly op: "assert"; readonly what: Assertion; readonly isAscii: boolean; readonly next: number }
  /** Another pattern fits here, or does not. */
  | { readonly op: "look"; readonly look: number; readonly next: number }
  | { readonly op: "match" };

/** A pattern within a pattern, which is looked for at one place. */
export type LookProgram = Omit<Look, "kind" | "part"> & { readonly program: Program };

export type Program = {
  readonly code: readonly Instruction[];
  /** Instructions, with those of patterns within. */
  readonly size: number;
  readonly entry: number;
  readonly sets: readonly Has[];
  readonly looks: readonly LookProgram[];
  /** Ends of groups, the number of the last group that was closed, marks. */
  readonly registers: number;
  /** For each instruction the registers of the marks that are around it, the outermost first. */
  readonly marksAround: readonly (readonly number[])[];
  /** Text that every match begins with. */
  readonly prefix: string;
  /** Sets that every match begins with one of; null: a match may be empty. */
  readonly firstSets: readonly number[] | null;
};

const MOST_INSTRUCTIONS = 5_000;

export function programOf(tree: Node, groups: number): Program {
  return new Builder(tree, groups).program();
}

class Builder {
  readonly #code: Instruction[] = [{ op: "match" }];
  readonly #marksAround: (readonly number[])[] = [[]];
  readonly #sets: Has[] = [];
  readonly #looks: LookProgram[] = [];
  /** A pattern within is made once, however often it is repeated. */
  readonly #lookOf = new Map<Node, number>();
  /** Instructions of the patterns within. */
  #inner = 0;
  readonly #groups: number;
  readonly #tree: Node;
  #registers: number;
  #marks: readonly number[] = [];

  constructor(tree: Node, groups: number) {
    this.#tree = tree;
    this.#groups = groups;
    // Two for the match, two for each group, one for the last group closed.
    this.#registers = 2 * groups + 3;
  }

  program(): Program {
    const entry = this.#made(this.#tree, 0);
    return {
      code: this.#code,
      size: this.#code.length + this.#inner,
      entry,
      sets: this.#sets,
      looks: this.#looks,
      registers: this.#registers,
      marksAround: this.#marksAround,
      prefix: prefixOf(this.#tree),
      firstSets: this.#firstOf(entry),
    };
  }

  #add(instruction: Instruction): number {
    if (this.#code.length + this.#inner >= MOST_INSTRUCTIONS)
      throw notExact(`a pattern stands for more than ${MOST_INSTRUCTIONS} steps; use smaller repeat counts`);
    this.#marksAround.push(this.#marks);
    return this.#code.push(instruction) - 1;
  }

  /** The place from which `node` leads to `next`. */
  #made(node: Node, next: number): number {
    switch (node.kind) {
      case "set": {
        const known = this.#sets.indexOf(node.has);
        return this.#add({ op: "set", set: known >= 0 ? known : this.#sets.push(node.has) - 1, next });
      }
      case "assert":
        return this.#add({ op: "assert", what: node.what, isAscii: node.isAscii, next });
      case "look": {
        let look = this.#lookOf.get(node);
        if (look === undefined) {
          const { part, isNegative, back, hasGroups } = node;
          const program = programOf(part, this.#groups);
          this.#inner += program.size;
          look = this.#looks.push({ isNegative, back, hasGroups, program }) - 1;
          this.#lookOf.set(node, look);
        }
        return this.#add({ op: "look", look, next });
      }
      case "group": {
        const end = this.#add({ op: "save", register: 2 * node.number + 1, next });
        return this.#add({ op: "save", register: 2 * node.number, next: this.#made(node.part, end) });
      }
      case "choice": {
        const places = node.choices.map((one) => this.#made(one, next));
        return places.reduceRight((second, first) => this.#add({ op: "split", first, second }));
      }
      case "sequence":
        return node.parts.reduceRight((after, part) => this.#made(part, after), next);
      case "repeat":
        return this.#repeated(node, next);
    }
  }

  #repeated(node: Node & { kind: "repeat" }, next: number): number {
    const { part, least, most, isLazy } = node;
    const isNullable = canBeEmpty(part);
    const choose = (place: number): number =>
      this.#add(isLazy ? { op: "split", first: next, second: place } : { op: "split", first: place, second: next });
    /** One iteration more, after which `again` follows. */
    const iteration = (again: number): number => {
      if (!isNullable) return this.#made(part, again);
      const register = this.#registers++;
      const outer = this.#marks;
      this.#marks = [...outer, register];
      const check = this.#add({ op: "check", register, moved: again, still: next });
      const body = this.#made(part, check);
      this.#marks = outer;
      return this.#add({ op: "mark", register, next: body });
    };
    let entry = next;
    if (most === Infinity) {
      const loop: Instruction = { op: "split", first: next, second: next };
      entry = this.#add(loop);
      const again = iteration(entry);
      if (isLazy) loop.second = again;
      else loop.first = again;
    } else for (let count = least; count < most; count++) entry = choose(iteration(entry));
    for (let count = 0; count < least; count++) entry = this.#made(part, entry);
    return entry;
  }

  #firstOf(entry: number): number[] | null {
    const found = new Set<number>();
    const seen = new Set<number>();
    const open = [entry];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const one = this.#code[place] as Instruction;
      if (one.op === "match") return null;
      if (one.op === "set") found.add(one.set);
      else if (one.op === "split") open.push(one.first, one.second);
      else if (one.op === "check") open.push(one.moved, one.still);
      else open.push(one.next);
    }
    return [...found];
  }
}

/** The characters that a pattern begins with, as far as they are certain. */
function prefixOf(tree: Node): string {
  if (tree.kind === "group") return prefixOf(tree.part);
  if (tree.kind === "set") return tree.literal ?? "";
  if (tree.kind !== "sequence") return "";
  let prefix = "";
  for (const part of tree.parts) {
    if (part.kind === "sequence" || part.kind === "group") return prefix + prefixOf(part);
    if (part.kind !== "set" || part.literal === null) break;
    prefix += part.literal;
  }
  return prefix;
}
