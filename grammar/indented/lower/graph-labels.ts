/**
 * The statements of one graph → labels and steps. A block becomes a label; what follows an `if`, `for` or `while`
 * becomes the label at which its blocks continue. In loops `out` cannot end the graph by itself: it sets a hidden flag and a value, and every
 * way out of the loop checks the flag (docs/adr/0009-the-indented-form.md).
 */
import type { Line, Ref, Slot, Step } from "../../ast.ts";
import type { Reporter } from "../../reporter.ts";
import { Outs } from "../names.ts";
import {
  type Block,
  type Compound,
  type EachStatement,
  type Graph,
  type IfStatement,
  isCompound,
  type ParStatement,
  type Statement,
} from "../program.ts";
import { type GraphNames, withReferences } from "./graph-names.ts";
import {
  type BlockKind,
  type Context,
  checkFlag,
  flagName,
  type LabelWriter,
  lowerFor,
  lowerWhile,
  type OpenLabel,
  raise,
  valueName,
} from "./loop-labels.ts";
import type { Place } from "./steps.ts";
import * as step from "./steps.ts";
import { lowerTry } from "./try-labels.ts";

/** Where a statement continues: in a label, at a label in another place, or nowhere. */
type Reached = OpenLabel | "elsewhere" | null;

/** Lowers one graph. */
export class GraphLabels implements LabelWriter {
  private readonly graph: Graph;
  readonly names: GraphNames;
  private readonly reporter: Reporter;
  readonly outs = new Outs();
  private readonly labels: OpenLabel[] = [];
  private readonly entry: string;
  private count = 0;

  constructor(graph: Graph, label: string, names: GraphNames, reporter: Reporter) {
    this.graph = graph;
    this.names = names;
    this.reporter = reporter;
    this.entry = label;
  }

  lines(): readonly Line[] {
    const { name, block } = this.graph;
    this.block(block, this.open(this.entry, name), { next: null, flag: null, pass: null });
    return this.labels.flatMap(({ id, word, steps }): Line[] => [
      { kind: "label", id, word, steps: [], span: word.span },
      ...steps.map((one): Line => ({ kind: "step", step: one, span: one.span })),
    ]);
  }

  id(kind: BlockKind): string {
    this.count++;
    return `${this.graph.name.text}~${kind}${this.count}`;
  }

  open(id: string, word: Slot): OpenLabel {
    const label: OpenLabel = { id, word, steps: [] };
    this.labels.push(label);
    return label;
  }

  // ---- blocks ----

  /** True when some path reaches the end of the block. */
  block(block: Block, label: OpenLabel, context: Context): boolean {
    let into = label;
    let word = label.word;
    for (let at = 0; at < block.length; ) {
      const statement = block[at] as Statement;
      const guards = this.guardsBehind(block, at + 1);
      const rest = at + 1 + guards.length;
      word = wordOf(statement);
      const open = isCompound(statement)
        ? this.compound(statement, guards, rest < block.length, into, context)
        : this.simple(statement, guards, into, context);
      if (open === "elsewhere") return true;
      if (open === null) {
        const unreached = block[rest];
        if (unreached !== undefined) this.reportUnreached(statement, unreached);
        return false;
      }
      into = open;
      at = rest;
    }
    const { next } = context;
    into.steps.push(next === null ? step.returnStep(step.placeAt(word)) : step.goStep(step.placeAt(word), next));
    return true;
  }

  private reportUnreached(ending: Statement, unreached: Statement): void {
    const [word, ended_by] = [wordOf(unreached), wordOf(ending)];
    const words = { op: ended_by.text, label: `L${this.entry}` };
    const related = [{ message: `${ended_by.text} ends the graph here`, span: ended_by.span }];
    const suggestion = `leave them out, or put them above ${ended_by.text}`;
    this.reporter.report({ code: "WF2009", span: word.span, words, suggestion, related });
  }

  private guardsBehind(block: Block, from: number): readonly Step[] {
    const guards: Step[] = [];
    for (let at = from; at < block.length; at++) {
      const statement = block[at];
      if (statement?.s !== "guard") break;
      guards.push(withReferences(statement.step, this.names));
    }
    return guards;
  }

  private simple(
    statement: Exclude<Statement, Compound>,
    guards: readonly Step[],
    into: OpenLabel,
    context: Context,
  ): Reached {
    const { steps } = into;
    switch (statement.s) {
      case "steps":
        for (const one of statement.steps) steps.push(withReferences(one, this.names));
        break;
      case "guard":
        steps.push(withReferences(statement.step, this.names));
        break;
      case "dotted":
        steps.push(this.dotted(statement));
        break;
      case "call":
        steps.push(this.call(statement));
        break;
      case "each":
        steps.push(this.each(statement));
        break;
      case "par":
        steps.push(this.par(statement));
        break;
      case "end":
        steps.push(withReferences(statement.step, this.names), ...guards);
        return null;
      case "out":
        this.out(statement, guards, steps, context);
        return null;
      case "break":
      case "continue":
        this.leavePass(statement, steps, context);
        return null;
    }
    steps.push(...guards);
    return into;
  }

  private dotted(statement: Extract<Statement, { s: "dotted" }>): Step {
    const { name, path } = statement;
    const { root, text, span } = path;
    if (this.names.variables.has(root) || root.startsWith("_"))
      return step.setStep(statement, name, { ...path, text: null });
    return step.adapterStep(statement, { text: text ?? "", span }, [], name);
  }

  private each(statement: EachStatement): Step {
    const { ref, isUnknown } = this.called(statement.target, statement.faulty);
    return step.eachStep({ ...statement, faulty: statement.faulty || isUnknown }, { ...ref, arrow: true }, statement);
  }

  private par(statement: ParStatement): Step {
    const called = statement.targets.map((target) => this.called(target, statement.faulty));
    const faulty = statement.faulty || called.some(({ isUnknown }) => isUnknown);
    const bodies = called.map(({ ref }) => ({ ...ref, arrow: true }));
    return step.parStep({ ...statement, faulty }, bodies, statement);
  }

  /** The label of the graph that a statement names. */
  private called(target: Slot, faulty: boolean): { readonly ref: Ref; readonly isUnknown: boolean } {
    const label = faulty ? null : this.names.labelOf(target);
    const ref = {
      text: label === null ? `L_${target.text}` : label.includes("/") ? label : `L${label}`,
      arrow: false,
      span: target.span,
    };
    return { ref, isUnknown: label === null };
  }

  private call(statement: Extract<Statement, { s: "call" }>): Step {
    const { target, out, faulty, inputs } = statement;
    const { ref, isUnknown } = this.called(target, faulty);
    // An unknown graph was reported; the step keeps the label as written.
    return step.callStep({ ...statement, faulty: faulty || isUnknown }, ref, out, inputs);
  }

  private leavePass(
    { s, word }: Extract<Statement, { s: "break" | "continue" }>,
    steps: Step[],
    { pass }: Context,
  ): void {
    const place = step.placeAt(word);
    if (pass === null) {
      const suggestion = `${s} stands in the block of a loop; out ends the graph`;
      this.reporter.report({ code: "WF1106", span: word.span, words: { word: s }, suggestion, fix: null });
    } else {
      const raised = s === "break" ? [pass.until] : [];
      for (const name of pass.skip === null ? raised : [...raised, pass.skip])
        steps.push(step.setStep(place, step.nameAt(name, word), step.truth(true, word)));
    }
    steps.push(step.returnStep(place));
  }

  /** Computes a value that Err or Retry protect in a step of its own, because they never protect a J. */
  private out(
    statement: Extract<Statement, { s: "out" }>,
    guards: readonly Step[],
    steps: Step[],
    { flag }: Context,
  ): void {
    const { word, value } = statement;
    const place = step.placeAt(word);
    if (flag === null && guards.length === 0) {
      steps.push(statement.step ?? step.returnStep(statement, value));
      return;
    }
    const kept = step.nameAt(valueName(flag ?? flagName(this)), word);
    steps.push(step.setStep(statement, kept, value), ...guards);
    if (flag === null) steps.push(step.returnStep(place, step.variable(kept.name, word)));
    else steps.push(step.setStep(place, step.nameAt(flag, word), step.truth(true, word)), step.returnStep(place));
  }

  // ---- if, for, while ----

  private compound(
    statement: Compound,
    guards: readonly Step[],
    hasRest: boolean,
    into: OpenLabel,
    context: Context,
  ): Reached {
    // Retry must repeat only the statement, not the statements after it.
    if (guards.some(({ op }) => op === "Retry")) return this.repeated(statement, guards, into, context);
    // Without statements after it, its blocks continue at the label of the block around it, if there is one.
    const cont = hasRest || context.next === null ? this.id("cont") : context.next;
    switch (statement.s) {
      case "if":
        return this.branches(statement, guards, into, context, cont);
      case "for":
        lowerFor(this, statement, guards, into, context, cont);
        break;
      case "while":
        lowerWhile(this, statement, guards, into, context, cont);
        break;
      case "try":
        lowerTry(this, statement, guards, into, context, cont);
    }
    return this.goOn(cont, statement, context);
  }

  private goOn(cont: string, { word }: Compound, { next }: Context): Reached {
    return cont === next ? "elsewhere" : this.open(cont, word);
  }

  private branches(
    statement: IfStatement,
    guards: readonly Step[],
    into: OpenLabel,
    context: Context,
    cont: string,
  ): Reached {
    const { branches, otherwise } = statement;
    const inner = { ...context, next: cont };
    let from = into;
    let goesOn = otherwise === null;
    for (const [index, { word, cond, block }] of branches.entries()) {
      const following = branches[index + 1]?.word ?? otherwise?.word;
      const then = this.id("then");
      const other = following === undefined ? cont : this.id("else");
      const place: Place = index === 0 ? statement : step.placeAt(word);
      from.steps.push(step.ifStep(place, cond, then, other), ...(index === 0 ? guards : []));
      goesOn = this.block(block, this.open(then, word), inner) || goesOn;
      if (following !== undefined) from = this.open(other, following);
    }
    if (otherwise !== null) goesOn = this.block(otherwise.block, from, inner) || goesOn;
    return goesOn ? this.goOn(cont, statement, context) : null;
  }

  /** Puts the statement into a label of its own and calls it, so that the call can be repeated. */
  private repeated(statement: Compound, guards: readonly Step[], into: OpenLabel, context: Context): Reached {
    const { word } = statement;
    const place = step.placeAt(word);
    const hasOut = this.outs.in(statement);
    const flag = hasOut ? raise(this, context, word, into) : context.flag;
    const tried = this.id("try");
    into.steps.push(step.callStep(place, step.blockRef(tried, word), null), ...guards);
    const label = this.open(tried, word);
    const open = this.compound(statement, [], false, label, { ...context, next: null, flag });
    if (typeof open === "object" && open !== null) open.steps.push(step.returnStep(place));
    if (!hasOut) return into;
    const cont = this.id("cont");
    checkFlag(this, flag ?? "", into, cont, context);
    return this.open(cont, word);
  }
}

function wordOf(statement: Statement): Slot {
  if (statement.s === "steps") return (statement.steps[0] as Step).word;
  return statement.s === "guard" || statement.s === "end" ? statement.step.word : statement.word;
}
