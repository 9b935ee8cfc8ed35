/** `ndiff` and `Differ`: lines that are alike are paired, and their differences marked below them. */
import { notExact } from "../../not-exact.ts";
import { Bytes, type Calling, type Context, type Key, type Value } from "../../object.ts";
import { iterate, length, text } from "../../operations.ts";
import { isSpace } from "../../unicode/sets.ts";
import { trimEnd } from "../../unicode/trim.ts";
import { type Elements, give } from "../modules/lazy.ts";
import { elementsOf, keysOf, Lines } from "./elements.ts";
import { Chain, opcodesOf, type Range, type Tag } from "./matcher.ts";

/** Whether an element is junk. */
type Junk = (element: Value) => boolean;

/** What ndiff passes over in lines by default. */
const isCharacterJunk: Junk = (character) => character === " " || character === "\t";

/** How often CPython calls a function of the program depends on which texts are the same object. */
function refuseJunk(value: Value): null {
  if (value === null) return null;
  throw notExact("linejunk and charjunk can only be None here");
}

function chainOf(elements: readonly Value[], junk: Junk | null, ctx: Context): Chain {
  const chain = new Chain(keysOf(elements, ctx), ctx);
  if (junk !== null) for (const [at, key] of chain.keys.entries()) if (junk(elements[at] as Value)) chain.drop(key);
  chain.dropPopular();
  return chain;
}

/** Both sequences as a new SequenceMatcher reads them. */
export function chained(a: Value, b: Value, ctx: Context): { chain: Chain; keys: readonly Key[] } {
  // Without a second sequence only lengths are asked for.
  const second = b === null ? null : elementsOf(b, (value) => iterate(value, ctx));
  const chain = chainOf(second ?? [], null, ctx);
  const first = elementsOf(a, (value) => length(value, ctx));
  if (second === null) length(b, ctx);
  return { chain, keys: keysOf(first, ctx) };
}

/** A line, and its characters as they are compared. */
type Characters = { readonly line: string; readonly keys: readonly Key[] };

function charactersOf(line: string, ctx: Context): Characters {
  ctx.charge(line.length);
  return { line, keys: [...line] };
}

/** Ranges of lines that remain to be compared, or a pair of lines that is shown between them. */
type Task = Range | { readonly i: number; readonly j: number; readonly isEqual: boolean };

class Differ {
  readonly #a: Lines;
  readonly #b: Lines;
  readonly #charJunk: Junk | null;
  readonly #ctx: Context;

  constructor(a: Lines, b: Lines, charJunk: Junk | null, ctx: Context) {
    this.#a = a;
    this.#b = b;
    this.#charJunk = charJunk;
    this.#ctx = ctx;
  }

  #given(line: string) {
    this.#ctx.alloc(line.length * Bytes.Unit);
    return give(line);
  }

  *dump(tag: "-" | "+" | " ", from: number, to: number): Elements {
    const lines = tag === "+" ? this.#b : this.#a;
    for (let at = from; at < to; at += 1) yield this.#given(`${tag} ${text(lines.at(at), this.#ctx)}`);
  }

  /** Lines that take the place of others. */
  *replaced(range: Range): Elements {
    const open: Task[] = [range];
    for (let task = open.pop(); task !== undefined; task = open.pop()) {
      if (!("length" in task)) {
        yield* this.#pair(task.i, task.j, task.isEqual);
        continue;
      }
      const [alo, ahi, blo, bhi] = task;
      if (alo >= ahi || blo >= bhi) {
        yield* this.dump("-", alo, ahi);
        yield* this.dump("+", blo, bhi);
        continue;
      }
      const pair = yield* this.#bestPair(task);
      if (pair !== null) open.push([pair.i + 1, ahi, pair.j + 1, bhi], pair, [alo, pair.i, blo, pair.j]);
      else if (bhi - blo < ahi - alo) {
        yield* this.dump("+", blo, bhi);
        yield* this.dump("-", alo, ahi);
      } else {
        yield* this.dump("-", alo, ahi);
        yield* this.dump("+", blo, bhi);
      }
    }
  }

  /** The two lines that are most alike and not equal, else the first equal ones. */
  *#bestPair([alo, ahi, blo, bhi]: Range): Calling<Exclude<Task, Range> | null> {
    const ctx = this.#ctx;
    const firsts: Characters[] = [];
    let [best, bestI, bestJ] = [LEAST_ALIKE, -1, -1];
    let equal: { readonly i: number; readonly j: number } | null = null;
    for (let j = blo; j < bhi; j += 1) {
      const second = charactersOf(this.#b.text(j), ctx);
      let chain: Chain | null = null;
      for (let i = alo; i < ahi; i += 1) {
        ctx.charge(1);
        const line = this.#a.text(i);
        if (line === second.line) {
          equal ??= { i, j };
          continue;
        }
        let first = firsts[i - alo];
        if (first?.line !== line) {
          first = charactersOf(line, ctx);
          firsts[i - alo] = first;
        }
        chain ??= chainOf([...second.line], this.#charJunk, ctx);
        if (chain.realQuickRatio(first.keys.length) <= best || chain.quickRatio(first.keys, ctx) <= best) continue;
        const ratio = yield* chain.ratio(first.keys, ctx);
        if (ratio > best) [best, bestI, bestJ] = [ratio, i, j];
      }
      yield null;
    }
    if (best >= ALIKE) return { i: bestI, j: bestJ, isEqual: false };
    return equal === null ? null : { ...equal, isEqual: true };
  }

  *#pair(i: number, j: number, isEqual: boolean): Elements {
    const [first, second] = [this.#a.text(i), this.#b.text(j)];
    if (isEqual) {
      yield this.#given(`  ${first}`);
      return;
    }
    const [a, b] = [charactersOf(first, this.#ctx), charactersOf(second, this.#ctx)];
    const codes = opcodesOf(yield* chainOf([...second], this.#charJunk, this.#ctx).blocks(a.keys, this.#ctx));
    let [tagsA, tagsB] = ["", ""];
    for (const [tag, i1, i2, j1, j2] of codes) {
      tagsA += SIGNS[tag].repeat(i2 - i1);
      tagsB += SIGNS[tag].repeat(j2 - j1);
    }
    yield this.#given(`- ${first}`);
    yield* this.#marks(a, tagsA);
    yield this.#given(`+ ${second}`);
    yield* this.#marks(b, tagsB);
  }

  *#marks({ keys }: Characters, tags: string): Elements {
    const marks = [...tags].map((tag, at) => {
      const character = String(keys[at]);
      return tag === " " && isSpace(character.codePointAt(0) as number) ? character : tag;
    });
    const shown = trimEnd(marks.join(""), isSpace);
    if (shown !== "") yield this.#given(`? ${shown}\n`);
  }
}

const SIGNS: Readonly<Record<Tag, string>> = { replace: "^", delete: "-", insert: "+", equal: " " };
/** Lines of this ratio are paired. */
const ALIKE = 0.75;
const LEAST_ALIKE = 0.74;

/** `Differ(linejunk, charjunk).compare(a, b)` */
export function* differences(a: Value, b: Value, lineJunk: Value, charJunk: Value | undefined, ctx: Context): Elements {
  refuseJunk(lineJunk);
  const ofCharacters = charJunk === undefined ? isCharacterJunk : refuseJunk(charJunk);
  const { chain, keys } = chained(a, b, ctx);
  const codes = opcodesOf(yield* chain.blocks(keys, ctx));
  const differ = new Differ(new Lines(a), new Lines(b), ofCharacters, ctx);
  for (const [tag, i1, i2, j1, j2] of codes) {
    if (tag === "replace") yield* differ.replaced([i1, i2, j1, j2]);
    else if (tag === "insert") yield* differ.dump("+", j1, j2);
    else yield* differ.dump(tag === "delete" ? "-" : " ", i1, i2);
  }
}
