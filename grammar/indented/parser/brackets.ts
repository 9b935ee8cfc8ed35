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
import { ListReading, MapReading, ParenReading } from "./literals.ts";
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
    const { row, isInner } = this;
    this.row = "marked";
    this.option(EXPECTED, {
      GATE: () => this.seesValue(),
      DEF: () => {
        const first = this.ahead();
        reading.begin(first, this.SUBRULE(this.choice));
      },
    });
    this.row = "spaced";
    this.isInner = true;
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
        {
          ALT: () => {
            this.SUBRULE(this.anything);
            this.ACTION(() => reading.stray(first));
          },
        },
      ]);
    });
    this.row = row;
    this.isInner = isInner;
    const close = this.CONSUME(T.CloseParen) as Lexeme;
    return this.ACTION(() => reading.finish(this.faults.took(close), this.faults));
  });

  /** The arguments of `f(a, b)`. */
  protected readonly call: ParserMethod<[Maybe], Maybe> = this.RULE("call", (of: Maybe): Maybe => {
    const open = this.CONSUME(T.OpenCall) as Lexeme;
    const { row, isInner } = this;
    this.row = "marked";
    this.isInner = false;
    const reading = new ListReading(open, "call");
    this.ACTION(() => this.faults.foreign(of, open));
    this.listItems(reading);
    this.row = row;
    this.isInner = isInner;
    const close = this.CONSUME(T.CloseParen) as Lexeme;
    return this.ACTION(() => this.bounded(reading.call(of, this.faults.took(close), this.faults)));
  });

  protected readonly list: ParserMethod<[], Maybe> = this.RULE("list", (): Maybe => {
    const open = this.CONSUME(T.OpenList) as Lexeme;
    const { row, isInner } = this;
    this.row = "marked";
    this.isInner = true;
    const reading = new ListReading(open, "list");
    this.listItems(reading);
    this.row = row;
    this.isInner = isInner;
    const close = this.CONSUME(T.CloseList) as Lexeme;
    return this.ACTION(() => {
      const list = this.bounded(reading.list(this.faults.took(close), this.faults));
      this.faults.checkComputed(list.span, this.ahead());
      return list;
    });
  });

  /** Values with commas between them. What fits nowhere is read by `item`, up to the closing bracket. */
  private listItems(reading: ListReading): void {
    const read = (rule: () => Maybe): void => {
      const first = this.ahead();
      const value = rule();
      this.ACTION(() => reading.value(first, value));
    };
    const comma = (token: IToken): void => this.ACTION(() => reading.comma(token as Lexeme));
    this.OPTION({
      GATE: () => this.seesValue(),
      DEF: () => {
        read(() => this.SUBRULE(this.choice));
        this.OPTION1(() => {
          const each = this.SUBRULE(this.comprehension);
          this.ACTION(() => reading.each(each ?? null));
        });
        this.MANY({
          GATE: () => this.seesValue(2),
          DEF: () => {
            comma(this.CONSUME(T.Comma));
            read(() => this.SUBRULE1(this.choice));
          },
        });
        this.OPTION2(() => comma(this.CONSUME1(T.Comma)));
      },
    });
    while (!this.RECORDING_PHASE && this.isInside()) this.SUBRULE(this.item, { ARGS: [reading] });
  }

  /** Neither at the closing bracket nor at the end of the statement. */
  private isInside(): boolean {
    return !this.atEnd() && this.ahead().tokenType.CATEGORIES?.includes(T.Closer) !== true;
  }

  /** One value, comma or stray mark of a list or of arguments, none of which may stand where it does. */
  protected readonly item: ParserMethod<[ListReading], void> = this.RULE("item", (reading: ListReading): void => {
    const first = this.ahead();
    this.OR([
      {
        GATE: () => this.sees(T.ForWord) && reading.isOne,
        ALT: () => {
          const each = this.SUBRULE(this.comprehension);
          this.ACTION(() => reading.each(each ?? null));
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          this.CONSUME(T.Comma);
          this.ACTION(() => reading.comma(first));
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          this.CONSUME(T.ArgumentName);
          this.ACTION(() => this.faults.argumentName(first));
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        GATE: () => this.seesValue(),
        ALT: () => {
          const value = this.SUBRULE(this.choice);
          this.ACTION(() => reading.value(first, value));
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          this.SUBRULE(this.anything);
          this.ACTION(() => reading.stray(first));
        },
      },
    ]);
  });

  protected readonly map: ParserMethod<[], Maybe> = this.RULE("map", (): Maybe => {
    const open = this.CONSUME(T.OpenMap) as Lexeme;
    const { row, isInner } = this;
    this.row = "marked";
    this.isInner = true;
    const reading = new MapReading(open);
    this.OPTION({
      GATE: () => this.seesEntry(1),
      DEF: () => {
        this.SUBRULE(this.entry, { ARGS: [reading] });
        this.OPTION1(() => {
          const each = this.SUBRULE(this.comprehension);
          this.ACTION(() => reading.each(each ?? null));
        });
        this.MANY({
          GATE: () => this.seesEntry(2),
          DEF: () => {
            const comma = this.CONSUME(T.Comma);
            this.ACTION(() => reading.mark(this.faults.took(comma)));
            this.SUBRULE1(this.entry, { ARGS: [reading] });
          },
        });
        this.OPTION2(() => {
          const comma = this.CONSUME1(T.Comma);
          this.ACTION(() => reading.mark(this.faults.took(comma)));
        });
      },
    });
    while (!this.RECORDING_PHASE && this.isInside()) this.SUBRULE(this.mapItem, { ARGS: [reading] });
    this.row = row;
    this.isInner = isInner;
    const close = this.CONSUME(T.CloseMap) as Lexeme;
    return this.ACTION(() => this.bounded(reading.finish(this.faults.took(close), this.faults)));
  });

  private seesEntry(distance: number): boolean {
    return this.sees(T.Key, distance) && this.sees(T.Colon, distance + 1) && this.seesValue(distance + 2);
  }

  private readonly entry: ParserMethod<[MapReading], void> = this.RULE("entry", (reading: MapReading): void => {
    const key = this.CONSUME(T.Key);
    const colon = this.CONSUME(T.Colon);
    const value = this.SUBRULE(this.choice);
    this.ACTION(() => {
      reading.mark(key as Lexeme);
      reading.mark(this.faults.took(colon));
      reading.value(value);
    });
  });

  /** A value, a mark or anything else that may not stand where it does in a map. */
  private readonly mapItem: ParserMethod<[MapReading], void> = this.RULE("mapItem", (reading: MapReading): void => {
    const first = this.ahead();
    this.OR([
      {
        GATE: () => this.sees(T.ForWord) && reading.isOne,
        ALT: () => {
          const each = this.SUBRULE(this.comprehension);
          this.ACTION(() => reading.each(each ?? null));
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        GATE: () => this.seesValue(),
        ALT: () => {
          const value = this.SUBRULE(this.choice);
          this.ACTION(() => reading.value(value));
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          this.SUBRULE(this.anything);
          this.ACTION(() => reading.mark(first));
        },
      },
    ]);
  });

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
    const { row, isInner } = this;
    this.row = "marked";
    this.isInner = false;
    const bounds: Maybe[] = [null];
    let stray: Lexeme | null = null;
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
    this.row = row;
    this.isInner = isInner;
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
