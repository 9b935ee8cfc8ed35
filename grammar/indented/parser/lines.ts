/**
 * The grammar of statements of one line in the indented form: assignments, values, calls, and lines that the token source read as a whole.
 */
import type { ParserMethod } from "chevrotain";
import type { DeclarationLine, IncludeLine, Slot } from "../../ast.ts";
import { EXPECTED } from "../../parser/base-parser.ts";
import { type Span, spanOver } from "../../text/span.ts";
import type { EachPayload } from "../lexing/fork-line.ts";
import { NO_FUNCTION_HERE } from "../methods.ts";
import type { InputPayload, StatementPayload } from "../payloads.ts";
import type { Lexeme, LineLexeme } from "../tokens.ts";
import * as T from "../tokens.ts";
import type { Expression, GraphNode, Node, Place } from "../tree.ts";
import { BlockFaults } from "./blocks.ts";
import { BracketParser } from "./brackets.ts";
import { slotOf } from "./expressions.ts";
import { FUNCTIONS } from "./precedence.ts";

type Maybe = Expression | null;
/** What becomes of deeper lines below a statement that opens no block. */
export type Below = "lost" | "same block" | "no block";

export abstract class LineParser extends BracketParser {
  protected blocks: BlockFaults = BlockFaults.NONE;
  protected graphs: GraphNode[] = [];
  protected declarations: (DeclarationLine | IncludeLine)[] = [];
  protected below: Below = "lost";
  /** The first word of the statement that is read, among the tokens. */
  protected firstToken = 0;

  protected readonly declaration: ParserMethod<[], void> = this.RULE("declaration", (): void => {
    const token = this.OR([
      { ALT: () => this.CONSUME(T.IncludeLine) },
      { ALT: () => this.CONSUME(T.DeclarationLine) },
    ]) as LineLexeme<DeclarationLine | IncludeLine>;
    this.CONSUME(T.Newline);
    this.ACTION(() => {
      this.below = "lost";
      this.declarations.push(token.payload);
    });
  });

  /** A line that the token source read as a whole. */
  protected readonly whole: ParserMethod<[Node[]], void> = this.RULE("whole", (target: Node[]): void => {
    const token = this.OR([
      { ALT: () => this.CONSUME(T.ReadLine) },
      { ALT: () => this.CONSUME(T.IdleLine) },
    ]) as LineLexeme<StatementPayload>;
    this.CONSUME(T.Newline);
    this.ACTION(() => {
      const { statement, faulty, colon } = token.payload;
      if (colon !== null) this.blocks.reportSurplusColon(colon);
      if (statement !== null) target.push({ s: "read", statement });
      this.below = this.lies(token, statement !== null && faulty);
    });
  });

  protected lies({ payload }: LineLexeme<StatementPayload>, faulty: boolean): Below {
    if (payload.opens) return "same block";
    if (!faulty || !payload.hasColon) return "lost";
    return this.blocks.lastSuggestion() === NO_FUNCTION_HERE ? "no block" : "same block";
  }

  protected readonly inputs: ParserMethod<[Node[]], void> = this.RULE("inputs", (target: Node[]): void => {
    const token = this.CONSUME(T.InputLine) as LineLexeme<InputPayload>;
    this.CONSUME(T.Newline);
    this.ACTION(() => {
      const { names, statement } = token.payload;
      for (const name of names) this.graphs.at(-1)?.parameters.push({ name, fallback: null, isInLine: true });
      if (statement !== null) target.push({ s: "read", statement });
    });
  });

  /** `rows[0] = v`, `n += v`. */
  protected readonly put: ParserMethod<[Node[]], void> = this.RULE("put", (target: Node[]): void => {
    const token = this.CONSUME(T.Put) as LineLexeme<StatementPayload>;
    this.ACTION(() => this.faults.begin(token.span, token.payload.faulty));
    const place = this.SUBRULE(this.postfix);
    const sign = this.CONSUME(T.Assign);
    this.ACTION(() => this.faults.took(sign));
    const value = this.SUBRULE(this.reading, { ARGS: ["a value", false] }) ?? null;
    this.CONSUME(T.Newline);
    this.ACTION(() => {
      const word = slotOf(token);
      const fn = FUNCTIONS[sign.image.slice(0, -1)] ?? null;
      const at = this.place(word, this.faults.last, this.faults.faulty);
      if (place != null) target.push({ s: "put", ...at, target: place, fn, value: value ?? null });
      this.below = this.lies(token, this.faults.faulty);
    });
  });

  /** `helper(a, b)`, `break`, `continue`, `pass`. */
  protected readonly single: ParserMethod<[Node[]], void> = this.RULE("single", (target: Node[]): void => {
    const token = this.OR([
      { ALT: () => this.CONSUME(T.Bare) },
      { ALT: () => this.CONSUME(T.Break) },
      { ALT: () => this.CONSUME(T.Continue) },
      { ALT: () => this.CONSUME(T.Pass) },
    ]) as LineLexeme<StatementPayload>;
    this.ACTION(() => this.begin(token));
    let value: Maybe = null;
    this.OPTION({
      GATE: () => token.tokenType === T.Bare,
      DEF: () => {
        value = this.SUBRULE(this.reading, { ARGS: ["a value", false] }) ?? null;
      },
    });
    const surplus = this.ahead();
    this.MANY(() => {
      this.SUBRULE(this.anything);
      this.ACTION(() => {
        if (!this.faults.faulty) this.faults.unexpected(surplus);
      });
    });
    this.CONSUME(T.Newline);
    this.ACTION(() => {
      const place = this.place(slotOf(token), this.faults.last, this.faults.faulty);
      if (token.tokenType === T.Bare) target.push({ s: "bare", ...place, value });
      else target.push({ s: token.image as "break" | "continue" | "pass", ...place });
      this.below = this.lies(token, this.faults.faulty);
    });
  });

  /** `x = value`, `out value`, `err value`. */
  protected readonly valued: ParserMethod<[Node[]], void> = this.RULE("valued", (target: Node[]): void => {
    const token = this.OR([
      { ALT: () => this.CONSUME(T.Target) },
      { ALT: () => this.CONSUME(T.Out) },
      { ALT: () => this.CONSUME(T.Err) },
    ]) as LineLexeme<StatementPayload>;
    this.ACTION(() => this.begin(token));
    let value: Maybe = null;
    const isBare = this.ACTION(() => (token.tokenType === T.Out || token.image === "raise") && this.sees(T.Newline));
    this.OPTION({
      GATE: () => !isBare,
      DEF: () => {
        this.callsAlone = token.tokenType === T.Target && this.isCallAlone();
        value =
          this.SUBRULE(this.reading, { ARGS: [token.tokenType === T.Err ? "a message" : "a value", false] }) ?? null;
        this.callsAlone = false;
      },
    });
    this.CONSUME(T.Newline);
    this.ACTION(() => {
      target.push(this.valuedNode(token, value, isBare));
      this.below = this.lies(token, this.faults.faulty);
    });
  });

  /** `x = call graph for item in list` */
  protected readonly each: ParserMethod<[Node[]], void> = this.RULE("each", (target: Node[]): void => {
    const token = this.CONSUME(T.Each) as LineLexeme<StatementPayload & { readonly each: EachPayload }>;
    this.ACTION(() => this.begin(token));
    const list = this.SUBRULE(this.reading, { ARGS: ["a list", false] }) ?? null;
    this.CONSUME(T.Newline);
    this.ACTION(() => {
      const { each } = token.payload;
      target.push({ s: "each", ...each, faulty: this.faults.faulty, list });
      this.below = this.lies(token, this.faults.faulty);
    });
  });

  protected valuedNode(token: Lexeme, value: Maybe, isBare: boolean): Node {
    const word = slotOf(token);
    const place = this.place(word, this.faults.last, this.faults.faulty);
    if (token.tokenType === T.Target)
      return { s: "assign", ...place, name: { name: word.text, span: word.span }, value };
    // What is raised again is the failure that the block handles.
    const again: Expression = { e: "operand", of: { k: "var", v: "_error", span: word.span }, span: word.span };
    if (token.tokenType === T.Err) return { s: "err", ...place, value: isBare ? again : value };
    const done: Expression = { e: "operand", of: { k: "str", v: "done", span: word.span }, span: word.span };
    return { s: "out", ...place, value: isBare ? done : value };
  }

  /** `x = (now)` calls a function; elsewhere that is a group. */
  protected isCallAlone(): boolean {
    return this.sees(T.OpenParen) && this.sees(T.NameWord, 2) && this.sees(T.CloseParen, 3) && this.sees(T.Newline, 4);
  }

  protected begin(token: LineLexeme<StatementPayload>): void {
    const { payload } = token;
    // An `elif` or `except` is read as a part of the statement above it.
    this.firstToken = (this.input as Lexeme[]).indexOf(token, this.firstToken);
    this.faults.begin(payload.head, payload.faulty);
    if (payload.colon !== null) this.blocks.reportSurplusColon(payload.colon);
  }

  protected place(word: Slot, end: Span, faulty: boolean): Place {
    return { word, span: spanOver(word.span, end), faulty };
  }

  /** The expression up to the end of the line, its colon or, with `toLimit`, the word `limit`. */
  protected readonly reading: ParserMethod<[string, boolean], Maybe> = this.RULE(
    "reading",
    (missing: string, toLimit: boolean): Maybe => {
      let value: Maybe = null;
      const before = this.errors.length;
      this.option(EXPECTED, {
        GATE: () => this.seesValue(),
        DEF: () => {
          value = this.SUBRULE(this.choice);
        },
      });
      this.ACTION(() => {
        // What chevrotain recovered from has a finding of its own.
        if (this.errors.length > before) this.faults.faulty = true;
        if (value == null) this.faults.missing(missing);
      });
      const surplus = this.ahead();
      const isLimit = this.ACTION(() => toLimit && value != null && this.sees(T.LimitWord));
      const isSurplus = this.ACTION(() => !this.atEnd() && !isLimit);
      this.ACTION(() => {
        if (isSurplus) this.faults.surplus(surplus);
      });
      this.MANY({ GATE: () => !isLimit && !this.atEnd(), DEF: () => this.SUBRULE(this.anything) });
      this.ACTION(() => {
        if (isSurplus) this.faults.faulty = true;
      });
      return value ?? null;
    },
  );
}
