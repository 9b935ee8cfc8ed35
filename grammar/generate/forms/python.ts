/**
 * The grammar of the Python form, as the compiler accepts it: for readers over its tokens, and for constrained decoding over characters. GBNF has no
 * lexer and cannot count, so there every rule stands once for each place that it is written differently in: on a line, where brackets let lines end, in the
 * fields of an f-string, whose quotes must not come again, and for each depth of blocks.
 */
import {
  choice,
  EMPTY,
  type Expression,
  IMPOSSIBLE,
  leavesOf,
  many,
  mapped,
  notation,
  optional,
  type Production,
  reachable,
  rule,
  sequence,
  some,
} from "../expression.ts";
import { asProductions, type Docs } from "../productions.ts";
import { Blanks } from "../spaces.ts";
import { pythonBodies } from "./python-bodies.ts";
import { CHARACTERS, formatRules, type Place, READER_RULES, readToken, writtenToken } from "./python-tokens.ts";

const DOCS: Docs = {
  file: "A program.",
  block: "Statements that belong to the line above.",
  "value-statement": "A value, or one that names and parts get.",
  target: "What gets a value.",
  expression: "A value.",
  named: "A value that a name may get.",
  operand: "A value with what is taken of it.",
  braces: "A dict or a set.",
  clauses: "The loops of a comprehension.",
  call: "The arguments of a call.",
  subscript: "An element, or a part of a list or text.",
  pattern: "What a value of match may be.",
  parameters: "Of a function.",
  class: "A class of exceptions, or a TypedDict.",
  with: "A block that is repeated, or has a pool of threads.",
};

/** What the compiler refuses whatever names and values mean. */
const ACCEPTED: Readonly<Record<string, string>> = {
  members: "member (Comma member)* | LParen member (Comma member)* Comma? RParen",
  "import-from": "From (dotted-name | Dot:level dotted-name | Dot:level) Import members",
  literal: "NumberLiteral | texts | True | False | None",
  class: "Class Name LParen arguments RParen class-block",
  async: "Async function",
  clauses: "(For targets In disjunction (If disjunction)*)+",
};

/** Where a line begins in a block, for a grammar that writes the blanks there. */
const LINES: Readonly<Record<string, string>> = {
  statement: "Line statement-form",
  "statement-form": "line | if | for | while | try | with | match | function | class | async | decorated",
  if: "If named block (Line Elif named block)* otherwise?",
  otherwise: "Line Else block",
  try: "Try block ((handler+ last-handler? | last-handler) otherwise? (Line Finally block)? | Line Finally block)",
  handler: "Line Except expression (As Name)? block",
  "last-handler": "Line Except block",
  case: "Line Case patterns (If named)? block",
  decorated: "(At named Newline Line)+ (function | class | async-function)",
  // A number and a dot would be another number.
  operand: "Await? (NumberLiteral subscript* | atom trailer*)",
  format: "Format",
  field: "FOpen field-value FEqual? FConversion? (FColon Spec)? FClose",
  "field-value": "disjunction (If disjunction Else disjunction)?",
  part: "atom trailer* (Dot Name | subscript)",
  atom: "Name | constant | group | list | braces",
  constant: "texts | True | False | None",
};

function bodies(...changes: readonly Readonly<Record<string, string>>[]): Map<string, Expression> {
  const all = new Map(pythonBodies(true));
  for (const change of changes) for (const [name, body] of Object.entries(change)) all.set(name, notation(body));
  return all;
}

/** All productions over tokens, `file` first. */
export function pythonRules(): readonly Production[] {
  const written = (leaf: Expression): Expression => (leaf.is === "token" ? readToken(leaf.type, leaf.label) : leaf);
  const own = asProductions(bodies(ACCEPTED), DOCS).map((one) => ({ ...one, body: mapped(one.body, written) }));
  return inOrder(reachable([...own, ...READER_RULES, ...CHARACTERS], ["file"]));
}

/** `file` stands first; the order of the others is that of the parser. */
function inOrder(rules: readonly Production[]): readonly Production[] {
  const isFirst = ({ name }: Production): boolean => name === "file";
  return [...rules.filter(isFirst), ...rules.filter((one) => !isFirst(one))];
}

// ---- over characters ----

const SUFFIX: Readonly<Record<Place, string>> = { line: "", in: "-in", double: "-double", single: "-single" };
const OPENS: ReadonlySet<string> = new Set(["LParen", "LBracket", "LBrace"]);
const CLOSES: ReadonlySet<string> = new Set(["RParen", "RBracket", "RBrace"]);
const LEAVES_OUT: ReadonlySet<string> = new Set(["Indent", "Dedent", "End"]);
const DEEPEST = 8;

/** All productions over characters, `file` first. Blocks may be `levels` deep. */
export function pythonCharacters(levels = DEEPEST): readonly Production[] {
  const all = bodies(ACCEPTED, LINES);
  const found = new Map<string, Expression>();
  const deep = withLines(all);
  const copy = (name: string, place: Place, level: number): string => {
    const own = `${name}${SUFFIX[place]}${deep.has(name) && level > 0 ? `-${level}` : ""}`;
    if (found.has(own)) return own;
    found.set(own, EMPTY);
    found.set(own, placed(all.get(name) as Expression, { place, level, levels, copy }));
    return own;
  };
  const roots = [copy("file", "line", 0), copy("field", "double", 0), copy("field", "single", 0)];
  const tokens = reachable(asProductions(found, DOCS), roots);
  const blanks = new Blanks(
    tokens,
    ({ type, label, slot, level }) => writtenToken(type, label, slot as Place, level),
    placeOf,
  );
  const own = tokens.map((one) => blanks.written(one));
  const [, double, single] = roots as [string, string, string];
  return inOrder(reachable([...own, ...formatRules(double, single), ...CHARACTERS], ["file"]));
}

type Copying = {
  readonly place: Place;
  readonly level: number;
  readonly levels: number;
  readonly copy: (name: string, place: Place, level: number) => string;
};

/** An expression whose tokens know where they stand, and whose rules are those of that place. */
function placed(one: Expression, at: Copying): Expression {
  switch (one.is) {
    case "token": {
      const isPossible = !isImpossible(writtenToken(one.type, one.label, at.place, at.level).of);
      return isPossible ? { ...one, slot: at.place, level: at.level } : IMPOSSIBLE;
    }
    case "rule":
      return rule(at.copy(one.name, at.place, at.level));
    case "optional":
      return optional(placed(one.of, at));
    case "repeat":
      return one.least === 0 ? many(placed(one.of, at)) : some(placed(one.of, at));
    case "choice":
      return choice(...one.of.map((part) => placed(part, at)));
    case "sequence":
      return placedParts(one.of, at);
    default:
      return one;
  }
}

/** Parts between brackets may stand on several lines, and parts of a block are one level deeper. */
function placedParts(parts: readonly Expression[], at: Copying): Expression {
  let { place, level } = at;
  const of: Expression[] = [];
  for (const part of parts) {
    const type = part.is === "token" ? part.type : "";
    if (type === "Indent") level += 1;
    if (type === "Dedent") level -= 1;
    if (level > at.levels) return IMPOSSIBLE;
    if (LEAVES_OUT.has(type)) continue;
    if (CLOSES.has(type)) ({ place } = at);
    of.push(placed(part, { ...at, place, level }));
    if (OPENS.has(type) && place === "line") place = "in";
  }
  return sequence(...of);
}

function isImpossible(one: Expression): boolean {
  return one.is === "choice" && one.of.length === 0;
}

/** Where an expression stands: its first token, or the name of its first rule, says it. */
function placeOf(one: Expression): Place {
  for (const leaf of leavesOf(one)) {
    if (leaf.is === "token") return leaf.slot as Place;
    if (leaf.is !== "rule") continue;
    const suffix = /-(?:in|double|single)(?=-\d+$|$)/.exec(leaf.name)?.[0].slice(1);
    return (suffix ?? "line") as Place;
  }
  return "line";
}

/** Rules in which lines begin, directly or through others. */
function withLines(all: ReadonlyMap<string, Expression>): ReadonlySet<string> {
  const found = new Set<string>();
  const holds = (one: Expression): boolean => {
    if (one.is === "token") return one.type === "Line" || one.type === "Indent";
    if (one.is === "rule") return found.has(one.name);
    return "of" in one && [one.of].flat().some(holds);
  };
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [name, body] of all) if (holds(body)) found.add(name);
  }
  return found;
}
