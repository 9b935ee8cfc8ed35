/**
 * A file of the indented form as it was read: graphs, nested blocks, statements, expressions. What an expression means as a condition or a
 * value, and what a block becomes as labels, is decided in `lower/`.
 */
import type { DeclarationLine, IncludeLine, InputDeclaration, Name, Operand, Slot } from "../ast.ts";
import type { Span } from "../text/span.ts";
import type { Decorator, Statement as ReadStatement } from "./program.ts";

export type Expression = { readonly span: Span } & (
  | { readonly e: "operand"; readonly of: Operand }
  | { readonly e: "list"; readonly items: readonly Expression[]; readonly multiline: boolean }
  | { readonly e: "map"; readonly entries: readonly Entry[]; readonly multiline: boolean }
  /** `(f a b)`, or `f(a, b)` with `isSpaced` false. */
  | { readonly e: "call"; readonly fn: Slot; readonly args: readonly Expression[]; readonly isSpaced: boolean }
  /** `x?`, with the mark itself. */
  | { readonly e: "present"; readonly of: Expression; readonly mark: Slot }
  /** `a < b < c`: one comparator fewer than operands. */
  | { readonly e: "compare"; readonly ops: readonly Slot[]; readonly of: readonly Expression[] }
  | { readonly e: "not"; readonly word: Slot; readonly of: Expression }
  | { readonly e: "and" | "or"; readonly word: Slot; readonly of: readonly Expression[] }
  /** `a + b`; `fn` is the function that computes it. */
  | {
      readonly e: "compute";
      readonly fn: string;
      readonly word: Slot;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly e: "negative"; readonly word: Slot; readonly of: Expression }
  /** `a if c else b` */
  | {
      readonly e: "choice";
      readonly word: Slot;
      readonly cond: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly e: "index"; readonly word: Slot; readonly of: Expression; readonly key: Expression }
  | {
      readonly e: "slice";
      readonly word: Slot;
      readonly of: Expression;
      readonly from: Expression | null;
      readonly to: Expression | null;
    }
  /** `f"{a}"`: the template with its placeholders, and their values. */
  | { readonly e: "template"; readonly word: Slot; readonly text: string; readonly values: readonly Expression[] }
  | Comprehension
);

/** `[value for item in list if cond]`; with `key`, a map. */
export type Comprehension = {
  readonly e: "each";
  readonly span: Span;
  readonly word: Slot;
  readonly key: Expression | null;
  readonly value: Expression;
  readonly items: readonly Name[];
  readonly list: Expression;
  readonly cond: Expression | null;
};

export type Entry = { readonly key: Slot; readonly value: Expression };

/** `word` is where the statement begins; findings and traces point there. */
export type Place = { readonly word: Slot; readonly span: Span; readonly faulty: boolean };

export type Node =
  /** Read as a whole by the rules of the opcode form. */
  | { readonly s: "read"; readonly statement: ReadStatement }
  | (Place & { readonly s: "assign"; readonly name: Name; readonly value: Expression | null })
  /** `d[k].a = v`, `n += v`: `fn` computes the new value from the old one. */
  | (Place & {
      readonly s: "put";
      readonly target: Expression;
      readonly fn: string | null;
      readonly value: Expression | null;
    })
  /** `helper(a, b)` */
  | (Place & { readonly s: "bare"; readonly value: Expression | null })
  | (Place & { readonly s: "break" | "continue" | "pass" })
  | TryNode
  | (Place & { readonly s: "out"; readonly value: Expression | null })
  | (Place & { readonly s: "err"; readonly value: Expression | null })
  | IfNode
  /** `out = call target for item in list` */
  | (Place & {
      readonly s: "each";
      readonly target: Slot;
      readonly item: Name;
      readonly out: Name;
      readonly list: Expression | null;
      readonly limit: Slot | null;
      readonly mode: Slot | null;
    })
  | (Place & {
      readonly s: "for";
      readonly items: readonly Name[];
      readonly list: Expression | null;
      readonly block: Node[];
    })
  | (Place & {
      readonly s: "while";
      readonly cond: Expression | null;
      readonly limit: number | null;
      readonly limit_slot: Slot | null;
      readonly block: Node[];
    });

export type BranchNode = { readonly word: Slot; readonly cond: Expression | null; readonly block: Node[] };
export type IfNode = Place & {
  readonly s: "if";
  readonly branches: BranchNode[];
  otherwise: { readonly word: Slot; readonly block: Node[] } | null;
};

export type TryNode = Place & {
  readonly s: "try";
  readonly block: Node[];
  /** null: missing, and reported. */
  handler: { readonly word: Slot; readonly name: Name | null; readonly block: Node[] } | null;
};

/** An input of a graph, with its default value. */
export type Parameter = {
  readonly name: Name;
  readonly fallback: Expression | null;
  /** From an `in:` line, which has its own statement. */
  readonly isInLine: boolean;
};

export type GraphNode = {
  readonly parameters: Parameter[];
  readonly name: Slot;
  readonly decorators: readonly Decorator[];
  readonly block: Node[];
  /** A graph above has the same name: this one is read, but is not part of the program. */
  readonly repeated: boolean;
};

export type FileTree = {
  readonly graphs: readonly GraphNode[];
  /** In source order. */
  readonly declarations: readonly (DeclarationLine | IncludeLine)[];
  readonly inputs: readonly InputDeclaration[];
  /** The names in `[x for x in xs]`. */
  readonly items: readonly string[];
};

/** An operand as an expression. */
export function asNode(of: Operand): Expression {
  return { e: "operand", of, span: of.span };
}

/** `[…]` on one line. */
export function listNode(items: readonly Expression[], span: Span): Expression {
  return { e: "list", items, multiline: false, span };
}

/** `(fn …)` */
export function callNode(fn: string, word: Slot, args: readonly Expression[], span: Span): Expression {
  return { e: "call", fn: { ...word, text: fn }, args, isSpaced: true, span };
}

/** The direct parts of an expression. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.e) {
    case "operand":
      return [];
    case "list":
      return expression.items;
    case "map":
      return expression.entries.map(({ value }) => value);
    case "call":
      return expression.args;
    case "present":
    case "not":
    case "negative":
      return [expression.of];
    case "compare":
    case "and":
    case "or":
      return expression.of;
    case "compute":
      return [expression.left, expression.right];
    case "choice":
      return [expression.then, expression.cond, expression.otherwise];
    case "index":
      return [expression.of, expression.key];
    case "slice":
      return [expression.of, expression.from, expression.to].filter((one) => one !== null);
    case "template":
      return expression.values;
    case "each":
      return [expression.key, expression.value, expression.list, expression.cond].filter((one) => one !== null);
  }
}
