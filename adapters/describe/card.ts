/** An adapter in a few lines for a model: how each verb is called, what it takes and returns, and one example. */
import { catalogEntryOf } from "../definition/catalog-entry.ts";
import type { AdapterDefinition, VerbDefinition } from "../definition/define.ts";
import { pythonCall } from "./python-call.ts";
import { callOf, optionNames, resultText, structuredForms } from "./tables.ts";

/** Longer results are cut: the manifest has the whole. */
const MAX_RESULT_LENGTH = 160;
/** Longer forms of arguments are left out: the manifest has them too. */
const MAX_FORM_LENGTH = 160;

/** One verb a line, after the summary; the last line is an example. */
export function adapterCard(definition: AdapterDefinition): string {
  const { name, summary, verbs, privilege } = definition;
  const entries = catalogEntryOf(definition).verbs;
  const known = new Map<string, string>();
  const lines = Object.entries(verbs).map(([word, verb]) => {
    const result = shortened(resultText(verb.result).replaceAll("`", ""), word, known);
    const entry = entries.find((one) => one.name === word);
    const effect = `${verb.effect}${entry?.destructive === true ? ", destructive" : ""}`;
    return `${name}.${callOf(word, verb)} -> ${result}  # ${verb.summary} ${effect}`;
  });
  return [
    `${name} (${privilege}): ${summary}`,
    ...lines,
    ...formsLine(definition),
    ...exampleOf(Object.values(verbs)),
  ].join("\n");
}

/** What calls alone do not say: words that may be given, and members of objects. */
function formsLine(definition: AdapterDefinition): string[] {
  const forms = structuredForms(definition).filter((form) => form.length <= MAX_FORM_LENGTH);
  return forms.length === 0 ? [] : [`forms: ${forms.join("; ")}`];
}

/** A result that another verb has too is named after that verb. */
function shortened(result: string, verb: string, known: Map<string, string>): string {
  const first = known.get(result);
  if (first !== undefined && result.length > first.length + 3) return `as ${first}`;
  known.set(result, verb);
  return result.length > MAX_RESULT_LENGTH ? `${result.slice(0, MAX_RESULT_LENGTH)}…` : result;
}

function exampleOf(verbs: readonly VerbDefinition[]): string[] {
  const verb = verbs.find(({ examples = [] }) => examples.length > 0);
  const [example] = verb?.examples ?? [];
  return verb === undefined || example === undefined
    ? []
    : [`example: ${pythonCall(example.source, optionNames(verb))}`];
}
