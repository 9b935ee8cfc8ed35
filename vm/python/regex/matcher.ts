/**
 * Finds matches in one pass over the text whatever the pattern is: all ways to match are followed at once, in the order in which CPython's engine would
 * try them, so that the first one that ends is the match that CPython finds. Positions are UTF-16 units.
 */
import { notExact } from "../not-exact.ts";
import { type Calling, type Context, finish } from "../object.ts";
import type { Instruction, LookProgram, Program } from "./program.ts";
import { isWord } from "./sets.ts";
import type { Assertion } from "./tree.ts";

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
  /** A pattern within another one: any match will do, or the preferred one is wanted. Its work is charged with that of the outer one. */
  readonly inner?: "any" | "preferred";
};

/** Work after which it is charged and others get a turn: a few milliseconds. */
const TURN = 16_384;

/** Work of all patterns within at one place. */
const MOST_LOOKED = 4 * TURN;

function tooFar() {
  return notExact("a look-ahead looks at too much of a text; match in two steps");
}

export class Matcher {
  readonly #program: Program;
  /** Sets by code point: a bit for each; patterns with more sets ask each time. */
  readonly #ascii = new Map<number, readonly boolean[]>();
  readonly #blank: Registers;
  readonly #lastGroup: number;
  /** A matcher for each pattern within the pattern. */
  readonly #looks: readonly Matcher[];
  /** Work of the last search, and of patterns within at the present place. */
  #spent = 0;
  #looked = 0;
  #now: Threads;
  #next: Threads;

  constructor(program: Program, groups: number) {
    this.#program = program;
    this.#lastGroup = 2 * groups + 2;
    this.#blank = Array.from({ length: program.registers }, () => -1);
    this.#looks = program.looks.map((look) => new Matcher(look.program, groups));
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
          // What was reached at the place before was only seen there.
          if (begins > at) now.clear();
          at = begins;
        }
      }
      if (found === null && (!isAnchored || at === from) && at <= end) {
        const registers = this.#blank.slice();
        registers[0] = at;
        this.#follow(now, entry, registers, search, at, ctx);
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
          if (search.inner === "any") {
            this.#spent = work;
            return found;
          }
          // Every way after this one is less preferred.
          break;
        }
        if (instruction.op === "set" && holding !== null && holding[instruction.set] === true)
          this.#follow(next, instruction.next, registers, search, after, ctx);
      }
      work += 1 + now.count + this.#looked;
      this.#looked = 0;
      if (work > TURN) {
        // What takes longer would come again at each place of the text, and it cannot wait.
        if (search.inner !== undefined) throw tooFar();
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
    this.#spent = work;
    if (search.inner === undefined) ctx.charge(work);
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
  #follow(threads: Threads, start: number, given: Registers, search: Search, at: number, ctx: Context): void {
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
        case "look": {
          const after = this.#look(instruction.look, registers, search, at, ctx);
          if (after !== null) open.push(instruction.next, after);
          break;
        }
        default:
          threads.add(place, registers);
      }
    }
  }

  /** What a way knows after a pattern within the pattern; null: it ends here. */
  #look(number: number, registers: Registers, search: Search, at: number, ctx: Context): Registers | null {
    const { isNegative, back, hasGroups } = this.#program.looks[number] as LookProgram;
    const from = back === null ? at : placeBefore(search.text, at, back);
    if (from < 0) return isNegative ? registers : null;
    const { text, end } = search;
    const inner = this.#looks[number] as Matcher;
    const found = finish(
      inner.find(
        {
          text,
          end,
          from,
          isAnchored: true,
          isWhole: false,
          mustAdvance: false,
          inner: hasGroups && !isNegative ? "preferred" : "any",
        },
        ctx,
      ),
    );
    this.#looked += 1 + inner.#spent;
    if (this.#looked > MOST_LOOKED) throw tooFar();
    if ((found === null) !== isNegative) return null;
    if (found === null || !hasGroups) return registers;
    return registers.map(
      (known, place) => (place > 1 && place <= this.#lastGroup && found[place] !== -1 ? found[place] : known) as number,
    );
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

/** The place `count` code points before; negative: the text begins later. */
function placeBefore(text: string, at: number, count: number): number {
  let place = at;
  for (let left = count; left > 0 && place >= 0; left -= 1)
    place -= place > 0 && pointBefore(text, place) > 0xffff ? 2 : 1;
  return place;
}

function pointBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit < 0xe000 ? (text.codePointAt(at - 2) as number) : unit;
}
