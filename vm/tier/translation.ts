/**
 * A plan that is being made: its steps so far, and what is known of the slots at the place where the next one comes. Knows no
 * instructions.
 */
import type { Aux, Program, VariantTables } from "../../compiler/bytecode/program.ts";
import type { Json } from "../../compiler/json.ts";
import { Booked } from "../memory/accounting.ts";
import { textBytes, unsetSize } from "../values/json-size.ts";
import { isScalar, Kind, kindOf, SlotKinds } from "./kinds.ts";
import type { Native, Operand, Plan, PlanInput, PlanStep } from "./plan.ts";

/** Written where a member had a known value before. */
const UNKNOWN = -1;

export class Translation {
  readonly program: Program;
  readonly tables: VariantTables;
  readonly variables: number;
  readonly natives: Native[] = [];
  readonly #steps: PlanStep[] = [];
  readonly #keys: string[] = [];
  readonly #keyIndex = new Map<string, number>();
  readonly #arrivals = new Map<number, SlotKinds>();
  readonly #written = new Set<number>();
  readonly #inputs: PlanInput[] = [];
  readonly #slots: number;
  #fixedBytes = 1;
  /** null: no way leads here. */
  #at: SlotKinds | null;

  constructor(program: Program, tables: VariantTables, kinds: Uint8Array, slots: number) {
    this.program = program;
    this.tables = tables;
    this.variables = program.names.length;
    this.#slots = slots;
    this.#at = new SlotKinds(new Uint8Array(slots), new Uint8Array(slots));
    for (let slot = 0; slot < this.variables; slot++) {
      const kind = kinds[slot] as Kind;
      if (kind === Kind.Unset) continue;
      this.#inputs.push({ slot, kind, key: this.key(program.names[slot] as string) });
      this.write(slot, kind);
    }
  }

  /** The plan of all steps so far. `charge`: of the first block. */
  finish(charge: number): Plan {
    let fixedBytes = this.#fixedBytes;
    for (const slot of this.#written) fixedBytes -= unsetSize(this.program.names[slot] as string);
    return {
      steps: this.#steps,
      charge,
      inputs: this.#inputs,
      variables: this.variables,
      constants: this.tables.constants,
      slots: this.#slots,
      keys: this.#keys,
      keyBytes: this.#keys.map((key) => textBytes(key)),
      natives: this.natives,
      // Also the empty frame has two.
      fixedBytes: Math.max(2, fixedBytes),
    };
  }

  /** Whether the run can get here, and end. */
  get isReached(): boolean {
    return this.#at !== null;
  }

  get endsSomewhere(): boolean {
    return this.#steps.some(({ op }) => op === "end");
  }

  /** Begins the place `pc`, where jumps may lead to. */
  land(pc: number): void {
    const arrived = this.#arrivals.get(pc);
    if (arrived === undefined) return;
    if (this.#at !== null) arrived.join(this.#at);
    this.#at = arrived;
    this.add({ op: "land", at: pc });
  }

  get #here(): SlotKinds {
    if (this.#at === null) throw new Error("no way leads here");
    return this.#at;
  }

  add(step: PlanStep): void {
    this.#steps.push(step);
  }

  /** What follows is not reached from here. */
  stop(step: PlanStep): void {
    this.add(step);
    this.#at = null;
  }

  /** A jump to `pc`. */
  arrive(pc: number): void {
    const there = this.#arrivals.get(pc);
    if (there === undefined) this.#arrivals.set(pc, this.#here.copy());
    else there.join(this.#here);
  }

  word(at: number): number {
    return this.tables.code[at] as number;
  }

  /** The entry that a word names. */
  aux(at: number): Aux | undefined {
    return this.tables.aux[this.word(at)];
  }

  isConstant(slot: number): boolean {
    return slot >= this.variables && slot < this.variables + this.tables.constants.length;
  }

  /** The constant of a slot; undefined: it is another slot. */
  constant(slot: number): Json | undefined {
    return this.isConstant(slot) ? this.tables.constants[slot - this.variables] : undefined;
  }

  kind(slot: number): Kind {
    const constant = this.constant(slot);
    return constant === undefined ? (this.#here.kinds[slot] as Kind) : kindOf(constant);
  }

  isFlat(slot: number): boolean {
    return this.#here.flat[slot] === 1;
  }

  /** The operand at a word. */
  operand(at: number): Operand {
    const slot = this.word(at);
    const kind = this.kind(slot);
    const unset = this.tables.unset_at[at] as number;
    if (kind === Kind.Unset) return { slot: unset, kind: this.kind(unset), otherwise: -1 };
    if (kind === Kind.Optional) return { slot, kind: Kind.Value, otherwise: unset };
    return { slot, kind, otherwise: -1 };
  }

  /** `count` operands from a word on. */
  operands(at: number, count: number): Operand[] {
    return Array.from({ length: count }, (_, index) => this.operand(at + index));
  }

  /** Another place holds the value too: nothing changes it from now on. */
  share({ slot, kind }: Operand): void {
    if (kind === Kind.Record || kind === Kind.List) this.#here.kinds[slot] = Kind.Value;
  }

  /** The slot holds a number after a step that leaves otherwise. */
  narrow({ slot, kind, otherwise }: Operand): void {
    if (kind === Kind.Value && otherwise < 0 && !this.isConstant(slot)) this.#here.kinds[slot] = Kind.Number;
  }

  write(d: number, kind: Kind, isFlat = false): void {
    this.#here.write(d, kind, isFlat);
    if (d >= this.variables) return;
    this.#written.add(d);
    if (kind === Kind.Number) this.#fixedBytes += Booked.Number;
    if (kind === Kind.Boolean) this.#fixedBytes += Booked.Boolean;
    if (kind === Kind.Null) this.#fixedBytes += 4;
  }

  /** The value becomes part of the container in `d`, as the member `key` of a record. */
  capture(d: number, value: Operand, key: number | null): void {
    this.share(value);
    if (!isScalar(value.kind)) this.#here.flat[d] = 0;
    if (key !== null) this.#here.noteMember(d, key, isScalar(value.kind) ? value.slot : UNKNOWN);
  }

  /** A slot that has the value of a member, as an operand; null: none is known. */
  member({ slot, otherwise }: Operand, key: number): Operand | null {
    const source = otherwise < 0 ? this.#here.member(slot, key) : undefined;
    if (source === undefined || source === UNKNOWN) return null;
    return { slot: source, kind: this.kind(source), otherwise: -1 };
  }

  native(native: Native): number {
    return this.natives.push(native) - 1;
  }

  /** Calls a native with values that it may keep. */
  call(d: number, native: Native, operands: readonly Operand[], kind = Kind.Value): void {
    for (const operand of operands) this.share(operand);
    this.add({ op: "call", d, kind, native: this.native(native), operands });
    this.write(d, kind);
  }

  key(text: string): number {
    const known = this.#keyIndex.get(text);
    if (known !== undefined) return known;
    const index = this.#keys.push(text) - 1;
    this.#keyIndex.set(text, index);
    return index;
  }

  /** The variables that are or may be set here. */
  setVariables() {
    const { kinds } = this.#here;
    return this.program.names.flatMap((name, slot) => {
      const kind = kinds[slot] as Kind;
      return kind === Kind.Unset ? [] : [{ slot, kind, keyBytes: -unsetSize(name) }];
    });
  }
}
