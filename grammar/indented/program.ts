/**
 * A file of the indented form before it becomes labels and steps: graphs, blocks, statements. Single statements hold steps of the syntax tree
 * already; blocks are still nested in one another.
 */
import type {
  CallInput,
  Condition,
  DeclarationLine,
  IncludeLine,
  InputDeclaration,
  Name,
  Operand,
  Slot,
  Step,
} from "../ast.ts";
import type { Span } from "../text/span.ts";

export type Block = Statement[];

export type Branch = { readonly word: Slot; readonly cond: Condition; readonly block: Block };

/** `word` is where the statement begins; findings and traces point there. */
type StatementBase = { readonly word: Slot; readonly span: Span; readonly faulty: boolean };

export type IfStatement = StatementBase & {
  readonly s: "if";
  readonly branches: Branch[];
  otherwise: { readonly word: Slot; readonly block: Block } | null;
};
export type ForStatement = StatementBase & {
  readonly s: "for";
  readonly item: Name;
  readonly list: Operand;
  readonly block: Block;
};
export type WhileStatement = StatementBase & {
  readonly s: "while";
  readonly cond: Condition;
  readonly limit: number | null;
  readonly limit_slot: Slot | null;
  readonly block: Block;
};
export type TryStatement = StatementBase & {
  readonly s: "try";
  readonly block: Block;
  readonly handler: { readonly word: Slot; readonly block: Block };
};
/** `out = call target for item in list` */
export type EachStatement = StatementBase & {
  readonly s: "each";
  readonly target: Slot;
  readonly item: Name;
  readonly out: Name;
  readonly list: Operand;
  readonly limit: Slot | null;
  readonly mode: Slot | null;
};
/** `out = call a, b` */
export type ParStatement = StatementBase & {
  readonly s: "par";
  readonly targets: readonly Slot[];
  readonly out: Name;
  readonly mode: Slot | null;
};
export type Compound = IfStatement | ForStatement | WhileStatement | TryStatement;

export type Statement =
  /** Run one after another. */
  | { readonly s: "steps"; readonly steps: readonly Step[] }
  /** Err and Retry: they belong to the statement above. */
  | { readonly s: "guard"; readonly step: Step }
  /** Ends the graph. `step` is the J it was written as. */
  | (StatementBase & { readonly s: "out"; readonly value: Operand; readonly step: Step | null })
  | (StatementBase & {
      readonly s: "call";
      readonly target: Slot;
      readonly out: Name | null;
      /** null: it shares the variables of its caller. */
      readonly inputs: readonly CallInput[] | null;
    })
  | EachStatement
  | ParStatement
  | (StatementBase & { readonly s: "break" | "continue" })
  /** `x = a.b`: a path when `a` is a variable, else a call without arguments. */
  | (StatementBase & { readonly s: "dotted"; readonly name: Name; readonly path: Operand & { k: "path" } })
  /** If, Loop and While of the opcode form: they end the label they stand in. */
  | { readonly s: "end"; readonly step: Step }
  | Compound;

export type Graph = {
  readonly name: Slot;
  readonly decorators: readonly Decorator[];
  readonly block: Block;
  /** A graph above has the same name: this one is read, but is not part of the program. */
  readonly repeated: boolean;
};

export type Decorator = { readonly word: Slot; readonly args: readonly Slot[] };

export type IndentedProgram = {
  readonly graphs: readonly Graph[];
  /** In source order. */
  readonly declarations: readonly (DeclarationLine | IncludeLine)[];
  readonly inputs: readonly InputDeclaration[];
};

export function isCompound(statement: Statement): statement is Compound {
  const { s } = statement;
  return s === "if" || s === "for" || s === "while" || s === "try";
}
