/** Everything that can be asked for, by kind, as `wf explain --list` shows it. */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { codeExplanations } from "./codes.ts";
import type { Explanation } from "./explanation.ts";
import { functionExplanations } from "./functions.ts";
import { glossaryExplanations } from "./glossary.ts";
import { opExplanations } from "./ops.ts";
import { adapterExplanations, adapterWords, type DefinitionOf } from "./verbs.ts";
import { wordExplanations } from "./words.ts";

export const LISTED_KINDS = ["codes", "ops", "words", "functions", "adapters", "terms"] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];
export type Listing = { readonly kind: ListedKind; readonly entries: readonly Explanation[] };

export function isListedKind(word: string): word is ListedKind {
  return LISTED_KINDS.some((kind) => kind === word);
}

/** Words of the language and codes: what needs no adapters. */
export function knownExplanations(): Explanation[] {
  return [
    ...codeExplanations(),
    ...wordExplanations(),
    ...opExplanations(),
    ...functionExplanations(),
    ...glossaryExplanations(),
  ];
}

export async function listingOf(
  kind: ListedKind,
  catalog: AdapterCatalog,
  definitionOf: DefinitionOf,
): Promise<Listing> {
  return { kind, entries: await entriesOf(kind, catalog, definitionOf) };
}

async function entriesOf(kind: ListedKind, catalog: AdapterCatalog, definitionOf: DefinitionOf) {
  switch (kind) {
    case "codes":
      return codeExplanations();
    case "ops":
      return opExplanations();
    case "words":
      return wordExplanations();
    case "functions":
      return functionExplanations();
    case "terms":
      return glossaryExplanations();
    case "adapters": {
      const found = adapterWords(catalog).map((word) => adapterExplanations(word, catalog, definitionOf));
      return (await Promise.all(found)).flat();
    }
  }
}
