/**
 * Room on the stack of the process for generated functions, which call each other and natives. They call each other, and large ones are entered,
 * only where the stack has room for them and for what they call: an instruction that ran out of it could be half done.
 */
import { stackProbe } from "../../v8/host-stack.ts";
import { MAX_NESTED, Word } from "./exchange.ts";

/** Words for what the natives of an instruction call when they write its result, which may have to be compiled first. */
const RESERVE = 6144;
/** Nested calls that are looked ahead for at once. */
const LEVELS = 16;
/** Words of a function that takes no more than the loop does. Runs that call no label need not look for room, which takes as long as 1,000 steps. */
const SMALL_FRAME = 256;

export class StackRoom {
  readonly #exchange: Int32Array;
  readonly #isSmall: boolean;
  readonly #probe: () => boolean;
  #isFull = false;
  /** There is room for what an instruction does at its end. */
  isProven = false;

  /** `frameWords`: of the largest function. */
  constructor(exchange: Int32Array, frameWords: number) {
    this.#exchange = exchange;
    this.#isSmall = frameWords <= SMALL_FRAME;
    this.#probe = stackProbe(RESERVE + frameWords * LEVELS);
  }

  /** Whether functions can be entered in this slice. */
  begin(): boolean {
    this.#isFull = this.isProven = false;
    this.#exchange[Word.Room] = 0;
    return this.#isSmall || this.canNest(0);
  }

  /** Whether a function inside of `nested` calls can make another. */
  canNest(nested: number): boolean {
    if (nested >= MAX_NESTED || this.#isFull) return false;
    if (!this.#probe()) {
      this.#isFull = true;
      return false;
    }
    this.isProven = true;
    this.#exchange[Word.Room] = Math.min(nested + LEVELS - 1, MAX_NESTED);
    return true;
  }
}
