/**
 * The grammar of a whole file of the indented form, as chevrotain rules: graphs, blocks, statements. One call reads one file. A parser is made at
 * first use and kept.
 */
import type { EmbeddedActionsParser, ParserMethod, Rule } from "chevrotain";
import type { DeclarationLine, IncludeLine, Slot } from "../../ast.ts";
import type { Reporter } from "../../reporter.ts";
import type { Span } from "../../text/span.ts";
import type { Task } from "../../text/task.ts";
import type { Header } from "../lexing/header.ts";
import type { WrittenInput } from "../lexing/input-line.ts";
import type { Layout } from "../lexing/layout.ts";
import { failuresIn, heldIn, inputsOfGraphs } from "../repair/repair.ts";
import type { Facts } from "../repair/rows.ts";
import type { Lexeme, LineLexeme } from "../tokens.ts";
import * as T from "../tokens.ts";
import type { Expression, GraphNode, Node, Parameter } from "../tree.ts";
import { BlockParser } from "./block-statements.ts";
import { BlockFaults } from "./blocks.ts";
import { Faults } from "./faults.ts";
import type { Below } from "./lines.ts";
import { piecesOf } from "./pieces.ts";
import type { Row } from "./statement-faults.ts";

export type ParsedFile = {
  readonly graphs: readonly GraphNode[];
  readonly declarations: readonly (DeclarationLine | IncludeLine)[];
  readonly items: readonly string[];
};

type Maybe = Expression | null;
/** What is known before the file is read. */
type Known = Pick<Facts, "isVariable" | "parametersOf">;
type Listed = { readonly input: readonly Lexeme[]; readonly first: number; readonly tokens: readonly Lexeme[] };
const NOT_LISTED: Listed = { input: [], first: 0, tokens: [] };

class ProgramParser extends BlockParser {
  private names = new Map<string, Slot>();
  /** The statement whose tokens were asked for last. */
  private listed: Listed = NOT_LISTED;

  constructor(validate = false) {
    super(validate);
    this.analyse();
  }

  /** Reads the tokens of one file, piece by piece. Other files may be read in between. */
  *parseFile(layout: Layout, reporter: Reporter, nesting: number, known: Known): Task<ParsedFile> {
    const source = reporter.source.text;
    const row: Row = {
      peek: () => this.ahead(),
      tokens: () => this.statementTokens(),
      head: () => (this.input as Lexeme[])[this.firstToken] as Lexeme,
      facts: {
        source,
        ...known,
        inputsOf: inputsOfGraphs(source),
        heldBy: heldIn(source),
        isFailure: failuresIn(source),
      },
    };
    const file: FileState = {
      faults: new Faults(reporter, nesting, row),
      blocks: new BlockFaults(reporter, layout),
      graphs: [],
      declarations: [],
      items: [],
      names: new Map(),
      below: "lost",
    };
    for (const tokens of piecesOf(layout.tokens)) {
      this.readPiece(file, tokens);
      yield;
    }
    return { graphs: file.graphs, declarations: file.declarations, items: file.items };
  }

  private readPiece(file: FileState, tokens: readonly Lexeme[]): void {
    this.use(tokens, file);
    this.file();
    this.blocks.reportErrors(this.errors);
    file.below = this.below;
    // The parser outlives the file.
    this.use([], NOT_READING);
  }

  private use(tokens: readonly Lexeme[], file: FileState): void {
    this.faults = file.faults;
    this.blocks = file.blocks;
    this.graphs = file.graphs;
    this.declarations = file.declarations;
    this.items = file.items;
    this.names = file.names;
    this.below = file.below;
    this.firstToken = 0;
    this.listed = NOT_LISTED;
    this.target = [];
    this.input = tokens as Lexeme[];
  }

  /** The tokens of the statement that is being read, its first word and its end left out. */
  private statementTokens(): readonly Lexeme[] {
    const tokens = this.input as Lexeme[];
    if (this.listed.input === tokens && this.listed.first === this.firstToken) return this.listed.tokens;
    let end = this.firstToken + 1;
    while (end < tokens.length && tokens[end]?.tokenType !== T.Newline && tokens[end]?.tokenType !== T.BlockColon)
      end++;
    this.listed = { input: tokens, first: this.firstToken, tokens: tokens.slice(this.firstToken + 1, end) };
    return this.listed.tokens;
  }

  // ---- the file ----

  private readonly file: ParserMethod<[], void> = this.RULE("file", (): void => {
    this.MANY(() => {
      this.OR([
        { ALT: () => this.SUBRULE(this.graph) },
        { ALT: () => this.SUBRULE(this.declaration) },
        { ALT: () => this.SUBRULE(this.lostLine) },
        { ALT: () => this.SUBRULE(this.statement, { ARGS: [this.lastBlock()] }) },
        { ALT: () => this.SUBRULE(this.deeper, { ARGS: [this.lastBlock()] }) },
      ]);
    });
  });

  private lastBlock(): Node[] {
    return this.graphs.at(-1)?.block ?? [];
  }

  private readonly graph: ParserMethod<[], void> = this.RULE("graph", (): void => {
    const token = this.CONSUME(T.HeaderLine) as LineLexeme<Header>;
    const opened = this.ACTION(() => this.beginGraph(token.payload));
    this.MANY(() => {
      const parameter = this.SUBRULE(this.parameter);
      this.ACTION(() => this.graphs.at(-1)?.parameters.push(parameter));
    });
    this.CONSUME(T.Newline);
    this.SUBRULE(this.block, { ARGS: [opened?.block ?? [], opened?.colon ?? null] });
  });

  /** `b=3` in the brackets of a header. */
  private readonly parameter: ParserMethod<[], Parameter> = this.RULE("parameter", (): Parameter => {
    const token = this.CONSUME(T.Parameter) as LineLexeme<WrittenInput>;
    let fallback: Maybe = null;
    this.ACTION(() => this.faults.begin(token.span, false));
    this.OPTION({
      GATE: () => this.seesValue(),
      DEF: () => {
        fallback = this.SUBRULE(this.choice);
      },
    });
    const surplus = this.ahead();
    this.MANY(() => {
      this.SUBRULE(this.anything);
      this.ACTION(() => this.faults.unexpected(surplus));
    });
    return this.ACTION(() => ({ name: token.payload.name, fallback: fallback ?? null, isInLine: false }));
  });

  private beginGraph({ name, decorators, colon, after }: Header): {
    readonly block: Node[];
    readonly colon: Span | null;
  } {
    const first = this.names.get(name.text);
    if (first === undefined) this.names.set(name.text, name);
    else this.blocks.reportRepeated(name, first);
    const graph: GraphNode = { name, decorators, parameters: [], block: [], repeated: first !== undefined };
    this.graphs.push(graph);
    if (colon !== null && after !== null) this.blocks.reportOneLine(name.span, colon, after.span);
    return { block: graph.block, colon: after === null ? colon : null };
  }

  /** A line at the margin that this form does not have. What stands below it is read for its findings. */
  private readonly lostLine: ParserMethod<[], void> = this.RULE("lostLine", (): void => {
    this.CONSUME(T.LostLine);
    this.CONSUME(T.Newline);
    this.SUBRULE(this.block, { ARGS: [[], null] });
  });
}

/** What is known of a file between its pieces. */
type FileState = {
  readonly faults: Faults;
  readonly blocks: BlockFaults;
  readonly graphs: GraphNode[];
  readonly declarations: (DeclarationLine | IncludeLine)[];
  readonly items: string[];
  readonly names: Map<string, Slot>;
  below: Below;
};

const NOT_READING: FileState = {
  faults: Faults.NONE,
  blocks: BlockFaults.NONE,
  graphs: [],
  declarations: [],
  items: [],
  names: new Map(),
  below: "lost",
};

let kept: ProgramParser | null = null;

function parser(): ProgramParser {
  kept ??= new ProgramParser();
  return kept;
}

/** Reads the tokens of one file of the indented form. */
export function parseTokens(layout: Layout, reporter: Reporter, nesting: number, known: Known): Task<ParsedFile> {
  return parser().parseFile(layout, reporter, nesting, known);
}

/** The grammar as data. */
export function indentedProductions(): Readonly<Record<string, Rule>> {
  return parser().getGAstProductions();
}

/** A parser whose grammar is checked when it is made, for tests. */
export function checkedParser(): EmbeddedActionsParser {
  return new ProgramParser(true);
}
