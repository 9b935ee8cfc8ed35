/**
 * The grammar of operands and of what stands between brackets in the indented form: groups, calls, lists, maps, indexes.
 */
import type { IToken, ParserMethod } from "chevrotain";
import type { Name } from "../../ast.ts";
import { EXPECTED } from "../../parser/base-parser.ts";
import { spanOver } from "../../text/span.ts";
import type { Lexeme } from "../tokens.ts";
import * as T from "../tokens.ts";
import type { Comprehension, Expression } from "../tree.ts";
import { slotOf } from "./expressions.ts";
import { atomFrom } from "./faults.ts";
import { ListReading, MapReading, ParenReading, type Reading } from "./literals.ts";
import { TemplateParser } from "./templates.ts";

type Maybe = Expression | null;
/** An operator in the place of a value, which is reported. */
const LOOSE = { LABEL: "loose" };
/** The colon of `rows[a:b]`, which both sides touch. */
const SLICE = { LABEL: "slice" };

export abstract class BracketParser extends TemplateParser {
  protected readonly primary: ParserMethod<[], Maybe> = this.RULE("primary", (): Maybe => {
    return this.OR(this.primaries);
  });

  /** Made once: a rule that makes its alternatives anew takes longer over that than over reading. */
  private readonly primaries = [
    { ALT: () => this.atom(this.CONSUME(T.NameLike)) },
    { ALT: () => this.atom(this.CONSUME(T.Path)) },
    { ALT: () => this.atom(this.CONSUME(T.Variable)) },
    { ALT: () => this.atom(this.CONSUME(T.Constant)) },
    { ALT: () => this.atom(this.CONSUME(T.NumberWord)) },
    { ALT: () => this.atom(this.CONSUME(T.NegativeNumber)) },
    { ALT: () => this.atom(this.CONSUME(T.Text)) },
    { ALT: () => this.atom(this.CONSUME(T.Word)) },
    { ALT: () => this.atom(this.CONSUME(T.Operator, LOOSE)) },
    { ALT: () => this.SUBRULE(this.paren) },
    { ALT: () => this.SUBRULE(this.list) },
    { ALT: () => this.SUBRULE(this.map) },
    { ALT: () => this.SUBRULE(this.template) },
  ];

  /** `(a + b)`, `(f a b)`. */
  protected readonly paren: ParserMethod<[], Maybe> = this.RULE("paren", (): Maybe => {
    const open = this.CONSUME(T.OpenParen) as Lexeme;
    const reading = new ParenReading(open, this.isInner || this.callsAlone);
    this.callsAlone = false;
    this.inside("marked", this.isInner, () => {
      this.option(EXPECTED, {
        GATE: () => this.seesValue(),
        DEF: () => reading.begin(this.ahead(), this.SUBRULE(this.choice)),
      });
    });
    this.inside("spaced", true, () => {
      this.MANY(() => {
        const first = this.ahead();
        this.OR([
          {
            GATE: () => this.seesValue(),
            ALT: () => {
              const value = this.SUBRULE1(this.binary);
              this.ACTION(() => reading.add(first, value));
            },
            IGNORE_AMBIGUITIES: true,
          },
          this.strayForm(reading, first),
        ]);
      });
    });
    const close = this.CONSUME(T.CloseParen) as Lexeme;
    return this.ACTION(() => reading.finish(this.faults.took(close), this.faults));
  });

  /** The arguments of `f(a, b)`. */
  protected readonly call: ParserMethod<[Maybe], Maybe> = this.RULE("call", (of: Maybe): Maybe => {
    const open = this.CONSUME(T.OpenCall) as Lexeme;
    const reading = new ListReading(open, "call");
    this.ACTION(() => this.faults.foreign(of, open));
    this.inside("marked", false, () => this.listItems(reading));
    const close = this.CONSUME(T.CloseParen) as Lexeme;
    return this.ACTION(() => this.bounded(reading.call(of, this.faults.took(close), this.faults)));
  });

  protected readonly list: ParserMethod<[], Maybe> = this.RULE("list", (): Maybe => {
    const reading = new ListReading(this.CONSUME(T.OpenList) as Lexeme, "list");
    this.inside("marked", true, () => this.listItems(reading));
    const close = this.CONSUME(T.CloseList) as Lexeme;
    return this.ACTION(() => {
      const list = this.bounded(reading.list(this.faults.took(close), this.faults));
      this.faults.checkComputed(list.span, this.ahead());
      return list;
    });
  });

  private listItems(reading: ListReading): void {
    const sees = (distance: number): boolean => this.seesValue(distance);
    const value = (first: Lexeme, value: Maybe): void => this.ACTION(() => reading.value(first, value));
    this.parts(
      reading,
      sees,
      () => value(this.ahead(), this.SUBRULE(this.choice)),
      () => value(this.ahead(), this.SUBRULE1(this.choice)),
    );
  }

  protected readonly map: ParserMethod<[], Maybe> = this.RULE("map", (): Maybe => {
    const reading = new MapReading(this.CONSUME(T.OpenMap) as Lexeme);
    const sees = (at: number): boolean => this.sees(T.Key, at) && this.sees(T.Colon, at + 1) && this.seesValue(at + 2);
    this.inside("marked", true, () =>
      this.parts(
        reading,
        sees,
        () => this.SUBRULE(this.entry, { ARGS: [reading] }),
        () => this.SUBRULE1(this.entry, { ARGS: [reading] }),
      ),
    );
    const close = this.CONSUME(T.CloseMap) as Lexeme;
    return this.ACTION(() => this.bounded(reading.finish(this.faults.took(close), this.faults)));
  });

  private readonly entry: ParserMethod<[MapReading], void> = this.RULE("entry", (reading: MapReading): void => {
    const key = this.CONSUME(T.Key);
    const colon = this.CONSUME(T.Colon);
    const first = this.ahead();
    const value = this.SUBRULE(this.choice);
    this.ACTION(() => {
      reading.stray(key as Lexeme);
      reading.stray(this.faults.took(colon));
      reading.value(first, value);
    });
  });

  /** Parts with commas between them, and a comprehension after the only one. What fits nowhere is read by `item`, up to the closing bracket. */
  private parts(
    reading: Reading,
    sees: (distance: number) => boolean,
    readFirst: () => void,
    readNext: () => void,
  ): void {
    const comma = (token: IToken): void => this.ACTION(() => reading.comma(this.faults.took(token)));
    this.OPTION({
      GATE: () => sees(1),
      DEF: () => {
        readFirst();
        this.OPTION1(() => this.eachOf(reading));
        this.MANY({
          GATE: () => sees(2),
          DEF: () => {
            comma(this.CONSUME(T.Comma));
            readNext();
          },
        });
        this.OPTION2(() => comma(this.CONSUME1(T.Comma)));
      },
    });
    while (!this.RECORDING_PHASE && this.isInside()) this.SUBRULE(this.item, { ARGS: [reading] });
  }

  private eachOf(reading: Reading): void {
    const each = this.SUBRULE(this.comprehension);
    this.ACTION(() => reading.each(each ?? null));
  }

  /** Neither at the closing bracket nor at the end of the statement. */
  private isInside(): boolean {
    return !this.atEnd() && this.ahead().tokenType.CATEGORIES?.includes(T.Closer) !== true;
  }

  /** One value, comma or stray mark between brackets that may not stand where it does. */
  protected readonly item: ParserMethod<[Reading], void> = this.RULE("item", (reading: Reading): void => {
    const first = this.ahead();
    const mark = (type: typeof T.Comma, take: () => void) => ({
      ALT: () => {
        this.CONSUME(type);
        this.ACTION(take);
      },
      IGNORE_AMBIGUITIES: true,
    });
    this.OR([
      {
        GATE: () => this.sees(T.ForWord) && reading.isOne,
        ALT: () => this.eachOf(reading),
        IGNORE_AMBIGUITIES: true,
      },
      mark(T.Comma, () => reading.comma(first)),
      mark(T.ArgumentName, () => this.faults.argumentName(first)),
      {
        GATE: () => this.seesValue(),
        ALT: () => {
          const value = this.SUBRULE(this.choice);
          this.ACTION(() => reading.value(first, value));
        },
        IGNORE_AMBIGUITIES: true,
      },
      this.strayForm(reading, first),
    ]);
  });

  /** What is neither a value nor a mark, in a list of alternatives. */
  private strayForm(reading: Pick<Reading, "stray">, first: Lexeme): { readonly ALT: () => void } {
    return {
      ALT: () => {
        this.SUBRULE(this.anything);
        this.ACTION(() => reading.stray(first));
      },
    };
  }

  /** `for x in list if cond`, after the value. */
  protected readonly comprehension: ParserMethod<[], Comprehension | null> = this.RULE(
    "comprehension",
    (): Comprehension | null => {
      const word = this.CONSUME(T.ForWord) as Lexeme;
      const items: IToken[] = [this.CONSUME(T.NameLike)];
      this.OPTION(() => {
        this.CONSUME(T.Comma);
        items.push(this.CONSUME1(T.NameLike));
      });
      this.CONSUME(T.InWord);
      const list = this.SUBRULE(this.binary);
      let cond: Maybe = null;
      this.OPTION1(() => {
        this.CONSUME(T.IfWord);
        cond = this.SUBRULE1(this.binary);
      });
      return this.ACTION((): Comprehension | null => {
        if (list == null || items.length === 0) return null;
        const names = items.map((item): Name => ({ name: item.image, span: (item as Lexeme).span }));
        for (const { name } of names) this.items.push(name);
        const slot = slotOf(word);
        return {
          e: "each",
          word: slot,
          key: null,
          value: list,
          items: names,
          list,
          cond: cond ?? null,
          span: word.span,
        };
      });
    },
  );

  /** `[i]`, `[a:b]`. */
  protected readonly index: ParserMethod<[Maybe], Maybe> = this.RULE("index", (of: Maybe): Maybe => {
    const open = this.CONSUME(T.OpenIndex) as Lexeme;
    const bounds: Maybe[] = [null];
    let stray: Lexeme | null = null;
    this.inside("marked", false, () => {
      this.OPTION({
        GATE: () => this.seesValue(),
        DEF: () => {
          bounds[0] = this.SUBRULE(this.choice);
        },
      });
      this.OPTION1(() => {
        this.CONSUME(T.Colon, SLICE);
        bounds.push(null);
        this.OPTION2({
          GATE: () => this.seesValue(),
          DEF: () => {
            bounds[1] = this.SUBRULE1(this.choice);
          },
        });
      });
      while (!this.RECORDING_PHASE && this.isInside()) {
        stray ??= this.ahead();
        this.SUBRULE(this.anything);
      }
    });
    const close = this.CONSUME(T.CloseList) as Lexeme;
    return this.ACTION(() => this.indexOf(of, open, bounds, stray, this.faults.took(close)));
  });

  private atom(token: IToken): Maybe {
    return this.ACTION(() => atomFrom(this.faults.took(token), this.faults, this.ahead()));
  }

  private indexOf(of: Maybe, open: Lexeme, bounds: readonly Maybe[], stray: Lexeme | null, close: Lexeme): Maybe {
    if (of == null) return null;
    const [from, to] = bounds;
    if (this.faults.faulty) return of;
    if (stray !== null) this.faults.unexpected(stray);
    else if (bounds.length === 1 && from == null)
      this.faults.unexpectedAt(close.span, close.image, "write an index: rows[0]");
    const word = slotOf(open);
    const span = spanOver(of.span, close.span);
    if (bounds.length > 1) return this.bounded({ e: "slice", word, of, from: from ?? null, to: to ?? null, span });
    return from == null ? of : this.bounded({ e: "index", word, of, key: from, span });
  }
}
