/**
 * The text of one generated function: what was put so far, the names it uses, and the ways out, which exits of the same kind share. Names:
 * `n5` the number of slot 5, `b5` its boolean, `v5` its value, `p0`, `q0` and `l0` position, bound and list of loop register 0, `u7` something
 * that one instruction needs, `t30` the place 30, `i16` the loop of 16, `s2` a way out. Knows nothing of instructions.
 */
import { Exit, exitCode, Word } from "../exchange.ts";

/** Words of a function on the stack besides its names: parameters, what is being computed, and what the engine adds. */
const FRAME_WORDS = 64;
const WORDS_OF_REGISTER = 3;

export class RoutineText {
  readonly #routine: number;
  /** It calls no other: numbers, booleans and fuel are locals. Else they are where the functions share them. */
  readonly isLeaf: boolean;
  /** While false, the code is only looked at. */
  isWriting = false;
  /** Something in it may throw. */
  mayThrow = false;
  #parts: string[] = [];
  #exits = new Map<string, number>();
  readonly #numbers = new Set<number>();
  readonly #booleans = new Set<number>();
  readonly #values = new Set<number>();
  readonly #registers = new Set<number>();
  #names = 0;

  constructor(routine: number, isLeaf: boolean) {
    this.#routine = routine;
    this.isLeaf = isLeaf;
  }

  put(text: string): void {
    if (this.isWriting) this.#parts.push(text);
  }

  /** A name of its own. */
  name(): string {
    this.#names += 1;
    return `u${this.#names}`;
  }

  /** Words of the function on the stack of the process, at most. */
  get frameWords(): number {
    const names = this.#names + this.#numbers.size + this.#booleans.size + this.#values.size;
    return FRAME_WORDS + names + this.#registers.size * WORDS_OF_REGISTER;
  }

  number(slot: number): string {
    if (!this.isLeaf) return `F[${slot}]`;
    this.#numbers.add(slot);
    return `n${slot}`;
  }

  boolean(slot: number): string {
    if (!this.isLeaf) return `(V[${slot}]===true)`;
    this.#booleans.add(slot);
    return `b${slot}`;
  }

  value(slot: number): string {
    this.#values.add(slot);
    return `v${slot}`;
  }

  /** Position, bound and list of a loop register. */
  loop(register: number): { readonly at: string; readonly bound: string; readonly list: string } {
    this.#registers.add(register);
    return { at: `p${register}`, bound: `q${register}`, list: `l${register}` };
  }

  get fuel(): string {
    return this.isLeaf ? "f" : `X[${Word.Fuel}]`;
  }

  /** The statement that leaves with an exit code, after what `leaving` writes. */
  exit(leaving: string, code: number): string {
    if (!this.isWriting) return "";
    const known = this.#exits.get(leaving) ?? this.#exits.size;
    this.#exits.set(leaving, known);
    return `{x=${code};break s${known};}`;
  }

  /** The whole function. */
  finish(): string {
    const exits = [...this.#exits.keys()];
    const registers = [...this.#registers];
    const locals = [
      "x=0",
      ...(this.isLeaf ? [`f=X[${Word.Fuel}]`] : []),
      ...[...this.#numbers].map((slot) => `n${slot}=F[${slot}]`),
      ...[...this.#booleans].map((slot) => `b${slot}=V[${slot}]===true`),
      ...[...this.#values].map((slot) => `v${slot}`),
      ...(registers.length === 0 ? [] : ["P=m.positions"]),
      ...registers.map((one) => `p${one}=0,q${one}=0,l${one}`),
    ];
    const loads = registers.map(
      (one) => `p${one}=P[first+${one}]|0;q${one}=bound(m.bounds[first+${one}]);l${one}=m.lists[first+${one}];`,
    );
    const body = [
      `out:{${exits.map((_, at) => `s${at}:{`).join("")}`,
      this.mayThrow ? "try{" : "",
      ...this.#parts,
      this.mayThrow ? `}catch(thrown){caught(thrown);X[${Word.Top}]=sp;x=${exitCode(Exit.Thrown, 0)};}` : "",
      "break out;",
      ...exits.reverse().map((text) => `}${text}X[${Word.Top}]=sp;break out;`),
      "}",
    ].join("\n");
    const arrays = ["V", "SZ", "OWN"].filter((name) => `${locals.join("")}${body}`.includes(`${name}[`));
    return [
      `function r${this.#routine}(m,e,base,first,sp,nested){`,
      `const deep=X[${Word.Depth}]${arrays.map((name) => `,${name}=m.${name}`).join("")};let ${locals.join(",")};`,
      loads.length === 0 ? "" : `if(e!==0){${loads.join("")}}`,
      body,
      this.isLeaf ? `X[${Word.Fuel}]=f;` : "",
      "return x;}",
    ].join("\n");
  }
}
