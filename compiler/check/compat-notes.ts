/**
 * Notes for programs written for the predecessor (docs/migration.md): the constructs that are read without a
 * complaint and mean something else here. Only with the option `compat_notes`. Here: what one step shows by itself; what is
 * seen in the order of lines is in `line-notes.ts`. Constructs that are errors or have a warning of their own are left out.
 */
import type { Condition, Name, Operand } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import type { Span } from "../../grammar/text/span.ts";
import { builtinCatalog } from "../catalog/builtin.ts";
import type { LoweredLabel, LoweredStep } from "../lower/lowered.ts";
import { capabilitiesOf } from "../policy/capabilities-of.ts";
import { type CompatNote, lineNotes } from "./line-notes.ts";
import { conditionOf, walkOperands } from "./operand-walk.ts";
import type { ProgramView } from "./program-view.ts";

const LITERAL = /^(?:true|false|null|-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/;

/** Steps that take Err and Retry after them for their own there; an Err never caught what failed inside the labels they run. */
const TAKES_HANDLER: ReadonlySet<string> = new Set(["Err", "Retry", "If", "Loop", "While"]);
const RUNS_LABELS: ReadonlySet<string> = new Set(["Call", "If", "Loop", "While", "Each", "Par"]);

/** Comparators of Filt that always failed. */
const NEW_COMPARATORS: ReadonlySet<string> = new Set(["=", "in", "contains"]);

/** `given`: names that the caller's frame will hold. */
export function compatNotes(view: ProgramView, given: readonly string[]): Finding[] {
  const variables = new Set([...view.program.inputs.keys(), ...given]);
  for (const { steps } of view.program.labels) {
    for (const { step } of steps) for (const name of step.writes) variables.add(name);
  }
  const findings = lineNotes(view.program).map((note) => finding(note, note.label_id ?? null, null));
  for (const label of view.program.labels) {
    let above: LoweredStep | undefined;
    const set_above = new Set<string>();
    for (const lowered of label.steps) {
      if (lowered.step.faulty) continue;
      const notes = [
        ...operandNotes(lowered, variables),
        ...conditionNotes(lowered, label, set_above),
        ...handlerNotes(lowered, above, label),
        ...formNotes(lowered, label),
        ...environmentNotes(lowered),
      ];
      for (const note of notes) findings.push(finding(note, label.id, lowered.node?.id ?? null));
      if (lowered.node === null) continue;
      above = lowered;
      if (lowered.step.op !== "Err") for (const name of lowered.step.writes) set_above.add(name);
    }
  }
  return findings;
}

function finding({ span, how }: CompatNote, label_id: string | null, node_id: string | null): Finding {
  return { code: "WF9021", span, label_id, node_id, severity: "hint", words: { how } };
}

/** Appendix A 1, 2, 4 and 5. What stands in brackets that are new as a whole is not noted again. */
function operandNotes({ step, reads }: LoweredStep, variables: ReadonlySet<string>): CompatNote[] {
  const notes: CompatNote[] = [];
  const whole = step.op === "X" ? step.first : null;
  let noted_to = -1;
  walkOperands(step, (operand) => {
    if (operand.span.start < noted_to) return;
    const how = operandNote(operand, variables, operand === whole);
    if (how === null) return;
    if (operand.k !== "str") noted_to = operand.span.end;
    notes.push({ span: operand.span, how });
  });
  const structures = notes.map(({ span }) => span);
  for (const { form, name, span, text } of reads) {
    const walks = form === "var_path" || (form === "path" && variables.has(name));
    if (!walks || structures.some((outer) => outer.start <= span.start && span.end <= outer.end)) continue;
    const was = form === "path" ? "text" : "the variable of that whole name";
    notes.push({ span, how: `'${text}' walks into the value of '${name}', it was ${was}` });
  }
  return notes;
}

function operandNote(operand: Operand, variables: ReadonlySet<string>, whole: boolean): string | null {
  if (operand.k === "list" || operand.k === "map") return `a ${operand.k} is a value, it was pieces of text`;
  // `X v (add 1 2)`, with nothing in brackets inside, was evaluated there too.
  if (operand.k === "call" && !(whole && !operand.infix)) return "brackets are evaluated, they were pieces of text";
  if (operand.k !== "str") return null;
  if (LITERAL.test(operand.v)) return "quoted text stays text, it was a constant";
  if (variables.has(operand.v)) return "quoted text stays text, it was the variable";
  // Null where nothing had set it.
  return operand.v.startsWith("$") ? "quoted text stays text, it was the variable of that name" : null;
}

/** Appendix A 4 and 6. */
function conditionNotes({ step }: LoweredStep, label: LoweredLabel, set_above: ReadonlySet<string>): CompatNote[] {
  const condition = conditionOf(step);
  const how = condition === null ? null : conditionNote(condition, label, set_above);
  return condition === null || how === null ? [] : [{ span: condition.span, how }];
}

function conditionNote(
  condition: Exclude<Condition, { c: "not" }>,
  label: LoweredLabel,
  set_above: ReadonlySet<string>,
): string | null {
  switch (condition.c) {
    case "present":
      return "the question mark asks for presence, it was always true";
    case "truthy":
      return mayBeAbsent(condition.of, set_above) ? "an absent name is false, it was true" : null;
    case "cmp":
      return "the comparison is evaluated, it was pieces of text";
    case "text_eq": {
      const { text } = label.module.file;
      const spaced = [text[condition.op_span.start - 1], text[condition.op_span.end]].some(
        (neighbor) => neighbor === " ",
      );
      return spaced ? "the comparison is evaluated, it was pieces of text" : null;
    }
  }
}

/** A bare name that no step above it in the label sets for certain. */
function mayBeAbsent(operand: Operand, set_above: ReadonlySet<string>): boolean {
  if (operand.k === "name") return !set_above.has(operand.v);
  return operand.k === "path" && operand.text !== null && !set_above.has(operand.root);
}

/** Appendix A 8. */
function handlerNotes(
  { step, protects }: LoweredStep,
  above: LoweredStep | undefined,
  label: LoweredLabel,
): CompatNote[] {
  if (step.op !== "Err" && step.op !== "Retry") return [];
  const before = above?.step.op;
  if (step.protects === null && before !== undefined && TAKES_HANDLER.has(before))
    return [{ span: step.word.span, how: `it protects the step above that can fail, it belonged to the ${before}` }];
  const guarded = label.steps.find(({ node }) => node !== null && node.id === protects)?.node;
  if (step.op === "Retry" || guarded === undefined || guarded === null || !RUNS_LABELS.has(guarded.op)) return [];
  return [{ span: step.word.span, how: `it catches what fails inside the ${guarded.op}, it did not` }];
}

/** Appendix A 7, 9, 10, 12 and 19. */
function formNotes({ step, targets }: LoweredStep, label: LoweredLabel): CompatNote[] {
  const notes: CompatNote[] = [];
  const { span } = step.word;
  if (step.op === "R" && !step.split && step.args.length === 0) {
    notes.push({ span, how: "no argument is passed, it was one empty text" });
  }
  if ((step.op === "Loop" || step.op === "Filt") && step.word.text !== step.op) {
    notes.push({ span, how: `it is ${step.op}, it was ignored` });
  }
  if (step.op === "Filt" && NEW_COMPARATORS.has(step.cmp.text)) {
    notes.push({ span: step.cmp.span, how: "this comparison works, it failed" });
  }
  if (step.op === "Loop" || step.op === "While") {
    const qualified = targets.find(({ ref }) => ref.text.includes("/"));
    if (qualified !== undefined) notes.push({ span: qualified.ref.span, how: "the label is run, it was left out" });
  }
  const out = resultOf(step);
  const last = step.op === "R" ? step.args.at(-1) : undefined;
  if (out !== null && wasArgument(out, last?.span, label))
    notes.push({ span: out.span, how: `'${out.name}' takes the result, it was an argument` });
  return notes;
}

/** A switch such as a dry run, read from a variable that is not exposed, has its default here. */
function environmentNotes({ step, node }: LoweredStep): CompatNote[] {
  if (node === null) return [];
  const reads = capabilitiesOf(node.op, node.data, builtinCatalog).some(
    ({ adapter, verb }) => adapter === "core" && verb?.toLowerCase() === "env",
  );
  const how = "only variables that WF_EXPOSE_ENV names are read, it was every variable";
  return reads ? [{ span: step.word.span, how }] : [];
}

function resultOf(step: LoweredStep["step"]): Name | null {
  return step.op === "R" || step.op === "Call" || step.op === "CacheGet" || step.op === "QueuePut" ? step.out : null;
}

/** An arrow counted there only as the last slot, written together with a name that could be no label. */
/** Blanks between an arrow and its name, beyond which none is looked for. */
const MAX_BLANKS = 200;

function wasArgument(out: Name, last: Span | undefined, label: LoweredLabel): boolean {
  const before = label.module.file.text.slice(Math.max(0, out.span.start - MAX_BLANKS), out.span.start);
  // In the indented form a result stands before its call.
  if (!before.trimEnd().endsWith("->")) return false;
  const touches = before.endsWith(">");
  return out.name.startsWith("L") || !touches || (last !== undefined && last.start > out.span.start);
}
