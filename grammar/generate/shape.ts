/**
 * What a grammar is made for: which adapters, functions and declarations it admits, and whether it is closed over names that are
 * declared beforehand. Plain data, because this floor knows no adapter; `wf grammar` fills it from the catalog.
 */

/** How many arguments a call takes; `most` null: any number. */
export type CallShape = {
  readonly name: string;
  readonly least: number;
  readonly most: number | null;
  /** Names of its arguments, its options among them, by which a call in the Python form may give them. */
  readonly named?: readonly string[];
  /** A second name of another verb. */
  readonly isAlias?: true;
};
/** `host`: reads clock, randomness or environment, so it has no place inside brackets. */
export type FunctionShape = CallShape & { readonly host: boolean };
/** A builtin, a member of a module, or a method, as its row in the library says. */
export type LibraryMember = {
  /** The last part of its name. */
  readonly name: string;
  /** As in CPython's signature; null: it is not called. */
  readonly params: string | null;
  /** Annotation of the result; "" where none is known. */
  readonly result: string;
  readonly help: string;
};
/** The library of the Python form. */
export type LibraryShape = {
  readonly modules: readonly string[];
  readonly builtins: readonly LibraryMember[];
  /** Members of a module or methods of a type: `math`, `str`, `collections.Counter`. */
  readonly under: (owner: string) => readonly LibraryMember[];
};
export type AdapterShape = { readonly name: string; readonly verbs: readonly CallShape[] };

/**
 * Names that exist. A closed grammar writes the lines that declare them and every label once, in this order, so that whatever it
 * derives refers to things that are there.
 */
export type ClosedNames = {
  /** Ids of labels, without `L`; at least one. */
  readonly labels: readonly string[];
  /** Variables of the frame; at least one. */
  readonly names: readonly string[];
  readonly caches: readonly string[];
  readonly queues: readonly string[];
};

export type GrammarShape = {
  /** null: any adapter and verb. */
  readonly adapters: readonly AdapterShape[] | null;
  /** Empty: any function. */
  readonly functions: readonly FunctionShape[];
  /** Names of declaration ops. */
  readonly declarations: readonly string[];
  /** Absent: nothing of the library is offered. */
  readonly python?: LibraryShape;
  /** null: open, any name may be written anywhere. */
  readonly closed: ClosedNames | null;
};

/** What programs that run use of the declarations (docs/language.md, declarations). */
export const USUAL_DECLARATIONS: readonly string[] = ["S", "E", "D", "Q", "C", "Cr"];
