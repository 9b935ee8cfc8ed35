/**
 * `R`: which adapter and verb are meant, in the catalog's spelling, and the arguments by the classes of the verb's
 * parameters (docs/language.md, steps). Unknown names are kept as written. Argument counts and types are checked later.
 */
import type { CallStep, Slot } from "../../grammar/ast.ts";
import { isName } from "../../grammar/operands/tokens.ts";
import { spanOver } from "../../grammar/text/span.ts";
import { type AdapterEntry, findAdapter, findVerb, type Parameter } from "../catalog.ts";
import type { CallData, IrOperand } from "../ir/graph.ts";
import { withNear } from "./findings.ts";
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
    const fix = { title, edits: [{ span: word.span, new_text: `core.${ofCore}` }] };
    // The next word is not a verb, so the advice to join the two with a dot would not help.
    const covers = spanOver(word.span, verb.span);
    context.report("WF5001", word.span, { words: { name: word.text }, suggestion: title, fix, covers });
  } else if (entry === undefined) {
    const known = catalog.names();
    const near = context.nearest(word.text, known);
    context.report("WF5001", word.span, {
      words: withNear({ name: word.text }, near),
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
  const listed = entry.verbs.filter((verb) => verb.unlisted !== true).map((verb) => verb.name);
  const near = context.nearest(word.text, listed);
  context.report("WF5002", word.span, {
    words: withNear({ adapter: entry.name, verb: word.text }, near),
    ...(near === null
      ? { suggestion: `use one of ${shortList(listed)}` }
      : { fix: rewrite(word, near, context.source) }),
    expected: listed,
  });
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
