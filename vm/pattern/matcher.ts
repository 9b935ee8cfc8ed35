/**
 * Finds the first match of an expression with its groups, in one pass over the text whatever the expression is: all ways to
 * match are followed at once, in the order in which a backtracking engine would try them (Pike). Positions are UTF-16 units.
 */
import type { Pace, Task } from "../tasks/task.ts";
import { Alphabet } from "./automaton.ts";
import type { PatternNode } from "./syntax.ts";

type Assertion = "start" | "end" | "line_start" | "line_end" | "edge" | "no_edge";

type Instruction =
  | { readonly op: "set"; readonly set: number; readonly next: number }
  /** Both ways, the first one preferred. */
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "save"; readonly register: number; readonly next: number }
  | { readonly op: "assert"; readonly what: Assertion; readonly next: number }
  | { readonly op: "match" };

/** Start and end of the match, then of each group; −1 where a group took no part. */
export type Registers = readonly number[];

export type MatcherOptions = { readonly flags: string; readonly multiline: boolean; readonly groups: number };

export class Matcher {
  readonly groups: number;
  readonly #alphabet: Alphabet;
  readonly #multiline: boolean;
  readonly #program: Instruction[] = [{ op: "match" }];
  readonly #entry: number;
  /** Text that every match begins with. */
  readonly #prefix: string;

  constructor(tree: PatternNode, { flags, multiline, groups }: MatcherOptions) {
    this.groups = groups;
    this.#alphabet = new Alphabet(flags);
    this.#multiline = multiline;
    const end = this.#add({ op: "save", register: 1, next: 0 });
    this.#entry = this.#add({ op: "save", register: 0, next: this.#made(tree, end) });
    this.#prefix = flags.includes("i") ? "" : prefixOf(tree);
  }

  /** The leftmost match that begins at `from` or later, or null. */
  *find(text: string, from: number, pace: Pace): Task<Registers | null> {
    const effort = { spend: (amount: number): void => pace.note(amount) };
    let now = new Threads(this.#program.length);
    let next = new Threads(this.#program.length);
    let found: Registers | null = null;
    const blank: Registers = Array.from({ length: 2 * this.groups + 2 }, () => -1);
    for (let at = from; ; ) {
      if (found === null && now.isEmpty && this.#prefix !== "") {
        const begins = text.indexOf(this.#prefix, at);
        pace.note(((begins < 0 ? text.length : begins) - at) >> 4);
        if (begins < 0) return null;
        at = begins;
      }
      if (found === null) this.#follow(now, this.#entry, blank, text, at);
      else if (now.isEmpty) return found;
      const code = text.codePointAt(at);
      const kind = code === undefined ? -1 : this.#alphabet.kindOf(code, effort);
      const after = at + (code !== undefined && code > 0xffff ? 2 : 1);
      for (let thread = 0; thread < now.count; thread++) {
        const instruction = this.#program[now.places[thread] as number] as Instruction;
        const registers = now.registers[thread] as Registers;
        if (instruction.op === "match") {
          // Every way after this one is less preferred.
          found = registers;
          break;
        }
        if (instruction.op === "set" && kind >= 0 && this.#alphabet.has(instruction.set, kind)) {
          this.#follow(next, instruction.next, registers, text, after);
        }
      }
      pace.note(1 + now.seen);
      if (pace.isDue()) yield;
      [now, next] = [next, now];
      next.clear();
      if (at >= text.length) return found;
      at = after;
    }
  }

  /** Adds the places that are reached from `place` without a character, the preferred ones first. */
  #follow(threads: Threads, place: number, registers: Registers, text: string, at: number): void {
    const open: { readonly place: number; readonly registers: Registers }[] = [{ place, registers }];
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      if (!threads.see(top.place)) continue;
      const instruction = this.#program[top.place] as Instruction;
      switch (instruction.op) {
        case "split":
          open.push({ place: instruction.second, registers: top.registers });
          open.push({ place: instruction.first, registers: top.registers });
          break;
        case "save": {
          const saved = top.registers.slice();
          saved[instruction.register] = at;
          open.push({ place: instruction.next, registers: saved });
          break;
        }
        case "assert":
          if (holds(instruction.what, text, at)) open.push({ place: instruction.next, registers: top.registers });
          break;
        default:
          threads.add(top.place, top.registers);
      }
    }
  }

  #add(instruction: Instruction): number {
    return this.#program.push(instruction) - 1;
  }

  /** The place from which `node` leads to `next`. */
  #made(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "set":
        return this.#add({ op: "set", set: this.#alphabet.numberOf(node), next });
      case "assert":
        return this.#add({ op: "assert", what: this.#assertion(node), next });
      case "group": {
        const inner = this.#made(node.part, this.#add({ op: "save", register: 2 * node.number + 1, next }));
        return this.#add({ op: "save", register: 2 * node.number, next: inner });
      }
      case "choice": {
        const places = node.choices.map((one) => this.#made(one, next));
        return places.reduceRight((second, first) => this.#add({ op: "split", first, second }));
      }
      case "sequence":
        return node.parts.reduceRight((after, part) => this.#made(part, after), next);
      case "repeat":
        return this.#repeated(node, next);
      case "look":
        throw new Error("looks are refused before");
    }
  }

  #assertion({ what, not }: PatternNode & { readonly kind: "assert" }): Assertion {
    if (what === "word") return not ? "no_edge" : "edge";
    return this.#multiline ? `line_${what}` : what;
  }

  #repeated({ part, least, most, lazy }: PatternNode & { readonly kind: "repeat" }, next: number): number {
    const choose = (again: number): number =>
      this.#add(lazy ? { op: "split", first: next, second: again } : { op: "split", first: again, second: next });
    let entry = next;
    if (most === Infinity) {
      const loop: Instruction = { op: "split", first: next, second: next };
      entry = this.#add(loop);
      const again = this.#made(part, entry);
      if (lazy) loop.second = again;
      else loop.first = again;
    } else {
      for (let count = least; count < most; count++) entry = choose(this.#made(part, entry));
    }
    for (let count = 0; count < least; count++) entry = this.#made(part, entry);
    return entry;
  }
}

/** The ways that are followed at one place of a text, the preferred ones first. Each place of the program is among them once. */
class Threads {
  readonly places: number[] = [];
  readonly registers: Registers[] = [];
  count = 0;
  /** Places of the program that were looked at. */
  seen = 0;
  readonly #rounds: Uint32Array;
  #round = 1;

  constructor(size: number) {
    this.#rounds = new Uint32Array(size);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** False: the place was reached already. */
  see(place: number): boolean {
    if (this.#rounds[place] === this.#round) return false;
    this.#rounds[place] = this.#round;
    this.seen += 1;
    return true;
  }

  add(place: number, registers: Registers): void {
    this.places[this.count] = place;
    this.registers[this.count] = registers;
    this.count += 1;
  }

  clear(): void {
    this.count = 0;
    this.seen = 0;
    this.#round += 1;
    if (this.#round < 2 ** 32) return;
    this.#rounds.fill(0);
    this.#round = 1;
  }
}

function holds(what: Assertion, text: string, at: number): boolean {
  switch (what) {
    case "start":
      return at === 0;
    case "end":
      return at === text.length;
    case "line_start":
      return at === 0 || text.charAt(at - 1) === "\n";
    case "line_end":
      return at === text.length || text.charAt(at) === "\n";
    default:
      return (isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at))) === (what === "edge");
  }
}

/** Letters, digits and the low line of ASCII, as `\b` means it. `unit` is NaN outside of the text. */
function isWord(unit: number): boolean {
  return unit < 0x80 && /\w/.test(String.fromCharCode(unit));
}

const PLAIN = /^(?:[^\\.[\]]|\\[^\w\s])$/u;

/** The characters that an expression begins with, as far as they are certain. */
function prefixOf(tree: PatternNode): string {
  if (tree.kind === "group") return prefixOf(tree.part);
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  let prefix = "";
  for (const part of parts) {
    if (part.kind !== "set" || !PLAIN.test(part.set.source)) break;
    prefix += part.set.source.replace("\\", "");
  }
  return prefix;
}
