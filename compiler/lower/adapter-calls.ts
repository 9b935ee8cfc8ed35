/**
 * `R`: which adapter and verb are meant, in the catalog's spelling, and the arguments by the classes of the verb's
 * parameters (docs/language.md, steps). Unknown names are kept as written. Argument counts and types are checked later.
 */
import type { CallStep, Slot } from "../../grammar/ast.ts";
import { type Called, calledBy } from "../../grammar/foreign/marks.ts";
import { isName } from "../../grammar/operands/tokens.ts";
import { spanOver } from "../../grammar/text/span.ts";
import { HTTP_CLIENTS } from "../catalog/parameters.ts";
import { type AdapterEntry, findAdapter, findVerb, type Parameter } from "../catalog.ts";
import type { CallData, IrOperand } from "../ir/graph.ts";
import { withNear } from "./findings.ts";
import { functionAdvice, ownNameOf } from "./names/foreign-functions.ts";
import { lowerOperand, type OperandContext, type SlotReading } from "./operands.ts";

/** Names the predecessor listed for adapter core and never had. */
const UNIMPLEMENTED_CORE_VERBS: ReadonlySet<string> = new Set(["MAP", "FILTER", "REDUCE"]);

type Verb = { readonly name: string | IrOperand; readonly parameters: readonly Parameter[] | null };

export function lowerAdapterCall(step: CallStep, context: OperandContext): CallData {
  const entry = isComputed(step.adapter) ? undefined : resolveAdapter(step, context);
  const adapter = isComputed(step.adapter) ? computedName(step.adapter, context) : (entry?.name ?? step.adapter.text);
  const verb = resolveVerb(step.verb, entry, context);
  return {
    adapter,
    verb: verb.name,
    args: step.args.map((argument, index) => lowerOperand(argument, argumentSlot(verb.parameters, index), context)),
    out: step.out?.name ?? "res",
  };
}

/** `$name`, or a path from it. A `$` before other characters is part of an unknown word. */
function isComputed(word: Slot): boolean {
  const [first = ""] = word.text.split(".", 1);
  return !word.quoted && first.startsWith("$") && isName(first.slice(1));
}

/** WF5006: kept as an operand, so that policy sees a computed name and not a fixed one. */
function computedName(word: Slot, context: OperandContext): IrOperand {
  context.report("WF5006", word.span);
  const [root = "", ...segments] = word.text.slice(1).split(".");
  context.reads.push({
    name: root,
    span: word.span,
    form: segments.length === 0 ? "var" : "var_path",
    slot: "operand",
    text: word.text,
  });
  return segments.length === 0 ? { k: "var", v: root } : { k: "path", root, segments };
}

function resolveAdapter(step: CallStep, context: OperandContext): AdapterEntry | undefined {
  const { adapter: word, verb } = step;
  const { catalog } = context;
  const entry = findAdapter(catalog, word.text);
  const ofCore = entry === undefined ? coreVerb(word, context) : null;
  if (ofCore !== null) {
    const title = `write core.${ofCore}`;
    // `uuid.uuid4()` has a verb of its own.
    const isCalled = context.source.charAt(verb.span.end) === "(" && verb.span.start === word.span.end + 1;
    const fix = isCalled ? null : { title, edits: [{ span: word.span, new_text: `core.${ofCore}` }] };
    // The next word is not a verb, so the advice to join the two with a dot would not help.
    const covers = spanOver(word.span, verb.span);
    context.report("WF5001", word.span, { words: { name: word.text }, suggestion: title, fix, covers });
  } else if (entry === undefined) {
    const known = catalog.names();
    const near = clientOfHttp(word.text, step, catalog) ?? context.nearest(word.text, known);
    const isSame = near === "http" && step.args.length === 1;
    context.report("WF5001", word.span, {
      words: withNear({ name: word.text }, near),
      ...(isSame ? { fix: rewrite(word, near, context.source) } : {}),
      ...(near === null ? { suggestion: `use one of ${shortList(known)}, or add yours as a plugin` } : {}),
    });
  } else if (entry.name !== word.text) {
    context.report("WF5009", word.span, {
      words: { name: entry.name },
      fix: rewrite(word, entry.name, context.source),
    });
  }
  return entry;
}

/** `requests.get(url)`. Their further arguments are others. */
function clientOfHttp(word: string, { verb }: CallStep, catalog: OperandContext["catalog"]): string | null {
  const http = HTTP_CLIENTS.has(word) ? findAdapter(catalog, "http") : undefined;
  return http === undefined || findVerb(http, verb.text) === undefined ? null : http.name;
}

/** `R ADD 2 3`: the verb of core that stands where an adapter is named. */
function coreVerb({ text }: Slot, { catalog }: OperandContext): string | null {
  const core = findAdapter(catalog, "core");
  return core === undefined ? null : (findVerb(core, text)?.name ?? null);
}

function resolveVerb(word: Slot, entry: AdapterEntry | undefined, context: OperandContext): Verb {
  if (isComputed(word)) return { name: computedName(word, context), parameters: null };
  if (entry === undefined) return { name: word.text, parameters: null };
  const verb = findVerb(entry, word.text);
  if (verb === undefined) {
    reportUnknownVerb(word, entry, context);
    return { name: word.text, parameters: null };
  }
  if (verb.name !== word.text) {
    context.report("WF9004", word.span, { words: { verb: verb.name }, fix: rewrite(word, verb.name, context.source) });
  }
  return { name: verb.name, parameters: verb.parameters };
}

function reportUnknownVerb(word: Slot, entry: AdapterEntry, context: OperandContext): void {
  if (entry.open_verbs) return;
  const upper = word.text.toUpperCase();
  if (entry.name === "core" && UNIMPLEMENTED_CORE_VERBS.has(upper)) {
    context.report("WF5003", word.span, { words: { verb: upper } });
    return;
  }
  const called = calledBy(word.text, word.span, context.source);
  const calledVerb = called === null ? undefined : findVerb(entry, called.name);
  if (called !== null && calledVerb !== undefined) {
    reportCalledVerb(word, entry, { ...called, name: calledVerb.name }, context);
    return;
  }
  const listed = entry.verbs.filter((verb) => verb.unlisted !== true).map((verb) => verb.name);
  const advice = entry.name === "core" ? foreignVerb(word, entry, context.source) : null;
  const near = advice === null ? (context.nearest(word.text, listed) ?? begunBy(word.text, listed)) : null;
  context.report("WF5002", word.span, {
    words: withNear({ adapter: entry.name, verb: word.text }, near),
    ...(near === null
      ? { suggestion: `use one of ${shortList(listed)}` }
      : { fix: rewrite(word, near, context.source) }),
    ...(advice ?? {}),
    expected: listed,
  });
}

/** `http.G`, `sqlite.exec`: the only verb that begins so. */
function begunBy(word: string, verbs: readonly string[]): string | null {
  const begun = verbs.filter((verb) => verb.toLowerCase().startsWith(word.toLowerCase()));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/** `core.ADD(2, 3)`: arguments stand after a verb without brackets. */
function reportCalledVerb(
  word: Slot,
  entry: AdapterEntry,
  { name, args, span }: Called,
  context: OperandContext,
): void {
  const written = [name, ...(args ?? ["…"])].join(" ");
  const title = `write ${entry.name}.${written}`;
  context.report("WF5002", word.span, {
    words: { adapter: entry.name, verb: word.text },
    suggestion: title,
    fix: args === null ? null : { title, edits: [{ span, new_text: written }] },
    expected: [name],
  });
}

/** `core.LENGTH` → `LEN`: the verb for a function of another language. */
function foreignVerb(word: Slot, entry: AdapterEntry, source: string) {
  const own = ownNameOf(word.text);
  const verb = own === null ? undefined : findVerb(entry, own);
  if (verb !== undefined) return { suggestion: `write core.${verb.name}`, fix: rewrite(word, verb.name, source) };
  const advice = functionAdvice(word.text, word.span, [], source);
  return advice === null || own !== null ? null : { suggestion: advice.suggestion, fix: null };
}

/** Keeps a suggestion to one readable line. */
function shortList(names: readonly string[]): string {
  return names.length <= 12 ? names.join(", ") : `${names.slice(0, 12).join(", ")} and ${names.length - 12} more`;
}

function rewrite(word: Slot, spelled: string, source: string) {
  const { span } = word;
  if (source.slice(span.start, span.end) !== word.text) return null;
  return { title: `write ${spelled}`, edits: [{ span, new_text: spelled }] };
}

function argumentSlot(parameters: readonly Parameter[] | null, index: number): SlotReading {
  if (parameters === null) return "operand";
  const parameter = parameters[index] ?? parameters.findLast((candidate) => candidate.repeat);
  return parameter?.class ?? "operand";
}
