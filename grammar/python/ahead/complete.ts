/**
 * What may come next in the Python form. The rules of the parser say which tokens may follow the unfinished line; the names in scope, the library and
 * the adapters say which words those may be.
 */
import type { TokenType } from "chevrotain";
import type { Candidate, Completion, Surroundings, WordClass } from "../../completion.ts";
import type { CallShape, LibraryMember, LibraryShape } from "../../generate/shape.ts";
import * as T from "../lexing/tokens.ts";
import { setOf, type Token } from "../lexing/tokens.ts";
import { CONTINUES, type Cursor, cursorOf, headsAbove } from "./cursor.ts";
import { Kinds, openBracket } from "./kinds.ts";
import { SPELLINGS, typeOfText, typesAfter, typesInField } from "./line.ts";
import { type Binding, bindingsAt } from "./names.ts";

const NO_LIBRARY: LibraryShape = { modules: [], builtins: [], under: () => [] };
/** After these a name is a new one. */
const NEW_NAME = setOf([T.Def, T.Class, T.As, T.For, T.Lambda]);
const END: Candidate = { text: "\n", class: "end", detail: "the line ends" };
/** Types whose methods are offered where the type is not known. */
const USUAL = ["str", "list", "dict"];
const DECORATORS = ["api", "cron"];

const is = (token: Token | undefined, type: TokenType): boolean => token?.tokenTypeIdx === type.tokenTypeIdx;

export function completePython(prefix: string, around: Surroundings): Completion {
  const cursor = cursorOf(prefix);
  if (cursor.open?.kind === "comment") return answer("comment", [END], prefix.length);
  if (cursor.open?.kind === "text") return inText(prefix, cursor, around);
  const [partial = ""] = /(?:[\p{L}\p{Nd}_]+|!)?$/u.exec(prefix) ?? [];
  const found = continued(prefix, cursor, around, partial);
  // Nothing follows half of an operator but its other half.
  const [half = ""] = found.items.length === 0 ? (/[=:-]$/.exec(prefix) ?? []) : [];
  return half === "" ? found : continued(prefix, cursor, around, half);
}

/** What may stand in the place of `partial`, the end of the text, and begins like it. */
function continued(prefix: string, cursor: Cursor, around: Surroundings, partial: string): Completion {
  const from = prefix.length - partial.length;
  const tokens = cursor.tokens.filter(({ end }) => end <= from);
  const place = new Place(prefix, { ...cursor, tokens }, around);
  return chosen(place.candidates(), partial, from, tokens.length === 0);
}

function answer(state: Completion["state"], items: readonly Candidate[], from: number): Completion {
  return { state, op: null, slot: null, classes: [...new Set(items.map((one) => one.class))], items, from };
}

/** The candidates that begin like the word at the place, which itself may be a new name. */
function chosen(all: readonly Candidate[], partial: string, from: number, isStart: boolean): Completion {
  const seen = new Set<string>();
  const items = all.filter(({ text }) => text.startsWith(partial) && !seen.has(text) && seen.add(text));
  const isNew = !/^[!=:-]?$/.test(partial) && items.every(({ class: one }) => one === "end");
  const written: Candidate = { text: partial, class: "operand", detail: "as written" };
  return answer(isStart ? "statement" : "slot", isNew ? [written, ...items] : items, from);
}

/** In a field of an f-string a value may follow, in any other text nothing but its end. */
function inText(prefix: string, cursor: Cursor, around: Surroundings): Completion {
  const written = prefix.slice(cursor.open?.start ?? 0);
  const quote = /^[A-Za-z]*("""|'''|["'])/.exec(written)?.[1] ?? '"';
  const field = typeOfText(written) === "FStart" ? openField(written) : null;
  if (field === null)
    return answer("string", [{ text: quote, class: "close", detail: "the text ends" }], prefix.length);
  const inner = cursorOf(field);
  const [partial = ""] = /[\p{L}\p{Nd}_]*$/u.exec(field) ?? [];
  const tokens = inner.tokens.filter(({ end }) => end <= field.length - partial.length);
  const place = new Place(prefix, { ...cursor, tokens }, around, cursor.tokens);
  return chosen(place.candidates(), partial, prefix.length - partial.length, false);
}

/** The text of the field that is open at the end of an f-string; null: none is. */
function openField(written: string): string | null {
  const open: number[] = [];
  for (let at = 0; at < written.length; at++) {
    const character = written.charAt(at);
    if (character === "{" && open.length === 0 && written.charAt(at + 1) === "{") at++;
    else if (character === "{") open.push(at + 1);
    else if (character === "}") open.pop();
  }
  const start = open.at(-1);
  return start === undefined ? null : written.slice(start);
}

class Place {
  private readonly prefix: string;
  private readonly cursor: Cursor;
  private readonly tokens: readonly Token[];
  private readonly around: Surroundings;
  private readonly library: LibraryShape;
  private readonly bindings: ReadonlyMap<string, Binding>;
  private readonly kinds: Kinds;
  private readonly isField: boolean;

  /** `line`: of a field of an f-string, the tokens before the f-string. */
  constructor(prefix: string, cursor: Cursor, around: Surroundings, line: readonly Token[] | null = null) {
    this.prefix = prefix;
    this.cursor = cursor;
    this.tokens = cursor.tokens;
    this.around = around;
    this.library = around.python ?? NO_LIBRARY;
    this.isField = line !== null;
    this.bindings = bindingsAt([...cursor.above, ...(line ?? []), ...cursor.tokens]);
    this.kinds = new Kinds(this.bindings, this.library);
  }

  candidates(): readonly Candidate[] {
    const { tokens } = this;
    const last = tokens.at(-1);
    const [first] = tokens;
    if (is(first, T.At) && tokens.length === 1) return [...named("fn", DECORATORS, "decorator"), ...this.variables()];
    if (is(first, T.Import) || is(first, T.From)) {
      const imported = this.imported();
      if (imported !== null) return imported;
    }
    if (is(last, T.Dot)) return this.members();
    const types = this.isField ? typesInField(tokens) : typesAfter(tokens);
    if (types === null) return this.values();
    const isNew = NEW_NAME[last?.tokenTypeIdx ?? 0] === 1;
    const isValue = types.has("Name") && !isNew;
    const words = this.words(types);
    return [
      ...(isValue ? [...this.options(), ...this.variables()] : []),
      ...(types.has("Name") && isNew ? named("name", ["item", ...this.names()]) : []),
      ...words.filter((one) => one.class === "op"),
      ...(isValue ? this.others() : []),
      ...words.filter((one) => one.class !== "op"),
      ...this.indentation(),
    ];
  }

  /** The blanks that an empty line lacks to be of a level above it. */
  private indentation(): Candidate[] {
    const line = this.prefix.slice(this.cursor.from);
    if (this.isField || this.tokens.length > 0 || !/^[ \t]*$/.test(line)) return [];
    const heads = headsAbove(this.prefix, this.cursor.above);
    const last = heads.at(-1);
    const levels = heads.map(({ indent }) => indent);
    if (last?.opens === true) levels.push(`${last.indent}    `);
    const missing = levels
      .filter((indent) => indent !== line && indent.startsWith(line))
      .map((one) => one.slice(line.length));
    return named("close", [...new Set(missing)], "indentation");
  }

  private names(): string[] {
    return [...this.bindings.keys()].reverse();
  }

  private variables(): Candidate[] {
    const own = this.names().map((name): Candidate => {
      const { kind, parameters } = this.bindings.get(name) as Binding;
      const detail = kind === "function" ? `${name}(${parameters.join(", ")})` : kind;
      return { text: name, class: kind === "function" ? "fn" : kind === "module" ? "ref" : "operand", detail };
    });
    return [...own, ...named("operand", this.around.names ?? [], "variable")];
  }

  private values(): Candidate[] {
    return [...this.variables(), ...this.others()];
  }

  /** Adapters and builtins. */
  private others(): Candidate[] {
    const adapters = this.around.adapters ?? [];
    return [
      ...named(
        "call",
        adapters.map(({ name }) => name),
        "adapter",
      ),
      ...this.library.builtins.map((one) => candidateOf(one, "fn")),
    ];
  }

  // ---- members ----

  private imported(): Candidate[] | null {
    const { tokens, library } = this;
    const last = tokens.at(-1);
    const at = tokens.findIndex((token) => is(token, T.Import));
    if (at > 0) {
      const module = tokens
        .slice(1, at)
        .map(({ image }) => image)
        .join("");
      if (!is(last, T.Import) && !is(last, T.Comma) && !is(last, T.LParen)) return null;
      const members = module === "weft" ? this.values().filter((one) => one.class === "call") : [];
      return [...members, ...library.under(module).map((one) => candidateOf(one, "fn"))];
    }
    const begins = is(last, T.Import) || is(last, T.From) || is(last, T.Comma) || is(last, T.Dot);
    if (!begins) return null;
    const path = is(last, T.Dot) ? `${(Kinds.chain(tokens, tokens.length - 2) ?? []).join(".")}.` : "";
    const inside = library.modules.filter((one) => one.startsWith(path)).map((one) => one.slice(path.length));
    return named("ref", [...new Set(inside.map((one) => one.split(".")[0] as string))], "module");
  }

  private members(): Candidate[] {
    const { tokens, library, kinds } = this;
    const before = tokens.length - 2;
    const chain = Kinds.chain(tokens, before);
    const whole = chain === null ? null : kinds.wholeName(chain);
    if (whole !== null) {
      const adapter = this.adapter(whole);
      if (adapter !== null)
        return adapter
          .filter(({ isAlias }) => isAlias !== true)
          .map((verb) => ({ text: verb.name, class: "verb", detail: formOf(verb) }));
      const isModule = library.modules.includes(whole);
      const submodules = library.modules
        .filter((one) => one.startsWith(`${whole}.`))
        .map((one) => one.slice(whole.length + 1));
      const members = library.under(whole);
      if (isModule || members.length > 0)
        return [...members.map((one) => candidateOf(one, "fn")), ...named("ref", submodules, "module")];
    }
    const kind = kinds.kindBefore(tokens, before);
    const types = kind === null ? USUAL : [kind];
    return types.flatMap((type) => library.under(type).map((one) => candidateOf(one, "fn", type)));
  }

  /** The verbs of an adapter, by its name or as a member of the module weft. */
  private adapter(whole: string): readonly CallShape[] | null {
    const name = whole.replace(/^weft\./, "");
    return this.around.adapters?.find((one) => one.name === name)?.verbs ?? null;
  }

  // ---- arguments by name ----

  private options(): Candidate[] {
    const { tokens, kinds } = this;
    const open = openBracket(tokens);
    if (open < 1 || !is(tokens[open], T.LParen) || !(is(tokens.at(-1), T.Comma) || open === tokens.length - 1))
      return [];
    const chain = Kinds.chain(tokens, open - 1);
    if (chain === null || is(tokens[open - 2], T.Def)) return [];
    const own = chain.length === 1 ? this.bindings.get(chain[0] ?? "") : undefined;
    if (own?.kind === "function")
      return named(
        "key",
        own.parameters.map((one) => `${one}=`),
        "parameter",
      );
    const whole = kinds.wholeName(chain);
    const verb = whole === null ? null : this.verb(whole);
    if (verb !== null)
      return named(
        "key",
        (verb.named ?? []).map((one) => `${one}=`),
        "argument",
      );
    const kind = open > 2 ? kinds.kindBefore(tokens, open - 3) : null;
    const found = whole === null ? undefined : kinds.member(whole);
    const params = (found ?? (kind === null ? undefined : kinds.member(`${kind}.${chain.at(-1)}`)))?.params ?? "";
    return named(
      "key",
      keywordsIn(params).map((one) => `${one}=`),
      "argument",
    );
  }

  private verb(whole: string): CallShape | null {
    const dot = whole.lastIndexOf(".");
    const verbs = dot < 0 ? null : this.adapter(whole.slice(0, dot));
    const written = whole.slice(dot + 1).toLowerCase();
    return verbs?.find(({ name }) => name.toLowerCase() === written) ?? null;
  }

  // ---- words and marks ----

  private words(types: ReadonlySet<string>): Candidate[] {
    const found = [...types].flatMap((type): Candidate[] => {
      if (type === "Newline") return [END];
      if (type === "Text") return named("operand", ['"'], "a text");
      if (type === "NumberLiteral") return named("operand", ["0"], "a number");
      return (SPELLINGS.get(type) ?? []).map((text): Candidate => ({ text, class: classOf(type, text), detail: "" }));
    });
    const continued = this.tokens.length === 0 ? this.continued() : [];
    return [...named("op", continued), ...found];
  }

  /** Words that continue the last statement of a level that the line may belong to. */
  private continued(): string[] {
    const line = this.prefix.slice(this.cursor.from);
    const blanks = /^[ \t]*/.exec(line)?.[0] ?? "";
    const heads = headsAbove(this.prefix, this.cursor.above);
    const reached = heads.filter(({ indent }) => indent === blanks || (line === blanks && indent.startsWith(blanks)));
    const cases = heads.some(({ first }) => is(first, T.Match) || is(first, T.Case)) ? ["case"] : [];
    return [...reached.flatMap(({ first }) => CONTINUES[first.image] ?? []), ...cases];
  }
}

function named(one: WordClass, texts: readonly string[], detail = ""): Candidate[] {
  return texts.map((text): Candidate => ({ text, class: one, detail }));
}

function candidateOf({ name, params, result, help }: LibraryMember, one: WordClass, type = ""): Candidate {
  const form =
    params === null ? "" : `${type === "" ? "" : `${type}.`}${name}(${params})${result === "" ? "" : ` -> ${result}`}`;
  return { text: name, class: one, detail: [form, help].filter((part) => part !== "").join(": ") };
}

function formOf({ name, named: names = [] }: CallShape): string {
  return `${name}(${names.join(", ")})`;
}

/** The parameters of a signature that may be given by name. */
function keywordsIn(params: string): string[] {
  const parts = params.split(/,\s*(?![^()[\]]*[)\]])/);
  const slash = parts.indexOf("/");
  return parts.slice(slash + 1).flatMap((part) => /^([A-Za-z_]\w*)/.exec(part)?.[1] ?? []);
}

const MARKS_BETWEEN = setOf([
  T.Infix,
  T.Plus,
  T.Minus,
  T.Star,
  T.DoubleStar,
  T.Slash,
  T.At,
  T.Pipe,
  T.Equal,
  T.Augmented,
]);
const BETWEEN: ReadonlySet<string> = new Set(
  [...T.MARKS].flatMap(([text, type]) => (MARKS_BETWEEN[type.tokenTypeIdx ?? 0] === 1 ? [text] : [])),
);

function classOf(type: string, text: string): WordClass {
  if (/^\w/.test(text)) return "op";
  if (BETWEEN.has(text)) return "cmp";
  return type.startsWith("L") ? "operand" : "close";
}
