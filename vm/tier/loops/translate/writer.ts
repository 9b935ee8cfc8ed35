/**
 * What the instructions of one routine are written with: the values of operands, writes of destinations, charges and ways out, each with
 * what it does to the state. The same calls serve the analysis, which only looks at the states, and the emission.
 */
import type { Json } from "../../../../compiler/json.ts";
import { Booked, Mark } from "../../../memory/accounting.ts";
import { Exit, exitCode, Word } from "../exchange.ts";
import type { Places } from "./places.ts";
import { RoutineText } from "./routine-text.ts";
import { Held, heldAs, heldConstant, isNewer, join, type State, settle, settled, written } from "./states.ts";

/** What was seen where a program is built. */
export type Observed = {
  /** Of a slot: Number where it held one. */
  readonly kinds: Uint8Array;
  /** Of a slot: Number where it held a list that begins with one. */
  readonly elements: Uint8Array;
  /** pcs whose instructions left too often: they are done by natives. */
  readonly generic: ReadonlySet<number>;
  /** In tests: the text asks at every instruction whether it leaves. */
  readonly mayLeave: boolean;
};

/** What is known of the whole program while it is looked at. */
export type Flow = {
  /** By pc of a label: the state there; undefined: no way leads there. */
  readonly states: (State | undefined)[];
  /** By routine: the state where it returns. */
  readonly returned: (State | undefined)[];
  changed: boolean;
};

/** Booked sizes were made exact since generated code was entered. */
export const RESOLVED = `m.resolves!==X[${Word.Resolves}]`;

/** What the text of a program names: constants by slot, natives by opcode, keys by index. */
export type Named = { readonly constants: Set<number>; readonly natives: Set<number>; readonly keys: string[] };

export class Writer {
  readonly places: Places;
  readonly observed: Observed;
  readonly flow: Flow;
  readonly routine: number;
  readonly text: RoutineText;
  readonly variables: number;
  readonly slots: number;
  readonly #firstTemporary: number;
  readonly #named: Named;

  constructor(places: Places, observed: Observed, flow: Flow, routine: number, named: Named) {
    const { scan } = places;
    this.places = places;
    this.observed = observed;
    this.flow = flow;
    this.routine = routine;
    this.text = new RoutineText(routine, !(places.calls[routine] as boolean));
    this.variables = scan.variables;
    this.slots = scan.slots;
    this.#firstTemporary = scan.firstTemporary;
    this.#named = named;
  }

  put(text: string): void {
    this.text.put(text);
  }

  // Operands

  isTemporary(slot: number): boolean {
    return slot >= this.#firstTemporary;
  }

  isConstant(slot: number): boolean {
    return slot >= this.variables && slot < this.#firstTemporary;
  }

  /** Of a slot that is one. */
  constant(slot: number): Json {
    return this.places.tables.constants[slot - this.variables] as Json;
  }

  constantName(slot: number): string {
    this.#named.constants.add(slot);
    return `c${slot}`;
  }

  /** A name for a key of an object. */
  key(key: string): string {
    const { keys } = this.#named;
    const at = keys.indexOf(key);
    if (at < 0) keys.push(key);
    return `k${at < 0 ? keys.length - 1 : at}`;
  }

  held(state: State, slot: number): Held {
    return this.isConstant(slot) ? heldConstant(this.constant(slot)) : heldAs(state, slot);
  }

  /** An expression for the value of a slot; `undefined` where an unset variable is. */
  value(state: State, slot: number): string {
    if (this.isConstant(slot)) return this.constantName(slot);
    switch (heldAs(state, slot)) {
      case Held.Number:
        return this.text.number(slot);
      case Held.Boolean:
        return this.text.boolean(slot);
      case Held.Value:
        return this.text.value(slot);
      default:
        return `V[${slot}]`;
    }
  }

  /** The same as it is stored in the machine. */
  stored(state: State, slot: number): string {
    const value = this.value(state, slot);
    return this.held(state, slot) === Held.Number && !this.isConstant(slot) ? `canonical(${value})` : value;
  }

  /** A name for the value of a slot, which is set; leaves where it is not. */
  setValue(state: State, slot: number, pc: number): string {
    const value = this.value(state, slot);
    if (this.isConstant(slot) || this.held(state, slot) !== Held.Memory) return value;
    const name = this.text.name();
    this.put(`const ${name}=${value};`);
    if (!this.isTemporary(slot)) this.put(`if(${name}===undefined)${this.side(state, pc)}`);
    return name;
  }

  /** An expression for the number in a slot; leaves where it is something else. Null: it never is a number. */
  number(state: State, slot: number, pc: number): string | null {
    const held = this.held(state, slot);
    const value = this.value(state, slot);
    if (held === Held.Number) return value;
    if (held === Held.Boolean || this.isConstant(slot) || this.observed.generic.has(pc)) return null;
    const name = held === Held.Value ? value : this.text.name();
    if (held === Held.Memory) this.put(`const ${name}=${value};`);
    this.put(`if(!isNumber(${name}))${this.side(state, pc)}`);
    return name;
  }

  /** An expression for the truth of a slot. */
  truth(state: State, slot: number, pc: number): string {
    const held = this.held(state, slot);
    if (this.isConstant(slot) && held !== Held.Memory) return this.constant(slot) ? "true" : "false";
    if (held === Held.Number) return `(${this.value(state, slot)}!==0)`;
    if (held === Held.Boolean) return this.value(state, slot);
    const name = this.setValue(state, slot, pc);
    return `(${name}===true||${name}!==false&&truthy(${name}))`;
  }

  // Destinations

  /** `done`: the way out after the write, where it made sizes exact. */
  writeNumber(state: State, d: number, value: string, pc: number, done: Done): void {
    const number = this.text.number(d);
    const isHeld = heldAs(state, d) === Held.Number;
    this.put(`${number}=${value};`);
    if (isHeld || this.isTemporary(d)) written(state, d, Held.Number);
    else this.#book(state, d, { value: `canonical(${number})`, size: Booked.Number, held: Held.Number }, pc, done);
  }

  writeBoolean(state: State, d: number, value: string, pc: number, done: Done): void {
    const name = this.text.name();
    this.put(`const ${name}=${value};`);
    if (heldAs(state, d) === Held.Boolean || this.isTemporary(d)) this.#keepBoolean(state, d, name);
    else this.#book(state, d, { value: name, size: Booked.Boolean, held: Held.Boolean }, pc, done);
    if (this.text.isLeaf && !isNewer(state, d)) this.put(`${this.text.boolean(d)}=${name};`);
  }

  #keepBoolean(state: State, d: number, value: string): void {
    if (this.text.isLeaf) {
      this.put(`${this.text.boolean(d)}=${value};`);
      written(state, d, Held.Boolean);
      return;
    }
    this.put(`V[${d}]=${value};${this.isTemporary(d) ? `SZ[${d}]=${Booked.Boolean};` : ""}`);
    settle(state, d, Held.Boolean);
  }

  /** Books a scalar for a variable that the machine may have booked something else for. */
  #book(state: State, d: number, { value, size, held }: Scalar, pc: number, done: Done): void {
    const before = state.slice();
    this.put(`if(SZ[${d}]===${size})V[${d}]=${value};else{`);
    this.beforeNative(before, pc);
    this.put(`book(m,${d},${value},${size});`);
    settle(before, d, Held.Memory);
    this.put(`if(${RESOLVED})${done(before)}}`);
    settle(state, d, held);
  }

  /** Leaves unless `d` is a variable of that size, or a temporary: for instructions that do more than one thing. */
  expectBooked(state: State, d: number, held: Held.Number | Held.Boolean, pc: number): void {
    if (this.isTemporary(d) || heldAs(state, d) === held) return;
    const size = held === Held.Number ? Booked.Number : Booked.Boolean;
    // What a register holds of another kind is booked as such.
    if (heldAs(state, d) !== Held.Memory) this.settleAll(state);
    this.put(`if(SZ[${d}]!==${size})${this.side(state, pc)}`);
    settle(state, d, held);
  }

  /** Writes a value of any kind, by name; leaves where its size is not known. It has no other slot that owns it. */
  writeValue(state: State, d: number, name: string, pc: number, done: Done): void {
    if (this.isTemporary(d)) {
      this.put(`if(knownSize(${name})<0)${this.side(state, pc)}${this.text.value(d)}=${name};`);
      written(state, d, Held.Value);
      return;
    }
    if (this.observed.kinds[d] === Held.Number && !this.observed.generic.has(pc)) {
      this.put(`if(!isNumber(${name}))${this.side(state, pc)}`);
      this.writeNumber(state, d, name, pc, done);
      return;
    }
    this.storeValue(state, d, name, `knownSize(${name})`, pc);
    this.put(`OWN[${d}]=${Mark.None};`);
  }

  /** Stores a value of a size; leaves where the size is negative or does not fit. What is booked for `d` is what the machine says. */
  storeValue(state: State, d: number, value: string, size: string, pc: number): void {
    const [own, total] = [this.text.name(), this.text.name()];
    this.put(`const ${own}=${size};if(${own}<0)${this.side(state, pc)}`);
    if (!this.isTemporary(d)) {
      this.put(`const ${total}=m.frameBytes+${own}-SZ[${d}];if(${total}>m.frameLimit)${this.side(state, pc)}`);
      this.put(`m.frameBytes=${total};`);
    }
    this.put(`SZ[${d}]=${own};V[${d}]=${value};`);
    settle(state, d, Held.Memory);
  }

  // Ways out

  /** Writes registers that are newer than the machine, of the slots from `from` to before `to`. */
  #leaving(state: State, from = 0, to = this.slots): string {
    let text = "";
    for (let slot = from; slot < to; slot++) {
      if (!isNewer(state, slot)) continue;
      const held = heldAs(state, slot);
      text += `V[${slot}]=${this.stored(state, slot)};`;
      if (!this.isTemporary(slot)) continue;
      if (held === Held.Number) text += `SZ[${slot}]=${Booked.Number};`;
      else if (held === Held.Boolean) text += `SZ[${slot}]=${Booked.Boolean};`;
      else text += `SZ[${slot}]=knownSize(v${slot});OWN[${slot}]=${Mark.None};`;
    }
    return text;
  }

  #positions(pc: number): string {
    return this.places
      .registersAt(pc)
      .map((one) => `P[first+${one}]=${this.text.loop(one).at};`)
      .join("");
  }

  exit(state: State, pc: number, reason: Exit): string {
    return this.text.exit(this.#leaving(state) + this.#positions(pc), exitCode(reason, pc));
  }

  /** In front of the instruction at `pc`, of which nothing was done. */
  side(state: State, pc: number): string {
    return this.exit(state, pc, Exit.Side);
  }

  /** After an instruction, in front of the one at `next`. */
  after(next: number): Done {
    return (state) => this.exit(state, next, Exit.After);
  }

  /** In front of the block at `next`, of `steps`, which is not charged yet. */
  ahead(next: number, steps: number): Done {
    if (steps === 0) return this.after(next);
    return (state) => `{${this.#take(steps)}${this.exit(state, next, Exit.Head)}}`;
  }

  /** The way out of a function that was called, and left. */
  outOfCall(pc: number): string {
    return `${this.#positions(pc)}break out;`;
  }

  /** What was called may have made the registers of loops anew. */
  afterCall(pc: number): string {
    return this.places.registersAt(pc).length === 0 ? "" : "P=m.positions;";
  }

  #take(steps: number): string {
    return `${this.text.fuel}=${this.text.fuel}-${steps}|0;`;
  }

  /** The block at `pc` is entered. */
  charge(state: State, steps: number, pc: number): void {
    if (steps > 0)
      this.put(`${this.#take(steps)}if(${this.text.fuel}<0${this.#chance})${this.exit(state, pc, Exit.Head)}`);
  }

  /** The label is entered at a depth; leaves where that is deeper than any before. */
  enterDepth(state: State, depth: number, pc: number): void {
    if (depth > 0) this.put(`if(base+${depth}>deep)${this.side(state, pc)}`);
  }

  // What the machine sees

  /** Register and machine hold the same from here on. */
  settleAll(state: State): void {
    this.put(this.#leaving(state));
    state.set(settled(state));
  }

  /** Temporaries are in the machine from here on. */
  settleTemporaries(state: State): void {
    this.put(this.#leaving(state, this.#firstTemporary));
    state.fill(Held.Memory, this.#firstTemporary);
  }

  /** A variable is in the machine alone from here on. */
  toMemory(state: State, slot: number): void {
    this.put(this.#leaving(state, slot, slot + 1));
    settle(state, slot, Held.Memory);
  }

  /** Before a call of something that looks at the machine, and may throw. */
  beforeNative(state: State, pc: number): void {
    this.text.mayThrow = true;
    this.settleAll(state);
    this.put(`${this.#positions(pc)}X[${Word.At}]=${pc};`);
  }

  /** The loop's own way to do the instruction at `pc`, which writes `d`. */
  native(state: State, pc: number, next: number, d: number): void {
    const op = this.places.code[pc] as number;
    this.#named.natives.add(op);
    this.beforeNative(state, pc);
    this.put(`x${op}(m,${pc});`);
    if (d >= 0) settle(state, d, Held.Memory);
    this.put(`if(m.spent||${RESOLVED}${this.#chance})${this.exit(state, next, Exit.After)}`);
  }

  /** In front of the instruction at `pc`. */
  chance(state: State, pc: number): void {
    if (this.observed.mayLeave) this.put(`if(false${this.#chance})${this.exit(state, pc, Exit.After)}`);
  }

  get #chance(): string {
    return this.observed.mayLeave ? "||leaves()" : "";
  }

  // Ways inside

  /** Control goes to `target`; `how`: by a break, or just on. */
  edge(state: State, target: number, how = ""): void {
    if (this.places.isSkipEnd[target] === 1) this.settleTemporaries(state);
    if (!this.text.isWriting) this.arrive(target, state);
    this.#meet(state, this.flow.states[target]);
    this.put(how);
  }

  /** Writes what is expected in the machine where `state` meets others, and is newer in a register. */
  #meet(state: State, there: State | undefined): void {
    for (let slot = 0; slot < this.variables && there !== undefined; slot++)
      if (heldAs(there, slot) === Held.Memory) this.put(this.#leaving(state, slot, slot + 1));
  }

  /** Joins a state into that of a label. Temporaries live over none but the end of a skip, and are in the machine there. */
  arrive(target: number, state: State): void {
    const there = this.flow.states[target];
    if (there === undefined) {
      this.flow.states[target] = state.slice().fill(Held.Memory, this.variables);
      this.flow.changed = true;
    } else if (join(there, state, this.variables)) this.flow.changed = true;
  }

  /** The routine returns with this state. */
  returns(state: State): void {
    const known = this.flow.returned[this.routine];
    if (this.text.isWriting) this.#meet(state, known);
    else if (known === undefined) {
      this.flow.returned[this.routine] = state.slice();
      this.flow.changed = true;
    } else if (join(known, state, this.variables)) this.flow.changed = true;
  }
}

/** The text of a way out for a state. */
export type Done = (state: State) => string;

type Scalar = { readonly value: string; readonly size: number; readonly held: Held };
