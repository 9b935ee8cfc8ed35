/**
 * Finds matches in one pass over the text whatever the pattern is: all ways to match are followed at once, in the order in which CPython's engine would
 * try them, so that the first one that ends is the match that CPython finds. Positions are UTF-16 units.
 */
import type { Calling, Context } from "../object.ts";
import type { Assertion } from "./parse.ts";
import type { Instruction, Program } from "./program.ts";
import { isWord } from "./sets.ts";

/** Start and end of the match, then of each group, the number of the last group closed; −1 where a group took no part. */
export type Registers = readonly number[];

export type Search = {
  readonly text: string;
  /** The text ends here. */
  readonly end: number;
  readonly from: number;
  /** A match begins at `from` only. */
  readonly isAnchored: boolean;
  /** A match ends at `end` only. */
  readonly isWhole: boolean;
  /** A match at `from` is not empty. */
  readonly mustAdvance: boolean;
};

/** Work after which it is charged and others get a turn: a few milliseconds. */
const TURN = 16_384;

export class Matcher {
  readonly #program: Program;
  /** Sets by code point: a bit for each; patterns with more sets ask each time. */
  readonly #ascii = new Map<number, readonly boolean[]>();
  readonly #blank: Registers;
  readonly #lastGroup: number;
  #now: Threads;
  #next: Threads;

  constructor(program: Program, groups: number) {
    this.#program = program;
    this.#lastGroup = 2 * groups + 2;
    this.#blank = Array.from({ length: program.registers }, () => -1);
    this.#now = new Threads(program);
    this.#next = new Threads(program);
  }

  /** The first match; null: none. */
  *find(search: Search, ctx: Context): Calling<Registers | null> {
    const { text, end, from, isAnchored, isWhole, mustAdvance } = search;
    const { code, entry, prefix, firstSets } = this.#program;
    let [now, next] = [this.#now, this.#next];
    now.clear();
    next.clear();
    let found: Registers | null = null;
    let work = 0;
    let isShared = true;
    for (let at = from; ; ) {
      if (now.count === 0) {
        if (found !== null || (isAnchored && at > from)) break;
        if (!isAnchored) {
          const begins = this.#skip(text, at, end, prefix, firstSets);
          work += prefix === "" ? begins - at : (begins - at) >> 3;
          at = begins;
        }
      }
      if (found === null && (!isAnchored || at === from) && at <= end) {
        const registers = this.#blank.slice();
        registers[0] = at;
        this.#follow(now, entry, registers, search, at);
      }
      const point = at < end ? (text.codePointAt(at) as number) : -1;
      const after = at + (point > 0xffff ? 2 : 1);
      const holding = point < 0 ? null : this.#setsOf(point);
      for (let thread = 0; thread < now.count; thread++) {
        const instruction = code[now.places[thread] as number] as Instruction;
        const registers = now.registers[thread] as Registers;
        if (instruction.op === "match") {
          if (isWhole && at !== end) continue;
          if (mustAdvance && at === from) continue;
          found = withEnd(registers, at);
          // Every way after this one is less preferred.
          break;
        }
        if (instruction.op === "set" && holding !== null && holding[instruction.set] === true)
          this.#follow(next, instruction.next, registers, search, after);
      }
      work += 1 + now.count;
      if (work > TURN) {
        ctx.charge(work);
        work = 0;
        // In its turn another run may search with the same pattern.
        if (isShared) [this.#now, this.#next] = [new Threads(this.#program), new Threads(this.#program)];
        isShared = false;
        yield null;
      }
      now.clear();
      [now, next] = [next, now];
      if (at >= end) break;
      at = after;
    }
    ctx.charge(work);
    return found;
  }

  /** The next place at which a match may begin, or one before it; `end` if it is not there. */
  #skip(text: string, at: number, end: number, prefix: string, firstSets: readonly number[] | null): number {
    if (prefix !== "") {
      const begins = text.indexOf(prefix, at);
      return begins < 0 || begins > end ? end : begins;
    }
    if (firstSets === null) return at;
    let place = at;
    const enough = Math.min(end, at + TURN);
    while (place < enough) {
      const point = text.codePointAt(place) as number;
      const holding = this.#setsOf(point);
      if (firstSets.some((set) => holding[set] === true)) break;
      place += point > 0xffff ? 2 : 1;
    }
    return place;
  }

  #setsOf(point: number): readonly boolean[] {
    let holding = this.#ascii.get(point);
    if (holding === undefined) {
      holding = this.#program.sets.map((has) => has(point));
      if (this.#ascii.size > 2_000) this.#ascii.clear();
      this.#ascii.set(point, holding);
    }
    return holding;
  }

  /** Adds the places that are reached from `place` without a character, the preferred ones first. */
  #follow(threads: Threads, start: number, given: Registers, search: Search, at: number): void {
    const { code } = this.#program;
    const open: (number | Registers)[] = [start, given];
    while (open.length > 0) {
      const registers = open.pop() as Registers;
      const place = open.pop() as number;
      if (!threads.see(place, registers, at)) continue;
      const instruction = code[place] as Instruction;
      switch (instruction.op) {
        case "split":
          open.push(instruction.second, registers, instruction.first, registers);
          break;
        case "save": {
          const changed = registers.slice();
          const { register } = instruction;
          changed[register] = at;
          if (register & 1) changed[this.#lastGroup] = register >> 1;
          open.push(instruction.next, changed);
          break;
        }
        case "mark": {
          const changed = registers.slice();
          changed[instruction.register] = at;
          open.push(instruction.next, changed);
          break;
        }
        case "check":
          open.push(registers[instruction.register] === at ? instruction.still : instruction.moved, registers);
          break;
        case "assert":
          if (holds(instruction.what, instruction.isAscii, search, at)) open.push(instruction.next, registers);
          break;
        default:
          threads.add(place, registers);
      }
    }
  }
}

function withEnd(registers: Registers, at: number): Registers {
  const ended = registers.slice();
  ended[1] = at;
  return ended;
}

/** The ways that are followed at one place of a text, the preferred ones first. */
class Threads {
  readonly places: number[] = [];
  readonly registers: Registers[] = [];
  count = 0;
  readonly #program: Program;
  /** A place is reached once for each number of iterations around it that have not moved yet: they may end in different ways. */
  readonly #levels: number;
  readonly #rounds: Uint32Array;
  readonly #added: Uint32Array;
  #round = 1;

  constructor(program: Program) {
    this.#program = program;
    this.#levels = 1 + Math.max(0, ...program.marksAround.map((marks) => marks.length));
    this.#rounds = new Uint32Array(program.code.length * this.#levels);
    this.#added = new Uint32Array(program.code.length);
  }

  /** False: the place was reached already. */
  see(place: number, registers: Registers, at: number): boolean {
    let level = 0;
    if (this.#levels > 1)
      for (const mark of this.#program.marksAround[place] as readonly number[]) if (registers[mark] === at) level += 1;
    const index = place * this.#levels + level;
    if (this.#rounds[index] === this.#round) return false;
    this.#rounds[index] = this.#round;
    return true;
  }

  add(place: number, registers: Registers): void {
    if (this.#added[place] === this.#round) return;
    this.#added[place] = this.#round;
    this.places[this.count] = place;
    this.registers[this.count] = registers;
    this.count += 1;
  }

  clear(): void {
    this.count = 0;
    this.#round += 1;
    if (this.#round < 2 ** 32) return;
    this.#rounds.fill(0);
    this.#added.fill(0);
    this.#round = 1;
  }
}

function holds(what: Assertion, isAscii: boolean, { text, end }: Search, at: number): boolean {
  switch (what) {
    case "start":
      return at === 0;
    case "line_start":
      return at === 0 || text.charCodeAt(at - 1) === 10;
    case "end":
      return at === end;
    case "last_line_end":
      return at === end || (at === end - 1 && text.charCodeAt(at) === 10);
    case "line_end":
      return at === end || text.charCodeAt(at) === 10;
    default: {
      // CPython finds no edge at all in an empty text.
      if (end === 0) return false;
      const before = at > 0 && isWord(pointBefore(text, at), isAscii);
      const after = at < end && isWord(text.codePointAt(at) as number, isAscii);
      return (before !== after) === (what === "edge");
    }
  }
}

function pointBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit < 0xe000 ? (text.codePointAt(at - 2) as number) : unit;
}
