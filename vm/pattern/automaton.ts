/**
 * Patterns as automata, and texts as rows of numbers that automata read. An automaton looks at a character once, whatever the pattern is;
 * where it can be after a character is worked out when it is needed and kept for the next time, within a bound.
 */
import { membership, type PatternNode } from "./syntax.ts";

/** An assertion is a bit of the number of its place in a text. */
export const AT_START = 1;
export const AT_END = 2;
export const AT_WORD_EDGE = 4;
const FIRST_LOOK = 8;
export const MAX_LOOKS = 16;

/** Size limit of an automaton's cache, in numbers: a base and an amount per state; above it the cache is cleared. */
const LEAST_KEPT = 500;
const KEPT_FOR_STEP = 50;

/** What of the effort for one text is left. Throws when nothing is. */
export type Effort = { spend(amount: number): void };

type Step =
  | { readonly kind: "set"; readonly set: number; readonly next: number }
  | { readonly kind: "assert"; readonly bit: number; readonly not: boolean; readonly next: number }
  | { readonly kind: "either"; next: readonly number[] };

/** Steps an automaton may be in before a character, and what follows for each kind of place. */
type State = { readonly steps: Uint32Array; readonly at: Map<number, Reached> };
/** Sets that the next character may be of; `accepts`: the pattern has matched here. */
type Reached = { readonly accepts: boolean; readonly waiting: readonly number[]; readonly after: Map<number, State> };

/** Numbers of looks by their nodes, those inside of others first. */
export type Looks = ReadonlyMap<PatternNode, number>;

export function bitOfLook(number: number): number {
  return FIRST_LOOK << number;
}

/** Steps that the automaton of a pattern has; Infinity from a bound on. */
export function stepsOf(node: PatternNode, most: number): number {
  const sum = (parts: readonly PatternNode[]): number => {
    let all = 1;
    for (const part of parts) {
      all += stepsOf(part, most);
      if (all > most) return Infinity;
    }
    return all;
  };
  switch (node.kind) {
    case "set":
    case "assert":
      return 1;
    case "group":
      return stepsOf(node.part, most);
    case "look":
      // One to ask, and an automaton of its own.
      return 1 + stepsOf(node.part, most);
    case "sequence":
      return sum(node.parts);
    case "choice":
      return sum(node.choices);
    case "repeat": {
      // What is repeated no time at all may still hold looks.
      const times = node.most === Infinity ? node.least + 1 : Math.max(1, node.most);
      const all = times * (stepsOf(node.part, most) + 1);
      return all > most ? Infinity : all;
    }
  }
}

/** Characters whose kind is known; beyond it they are asked for anew. */
const MAX_CHARACTERS = 10_000;

/** Asking the engine whether a character is in a set takes as long as this many of our own moves. */
const EFFORT_OF_ASKING = 10;

/** The characters of one pattern, told apart by the sets that hold them. */
export class Alphabet {
  readonly #flags: string;
  readonly #sets: ((code: number) => boolean)[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #kinds: ReadonlySet<number>[] = [];
  readonly #kindOfSets = new Map<string, number>();
  readonly #kindOf = new Map<number, number>();

  /** `flags`: of the expression. */
  constructor(flags: string) {
    this.#flags = flags;
  }

  /** All sets are made known before the first character is asked for. */
  numberOf({ set }: PatternNode & { readonly kind: "set" }): number {
    const { source } = set;
    const known = this.#numbers.get(source);
    if (known !== undefined) return known;
    this.#numbers.set(source, this.#sets.length);
    return this.#sets.push(membership(set, this.#flags)) - 1;
  }

  /** A number, the same for all characters that no set tells apart. */
  kindOf(code: number, effort: Effort): number {
    const known = this.#kindOf.get(code);
    if (known !== undefined) return known;
    effort.spend(this.#sets.length * EFFORT_OF_ASKING);
    const holding = this.#sets.flatMap((has, number) => (has(code) ? number : []));
    const key = holding.join();
    const kind = this.#kindOfSets.get(key) ?? this.#kinds.push(new Set(holding)) - 1;
    this.#kindOfSets.set(key, kind);
    if (this.#kindOf.size >= MAX_CHARACTERS) this.#kindOf.clear();
    this.#kindOf.set(code, kind);
    return kind;
  }

  has(set: number, kind: number): boolean {
    return this.#kinds[kind]?.has(set) === true;
  }
}

/** `backwards`: it reads texts from their end. */
export type Direction = "forwards" | "backwards";

export class Automaton {
  readonly #alphabet: Alphabet;
  readonly #looks: Looks;
  readonly #direction: Direction;
  readonly #steps: (Step | null)[] = [null];
  readonly #entry: number;
  readonly #states = new Map<string, State>();
  #marks: Marks | undefined;
  #kept = 0;

  constructor(node: PatternNode, alphabet: Alphabet, looks: Looks, direction: Direction) {
    this.#alphabet = alphabet;
    this.#looks = looks;
    this.#direction = direction;
    this.#entry = this.#made(node, ACCEPTED);
  }

  /**
   * Reads the text and reports the places at which a match ends that began anywhere before; `found` returns whether to continue. `places` are the bits
   * of the places between characters, one more than there are characters.
   */
  read(kinds: Uint32Array, places: Uint32Array, effort: Effort, found: (place: number) => boolean): void {
    const forwards = this.#direction === "forwards";
    let state = this.#stateOf(Uint32Array.of(this.#entry));
    for (let count = 0; count <= kinds.length; count++) {
      const place = forwards ? count : kinds.length - count;
      const reached = this.#reached(state, places[place] ?? 0, effort);
      if (reached.accepts && !found(place)) return;
      if (count === kinds.length) return;
      const kind = kinds[forwards ? place : place - 1] ?? 0;
      effort.spend(1);
      state = reached.after.get(kind) ?? this.#after(reached, kind, effort);
    }
  }

  /** The number of the step from which `node` leads to `next`. */
  #made(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "set":
        return this.#step({ kind: "set", set: this.#alphabet.numberOf(node), next });
      case "assert":
        return this.#step({ kind: "assert", bit: BITS[node.what], not: node.not, next });
      case "look":
        return this.#step({ kind: "assert", bit: bitOfLook(this.#looks.get(node) ?? 0), not: node.not, next });
      case "choice":
        return this.#step({ kind: "either", next: node.choices.map((one) => this.#made(one, next)) });
      case "sequence": {
        // Made from the last that is read to the first.
        const parts = this.#direction === "forwards" ? [...node.parts].reverse() : node.parts;
        return parts.reduce((after, part) => this.#made(part, after), next);
      }
      case "group":
        return this.#made(node.part, next);
      case "repeat":
        return this.#repeated(node, next);
    }
  }

  #repeated({ part, least, most }: PatternNode & { readonly kind: "repeat" }, next: number): number {
    let entry = next;
    if (most === Infinity) {
      const again: Step = { kind: "either", next: [] };
      entry = this.#step(again);
      again.next = [this.#made(part, entry), next];
    } else {
      for (let count = least; count < most; count++) {
        entry = this.#step({ kind: "either", next: [this.#made(part, entry), next] });
      }
    }
    for (let count = 0; count < least; count++) entry = this.#made(part, entry);
    return entry;
  }

  #step(step: Step): number {
    return this.#steps.push(step) - 1;
  }

  #stateOf(steps: Uint32Array): State {
    const key = steps.join();
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    this.#keep(steps.length + 1);
    const state: State = { steps, at: new Map() };
    this.#states.set(key, state);
    return state;
  }

  /** Counts what is about to be kept; makes room for it by forgetting all the rest. */
  #keep(numbers: number): void {
    this.#kept += numbers;
    if (this.#kept <= LEAST_KEPT + this.#steps.length * KEPT_FOR_STEP) return;
    for (const { at } of this.#states.values()) at.clear();
    this.#states.clear();
    this.#kept = numbers;
  }

  /** All steps that need no character are taken. */
  #reached(state: State, place: number, effort: Effort): Reached {
    const known = state.at.get(place);
    if (known !== undefined) return known;
    const seen = this.#nobodySeen();
    const open: number[] = [];
    const waiting: number[] = [];
    let taken = 0;
    const take = (number: number): void => {
      if (seen.has(number)) return;
      seen.add(number);
      taken += 1;
      open.push(number);
    };
    for (const number of state.steps) take(number);
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      const step = this.#steps[number];
      if (step === null || step === undefined) continue;
      if (step.kind === "set") waiting.push(number);
      else if (step.kind === "either") for (const next of step.next) take(next);
      else if (((place & step.bit) !== 0) !== step.not) take(step.next);
    }
    effort.spend(taken);
    this.#keep(waiting.length + 1);
    const reached: Reached = { accepts: seen.has(ACCEPTED), waiting, after: new Map() };
    state.at.set(place, reached);
    return reached;
  }

  /** A match may begin at any place, so the entry is always among the steps. */
  #after(reached: Reached, kind: number, effort: Effort): State {
    const seen = this.#nobodySeen();
    const steps = [this.#entry];
    seen.add(this.#entry);
    for (const number of reached.waiting) {
      const step = this.#steps[number];
      if (step?.kind !== "set" || seen.has(step.next) || !this.#alphabet.has(step.set, kind)) continue;
      seen.add(step.next);
      steps.push(step.next);
    }
    effort.spend(reached.waiting.length + steps.length);
    const state = this.#stateOf(Uint32Array.from(steps).sort());
    reached.after.set(kind, state);
    return state;
  }

  #nobodySeen(): Marks {
    this.#marks ??= new Marks(this.#steps.length);
    this.#marks.clear();
    return this.#marks;
  }
}

/** A set of small numbers that is emptied at no cost. */
class Marks {
  readonly #rounds: Uint32Array;
  #round = 0;

  constructor(size: number) {
    this.#rounds = new Uint32Array(size);
  }

  clear(): void {
    this.#round += 1;
    if (this.#round < 2 ** 32) return;
    this.#rounds.fill(0);
    this.#round = 1;
  }

  has(number: number): boolean {
    return this.#rounds[number] === this.#round;
  }

  add(number: number): void {
    this.#rounds[number] = this.#round;
  }
}

/** The step at which a match is complete. */
const ACCEPTED = 0;
const BITS = { start: AT_START, end: AT_END, word: AT_WORD_EDGE } as const;
