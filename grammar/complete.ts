/**
 * What may come next: `complete(prefix)` says which slot of which op the caret is in, which classes of words fit there and which
 * words are at hand. The parser reads the unfinished line, and its rules say which tokens may follow.
 * Adapters and functions come from the caller; this floor knows none.
 */
import type { SourceFile, Step } from "./ast.ts";
import type { Candidate, Completion, Surroundings, WordClass } from "./completion.ts";
import { isToken } from "./generate/expression.ts";
import type { Pending } from "./generate/following.ts";
import type { GrammarShape } from "./generate/shape.ts";
import { lastStatement, type Tail } from "./last-statement.ts";
import { CLOSING, COMPARATORS, CONSTANTS, FILTER_COMPARATORS, OPENING, type Token } from "./operands/tokens.ts";
import { DECLARED_BY, findOp, OP_WORDS, type Op, type Slot, signatureOf } from "./ops.ts";
import { parse } from "./parse.ts";
import { completePython } from "./python/ahead/complete.ts";
import { createReporter } from "./reporter.ts";
import { wantsVerb } from "./steps/draft.ts";
import { isLabelWord, lexSlots } from "./steps/slots.ts";
import { type Begun, begunSteps, tokensAfter } from "./steps-ahead.ts";
import { isPython } from "./surface.ts";
import { createSource } from "./text/source.ts";

/** Everything in scope at the caret. */
type Scope = {
  readonly around: Surroundings;
  readonly labels: readonly string[];
  readonly names: readonly string[];
  /** First slots of the declarations above, by op: caches, queues, policies. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
};

/** What may come after `prefix`, a program up to the caret. */
export function complete(prefix: string, around: Surroundings): Completion {
  if (isPython(prefix)) return completePython(prefix, around);
  const file = parse(prefix);
  const tail = lastStatement(prefix, file);
  const scope = scopeOf(file, around);
  if (file.comments.some(({ span }) => span.end === prefix.length && span.line === lineCount(prefix)))
    return { state: "comment", op: null, slot: null, classes: ["end"], items: [END], from: prefix.length };
  const open = openString(prefix, file);
  if (open !== null) return inString(open, prefix.length);
  const from = tail.from + tail.text.length - wordAtEnd(tail.text).length;
  const before = tail.text.slice(0, from - tail.from);
  const found = expectationAt(before, scope);
  const partial = prefix.slice(from);
  const items = found.items.filter(({ text }) => text.startsWith(partial));
  return { ...found, items: [...items, ...asWritten(partial, items, found), ...ending(tail, found)], from };
}

/** A word that nothing at hand begins with may be a new one: a text, a name, a label that is still to come. */
function asWritten(partial: string, items: readonly Candidate[], { classes }: Expected): Candidate[] {
  if (classes.includes("label") && /^L[^:,#"'()[\]{}]*$/.test(partial))
    return [{ text: `${partial}:`, class: "label", detail: "a new label" }];
  const [first] = classes;
  const closed: readonly WordClass[] = ["op", "verb", "enum", "cmp", "close", "end"];
  if (partial === "" || items.length > 0 || first === undefined || closed.includes(first)) return [];
  return [{ text: partial, class: first, detail: "as written" }];
}

const END: Candidate = { text: "\n", class: "end", detail: "the line ends" };

function lineCount(text: string): number {
  return text.split("\n").length;
}

const BREAK = /[\s()[\]{},"'#]/;

/** The word the caret stands in or after. Read backwards: a pattern would try every start of every long word before. */
function wordAtEnd(text: string): string {
  let start = text.length;
  while (start > 0 && !BREAK.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start);
}

/** The quote of a string that is not closed at the end. */
function openString(prefix: string, file: SourceFile): string | null {
  const last = file.findings.findLast(({ code }) => code === "WF1001");
  return last?.span?.end === prefix.length ? prefix.charAt(last.span.start) : null;
}

function inString(quote: string, from: number): Completion {
  const items: Candidate[] = [{ text: quote, class: "close", detail: "the text ends" }];
  return { state: "string", op: null, slot: null, classes: ["close"], items, from };
}

// ---- what the program holds ----

function scopeOf(file: SourceFile, around: Surroundings): Scope {
  const labels = new Set(around.labels);
  const names = new Set(around.names);
  const declared = new Map<string, string[]>();
  const steps: Step[] = [];
  for (const line of file.lines) {
    if (line.kind === "label") labels.add(line.id);
    if (line.kind === "label") steps.push(...line.steps);
    if (line.kind === "step") steps.push(line.step);
    if (line.kind === "declaration") {
      const known = declared.get(line.op) ?? [];
      known.push(line.slots[0]?.text ?? "");
      declared.set(line.op, known);
    }
  }
  for (const { name } of file.inputs) names.add(name);
  for (const step of steps) for (const name of step.writes) names.add(name);
  return { around, labels: [...labels], names: [...names], declared };
}

// ---- what the last statement waits for ----

type Expected = Omit<Completion, "from">;

function expectationAt(before: string, scope: Scope): Expected {
  const [word = ""] = before.trimStart().split(/[\s#"']/, 1);
  if (before.trim() === "") return statementStart(scope);
  const op = findOp(word);
  if (!isLabelWord(word) && op?.kind !== "step")
    return op === undefined ? nothing(null) : slotOfDeclaration(op, before, scope);
  const begun = begunSteps(before);
  return begun === null ? statementStart(scope) : slotOfStep(begun, scope);
}

const OPENING_MARKS = Object.keys(OPENING);
const KEY = ['"key":'];

function candidatesOf(one: WordClass, texts: readonly string[], detail = ""): Candidate[] {
  return texts.map((text): Candidate => ({ text, class: one, detail }));
}

function calls({ around }: Scope, one: WordClass): Candidate[] {
  const verbs = around.adapters?.flatMap(({ name, verbs }) => verbs.map((verb) => `${name}.${verb.name}`));
  return candidatesOf(one, verbs ?? []);
}

function nothing(op: Op | null): Expected {
  return { state: "slot", op: op?.name ?? null, slot: null, classes: [], items: [] };
}

function statementStart(scope: Scope): Expected {
  const ops = OP_WORDS.map((word): Candidate => {
    const op = findOp(word);
    return { text: word, class: "op", detail: op === undefined ? "" : signatureOf(op) };
  });
  const fresh = scope.labels.length + 1;
  const items = [...ops, { text: `L${fresh}:`, class: "label" as const, detail: "a new label" }];
  return { state: "statement", op: null, slot: null, classes: ["op", "label"], items };
}

function slotOfDeclaration(op: Op, before: string, scope: Scope): Expected {
  const written = lexSlots(createReporter(createSource(before, null)), 0, 0).length - 1;
  const slot = op.slots[Math.min(written, op.slots.length - 1)];
  const surplus = slot === undefined || (written >= op.slots.length && !slot.repeat && slot.class !== "rest");
  if (surplus) return nothing(op);
  return { state: "slot", op: op.name, slot: slot.name, classes: [slot.class], items: candidates(slot, op, scope) };
}

function slotOfStep(begun: Begun, scope: Scope): Expected {
  const { op } = begun.draft;
  if (wantsVerb(begun.draft)) {
    const adapter = begun.draft.filled[0]?.slot.text ?? "";
    const verbs = scope.around.adapters?.find(({ name }) => name === adapter)?.verbs ?? [];
    const items = verbs.map(({ name }): Candidate => ({ text: name, class: "verb", detail: `${adapter}.${name}` }));
    return { state: "slot", op: op.name, slot: op.slots[0]?.name ?? null, classes: ["verb"], items };
  }
  const slots = new Set<Slot>();
  const others = new Set<WordClass>();
  const isCalled = begun.tokens.at(-1)?.type === "OpenParen";
  for (const way of tokensAfter(begun)) {
    const slot = slotOfWay(way, op);
    if (slot !== null) slots.add(slot);
    else for (const one of classesOf(way, isCalled)) others.add(one);
  }
  const found = [...slots].flatMap((slot) => candidates(slot, op, scope));
  const items = [...found, ...[...others].flatMap((one) => marks(one, begun.tokens, scope))];
  const classes = [...new Set([...[...slots].map((slot) => slot.class), ...others])];
  const [slot = others.has("cond") ? op.slots.find((one) => one.class === "cond") : undefined] = slots;
  return { state: "slot", op: op.name, slot: slot?.name ?? null, classes, items };
}

/** The slot that the next token fills, or begins to fill. */
function slotOfWay(way: Pending, op: Op): Slot | null {
  const word = isToken(way?.first, "Arrow") ? way?.rest?.first : way?.first;
  return (word?.is === "token" && op.slots.find(({ name }) => name === word.slot)) || null;
}

/** What a token is that fills no slot by itself. `isCalled`: it stands first in round brackets. */
function classesOf(way: Pending, isCalled: boolean): readonly WordClass[] {
  if (way?.first.is !== "token") return [];
  const { type, label } = way.first;
  if (label === "inner") return isCalled ? ["fn", "operand"] : ["operand"];
  if (type === "Bang" || (type === "Atom" && label === null)) return ["cond"];
  if (type === "Compare") return ["cmp"];
  if (type === "Key") return ["key"];
  return type.startsWith("Close") && !isCalled ? ["close"] : [];
}

/** The words of a class that is not that of a slot. */
function marks(one: WordClass, tokens: readonly Token[], scope: Scope): Candidate[] {
  switch (one) {
    case "fn":
      return functions(scope.around.functions.filter(({ host }) => !host));
    case "operand":
      return operands(scope);
    case "cond":
      return [...operands(scope), ...candidatesOf(one, ["not"])];
    case "cmp":
      return candidatesOf(one, [...COMPARATORS]);
    case "key":
      return candidatesOf(one, KEY, "a key and its colon");
    default:
      return candidatesOf(one, [closingOf(tokens)]);
  }
}

/** The bracket that closes the innermost open one. */
function closingOf(tokens: readonly Token[]): string {
  const open: string[] = [];
  for (const { type } of tokens) {
    const close = Object.keys(CLOSING).find((mark) => type === CLOSING[mark]?.replace("Close", "Open"));
    if (close !== undefined) open.push(close);
    else if (type.startsWith("Close")) open.pop();
  }
  return open.at(-1) ?? ")";
}

/** A statement that may stand as it is may end. */
function ending(tail: Tail, { classes }: Expected): Candidate[] {
  const file = parse(tail.text);
  const sound = !file.findings.some(({ code }) => /^WF(1|2001|2004)/.test(code));
  return sound && !classes.includes("end") ? [END] : [];
}

// ---- words ----

function functions(all: GrammarShape["functions"]): Candidate[] {
  return all.map(({ name }): Candidate => ({ text: name, class: "fn", detail: "function" }));
}

const WORDS_OF_VALUES = [...CONSTANTS, '"', "0"];

function operands({ names }: Scope): Candidate[] {
  return candidatesOf("operand", [
    ...names.flatMap((name) => [name, `$${name}`]),
    ...WORDS_OF_VALUES,
    ...OPENING_MARKS,
  ]);
}

const WORDS: Partial<Record<Slot["class"], readonly string[]>> = {
  cmp: FILTER_COMPARATORS,
  int: ["60"],
  limit: ["limit=10000"],
  node: ["@n1"],
  method: ["G", "P", "U", "D", "GET", "POST", "PUT", "PATCH", "DELETE"],
  type: ["I", "F", "S", "B", "D", "J", "A[S]", "E[a,b]"],
  field: ["name:S"],
  kv: ["key=value"],
  rest: ["text"],
  file: ['"module.wf"'],
};

function candidates(slot: Slot, op: Op, scope: Scope): Candidate[] {
  const as = (texts: readonly string[], detail = ""): Candidate[] => candidatesOf(slot.class, texts, detail);
  const { labels, names, around } = scope;
  switch (slot.class) {
    case "call":
      return calls(scope, "call");
    case "fn":
      return as(
        around.functions.flatMap(({ name }) => [name, `core.${name}`]),
        "function",
      );
    case "operand":
    case "key":
    case "lenient":
      return operands(scope);
    case "ref":
    case "eref": {
      const mark = op.name === "Call" || op.name === "Cr" || op.name === "Tst" ? "L" : "->L";
      return as((labels.length > 0 ? labels : ["1"]).map((id) => `${mark}${id}`));
    }
    case "out":
      return as([...names, "result"].map((name) => `->${name}`));
    case "name":
      return as([...names, "value"]);
    case "enum":
      return as(slot.values ?? []);
    case "word":
      return as([...(scope.declared.get(DECLARED_BY[op.name] ?? "") ?? []), slot.name]);
    default:
      return as(WORDS[slot.class] ?? []);
  }
}
