/**
 * What is known about the value of a slot at one place of a program, without running it: the lattice of the translator. Knows nothing
 * of instructions.
 */
import type { Json } from "../../compiler/json.ts";

export const enum Kind {
  Unset = 0,
  Number = 1,
  Boolean = 2,
  Null = 3,
  /** A well-formed string whose exact size is known. */
  Text = 4,
  /** An object that only this slot holds, with its exact size. */
  Record = 5,
  /** A list that only this slot holds, with its exact size. */
  List = 6,
  /** Any value; it may be shared, so nothing changes it. */
  Value = 7,
  /** Any value, or unset. */
  Optional = 8,
}

/** Kinds whose size changes with the value and is kept next to it. */
export function isSized(kind: Kind): boolean {
  return kind === Kind.Text || kind === Kind.Record || kind === Kind.List;
}

/** Kinds of values that no other value can be part of. */
export function isScalar(kind: Kind): boolean {
  return kind === Kind.Number || kind === Kind.Boolean || kind === Kind.Null || kind === Kind.Text;
}

export function kindOf(value: Json): Kind {
  if (typeof value === "number") return Kind.Number;
  if (typeof value === "boolean") return Kind.Boolean;
  if (value === null) return Kind.Null;
  return typeof value === "string" && value.isWellFormed() ? Kind.Text : Kind.Value;
}

/** The kind of a slot where two ways through the program meet. */
export function joinKinds(a: Kind, b: Kind): Kind {
  if (a === b) return a;
  if (a === Kind.Unset || b === Kind.Unset || a === Kind.Optional || b === Kind.Optional) return Kind.Optional;
  return Kind.Value;
}

/** By the key's number: the slot whose value a member of a record has. */
type Members = Map<number, number>;

/** What is known about all slots at one place. */
export class SlotKinds {
  readonly kinds: Uint8Array;
  /** 1: the record or list of the slot holds nothing but scalars. */
  readonly flat: Uint8Array;
  /** By slot: members of its record that other slots hold too. */
  readonly #members: Map<number, Members>;

  constructor(kinds: Uint8Array, flat: Uint8Array, members: Map<number, Members> = new Map()) {
    this.kinds = kinds;
    this.flat = flat;
    this.#members = members;
  }

  copy(): SlotKinds {
    const members = new Map([...this.#members].map(([slot, known]) => [slot, new Map(known)]));
    return new SlotKinds(this.kinds.slice(), this.flat.slice(), members);
  }

  /** What is known where `other` arrives at the same place. */
  join(other: SlotKinds): void {
    for (let slot = 0; slot < this.kinds.length; slot++) {
      this.kinds[slot] = joinKinds(this.kinds[slot] as Kind, other.kinds[slot] as Kind);
      if (other.flat[slot] === 0) this.flat[slot] = 0;
    }
    for (const [slot, known] of this.#members)
      for (const [key, source] of known) if (other.member(slot, key) !== source) known.delete(key);
  }

  write(d: number, kind: Kind, isFlat: boolean): void {
    this.kinds[d] = kind;
    this.flat[d] = isFlat ? 1 : 0;
    this.#members.delete(d);
    for (const known of this.#members.values()) for (const [key, source] of known) if (source === d) known.delete(key);
  }

  /** The member `key` of the record in `d` has the value of the slot `source`. */
  noteMember(d: number, key: number, source: number): void {
    const known = this.#members.get(d);
    if (known === undefined) this.#members.set(d, new Map([[key, source]]));
    else known.set(key, source);
  }

  /** The slot with the value of a member; undefined: none is known. */
  member(slot: number, key: number): number | undefined {
    return this.#members.get(slot)?.get(key);
  }
}
