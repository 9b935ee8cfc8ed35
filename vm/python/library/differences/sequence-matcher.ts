/** `difflib.SequenceMatcher` as a value of programs. It remembers its results, as CPython's does, and gives the same lists again. */
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Calling, type Context, PyObject, PyType, type Slots, setType, type Value } from "../../object.ts";
import { identityKey, iterate, length, truth } from "../../operations.ts";
import { nameElements } from "../../types/named-tuple.ts";
import { elementsOf, keysOf } from "./elements.ts";
import { type Block, Chain, cutEnds, groupsOf, NO_CODES, type Opcode, opcodesOf } from "./matcher.ts";

class PyMatchingBlock extends PyTuple {}
nameElements(PyMatchingBlock, "difflib.Match", ["a", "b", "size"]);

export function matchOf([a, b, size]: Block, ctx: Context): PyTuple {
  ctx.alloc(Bytes.Object + 3 * Bytes.Element);
  return new PyMatchingBlock([a, b, size]);
}

export function opcodeOf(code: Opcode, ctx: Context): PyTuple {
  ctx.alloc(Bytes.Object + code.length * Bytes.Element);
  return new PyTuple(code);
}

/** A list that the program was given, and what it must still hold where it is read again. */
type Kept<T> = { readonly list: PyList; readonly items: Value[]; readonly parts: T[] };

function kept<T>(parts: T[], items: Value[], ctx: Context): Kept<T> {
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return { list: new PyList([...items]), items, parts };
}

function unchanged<T>({ list, items, parts }: Kept<T>): T[] {
  if (list.items.length !== items.length || items.some((item, at) => item !== list.items[at]))
    throw notExact("a list that a SequenceMatcher gave was changed; change a copy of it");
  return parts;
}

export class PySequenceMatcher extends PyObject {
  declare readonly type: PyType;
  readonly isJunk: Value;
  readonly #autoJunk: Value;
  a: Value = null;
  b: Value = null;
  #chain: Chain | null = null;
  #blocks: Kept<Block> | null = null;
  #codes: Kept<Opcode> | null = null;

  constructor(isJunk: Value, autoJunk: Value) {
    super();
    this.isJunk = isJunk;
    this.#autoJunk = autoJunk;
  }

  setFirst(a: Value): void {
    if (a === this.a) return;
    this.a = a;
    this.#blocks = null;
    this.#codes = null;
  }

  *setSecond(b: Value, ctx: Context): Calling<void> {
    if (b === this.b) {
      if (typeof b === "string" && truth(this.isJunk, ctx))
        throw notExact("isjunk is only asked again where the second text is not the same object as before");
      return;
    }
    this.b = b;
    this.#blocks = null;
    this.#codes = null;
    this.#chain = null;
    const elements = elementsOf(b, (value) => iterate(value, ctx));
    const chain = new Chain(keysOf(elements, ctx), ctx);
    if (truth(this.isJunk, ctx)) {
      for (const [key, [place = 0]] of [...chain.places]) {
        const element = elements[place] as Value;
        if (truth(yield { callee: this.isJunk, args: [element] }, ctx)) chain.drop(key);
      }
    }
    if (truth(this.#autoJunk, ctx)) chain.dropPopular();
    ctx.alloc(Bytes.Object + chain.keys.length * Bytes.Entry);
    this.#chain = chain;
  }

  /** The second sequence, which must not have changed since it was set. */
  chain(ctx: Context): Chain {
    const chain = this.#chain;
    if (chain === null) throw notExact("this SequenceMatcher has no second sequence that it could read");
    if (!(this.b instanceof PyList)) return chain;
    const keys = keysOf(this.b.items, ctx);
    if (keys.length !== chain.keys.length || keys.some((key, at) => key !== chain.keys[at]))
      throw notExact("the second sequence was changed after it was set; set it again with set_seq2");
    return chain;
  }

  /** Keys of the first sequence as it is now. */
  keys(ctx: Context, refuse: (value: Value) => unknown = (value) => length(value, ctx)) {
    return keysOf(elementsOf(this.a, refuse), ctx);
  }

  *blocks(ctx: Context): Calling<Kept<Block>> {
    if (this.#blocks === null) {
      if (this.a === null) this.chain(ctx);
      const keys = this.keys(ctx);
      const blocks = yield* this.chain(ctx).blocks(keys, ctx);
      this.#blocks = kept(
        [...blocks],
        blocks.map((block) => matchOf(block, ctx)),
        ctx,
      );
    }
    return this.#blocks;
  }

  *codes(ctx: Context): Calling<Kept<Opcode>> {
    if (this.#codes === null) {
      const codes = opcodesOf(unchanged(yield* this.blocks(ctx)));
      this.#codes = kept(
        codes,
        codes.map((code) => opcodeOf(code, ctx)),
        ctx,
      );
    }
    return this.#codes;
  }

  /** Cuts the first and the last one of the list that `get_opcodes` gives, as CPython does. */
  *groups(n: number, ctx: Context): Calling<Iterable<readonly Opcode[]>> {
    const codes = yield* this.codes(ctx);
    const parts = unchanged(codes);
    const cut = parts.length === 0 ? [...NO_CODES] : parts;
    cutEnds(cut, n);
    for (const at of parts.length === 0 ? [] : [0, parts.length - 1]) {
      codes.items[at] = opcodeOf(parts[at] as Opcode, ctx);
      codes.list.items[at] = codes.items[at] as Value;
    }
    return groupsOf(cut, n);
  }

  *ratio(ctx: Context): Calling<number> {
    const blocks = unchanged(yield* this.blocks(ctx));
    const matches = blocks.reduce((sum, [, , size]) => sum + size, 0);
    return this.chain(ctx).ratioOf(matches, length(this.a, ctx));
  }
}

const slots: Slots<PySequenceMatcher> = {
  key: identityKey,
  holds: (self) => [self.a, self.b, self.isJunk],
  attribute: (self, name) =>
    name === "a" ? self.a : name === "b" ? self.b : name === "isjunk" ? self.isJunk : undefined,
};
export const SEQUENCE_MATCHER_TYPE = setType(
  PySequenceMatcher,
  new PyType("SequenceMatcher", [], slots, "difflib.SequenceMatcher"),
);
