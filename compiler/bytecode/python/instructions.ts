/** The instructions of Python functions. Numbers are part of the bytecode version; `SHAPES` says what follows each. */
export const enum Py {
  Step = 0,
  Move = 1,
  Add = 2,
  Sub = 3,
  Mul = 4,
  Lt = 5,
  Le = 6,
  Gt = 7,
  Ge = 8,
  Eq = 9,
  Ne = 10,
  Binary = 11,
  InPlace = 12,
  In = 13,
  NotIn = 14,
  Is = 15,
  IsNot = 16,
  Not = 17,
  Unary = 18,
  Jump = 19,
  /** On when the operand is true, else to the target. */
  Branch = 20,
  Item = 21,
  SetItem = 22,
  DelItem = 23,
  Attr = 24,
  Slice = 25,
  Call = 26,
  CallNamed = 27,
  CallSpread = 28,
  Method = 29,
  MethodNamed = 30,
  MethodSpread = 31,
  /** Fails as looking the method up would, before the arguments are evaluated. */
  HasMethod = 32,
  Iter = 33,
  Next = 34,
  Pass = 35,
  List = 36,
  Tuple = 37,
  Set = 38,
  Dict = 39,
  Append = 40,
  SetAdd = 41,
  DictSet = 42,
  /** Adds all elements of an iterable to a list. */
  Extend = 43,
  /** Adds all members of a mapping to a dict. Strict: a key that is there already is a TypeError, as in a call. */
  Update = 44,
  Format = 45,
  Joined = 46,
  Global = 47,
  SetGlobal = 48,
  DelGlobal = 49,
  LoadCell = 50,
  StoreCell = 51,
  NewCell = 52,
  DelCell = 53,
  Del = 54,
  Function = 55,
  Generator = 56,
  Unpack = 57,
  Return = 58,
  Raise = 59,
  Reraise = 60,
  Catch = 61,
  Yield = 62,
  Adapter = 63,
  /** A rare operation by name (`SPECIAL`). */
  Special = 64,
  TupleOf = 65,
  /** Adds all elements of an iterable to a set. */
  SetUpdate = 66,
  /** Catch in front of a `finally`, which a cancellation comes to as well. */
  Cleanup = 67,
  /** Raises the cancellation again, where the operand is one. */
  Recancel = 68,
  /** Only in code of traced runs: the step of that site begins. */
  Visit = 69,
  /** The same: the step that is under way ends the function, with this value. */
  Leave = 70,
}

/**
 * By instruction: what follows it. An operand (`a`) is a register when it is not negative, else the constant `~a`.
 *
 * `d` register that is written · `a` operand · `v` number of operands that follow · `t` target · `n` name · `g` global · `c` cell · `r` routine ·
 * `k` list of names · `w` plain number · `s` stub of an adapter call · `V` number of registers that follow
 */
export const SHAPES: readonly string[] = [
  "", // Step
  "da", // Move
  "daa", // Add
  "daa", // Sub
  "daa", // Mul
  "daa", // Lt
  "daa", // Le
  "daa", // Gt
  "daa", // Ge
  "daa", // Eq
  "daa", // Ne
  "daaw", // Binary
  "daaw", // InPlace
  "daa", // In
  "daa", // NotIn
  "daa", // Is
  "daa", // IsNot
  "da", // Not
  "daw", // Unary
  "t", // Jump
  "at", // Branch
  "daa", // Item
  "aaa", // SetItem
  "aa", // DelItem
  "dan", // Attr
  "daaa", // Slice
  "dav", // Call
  "dakv", // CallNamed
  "daaa", // CallSpread
  "danv", // Method
  "dankv", // MethodNamed
  "danaa", // MethodSpread
  "an", // HasMethod
  "da", // Iter
  "dat", // Next
  "w", // Pass
  "dv", // List
  "dv", // Tuple
  "dv", // Set
  "dv", // Dict
  "aa", // Append
  "aa", // SetAdd
  "aaa", // DictSet
  "aa", // Extend
  "aaw", // Update
  "daaa", // Format
  "dv", // Joined
  "dg", // Global
  "ga", // SetGlobal
  "g", // DelGlobal
  "dc", // LoadCell
  "ca", // StoreCell
  "c", // NewCell
  "c", // DelCell
  "d", // Del
  "drkv", // Function
  "daa", // Generator
  "awV", // Unpack
  "a", // Return
  "aa", // Raise
  "a", // Reraise
  "d", // Catch
  "a", // Yield
  "dsv", // Adapter
  "dwv", // Special
  "da", // TupleOf
  "aa", // SetUpdate
  "d", // Cleanup
  "a", // Recancel
  "w", // Visit
  "a", // Leave
];

/** Words of the instruction at `pc`. */
export function lengthAt(code: Int32Array, pc: number): number {
  const shape = SHAPES[code[pc] as number] as string;
  const last = shape.at(-1);
  return 1 + shape.length + (last === "v" || last === "V" ? (code[pc + shape.length] as number) : 0);
}

/** By number: operators of Binary and InPlace. */
export const OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "|", "^", "&", "@"] as const;
export const UNARY_OPERATORS = ["-", "+", "~"] as const;
/** By number: what Special does. */
export const SPECIAL = [
  "matches",
  "exception_class",
  "global_or_none",
  "fits_sequence",
  "fits_mapping",
  "mapping_rest",
  "isinstance",
  "has_attr",
  "fork",
  "retry_begin",
  "retry_again",
  "retry_end",
  "unordered",
  "returned",
] as const;
