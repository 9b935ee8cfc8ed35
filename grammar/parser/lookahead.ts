/**
 * How a rule decides: by the next token alone, and by the gates of its alternatives. Chevrotain's own strategy collects the first tokens
 * of every place anew, which takes ten times as long as reading a small program. Here those of a rule are collected once, and places
 * that decide alike share their table. Where two alternatives begin alike, the first whose gate is open is taken.
 */
import {
  Alternation,
  type ILookaheadStrategy,
  type IProduction,
  type IToken,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  type Rule,
  Terminal,
  type TokenType,
} from "chevrotain";

/** The tokens a part can begin with, and whether it can be empty. */
type First = { readonly tokens: readonly TokenType[]; readonly empty: boolean };
/** The alternative to take, by the number of the token's type. */
type Table = readonly (number | undefined)[];
type Looking = { LA_FAST(distance: number): IToken };
type Place = { readonly rule: Rule; readonly prodOccurrence: number };
type Alternatives = readonly { readonly GATE?: () => boolean }[];

export class OneToken implements ILookaheadStrategy {
  private readonly known = new Map<Rule, First>();
  private readonly choices = new Map<string, (this: unknown) => number | undefined>();
  private readonly options = new Map<string, (this: unknown) => boolean>();
  private rule: Rule | null = null;
  private parts = new Map<string, IProduction>();

  validate(): [] {
    return [];
  }

  buildLookaheadForAlternation({ rule, prodOccurrence, hasPredicates }: Place & { readonly hasPredicates: boolean }) {
    const { definition } = this.part(rule, "Alternation", prodOccurrence) as Alternation;
    const firsts = definition.map((alternative) => this.firstOf(alternative).tokens);
    if (hasPredicates) return gated(firsts);
    return shared(this.choices, firsts, (table) => {
      return function look(this: unknown): number | undefined {
        return table[(this as Looking).LA_FAST(1).tokenTypeIdx];
      };
    });
  }

  buildLookaheadForOptional(place: Place & { readonly prodType: string }) {
    const { definition } = this.part(place.rule, place.prodType, place.prodOccurrence) as Option;
    const { tokens, empty } = this.firstOfAll(definition);
    // What may be empty is read whatever comes: it reports what it lacks itself.
    if (empty) return () => true;
    return shared(this.options, [tokens], (table) => {
      return function look(this: unknown): boolean {
        return table[(this as Looking).LA_FAST(1).tokenTypeIdx] === 0;
      };
    });
  }

  /** An alternation, option or repetition of a rule, by its number. Rules are asked for one after the other. */
  private part(rule: Rule, type: string, occurrence: number): IProduction {
    if (this.rule !== rule) {
      this.rule = rule;
      this.parts = new Map();
      collect(rule.definition, this.parts);
    }
    const part = this.parts.get(`${type} ${occurrence}`);
    if (part === undefined) throw new Error(`${rule.name} has no ${type} ${occurrence}`);
    return part;
  }

  private firstOfAll(parts: readonly IProduction[]): First {
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return this.firstOf(only);
    const tokens: TokenType[] = [];
    for (const part of parts) {
      const first = this.firstOf(part);
      tokens.push(...first.tokens);
      if (!first.empty) return { tokens, empty: false };
    }
    return { tokens, empty: true };
  }

  private firstOf(part: IProduction): First {
    if (part instanceof Terminal) return { tokens: [part.terminalType], empty: false };
    if (part instanceof NonTerminal) return this.firstOfRule(part.referencedRule);
    if (part instanceof Alternation) {
      const all = part.definition.map((alternative) => this.firstOf(alternative));
      return { tokens: all.flatMap(({ tokens }) => tokens), empty: all.some(({ empty }) => empty) };
    }
    const first = this.firstOfAll((part as Option).definition);
    return part instanceof Option || part instanceof Repetition ? { ...first, empty: true } : first;
  }

  private firstOfRule(rule: Rule): First {
    let first = this.known.get(rule);
    if (first === undefined) {
      first = this.firstOfAll(rule.definition);
      this.known.set(rule, first);
    }
    return first;
  }
}

/** The function for these first tokens of each alternative, made once. */
function shared<F>(made: Map<string, F>, firsts: readonly (readonly TokenType[])[], make: (table: Table) => F): F {
  const key = firsts.map((types) => types.map(({ tokenTypeIdx }) => tokenTypeIdx).join()).join("|");
  let look = made.get(key);
  if (look === undefined) {
    const table: (number | undefined)[] = [];
    firsts.forEach((types, index) => {
      for (const type of indexesOf(types)) table[type] ??= index;
    });
    look = make(table);
    made.set(key, look);
  }
  return look;
}

/** Of the alternatives that can begin with the token, the first whose gate is open. */
function gated(firsts: readonly (readonly TokenType[])[]): (alternatives?: Alternatives) => number | undefined {
  const table: number[][] = [];
  firsts.forEach((types, index) => {
    for (const type of new Set(indexesOf(types))) table[type] = [...(table[type] ?? []), index];
  });
  return function look(this: unknown, alternatives: Alternatives = []): number | undefined {
    const found = table[(this as Looking).LA_FAST(1).tokenTypeIdx];
    return found?.find((index) => alternatives[index]?.GATE?.call(this) !== false);
  };
}

/** Numbers of token types, those of their members included. */
function indexesOf(types: readonly TokenType[]): readonly number[] {
  return types.flatMap(({ tokenTypeIdx = 0, categoryMatches = [] }) => [tokenTypeIdx, ...categoryMatches]);
}

function collect(parts: readonly IProduction[], into: Map<string, IProduction>): void {
  for (const part of parts) {
    if (part instanceof Terminal || part instanceof NonTerminal) continue;
    const { idx, definition } = part as Option;
    into.set(`${typeOf(part)} ${idx}`, part);
    collect(definition, into);
  }
}

/** As chevrotain calls the kinds of parts that decide. */
function typeOf(part: IProduction): string {
  if (part instanceof Alternation) return "Alternation";
  if (part instanceof Option) return "Option";
  if (part instanceof RepetitionMandatory) return "RepetitionMandatory";
  return part instanceof Repetition ? "Repetition" : "";
}
