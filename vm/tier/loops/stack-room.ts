/**
 * Room on the stack of the process for generated functions, which call each other and natives. They are entered, and call each other, only
 * where the stack has room for them and for what they call: one that ended in the middle of an instruction would leave it half done.
 */
import { stackProbe } from "../../v8/host-stack.ts";
import { MAX_NESTED, Word } from "./exchange.ts";

/** Words for what the natives of an instruction call when they write its result, which may have to be compiled first. */
const RESERVE = 6144;
/** Nested calls that are looked ahead for at once. */
const LEVELS = 16;

export class StackRoom {
  readonly #exchange: Int32Array;
  readonly #nests: boolean;
  readonly #probe: () => boolean;
  #isFull = false;

  /** `frameWords`: of the largest function. `nests`: some of them call others. */
  constructor(exchange: Int32Array, frameWords: number, nests: boolean) {
    this.#exchange = exchange;
    this.#nests = nests;
    this.#probe = stackProbe(RESERVE + frameWords * (nests ? LEVELS : 1));
  }

  /** Whether functions can be entered in this slice. */
  begin(): boolean {
    this.#isFull = false;
    this.#exchange[Word.Room] = this.#nests ? LEVELS - 1 : 0;
    return this.#probe();
  }

  /** Whether a function inside of `nested` calls can make another. */
  canNest(nested: number): boolean {
    if (nested >= MAX_NESTED || this.#isFull) return false;
    if (!this.#probe()) {
      this.#isFull = true;
      return false;
    }
    this.#exchange[Word.Room] = Math.min(nested + LEVELS, MAX_NESTED);
    return true;
  }
}
