/** Adapters and their verbs, from the catalog and, where an adapter is provided, its definition, which is loaded for the one that is asked for. */
import type { AdapterDefinition } from "../../adapters/definition/define.ts";
import { pythonCall } from "../../adapters/describe/python-call.ts";
import type { AdapterCatalog, AdapterEntry, VerbEntry } from "../../compiler/catalog.ts";
import { findAdapter, findVerb } from "../../compiler/catalog.ts";
import { listed } from "../../grammar/text/english.ts";
import { jsonLine } from "../output/terminal/json.ts";
import { callForm, pythonForm, verbFacts } from "./call-form.ts";
import { type Explanation, factIf } from "./explanation.ts";
import { withoutMarkup } from "./function-texts.ts";

export type DefinitionOf = (adapter: string) => Promise<AdapterDefinition | null>;

/** What `word` names: an adapter, or `adapter.verb` in any spelling a program may use; core's verbs are functions. */
export async function adapterExplanations(
  word: string,
  catalog: AdapterCatalog,
  definitionOf: DefinitionOf,
): Promise<Explanation[]> {
  const dot = word.indexOf(".");
  const adapter = findAdapter(catalog, dot < 0 ? word : word.slice(0, dot));
  if (adapter === undefined) return [];
  const verb = dot < 0 ? null : findVerb(adapter, word.slice(dot + 1));
  if (verb === undefined || (verb !== null && adapter.name === "core")) return [];
  const definition = await definitionOf(adapter.name);
  if (verb === null) return [ofAdapter(adapter, definition)];
  const tables = await import("../../adapters/describe/tables.ts");
  return [ofVerb(adapter, verb, definition, tables)];
}

/** `fs`, and `fs.read` for every verb: what can be asked for. */
export function adapterWords(catalog: AdapterCatalog): string[] {
  return catalog.names().flatMap((name) => [name, ...verbWords(catalog, name)]);
}

/** The verbs that have this name in some adapter. */
export function verbsNamed(word: string, catalog: AdapterCatalog): string[] {
  const folded = word.toLowerCase();
  return catalog
    .names()
    .flatMap((name) => verbWords(catalog, name))
    .filter((one) => one.slice(one.indexOf(".") + 1).toLowerCase() === folded);
}

function verbWords(catalog: AdapterCatalog, name: string): string[] {
  return (catalog.adapter(name)?.verbs ?? []).map((verb) => `${name}.${verb.name}`);
}

function ofAdapter(adapter: AdapterEntry, definition: AdapterDefinition | null): Explanation {
  const verbs = adapter.verbs.filter(({ unlisted }) => unlisted !== true).map(({ name }) => name);
  return {
    code: adapter.name,
    title: definition?.summary ?? (adapter.name === "core" ? "The functions of the language as calls." : ""),
    kind: "adapter_facts",
    names: [],
    facts: [
      ["class", `adapter, privilege ${adapter.privilege_tier}${adapter.destructive ? ", destructive" : ""}`],
      ["verbs", verbs.join(" ")],
      ...factIf("enable", adapter.name === "core" ? "" : `wf run --enable-adapter ${adapter.name}`),
      [
        "more",
        adapter.name === "core"
          ? "wf explain NAME"
          : `wf explain ${adapter.name}.VERB, wf adapter docs ${adapter.name}`,
      ],
    ],
  };
}

function ofVerb(
  adapter: AdapterEntry,
  verb: VerbEntry,
  definition: AdapterDefinition | null,
  tables: typeof import("../../adapters/describe/tables.ts"),
): Explanation {
  const declared = definition?.verbs[verb.name];
  const aliases = Object.keys(adapter.aliases).filter((alias) => adapter.aliases[alias] === verb.name);
  const head: Explanation = {
    code: `${adapter.name}.${verb.name}`,
    title: declared?.summary ?? "",
    kind: "verb",
    names: aliases.map((alias) => `${adapter.name}.${alias}`),
    facts: [
      ["class", `verb: ${verbFacts(adapter, verb).join(", ")}`],
      ["write", pythonForm(adapter, verb)],
      ["opcode", callForm(adapter, verb)],
    ],
  };
  if (declared === undefined) return head;
  const { takes, gives } = tables.verbForms(declared);
  const [example] = declared.examples ?? [];
  return {
    ...head,
    facts: [
      ...head.facts,
      ...factIf("takes", takes.map(withoutMarkup)),
      ["gives", withoutMarkup(gives)],
      ...factIf("errors", listed(declared.errors ?? [])),
      ...factIf("also", listed(aliases)),
      ...factIf(
        "example",
        example === undefined
          ? ""
          : `${pythonCall(example.source, tables.optionNames(declared))} → ${jsonLine(example.result).trimEnd()}`,
      ),
    ],
  };
}
