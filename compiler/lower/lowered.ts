/**
 * Between syntax and IR: the linked program. Labels of all files in their final order with qualified ids, every step next to
 * the node it became, references resolved. The checks read this, because they need both meaning (node) and place (step);
 * the IR is what remains when the places are dropped.
 */

import type { DeclarationLine, Ref, SourceFile, Step } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import type { Span } from "../../grammar/text/span.ts";
import type { IrEdge, IrNode } from "../ir/graph.ts";

/** A file of the program: the main one or an included one. */
export type Module = {
  readonly file: SourceFile;
  /** "" for the main file, else the chained alias with its slash: `chk/`, `outer/inner/`. */
  readonly prefix: string;
  /** The include line that brought it in; null for the main file. */
  readonly included_at: Span | null;
};

/** A label reference after resolution (docs/language.md, labels). */
export type Target = {
  /** Qualified id; when nothing has that id, the id that was looked for. */
  readonly id: string;
  readonly exists: boolean;
  readonly empty: boolean;
  readonly ref: Ref;
  readonly port: "then" | "else" | "handler" | "body" | "after" | "call" | "branch";
};

/** One read of a variable by a step. */
export type Read = {
  readonly name: string;
  readonly span: Span;
  /** name: bare word, var: `$x`, path: bare path, var_path: `$x.a`. */
  readonly form: "name" | "var" | "path" | "var_path";
  /** What the place says about an unset name: `operand` reports it, `lenient` and `key` do not report bare words. */
  readonly slot: "operand" | "key" | "lenient" | "subject";
  /** As written. */
  readonly text: string;
};

export type LoweredStep = {
  readonly step: Step;
  /** null when the step produces no node. Annotated already (effect, reads, writes). */
  readonly node: IrNode | null;
  readonly targets: readonly Target[];
  readonly reads: readonly Read[];
  /** Id of the node this Err or Retry protects; null for the active handler or nothing. */
  readonly protects: string | null;
};

export type LoweredLabel = {
  /** Qualified id. */
  readonly id: string;
  readonly module: Module;
  /** Place of the label word; for `_anon` that of the first step. */
  readonly span: Span;
  readonly steps: readonly LoweredStep[];
};

export type LoweredEndpoint = {
  readonly line: DeclarationLine;
  readonly module: Module;
  readonly method: string;
  readonly path: string;
  readonly target: Target | null;
  readonly returns: string | null;
  readonly type: string | null;
  readonly description: string | null;
};

export type LoweredProgram = {
  readonly modules: readonly Module[];
  /** Final label order: main file first. */
  readonly labels: readonly LoweredLabel[];
  readonly edges: readonly IrEdge[];
  readonly endpoints: readonly LoweredEndpoint[];
  /** Every stored declaration but E, source order, with its module. */
  readonly declarations: readonly { readonly line: DeclarationLine; readonly module: Module }[];
  /** Declared frame inputs of all files: name → place of the first declaration and type. */
  readonly inputs: ReadonlyMap<string, { readonly type: string; readonly span: Span }>;
  readonly entry: string | null;
  /** What lowering itself found (references, options, includes, adapters' spelling …). */
  readonly findings: readonly Finding[];
};
