/**
 * The grammar of blocks in the indented form: `if`, `for`, `while`, `try`, and the lines that stand in them.
 */
import type { ParserMethod } from "chevrotain";
import type { Name, Slot } from "../../ast.ts";
import { EXPECTED } from "../../parser/base-parser.ts";
import type { Span } from "../../text/span.ts";
import type { StatementPayload } from "../payloads.ts";
import type { Lexeme, LineLexeme } from "../tokens.ts";
import * as T from "../tokens.ts";
import type { BranchNode, Expression, IfNode, Node, TryNode } from "../tree.ts";
import { limitOf } from "./blocks.ts";
import { slotOf } from "./expressions.ts";
import { LineParser } from "./lines.ts";

type Maybe = Expression | null;

export abstract class BlockParser extends LineParser {
  /** The deeper lines. Missing ones are reported at `colon`. */
  protected readonly block: ParserMethod<[Node[], Span | null], void> = this.RULE(
    "block",
    (target: Node[], colon: Span | null): void => {
      let isMissing = true;
      this.option(EXPECTED, () => {
        this.CONSUME(T.Indent);
        isMissing = false;
        this.SUBRULE(this.statements, { ARGS: [target] });
        this.CONSUME(T.Dedent);
      });
      this.ACTION(() => {
        if (isMissing) this.blocks.reportMissing(colon);
      });
    },
  );

  protected readonly statements: ParserMethod<[Node[]], void> = this.RULE("statements", (target: Node[]): void => {
    this.many(EXPECTED, () => {
      this.OR([
        { ALT: () => this.SUBRULE(this.statement, { ARGS: [target] }) },
        { ALT: () => this.SUBRULE(this.declaration) },
        { ALT: () => this.SUBRULE(this.deeper, { ARGS: [target] }) },
      ]);
    });
  });

  /** Lines that are deeper than the block they stand in. */
  protected readonly deeper: ParserMethod<[Node[]], void> = this.RULE("deeper", (target: Node[]): void => {
    const indent = this.CONSUME(T.Indent) as Lexeme;
    const inner = this.ACTION(() => {
      const { below } = this;
      this.below = "lost";
      if (below === "lost") this.blocks.reportDeeper(indent.span);
      return below === "no block" ? [] : target;
    });
    this.SUBRULE(this.statements, { ARGS: [inner] });
    this.CONSUME(T.Dedent);
  });

  protected readonly statement: ParserMethod<[Node[]], void> = this.RULE("statement", (target: Node[]): void => {
    this.ACTION(() => {
      this.below = "lost";
      this.firstToken = (this.input as Lexeme[]).indexOf(this.ahead(), this.firstToken);
    });
    this.target = target;
    this.OR(this.statementForms);
  });

  /** The block that the next statement stands in. */
  protected target: Node[] = [];
  /** The colon and, where something stands after it on its line, that. Returns where a missing block is reported. */
  protected readonly colon: ParserMethod<[Lexeme, boolean], Span | null> = this.RULE(
    "colon",
    (word: Lexeme, faulty: boolean): Span | null => {
      const end = this.faults.last;
      let colon: Lexeme | null = null;
      this.option(EXPECTED, () => {
        colon = this.CONSUME(T.BlockColon) as Lexeme;
      });
      const after = this.ahead();
      const reported = this.ACTION(() => this.blocks.colon(word.span, end, colon, after, faulty));
      while (!this.RECORDING_PHASE && (this.sees(T.BlockColon) || !this.atEnd())) {
        if (this.sees(T.BlockColon)) this.CONSUME1(T.BlockColon);
        else this.SUBRULE(this.anything);
      }
      this.CONSUME(T.Newline);
      return reported;
    },
  );

  protected readonly ifStatement: ParserMethod<[Node[]], void> = this.RULE("ifStatement", (target: Node[]): void => {
    const token = this.CONSUME(T.If) as LineLexeme<StatementPayload>;
    const branches: BranchNode[] = [];
    const first = this.SUBRULE(this.branch, { ARGS: [token] });
    const node = this.ACTION((): IfNode => {
      branches.push(first.branch);
      const { word } = first.branch;
      const opened: IfNode = { s: "if", ...this.place(word, first.end, first.faulty), branches, otherwise: null };
      target.push(opened);
      return opened;
    });
    this.SUBRULE(this.block, { ARGS: [first?.branch?.block, first?.colon] });
    this.MANY(() => {
      const other = this.CONSUME(T.Elif) as LineLexeme<StatementPayload>;
      const next = this.SUBRULE1(this.branch, { ARGS: [other] });
      this.ACTION(() => branches.push(next.branch));
      this.SUBRULE1(this.block, { ARGS: [next?.branch?.block, next?.colon] });
    });
    this.OPTION(() => {
      const word = this.CONSUME(T.Else) as LineLexeme<StatementPayload>;
      const block: Node[] = [];
      this.ACTION(() => {
        node.otherwise = { word: slotOf(word), block };
      });
      const colon = this.SUBRULE(this.otherwise, { ARGS: [word] });
      this.SUBRULE2(this.block, { ARGS: [block, colon] });
    });
  });

  protected readonly branch: ParserMethod<[LineLexeme<StatementPayload>], Branch> = this.RULE(
    "branch",
    (token: LineLexeme<StatementPayload>): Branch => {
      this.ACTION(() => this.begin(token));
      const cond = this.SUBRULE(this.reading, { ARGS: ["a condition", false] });
      const [end, faulty] = [this.faults.last, this.faults.faulty];
      const colon = this.SUBRULE(this.colon, { ARGS: [token, faulty] });
      const branch = this.ACTION((): BranchNode => ({ word: slotOf(token), cond: cond ?? null, block: [] }));
      return { branch, end, faulty, colon };
    },
  );

  /** What stands after `else`. */
  protected readonly otherwise: ParserMethod<[LineLexeme<StatementPayload>], Span | null> = this.RULE(
    "otherwise",
    (token: LineLexeme<StatementPayload>): Span | null => {
      const surplus = this.ahead();
      const isSurplus = this.ACTION(() => {
        this.begin(token);
        if (this.atEnd()) return false;
        this.blocks.reportElseIf(slotOf(token), surplus);
        return true;
      });
      this.MANY({ GATE: () => !this.atEnd(), DEF: () => this.SUBRULE(this.anything) });
      return this.SUBRULE(this.colon, { ARGS: [token, isSurplus] });
    },
  );

  /** Without its `if` a block is read all the same, as if it were one. */
  protected readonly strayElse: ParserMethod<[Node[]], void> = this.RULE("strayElse", (target: Node[]): void => {
    const token = this.OR([
      {
        ALT: () => {
          const elif = this.CONSUME(T.Elif) as LineLexeme<StatementPayload>;
          this.ACTION(() => this.blocks.reportStrayElse(slotOf(elif)));
          return this.SUBRULE(this.branch, { ARGS: [elif] }).colon;
        },
      },
      {
        ALT: () => {
          const word = this.CONSUME(T.Else) as LineLexeme<StatementPayload>;
          this.ACTION(() => this.blocks.reportStrayElse(slotOf(word)));
          return this.SUBRULE(this.otherwise, { ARGS: [word] });
        },
      },
    ]);
    this.SUBRULE(this.block, { ARGS: [target, token] });
  });

  protected readonly tryStatement: ParserMethod<[Node[]], void> = this.RULE("tryStatement", (target: Node[]): void => {
    const token = this.CONSUME(T.Try) as LineLexeme<StatementPayload>;
    const colon = this.SUBRULE(this.otherwise, { ARGS: [token] });
    const node = this.ACTION((): TryNode => {
      const word = slotOf(token);
      const opened: TryNode = { s: "try", ...this.place(word, word.span, false), block: [], handler: null };
      target.push(opened);
      return opened;
    });
    this.SUBRULE(this.block, { ARGS: [node?.block, colon] });
    this.option(EXPECTED, () => {
      const handler = this.SUBRULE(this.except);
      this.ACTION(() => {
        node.handler = handler;
      });
      this.SUBRULE1(this.block, { ARGS: [handler?.block, handler?.colon] });
    });
    this.ACTION(() => {
      if (node.handler === null) this.blocks.reportTry(slotOf(token));
    });
  });

  /** `except:`, `except e:`, `except Exception as e:`. */
  protected readonly except: ParserMethod<[], Handler> = this.RULE("except", (): Handler => {
    const token = this.CONSUME(T.Except) as LineLexeme<StatementPayload>;
    const names: Lexeme[] = [];
    this.ACTION(() => this.begin(token));
    this.MANY(() => {
      const name = this.CONSUME(T.NameLike);
      this.ACTION(() => names.push(this.faults.took(name)));
    });
    const surplus = this.ahead();
    this.MANY1({
      GATE: () => !this.atEnd(),
      DEF: () => {
        this.SUBRULE(this.anything);
        this.ACTION(() => this.blocks.reportKinds(this.faults, slotOf(token), surplus));
      },
    });
    const name = this.ACTION(() => this.blocks.handlerName(names, this.faults));
    const colon = this.SUBRULE(this.colon, { ARGS: [token, this.faults.faulty] });
    return this.ACTION(() => ({ word: slotOf(token), name, block: [], colon }));
  });

  /** Without its `try` a block is read all the same. */
  protected readonly strayExcept: ParserMethod<[Node[]], void> = this.RULE("strayExcept", (target: Node[]): void => {
    const handler = this.SUBRULE(this.except);
    this.ACTION(() => this.blocks.reportStrayElse(handler.word));
    this.SUBRULE(this.block, { ARGS: [target, handler?.colon] });
  });

  protected readonly forStatement: ParserMethod<[Node[]], void> = this.RULE("forStatement", (target: Node[]): void => {
    const token = this.CONSUME(T.For) as LineLexeme<StatementPayload>;
    const items: Name[] = [];
    this.ACTION(() => this.begin(token));
    let isWhole = false;
    this.option(EXPECTED, () => {
      const item = this.CONSUME(T.NameLike);
      this.ACTION(() => items.push(nameOf(this.faults.took(item))));
    });
    this.OPTION1(() => {
      this.CONSUME(T.Comma);
      this.option(EXPECTED + 1, () => {
        const item = this.CONSUME1(T.NameLike);
        this.ACTION(() => items.push(nameOf(this.faults.took(item))));
      });
    });
    this.option(EXPECTED + 2, {
      GATE: () => items.length > 0,
      DEF: () => {
        this.faults.took(this.CONSUME(T.InWord));
        isWhole = true;
      },
    });
    const stray = this.ahead();
    this.ACTION(() => {
      if (!isWhole) this.blocks.reportLoop(this.faults, stray, token);
    });
    let list: Maybe = null;
    this.option(EXPECTED + 3, {
      GATE: () => isWhole,
      DEF: () => {
        list = this.SUBRULE(this.reading, { ARGS: ["a list", false] }) ?? null;
      },
    });
    this.MANY({ GATE: () => !this.atEnd(), DEF: () => this.SUBRULE(this.anything) });
    const [end, faulty] = [this.faults.last, this.faults.faulty];
    const colon = this.SUBRULE(this.colon, { ARGS: [token, faulty] });
    const block = this.ACTION(() => {
      const word = slotOf(token);
      const inner: Node[] = [];
      const names = items.length === 0 ? [{ name: "_", span: word.span }] : items;
      target.push({ s: "for", ...this.place(word, end, faulty), items: names, list, block: inner });
      return inner;
    });
    this.SUBRULE(this.block, { ARGS: [block, colon] });
  });

  protected readonly whileStatement: ParserMethod<[Node[]], void> = this.RULE(
    "whileStatement",
    (target: Node[]): void => {
      const token = this.CONSUME(T.While) as LineLexeme<StatementPayload>;
      this.ACTION(() => this.begin(token));
      const cond = this.SUBRULE(this.reading, { ARGS: ["a condition", true] });
      const { faulty } = this.faults;
      let limit: Lexeme | null = null;
      let hasLimit = false;
      this.OPTION(() => {
        this.faults.took(this.CONSUME(T.LimitWord));
        hasLimit = true;
        this.OPTION1(() => this.faults.took(this.CONSUME(T.Compare)));
        limit = this.ahead();
        this.MANY({ GATE: () => !this.atEnd(), DEF: () => this.SUBRULE(this.anything) });
      });
      const read = this.ACTION(() => (hasLimit ? limitOf(limit, this.faults) : { limit: null, limit_slot: null }));
      const end = this.faults.last;
      const colon = this.SUBRULE(this.colon, { ARGS: [token, faulty] });
      const block = this.ACTION(() => {
        const inner: Node[] = [];
        const place = this.place(slotOf(token), end, faulty);
        target.push({ s: "while", ...place, cond: cond ?? null, ...read, block: inner });
        return inner;
      });
      this.SUBRULE(this.block, { ARGS: [block, colon] });
    },
  );

  private readonly statementForms = [
    ...[this.whole, this.inputs, this.put, this.each, this.single, this.tryStatement, this.strayExcept, this.valued],
    ...[this.ifStatement, this.strayElse, this.forStatement, this.whileStatement],
  ].map((rule) => ({ ALT: () => this.SUBRULE(rule, { ARGS: [this.target] }) }));
}

type Handler = {
  readonly word: Slot;
  readonly name: Name | null;
  readonly block: Node[];
  readonly colon: Span | null;
};
type Branch = {
  readonly branch: BranchNode;
  readonly end: Span;
  readonly faulty: boolean;
  readonly colon: Span | null;
};

function nameOf({ image, span }: Lexeme): Name {
  return { name: image, span };
}
