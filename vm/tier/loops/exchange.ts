/** What generated code and the dispatcher hand to each other, besides the machine. */

/** Why generated code returned. */
export const enum Exit {
  /** Only between generated functions: the routine returned. */
  None = 0,
  /** In front of a block that is not charged: the fuel does not cover it, or values are not of the kinds expected there. */
  Head = 1,
  /** In front of an instruction that the loop has to do. Its block is charged. */
  Side = 2,
  /** After a native that did the work of a slice, or that made booked sizes exact. The block is charged. */
  After = 3,
  /** A native threw. */
  Thrown = 4,
}

/** What generated code returns when it leaves: why, and at which pc. */
export function exitCode(reason: Exit, pc: number): number {
  return pc * 8 + reason;
}

export function reasonOf(code: number): Exit {
  return (code & 7) as Exit;
}

export function pcOf(code: number): number {
  return code >> 3;
}

/** Indexes of the exchange. */
export const enum Word {
  /** Of the run; negative after a block that it does not cover. */
  Fuel = 0,
  /** pc of the native that is called. */
  At = 1,
  /** Index of the top record. */
  Top = 2,
  /** Slot of the value that a routine returned. */
  Returned = 3,
  /** Depth that needs no look at the limit. */
  Depth = 4,
  /** How often sizes had been made exact when generated code was entered. */
  Resolves = 5,
  /** Generated calls inside each other for which the stack of the process has room. */
  Room = 6,
}
export const EXCHANGE_WORDS = 7;

/** Generated calls inside each other. Each takes some of the stack of the process. */
export const MAX_NESTED = 64;
