/**
 * `wf explain WORD`: what a code of the compiler or the runtime, a word of an answer or warning, an op, a word of Python, a
 * function, an adapter or one of its verbs means, from the tables that define them. `--list`: what can be explained.
 */
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { languagePage } from "../../compiler/guide/language-page.ts";
import { findOp } from "../../grammar/ops.ts";
import { listed } from "../../grammar/text/english.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { table } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { type Explanation, explanationDocument, explanationPage } from "./explanation.ts";
import { isListedKind, knownExplanations, LISTED_KINDS, type Listing, listingOf } from "./listing.ts";
import { adapterExplanations, adapterWords, type DefinitionOf, verbsNamed } from "./verbs.ts";

export class ExplainCommand extends WeftCommand {
  static override paths = [["explain"]];
  static override usage = Command.Usage({
    description: "Explain a code, an op, a function, an adapter, a verb, or a word in an answer or warning.",
    details: "WORD, or --list KIND",
    examples: [
      ["a diagnostic", "wf explain WF4001"],
      ["a failed run", "wf explain RUNTIME_MAX_STEPS"],
      ["a word of an answer or warning", "wf explain adapter_not_enabled"],
      ["an op", "wf explain If"],
      ["a function", "wf explain concat"],
      ["a verb of an adapter", "wf explain fs.read"],
      ["the language on one page", "wf explain language"],
      ["everything", "wf explain --list"],
      ["a word of the glossary", "wf explain grant"],
      ["one kind: codes, ops, words, functions, adapters, terms", "wf explain --list ops"],
    ],
  });
  static override readonly notes = [
    "WORD is a code of the compiler (`WF…`), of runs (`RUNTIME_…`), of adapters (`ADAPTER_…`) or of the policy check (`POLICY_…`), or the name of one (`undefined_variable`, `max_steps_exceeded`); a word of answers, warnings and `issues` (`file_exists`, `limit_ignored`); an op (`If`, `L1:`), a function by any of its names or as a verb of core (`concat`, `core.ADD`); an adapter (`fs`) or one of its verbs (`fs.read`), those of plugins included.",
    "KIND of `--list` is `codes`, `ops`, `functions`, or `adapters` with their verbs. A word with several meanings is explained once for each, with exact spellings first. For an unknown word the command ends with 2 and lists similar ones.",
    "With `--json`: `ok` and `codes`, a list of `{code, title, kind, names, …}` with the printed facts as members; a fact of several lines is a list of them.",
  ];
  static override readonly pages = ["diagnostics.md", "errors.md", "reference.md#words-of-answers-and-warnings"];
  /** Plugins are loaded only for a word that is not built in. */
  protected override readonly usesAdapters = false;

  word = Option.String({ required: false });
  list = Option.Boolean("--list", false, { description: "list everything that can be explained, or one KIND" });

  async execute(): Promise<number> {
    const session = this.session();
    const { screen } = session;
    if (this.list) {
      const listings = await this.listed(session, this.word);
      const all = listings.flatMap(({ entries }) => entries);
      if (this.json) screen.document({ ok: true, codes: all.map(explanationDocument) });
      else screen.out(listings.map((one) => listingText(one, session, listings.length > 1)).join("\n"));
      return EXIT.success;
    }
    if (this.word?.toLowerCase() === "language") {
      const language = languagePage(builtinCatalog);
      if (this.json) screen.document({ ok: true, language });
      else screen.out(`${language}\n`);
      return EXIT.success;
    }
    if (this.word === undefined) throw usageFault("missing WORD; run `wf explain --list` to see what can be explained");
    const found = await this.findAll(session, this.word);
    if (this.json) screen.document({ ok: true, codes: found.map(explanationDocument) });
    else screen.out(found.map((entry) => explanationPage(entry, screen.paint.bold, screen.tableWidth)).join("\n"));
    return EXIT.success;
  }

  /** `kind`: the only one that is wanted. Those of plugins are listed too. */
  private async listed(session: Session, kind: string | undefined): Promise<readonly Listing[]> {
    if (kind !== undefined && !isListedKind(kind))
      throw usageFault(`--list takes one of ${LISTED_KINDS.join(", ")}, or nothing`);
    const kinds = kind === undefined ? LISTED_KINDS : [kind];
    const { host, adapters } = kinds.includes("adapters") ? await this.withAdapters(session) : session;
    return Promise.all(kinds.map((one) => listingOf(one, host.catalog, definitionIn(adapters))));
  }

  private async findAll(session: Session, word: string): Promise<readonly Explanation[]> {
    const known = knownExplanations();
    const found = [...named(known, word), ...(await inAdapters(session, word))];
    if (found.length > 0) return found;
    const withPlugins = await this.withAdapters(session);
    const inPlugins = await inAdapters(withPlugins, word);
    if (inPlugins.length > 0) return inPlugins;
    throw unknownWord(word, known, withPlugins);
  }
}

const LABEL_OP = "L<id>:";
const LABEL_LINE = /^L[^\s:]+:$/;

/** As written first, then in other letter case: ops tell `If` from `if`. */
function named(known: readonly Explanation[], word: string): readonly Explanation[] {
  const op = LABEL_LINE.test(word) ? LABEL_OP : findOp(word)?.name;
  const folded = word.toLowerCase();
  const isFolded = (text: string): boolean => text.toLowerCase() === folded;
  return [
    ...new Set([
      ...known.filter(({ kind, code }) => code === word || (kind === "op" && code === op)),
      ...known.filter(({ code }) => isFolded(code)),
      ...known.filter(({ names }) => names.some(isFolded)),
    ]),
  ];
}

function inAdapters({ host, adapters }: Session, word: string): Promise<readonly Explanation[]> {
  return adapterExplanations(word, host.catalog, definitionIn(adapters));
}

function definitionIn(adapters: Session["adapters"]): DefinitionOf {
  return async (name) => {
    const plugin = adapters?.plugins.find(({ definition }) => definition.name === name);
    if (plugin !== undefined) return plugin.definition;
    return Object.hasOwn(BUILTIN_LOADERS, name) ? ((await BUILTIN_LOADERS[name]?.()) ?? null) : null;
  };
}

/** A line for each; with a heading among others. */
function listingText({ kind, entries }: Listing, { screen }: Session, hasHeading: boolean): string {
  const rows = entries.map(({ code, title }) => [code, title]);
  return `${hasHeading ? `${screen.paint.bold(kind)}\n` : ""}${table(rows, screen.tableWidth).join("\n")}\n`;
}

function unknownWord(word: string, known: readonly Explanation[], { host }: Session) {
  const verbs = verbsNamed(word, host.catalog);
  const meant = verbs.length > 0 ? verbs : nearWords(word, known, adapterWords(host.catalog));
  return usageFault(`no entry for '${word}'${meant.length === 0 ? "" : `; did you mean ${listed(meant, "or")}?`}`, [
    "wf explain --list shows what can be explained; wf explain --list ops, words, functions, adapters, terms or codes one kind",
  ]);
}

/** The nearest of each kind: who mistypes a function does not mean an op. */
function nearWords(word: string, known: readonly Explanation[], inAdapters: readonly string[]): string[] {
  const groups = new Map<string, string[]>([["adapters", [...inAdapters]]]);
  for (const { kind, code, names } of known) {
    const group = ["op", "function", "word", "term"].includes(kind) ? kind : "code";
    groups.set(group, [...(groups.get(group) ?? []), code, ...names]);
  }
  return [...new Set([...groups.values()].flatMap((words) => nearest(word, words) ?? []))];
}

/** What can be asked for as shells complete it: without other spellings. */
export function explainedWords(session: Session): string[] {
  const known = knownExplanations();
  const ofLanguage = known.flatMap(({ kind, code, names }) => (kind === "op" ? [code, ...names] : [code]));
  return [...new Set([...ofLanguage.filter((one) => one !== LABEL_OP), ...adapterWords(session.host.catalog)])];
}
