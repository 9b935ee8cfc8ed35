/** What a model reads to write Weft: an example, what differs from Python, what is added, modules, adapters. `wf explain language` and the pages for agents. */
import type { AdapterCatalog } from "../catalog.ts";
import { languageCard } from "./language-card.ts";
import { RULES_BESIDE_PYTHON, TAUGHT_PROGRAM } from "./taught-program.ts";

export function languagePage(catalog: AdapterCatalog): string {
  return `${TAUGHT_PROGRAM}\n${RULES_BESIDE_PYTHON}\n\n${languageCard(catalog)}`;
}
