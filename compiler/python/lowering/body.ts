/**
 * The label that a function becomes, while it is made: steps in the order they are written, with edges to where each of them leads. An *end* is an
 * edge that has no target yet; the next step becomes the target of all open ends. Knows nothing of syntax.
 */
import type { AdapterCatalog } from "../../catalog.ts";
import type { CallData, IrEdge, IrNode, IrOperand, Port, PyData } from "../../ir/graph.ts";
import { annotate } from "../../policy/annotate.ts";
import type { Scope } from "../names/scopes.ts";

/** An edge without target. */
export type End = { readonly from: number; readonly port: Port };

/** What surrounds the statement that is lowered, innermost last: where `break`, `continue` and `return` pass. */
export type Around =
  | { readonly kind: "loop"; readonly head: number; readonly breaks: End[] }
  /** An `except … as name`: the name ends with it. */
  | { readonly kind: "handler"; readonly name: string }
  /** The block of a `finally`, with the variable that holds what led there. */
  | { readonly kind: "cleanup"; readonly caught: string }
  | Finally;

/** A `finally` that ways out lead through. Each way has a number, which the end of the block continues by. */
export type Finally = {
  readonly kind: "finally";
  /** A cancellation leads through it, too. */
  readonly isCleanup: boolean;
  readonly way: string;
  readonly value: string;
  readonly entries: End[];
  readonly uses: Set<"return" | "break" | "continue">;
};

/** Where what is raised is caught. */
type Catching = { readonly from: number[] };

/** A variable that holds an exception; in a `finally` block only where the variable `way` says that one led there. */
export interface Caught {
  readonly name: string;
  readonly way: string | null;
}

/** Steps that cannot fail, unless the run ends with the statement that they begin. */
const NEVER_FAILS: ReadonlySet<string> = new Set(["join", "cell"]);

export class Body {
  readonly label: string;
  readonly scope: Scope;
  private readonly catalog: AdapterCatalog;
  /** The file of the steps; null: the program itself. */
  private readonly file: string | null;
  readonly nodes: IrNode[] = [];
  readonly around: Around[] = [];
  /** What the handlers and `finally` blocks around caught, innermost last. */
  readonly caught: Caught[] = [];
  loops = 0;
  /** Blocks around whose `except` catches everything. */
  catchAll = 0;
  private readonly edges: IrEdge[] = [];
  /** What steps use, as a step and a label. */
  private readonly used = new Set<string>();
  private ends: End[] = [];
  private readonly catching: Catching[] = [];
  private temporaries = 0;
  private line = 1;
  private isStep = false;

  constructor(label: string, scope: Scope, catalog: AdapterCatalog, file: string | null) {
    this.label = label;
    this.scope = scope;
    this.catalog = catalog;
    this.file = file;
  }

  /** Whether a `finally` runs, or an `except` that catches everything, when the function is left here. */
  get isClosing(): boolean {
    return this.catchAll > 0 || this.isCleanedUp;
  }

  get isCleanedUp(): boolean {
    return this.around.some((one) => one.kind === "cleanup" || (one.kind === "finally" && one.isCleanup));
  }

  /** The next step that is made belongs to a new statement. */
  statement(line: number): void {
    this.line = line;
    this.isStep = true;
  }

  at(line: number): void {
    this.line = line;
  }

  /** Whether anything leads to the next step. */
  get isReached(): boolean {
    return this.nodes.length === 0 || this.ends.length > 0;
  }

  /** Variables that `make` needs for a while only are used again after it. */
  scratch(make: () => void): void {
    const { temporaries } = this;
    make();
    this.temporaries = temporaries;
  }

  temporary(): string {
    return `$${++this.temporaries}`;
  }

  /** A step. It takes all open ends, and leaves one by port next. */
  add(data: PyData): number {
    return this.node("Py", data);
  }

  call(data: CallData): number {
    return this.node("R", data);
  }

  private node(op: "Py" | "R", data: PyData | CallData): number {
    const number = this.nodes.length + 1;
    for (const { from, port } of this.ends) this.connect(from, port, number);
    const id = `n${number}`;
    const { label, line } = this;
    const { effect, effect_tier, effect_kinds, reads, writes } = annotate(op, data, this.catalog);
    const mayFail = op === "R" || this.isStep || !NEVER_FAILS.has((data as PyData).do);
    const own = { id, label, op, effect, effect_tier, effect_kinds, reads, writes, line };
    const head = this.file === null ? own : { ...own, file: this.file };
    const node = (this.isStep ? { ...head, step: true, data } : { ...head, data }) as IrNode;
    this.isStep = false;
    this.nodes.push(node);
    this.ends = [{ from: number, port: "next" }];
    if (mayFail) this.catching.at(-1)?.from.push(number);
    return number;
  }

  connect(from: number, port: Port, to: number): void {
    this.edges.push({ label: this.label, from: `n${from}`, to: `n${to}`, to_kind: "node", port });
  }

  /** The function of a label is used or called by the next step, or by the one with this number. */
  uses(label: string, number = this.nodes.length + 1): void {
    const from = `n${number}`;
    if (this.used.has(`${from}\n${label}`)) return;
    this.used.add(`${from}\n${label}`);
    this.edges.push({ label: this.label, from, to: label, to_kind: "label", port: "call" });
  }

  /** The open ends, which are taken away: what is made next follows none of them. */
  take(): End[] {
    const { ends } = this;
    this.ends = [];
    return ends;
  }

  /** Further ends of what is made next. */
  open(ends: readonly End[]): void {
    this.ends.push(...ends);
  }

  /** Leads all open ends to a step that stands already. */
  lead(to: number): void {
    for (const { from, port } of this.take()) this.connect(from, port, to);
  }

  /** What `make` makes; the steps of it that can fail, for `land`. */
  guard(make: () => void): readonly number[] {
    const catching: Catching = { from: [] };
    this.catching.push(catching);
    make();
    this.catching.pop();
    return catching.from;
  }

  /** The step that catches what the steps `from` raise; one of a `finally` takes cancellation too. Gives the variable that holds it. */
  land(from: readonly number[], by: "catch" | "cleanup" = "catch"): string {
    const name = this.temporary();
    const number = this.add({ do: by, name });
    for (const one of from) this.connect(one, "err", number);
    return name;
  }

  /** A variable that holds `value` from now on. Literals stay what they are. */
  keep(value: IrOperand): IrOperand {
    if (value.k !== "var" && value.k !== "call" && value.k !== "global" && value.k !== "lib") return value;
    const name = this.temporary();
    this.add({ do: "set", name, value });
    return { k: "var", v: name };
  }

  /** Edges in the order of the IR: by number of their step, then by port. */
  finishedEdges(): IrEdge[] {
    const byNode: IrEdge[][] = [];
    for (const edge of this.edges) {
      const at = Number(edge.from.slice(1));
      const known = byNode[at];
      if (known === undefined) byNode[at] = [edge];
      else known.push(edge);
    }
    const sorted: IrEdge[] = [];
    for (const edges of byNode) {
      if (edges === undefined) continue;
      if (edges.length > 1) edges.sort((a, b) => (a.port < b.port ? -1 : a.port > b.port ? 1 : 0));
      for (const edge of edges) sorted.push(edge);
    }
    return sorted;
  }
}
