/**
 * The syntax tree of the Python form. Its shapes and names are those of CPython 3.11's `ast` module, so that its documentation says what
 * a node means, and CPython itself is the oracle of the parser. Differences: `lineno` and columns are `start` and `end` (UTF-16 offsets
 * into the source) and `line` (from 1); `ctx` is left out, because a target stands where targets stand; the type of a literal is a field of it.
 */

/** Where a node stands: the offset of its first character and the one after its last, and the line (from 1) of the first. */
export type Place = { readonly start: number; readonly end: number; readonly line: number };

export type Module = Place & { readonly kind: "Module"; readonly body: readonly Stmt[] };

// Statements

export type FunctionDef = Place & {
  readonly kind: "FunctionDef";
  readonly name: string;
  readonly args: Arguments;
  readonly body: readonly Stmt[];
  readonly decorators: readonly Expr[];
  readonly returns: Expr | null;
  readonly isAsync: boolean;
};
export type ClassDef = Place & {
  readonly kind: "ClassDef";
  readonly name: string;
  readonly bases: readonly Expr[];
  readonly keywords: readonly Keyword[];
  readonly body: readonly Stmt[];
  readonly decorators: readonly Expr[];
};
export type Return = Place & { readonly kind: "Return"; readonly value: Expr | null };
export type Delete = Place & { readonly kind: "Delete"; readonly targets: readonly Expr[] };
/** `a = b = value`: the targets from left to right. */
export type Assign = Place & { readonly kind: "Assign"; readonly targets: readonly Expr[]; readonly value: Expr };
export type AugAssign = Place & {
  readonly kind: "AugAssign";
  readonly target: Name | Attribute | Subscript;
  readonly op: BinaryOperator;
  readonly value: Expr;
};
/** `simple`: the target is a name without brackets around it. */
export type AnnAssign = Place & {
  readonly kind: "AnnAssign";
  readonly target: Name | Attribute | Subscript;
  readonly annotation: Expr;
  readonly value: Expr | null;
  readonly simple: boolean;
};
export type For = Place & {
  readonly kind: "For";
  readonly target: Expr;
  readonly iter: Expr;
  readonly body: readonly Stmt[];
  readonly orelse: readonly Stmt[];
  readonly isAsync: boolean;
};
export type While = Place & {
  readonly kind: "While";
  readonly test: Expr;
  readonly body: readonly Stmt[];
  readonly orelse: readonly Stmt[];
};
/** `elif` is an If as the only statement of `orelse`. */
export type If = Place & {
  readonly kind: "If";
  readonly test: Expr;
  readonly body: readonly Stmt[];
  readonly orelse: readonly Stmt[];
};
export type WithItem = Place & { readonly kind: "WithItem"; readonly context: Expr; readonly target: Expr | null };
export type With = Place & {
  readonly kind: "With";
  readonly items: readonly WithItem[];
  readonly body: readonly Stmt[];
  readonly isAsync: boolean;
};
export type Match = Place & { readonly kind: "Match"; readonly subject: Expr; readonly cases: readonly MatchCase[] };
export type MatchCase = Place & {
  readonly kind: "MatchCase";
  readonly pattern: Pattern;
  readonly guard: Expr | null;
  readonly body: readonly Stmt[];
};
export type Raise = Place & { readonly kind: "Raise"; readonly exc: Expr | null; readonly cause: Expr | null };
export type ExceptHandler = Place & {
  readonly kind: "ExceptHandler";
  readonly type: Expr | null;
  readonly name: string | null;
  readonly body: readonly Stmt[];
};
export type Try = Place & {
  readonly kind: "Try";
  readonly body: readonly Stmt[];
  readonly handlers: readonly ExceptHandler[];
  readonly orelse: readonly Stmt[];
  readonly finalbody: readonly Stmt[];
};
export type Assert = Place & { readonly kind: "Assert"; readonly test: Expr; readonly msg: Expr | null };
/** `import a.b as c`: name "a.b", asname "c". */
export type Alias = Place & { readonly kind: "Alias"; readonly name: string; readonly asname: string | null };
export type Import = Place & { readonly kind: "Import"; readonly names: readonly Alias[] };
/** `from . import x`: module null, level 1. `from m import *`: one alias with the name "*". */
export type ImportFrom = Place & {
  readonly kind: "ImportFrom";
  readonly module: string | null;
  readonly names: readonly Alias[];
  readonly level: number;
};
export type Global = Place & { readonly kind: "Global"; readonly names: readonly string[] };
export type Nonlocal = Place & { readonly kind: "Nonlocal"; readonly names: readonly string[] };
export type ExprStmt = Place & { readonly kind: "Expr"; readonly value: Expr };
export type Pass = Place & { readonly kind: "Pass" };
export type Break = Place & { readonly kind: "Break" };
export type Continue = Place & { readonly kind: "Continue" };

export type Stmt =
  | FunctionDef
  | ClassDef
  | Return
  | Delete
  | Assign
  | AugAssign
  | AnnAssign
  | For
  | While
  | If
  | With
  | Match
  | Raise
  | Try
  | Assert
  | Import
  | ImportFrom
  | Global
  | Nonlocal
  | ExprStmt
  | Pass
  | Break
  | Continue;

// Expressions

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**" | "<<" | ">>" | "|" | "^" | "&" | "@";
export type UnaryOperator = "-" | "+" | "~" | "not";
export type CompareOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "is" | "is not" | "in" | "not in";

/** `a and b and c` is one node with three values. */
export type BoolOp = Place & { readonly kind: "BoolOp"; readonly op: "and" | "or"; readonly values: readonly Expr[] };
export type NamedExpr = Place & { readonly kind: "NamedExpr"; readonly target: Name; readonly value: Expr };
export type BinOp = Place & {
  readonly kind: "BinOp";
  readonly left: Expr;
  readonly op: BinaryOperator;
  readonly right: Expr;
};
export type UnaryOp = Place & { readonly kind: "UnaryOp"; readonly op: UnaryOperator; readonly operand: Expr };
export type Lambda = Place & { readonly kind: "Lambda"; readonly args: Arguments; readonly body: Expr };
export type IfExp = Place & {
  readonly kind: "IfExp";
  readonly test: Expr;
  readonly body: Expr;
  readonly orelse: Expr;
};
/** A key of null: `**value`. */
export type Dict = Place & {
  readonly kind: "Dict";
  readonly keys: readonly (Expr | null)[];
  readonly values: readonly Expr[];
};
export type SetExpr = Place & { readonly kind: "Set"; readonly elts: readonly Expr[] };
export type Comprehension = Place & {
  readonly kind: "Comprehension";
  readonly target: Expr;
  readonly iter: Expr;
  readonly ifs: readonly Expr[];
  readonly isAsync: boolean;
};
export type ListComp = Place & {
  readonly kind: "ListComp";
  readonly elt: Expr;
  readonly generators: readonly Comprehension[];
};
export type SetComp = Place & {
  readonly kind: "SetComp";
  readonly elt: Expr;
  readonly generators: readonly Comprehension[];
};
export type DictComp = Place & {
  readonly kind: "DictComp";
  readonly key: Expr;
  readonly value: Expr;
  readonly generators: readonly Comprehension[];
};
export type GeneratorExp = Place & {
  readonly kind: "GeneratorExp";
  readonly elt: Expr;
  readonly generators: readonly Comprehension[];
};
export type Await = Place & { readonly kind: "Await"; readonly value: Expr };
export type Yield = Place & { readonly kind: "Yield"; readonly value: Expr | null };
export type YieldFrom = Place & { readonly kind: "YieldFrom"; readonly value: Expr };
/** `a < b < c`: left, two operators, two comparators. */
export type Compare = Place & {
  readonly kind: "Compare";
  readonly left: Expr;
  readonly ops: readonly CompareOperator[];
  readonly comparators: readonly Expr[];
};
/** `f(a, *b, c=d, **e)`: args a and Starred b; keywords c and, with a name of null, e. */
export type Call = Place & {
  readonly kind: "Call";
  readonly func: Expr;
  readonly args: readonly Expr[];
  readonly keywords: readonly Keyword[];
};
export type Keyword = Place & { readonly kind: "Keyword"; readonly arg: string | null; readonly value: Expr };
/** `{value!r:spec}`. A spec is a JoinedStr, as in CPython. `{value=}` has its text as a Constant before it, as in CPython. */
export type FormattedValue = Place & {
  readonly kind: "FormattedValue";
  readonly value: Expr;
  readonly conversion: "r" | "s" | "a" | null;
  readonly spec: JoinedStr | null;
};
/** An f-string: its Constants (texts, neighbours joined) and FormattedValues. */
export type JoinedStr = Place & { readonly kind: "JoinedStr"; readonly values: readonly (Constant | FormattedValue)[] };
/**
 * `type` tells what `value` is: "int" a number when it is safe, else a bigint; "float" a number (5.0 is 5 here, `1e999` Infinity); "str" the
 * text; "bytes" a text of code units 0 to 255; "bool" a boolean; "none" and "ellipsis" null; "complex" the text of the literal.
 */
export type Constant = Place & {
  readonly kind: "Constant";
  readonly type: "int" | "float" | "str" | "bytes" | "bool" | "none" | "ellipsis" | "complex";
  readonly value: number | bigint | string | boolean | null;
};
export type Attribute = Place & { readonly kind: "Attribute"; readonly value: Expr; readonly attr: string };
export type Subscript = Place & { readonly kind: "Subscript"; readonly value: Expr; readonly slice: Expr };
export type Starred = Place & { readonly kind: "Starred"; readonly value: Expr };
export type Name = Place & { readonly kind: "Name"; readonly id: string };
export type List = Place & { readonly kind: "List"; readonly elts: readonly Expr[] };
export type Tuple = Place & { readonly kind: "Tuple"; readonly elts: readonly Expr[] };
/** Only as the slice of a Subscript, or as an element of a Tuple there. */
export type Slice = Place & {
  readonly kind: "Slice";
  readonly lower: Expr | null;
  readonly upper: Expr | null;
  readonly step: Expr | null;
};

export type Expr =
  | BoolOp
  | NamedExpr
  | BinOp
  | UnaryOp
  | Lambda
  | IfExp
  | Dict
  | SetExpr
  | ListComp
  | SetComp
  | DictComp
  | GeneratorExp
  | Await
  | Yield
  | YieldFrom
  | Compare
  | Call
  | JoinedStr
  | Constant
  | Attribute
  | Subscript
  | Starred
  | Name
  | List
  | Tuple
  | Slice;

// Parameters

export type Arg = Place & { readonly kind: "Arg"; readonly arg: string; readonly annotation: Expr | null };
/** As in CPython: `defaults` belong to the last of `posonlyargs` and `args`; `kw_defaults` has null where a keyword-only one has none. */
export type Arguments = {
  readonly posonlyargs: readonly Arg[];
  readonly args: readonly Arg[];
  readonly vararg: Arg | null;
  readonly kwonlyargs: readonly Arg[];
  readonly kw_defaults: readonly (Expr | null)[];
  readonly kwarg: Arg | null;
  readonly defaults: readonly Expr[];
};

// Patterns of `match`

export type Pattern =
  | (Place & { readonly kind: "MatchValue"; readonly value: Expr })
  | (Place & { readonly kind: "MatchSingleton"; readonly value: boolean | null })
  | (Place & { readonly kind: "MatchSequence"; readonly patterns: readonly Pattern[] })
  | (Place & {
      readonly kind: "MatchMapping";
      readonly keys: readonly Expr[];
      readonly patterns: readonly Pattern[];
      readonly rest: string | null;
    })
  | (Place & {
      readonly kind: "MatchClass";
      readonly cls: Expr;
      readonly patterns: readonly Pattern[];
      readonly kwd_attrs: readonly string[];
      readonly kwd_patterns: readonly Pattern[];
    })
  | (Place & { readonly kind: "MatchStar"; readonly name: string | null })
  | (Place & { readonly kind: "MatchAs"; readonly pattern: Pattern | null; readonly name: string | null })
  | (Place & { readonly kind: "MatchOr"; readonly patterns: readonly Pattern[] });

/** A comment, kept with the tree for the formatter. `ownLine`: nothing but blanks stands before it. */
export type Comment = Place & { readonly text: string; readonly ownLine: boolean };

/** What the parser found wrong. At most one for a file that CPython refuses: the first. */
export type SyntaxFault = {
  /** Row of the table of refusals (`faults.ts`). */
  readonly fault: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** Words of the row's sentence. */
  readonly words: { readonly [name: string]: string };
  /** An edit that keeps what the author meant, when there is exactly one such; offsets into the source. */
  readonly fix: {
    readonly title: string;
    readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  } | null;
};

export type ParsedPython = {
  /** null when there are faults. */
  readonly module: Module | null;
  readonly comments: readonly Comment[];
  readonly faults: readonly SyntaxFault[];
};
