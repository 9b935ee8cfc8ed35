/**
 * A file of the indented form as it is read: graphs, blocks, statements, before they become labels and steps. Single statements hold steps of
 * the syntax tree already; blocks are still nested in one another.
 */
import type { Condition, DeclarationLine, IncludeLine, InputDeclaration, Name, Operand, Slot, Step } from "../ast.ts";
import type { Span } from "../span.ts";
import type { JoinedWords } from "./joined-words.ts";

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
export type Compound = IfStatement | ForStatement | WhileStatement;

export type Statement =
  /** Run one after another. */
  | { readonly s: "steps"; readonly steps: readonly Step[] }
  /** Err and Retry: they belong to the statement above. */
  | { readonly s: "guard"; readonly step: Step }
  /** Ends the graph. `step` is the J it was written as. */
  | (StatementBase & { readonly s: "out"; readonly value: Operand; readonly step: Step | null })
  | (StatementBase & { readonly s: "call"; readonly target: Slot; readonly out: Name | null })
  /** `x = a.b`: a path when `a` is a variable, else a call without arguments. */
  | (StatementBase & { readonly s: "dotted"; readonly name: Name; readonly path: Operand & { k: "path" } })
  /** If, Loop and While of the opcode form: they end the label they stand in. */
  | { readonly s: "end"; readonly step: Step }
  | Compound;

export type Graph = {
  readonly name: Slot;
  readonly decorators: readonly Decorator[];
  readonly block: Block;
  /** The name was given before: read, and not part of the program. */
  readonly repeated: boolean;
};

export type Decorator = { readonly word: Slot; readonly args: readonly Slot[] };

export type IndentedProgram = {
  readonly graphs: readonly Graph[];
  /** In source order. */
  readonly declarations: readonly (DeclarationLine | IncludeLine)[];
  readonly inputs: readonly InputDeclaration[];
  readonly joined: JoinedWords;
};

export function isCompound(statement: Statement): statement is Compound {
  return statement.s === "if" || statement.s === "for" || statement.s === "while";
}
