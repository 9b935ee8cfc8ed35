/**
 * What lowering takes from declarations: endpoints with their targets (docs/language.md, declarations), the labels of Cr and Tst,
 * cron expressions, constraints, and the declared frame inputs. Steps and the names they use are handled elsewhere.
 */
import type { DeclarationLine, Ref, Slot } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { type Span, spanOver } from "../../grammar/text/span.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { cronProblem, isCronExpression } from "./cron.ts";
import { type FindingSink, sinkFor } from "./findings.ts";
import {
  type FailedAliases,
  findLabel,
  type LabelTable,
  referenceText,
  reportUnknownLabel,
  resolveReference,
  withoutL,
} from "./labels.ts";
import type { LoweredEndpoint, Module, Target } from "./lowered.ts";

export type StoredDeclaration = { readonly line: DeclarationLine; readonly module: Module };
export type DeclaredInputs = ReadonlyMap<string, { readonly type: string; readonly span: Span }>;

const METHODS: Readonly<Record<string, string>> = { G: "GET", P: "POST", U: "PUT", D: "DELETE", L: "GET" };

/** Every stored declaration, main file first, each file in source order. */
export function storedDeclarations(modules: readonly Module[]): readonly StoredDeclaration[] {
  const stored: StoredDeclaration[] = [];
  for (const module of modules) {
    for (const line of module.file.lines) {
      if (line.kind === "declaration" && !line.too_short) stored.push({ line, module });
    }
  }
  return stored;
}

export function lowerEndpoints(
  declarations: readonly StoredDeclaration[],
  table: LabelTable,
  failed: FailedAliases,
  findings: Finding[],
): readonly LoweredEndpoint[] {
  const sink = sinkFor(findings);
  const byKey = new Map<string, LoweredEndpoint>();
  for (const { line, module } of declarations) {
    if (line.op !== "E") continue;
    const endpoint = lowerEndpoint(line, module, table, failed, sink);
    const key = `${endpoint.method} ${endpoint.path}`;
    const first = byKey.get(key);
    if (first === undefined) {
      byKey.set(key, endpoint);
      continue;
    }
    sink.report("WF3005", line.word.span, {
      words: { method: endpoint.method, path: endpoint.path },
      related: [{ message: "first declared here", span: first.line.span }],
    });
  }
  return [...byKey.values()];
}

/**
 * Checks the labels of Cr and Tst and the cron expressions. A label of a module is stored in its qualified form, because
 * nothing is looked up at run time; `main` files keep what was written.
 */
export function resolveDeclarations(
  declarations: readonly StoredDeclaration[],
  table: LabelTable,
  findings: Finding[],
): readonly StoredDeclaration[] {
  const sink = sinkFor(findings);
  return declarations.flatMap((declaration) => {
    const { line, module } = declaration;
    if (line.op === "E") return [];
    checkConstraints(line, sink);
    const [slot, ...rest] = line.op === "Cr" || line.op === "Tst" ? line.slots : [];
    const text = referenceText(slot?.text ?? "");
    const label = slot === undefined ? undefined : findLabel(text, module.prefix, table);
    if (slot !== undefined && label === undefined && reportLateLabel(line, slot, module, table, sink))
      return [declaration];
    checkSchedule(line, sink);
    if (slot === undefined) return [declaration];
    if (label === undefined) {
      reportUnknownLabel("WF3020", withoutL(text), slot.span, module, table, sink);
      return [declaration];
    }
    if (module.prefix === "") return [declaration];
    return [{ line: { ...line, slots: [{ ...slot, text: `L${label.id}` }, ...rest] }, module }];
  });
}

/** The first declaration of an input gives its place and type; conflicts are judged by the checks. */
export function collectInputs(modules: readonly Module[]): DeclaredInputs {
  const inputs = new Map<string, { type: string; span: Span }>();
  for (const module of modules) {
    for (const { name, type, span } of module.file.inputs) if (!inputs.has(name)) inputs.set(name, { type, span });
  }
  return inputs;
}

/** `G` → `GET`, `patch` → `PATCH`. */
function fullMethod(word: string): string {
  const upper = word.toUpperCase();
  return Object.hasOwn(METHODS, upper) ? (METHODS[upper] ?? upper) : upper;
}

function lowerEndpoint(
  line: DeclarationLine,
  module: Module,
  table: LabelTable,
  failed: FailedAliases,
  sink: FindingSink,
): LoweredEndpoint {
  const [path, method, label, ...more] = line.slots;
  const optional = [...more];
  const returns = takeIf(optional, (slot) => !slot.quoted && slot.text.startsWith("->"));
  const type = takeIf(optional, (slot) => !slot.quoted && hasTypeForm(slot.text));
  for (const slot of optional.slice(1)) {
    sink.report("WF9001", slot.span, { words: { op: "E", word: slot.text.slice(0, 100) } });
  }
  return {
    line,
    module,
    path: path?.text ?? "",
    method: fullMethod(method?.text ?? ""),
    target: label === undefined ? null : endpointTarget(label, module, table, failed, sink),
    returns: returns === null ? null : returns.text.slice(2),
    type: type?.text ?? null,
    description: optional[0]?.text ?? null,
  };
}

function takeIf(slots: Slot[], wanted: (slot: Slot) => boolean): Slot | null {
  const first = slots[0];
  if (first === undefined || !wanted(first)) return null;
  slots.shift();
  return first;
}

/** A letter, `A[T]`, `E[a,b]` or a type name (docs/language.md, declarations). */
function hasTypeForm(word: string): boolean {
  return /^(?:A\[.+\]|E\[.+\]|[\p{L}_][\p{L}\p{Nd}_]*)[?!]?$/u.test(word);
}

function endpointTarget(
  slot: Slot,
  module: Module,
  table: LabelTable,
  failed: FailedAliases,
  sink: FindingSink,
): Target {
  const arrow = slot.text.startsWith("->");
  const ref: Ref = { text: referenceText(slot.text), arrow, span: slot.span };
  const target = resolveReference(ref, "call", module, table, failed, sink);
  // An empty reference was reported as WF3004.
  if (ref.text !== "" && ref.text !== "L" && (!arrow || !(ref.text.startsWith("L") || ref.text.includes("/")))) {
    const id = target.id.slice(target.id.startsWith(module.prefix) ? module.prefix.length : 0);
    const spelled = `->${writtenLabel(id)}`;
    sink.report("WF3003", slot.span, {
      words: { id },
      fix: { title: `write ${spelled}`, edits: [{ span: slot.span, new_text: spelled }] },
    });
  }
  return target;
}

/** `Cr "0 2 * * *" ->L_nightly`: told as one mistake. Whether that is what the line is. */
function reportLateLabel(
  { op, slots }: DeclarationLine,
  first: Slot,
  { prefix, file }: Module,
  table: LabelTable,
  sink: FindingSink,
): boolean {
  const last = slots.at(-1);
  const schedule = slots.slice(0, -1);
  if (op !== "Cr" || last === undefined || !isCronExpression(schedule.map(({ text }) => text).join(" "))) return false;
  const label = referenceText(last.text.replace(/^=>/, ""));
  if (findLabel(label, prefix, table) === undefined) return false;
  const spelled = [label, ...schedule.map(({ span }) => file.text.slice(span.start, span.end))].join(" ");
  sink.report("WF3020", first.span, {
    words: { id: first.text },
    suggestion: `the label stands first: write Cr ${spelled}`,
    fix: { title: `write Cr ${spelled}`, edits: [{ span: spanOver(first.span, last.span), new_text: spelled }] },
  });
  return true;
}

/** WF3021 for `Cr label expr…` and `S name cron "expr"`. */
function checkSchedule(line: DeclarationLine, sink: FindingSink): void {
  const scheduled = line.op === "Cr" ? line.slots.slice(1) : line.op === "S" ? scheduleOfService(line) : [];
  const [first] = scheduled;
  if (first === undefined) return;
  const expr = scheduled.map((slot) => slot.text).join(" ");
  const problem = cronProblem(expr);
  if (problem === null) return;
  const { what, write } = problem;
  sink.report("WF3021", first.span, { words: { expr, what }, suggestion: `write ${write}` });
}

/** `Pol admins auth` would state no constraint at all: a rule that is not read must not pass in silence. */
function checkConstraints(line: DeclarationLine, sink: FindingSink): void {
  if (line.op !== "Pol") return;
  for (const slot of line.slots.slice(1)) {
    if (slot.text.indexOf("=") > 0) continue;
    sink.report("WF9001", slot.span, { words: { op: "Pol", word: slot.text }, suggestion: "write it as key=value" });
  }
}

function scheduleOfService(line: DeclarationLine): readonly Slot[] {
  return line.slots[1]?.text === "cron" ? line.slots.slice(2, 3) : [];
}
