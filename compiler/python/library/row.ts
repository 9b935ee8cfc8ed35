/**
 * What a row of the library of Python programs says (python.md § 4). Binding of arguments, completion, stubs, the reference page and the
 * property tests against CPython are made from the rows; the code that computes stands under the same name in `vm/python/library/`.
 */
export type Row = {
  /**
   * A builtin is `len`; a member of a module `math.floor`; a method begins with its type, a type of a module with the module: `str.replace`,
   * `collections.Counter.most_common`. The row of a type's own name is what calling it does: `int`, `collections.Counter`.
   */
  readonly name: string;
  /**
   * Parameters as CPython's signature has them, defaults as Python literals: `self, old, new, count=-1, /`; `...` for one that is not a literal.
   * A row of a type that does not begin with `self` is called on the type: `dict.fromkeys`.
   */
  readonly params: string;
  /** Annotation of the result: `str`, `list[str]`, `int | None`. */
  readonly result: string;
  /** What it raises besides TypeError for arguments of wrong kinds: `ValueError IndexError`. */
  readonly raises?: string;
  /** How its work grows: `1`, `n`, `n log n`, `n * m`. */
  readonly cost: string;
  /** Bytes of the result from the arguments, where it may be larger than they are: `len(self) * width`. */
  readonly size?: string;
  /** Something that is True in CPython: `'a-b'.replace('-', '+') == 'a+b'`. */
  readonly example: string;
  /** What it gives, in a few words. */
  readonly help: string;
};

/** A row in one line. */
export function row(
  name: string,
  params: string,
  result: string,
  help: string,
  example: string,
  more: { readonly raises?: string; readonly cost?: string; readonly size?: string } = {},
): Row {
  return { name, params, result, cost: "1", example, help, ...more };
}
