/**
 * The instructions of Python functions, once, as data. An operand (`a`) is a register when it is not negative, else the constant `~a`. Numbers are part
 * of the bytecode version.
 *
 * `d` register that is written · `a` operand · `v` number of operands that follow · `t` target · `n` name · `g` global · `c` cell · `r` routine ·
 * `k` list of names · `w` plain number · `s` stub of an adapter call · `V` number of registers that follow
 */
export const enum Py {
  Step = 0,
  Move = 1, // d a
  Add = 2, // d a a
  Sub = 3, // d a a
  Mul = 4, // d a a
  Lt = 5, // d a a
  Le = 6, // d a a
  Gt = 7, // d a a
  Ge = 8, // d a a
  Eq = 9, // d a a
  Ne = 10, // d a a
  Binary = 11, // d a a w
  InPlace = 12, // d a a w
  In = 13, // d a a
  NotIn = 14, // d a a
  Is = 15, // d a a
  IsNot = 16, // d a a
  Not = 17, // d a
  Unary = 18, // d a w
  Jump = 19, // t
  /** On when the operand is true, else to the target. */
  Branch = 20, // a t
  Item = 21, // d a a
  SetItem = 22, // a a a
  DelItem = 23, // a a
  Attr = 24, // d a n
  Slice = 25, // d a a a
  Call = 26, // d a v
  CallNamed = 27, // d a k v
  CallSpread = 28, // d a a a
  Method = 29, // d a n v
  MethodNamed = 30, // d a n k v
  MethodSpread = 31, // d a n a a
  /** Fails as looking the method up would, before the arguments are evaluated. */
  HasMethod = 32, // a n
  Iter = 33, // d a
  Next = 34, // d a t
  Pass = 35, // w
  List = 36, // d v
  Tuple = 37, // d v
  Set = 38, // d v
  Dict = 39, // d v
  Append = 40, // a a
  SetAdd = 41, // a a
  DictSet = 42, // a a a
  /** Adds all elements of an iterable to a list. */
  Extend = 43, // a a
  /** Adds all members of a mapping to a dict. Strict: a key that is there already is a TypeError, as in a call. */
  Update = 44, // a a w
  Format = 45, // d a a a
  Joined = 46, // d v
  Global = 47, // d g
  SetGlobal = 48, // g a
  DelGlobal = 49, // g
  LoadCell = 50, // d c
  StoreCell = 51, // c a
  NewCell = 52, // c
  DelCell = 53, // c
  Del = 54, // d
  Function = 55, // d r k v
  Generator = 56, // d a a
  Unpack = 57, // a w V
  Return = 58, // a
  Raise = 59, // a a
  Reraise = 60, // a
  Catch = 61, // d
  Yield = 62, // a
  Adapter = 63, // d s v
  /** A rare operation by name (`SPECIAL`). */
  Special = 64, // d w v
  TupleOf = 65, // d a
  SetOf = 66, // d a
  /** Catch in front of a `finally`, which a cancellation comes to as well. */
  Cleanup = 67, // d
  /** Raises the cancellation again, where the operand is one. */
  Recancel = 68, // a
  /** Only in code of traced runs: the step of that site begins. */
  Visit = 69, // w
  /** The same: the step that is under way ends the function, with this value. */
  Leave = 70, // a
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
] as const;
