/**
 * A TextMate grammar, for editors and highlighters. It knows lines, not programs: which words open a statement and what the first slots
 * of a step are comes from the parsers' rules, everything after them is coloured by its form. Only lookbehinds of one character are used and no
 * pattern can match one text in two ways, so a hostile line costs its length. What needs the syntax tree (an op's name used as a
 * variable on a label line, an arrow on a continued line) is left to the language server's semantic tokens.
 */
import { CONSTANTS, NAME_PATTERN, NUMBER_PATTERN } from "../operands/tokens.ts";
import { DECLARATION_PREFIXES, OPS, type Op, type SlotClass } from "../ops.ts";
import { opcodeProductions } from "../parser/opcode-parser.ts";
import { ruleNameOf } from "../parser/step-parser.ts";
import { EMPTY } from "./expression.ts";
import { type ReadSlot, readProductions, slotsOfRule } from "./productions.ts";

type Rule = { readonly [member: string]: unknown };

/** Patterns of the lexer, without the marks of their ends. */
const NAME = NAME_PATTERN.source.slice(1, -1);
const NUMBER = NUMBER_PATTERN.source.slice(1, -1);
const CONSTANT = [...CONSTANTS].join("|");
/** A word between blanks, and one that also ends at a bracket or comma. An arrow ends both. */
const WORD = "(?:(?!->)[^\\s#\"'])+";
const INNER_WORD = "(?:(?!->)[^\\s#\"'()\\[\\]{},])+";
const WORD_ENDS = "(?=[\\s#\"']|->|$)";

/** Words of Python that begin lines, and those that stand between values. */
const KEYWORDS =
  "def return if elif else for while break continue pass try except finally raise with match case import from global nonlocal del assert async class".split(
    " ",
  );
const OPERATOR_WORDS = "and or not in is if else for lambda await".split(" ");

/** The grammar as a JSON value. */
export function textMateOf(): { readonly [member: string]: unknown } {
  const steps = readSteps();
  return {
    $schema: "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
    name: "Weft",
    scopeName: "source.weft",
    fileTypes: ["wf"],
    patterns: included([
      "comment",
      "label-line",
      "graph-line",
      "step-line",
      "statement",
      "declaration",
      "include",
      "value",
    ]),
    repository: {
      comment: comments(),
      "label-line": labelLine(),
      "step-line": { patterns: stepRules(steps, "^\\s*", "$") },
      "inline-step": { patterns: stepRules(steps, "(?<!\\S)", `(?<!\\S)(?=(?:${wordsOf(steps)})${WORD_ENDS})|$`) },
      ...graphLines(),
      declaration: declarations(),
      include: includeLine(),
      value: { patterns: included(["comment", "key", "string", "arrow", "function", "word"]) },
      key: keys(),
      string: { patterns: [DOUBLE_QUOTED, SINGLE_QUOTED] },
      arrow: { patterns: [labelArrow(`(?:L|${INNER_WORD}/)`), resultArrow()] },
      "label-arrow": labelArrow(""),
      "result-arrow": resultArrow(),
      function: called(),
      word: { patterns: words() },
      condition: { patterns: conditionWords() },
      comparator: comparator("(?<!\\S)(?:==|!=|<=|>=|<|>|=|in|contains)(?!\\S)"),
    },
  };
}

const included = (names: readonly string[]): Rule[] => names.map((name) => ({ include: `#${name}` }));

/** One scope for each group of a pattern. */
const captured = (names: readonly string[]): Rule =>
  Object.fromEntries(names.map((name, index) => [index + 1, { name: `${name}.weft` }]));

// ---- lines ----

/** An op and the slots that the parser's rule reads. */
type ReadStep = Pick<Op, "name" | "aliases"> & { readonly slots: readonly ReadSlot[] };

function readSteps(): readonly ReadStep[] {
  const bodies = readProductions(opcodeProductions());
  return OPS.filter(({ kind }) => kind === "step").map((op) => ({
    name: op.name,
    aliases: op.aliases,
    slots: slotsOfRule(bodies.get(ruleNameOf(op)) ?? EMPTY),
  }));
}

/** The words of ops as one alternative, longer ones first. */
function wordsOf(ops: readonly Pick<Op, "name" | "aliases">[]): string {
  return alternatives(ops.flatMap(({ name, aliases }) => [name, ...aliases]));
}

function alternatives(words: readonly string[]): string {
  return [...words]
    .sort((left, right) => right.length - left.length || (left < right ? -1 : 1))
    .map((word) => word.replaceAll(".", "\\."))
    .join("|");
}

function labelLine(): Rule {
  return {
    begin: `^\\s*(L[^\\s#"']*)(:)(?=[\\s#"']|$)`,
    beginCaptures: captured(["entity.name.label", "punctuation.separator.label"]),
    end: "$",
    patterns: included(["inline-step", "value"]),
  };
}

/** The slots that a step's rule reads after its op: pattern with one group for each scope. */
const LEADING: Partial<Record<SlotClass, { readonly pattern: string; readonly scopes: readonly string[] }>> = {
  name: { pattern: `\\$?(${NAME})${WORD_ENDS}`, scopes: ["variable.other.assignment"] },
  call: {
    pattern: `([^\\s#"'.]+)(?:(\\.)(${WORD}))?`,
    scopes: ["support.class.adapter", "punctuation.accessor", "support.function.verb"],
  },
  fn: { pattern: `(?:core\\.)?(${NAME})${WORD_ENDS}`, scopes: ["support.function"] },
  ref: { pattern: `(?:->\\s*)?(${INNER_WORD})`, scopes: ["entity.name.label"] },
  word: { pattern: `(${WORD})`, scopes: ["string.unquoted"] },
};

/** One rule for all ops that are read alike: the same first slots, the same meaning of arrows, the same words after. */
function stepRules(steps: readonly ReadStep[], begin: string, end: string): Rule[] {
  const alike = new Map<string, [ReadStep, ...ReadStep[]]>();
  for (const op of steps) {
    const reading = JSON.stringify([leadingOf(op), restOf(op)]);
    const known = alike.get(reading);
    if (known === undefined) alike.set(reading, [op]);
    else known.push(op);
  }
  return [...alike.values()].map((ops) => {
    const leading = leadingOf(ops[0]).map((slot) => LEADING[slot]);
    const slots = leading.reduceRight((rest, slot) => `(?:\\s+${slot?.pattern ?? ""}${rest})?`, "");
    return {
      begin: `${begin}(${wordsOf(ops)})${WORD_ENDS}${slots}`,
      beginCaptures: captured(["keyword.control", ...leading.flatMap((slot) => slot?.scopes ?? [])]),
      end,
      patterns: restOf(ops[0]),
    };
  });
}

/** The classes of the first slots, as far as rules for them exist. */
function leadingOf({ slots }: ReadStep): readonly SlotClass[] {
  const end = slots.findIndex((slot) => LEADING[slot.class] === undefined);
  return slots.slice(0, end === -1 ? slots.length : end).map((slot) => slot.class);
}

/** What else may stand on the line of an op. Its arrows name labels, or the variable that takes the result. */
function restOf(op: ReadStep): readonly Rule[] {
  const has = (wanted: SlotClass): boolean =>
    op.slots.slice(leadingOf(op).length).some((slot) => slot.class === wanted);
  const enums = op.slots.flatMap(({ values }) => values ?? []);
  return [
    ...included(has("ref") ? ["label-arrow"] : has("out") ? ["result-arrow"] : []),
    ...included(has("cond") ? ["condition"] : []),
    ...(has("limit")
      ? [{ match: "(?<!\\S)(limit)(=)", captures: captured(["keyword.other", "keyword.operator"]) }]
      : []),
    ...included(has("cmp") ? ["comparator"] : []),
    ...(enums.length > 0 ? [{ name: "keyword.other.weft", match: `(?<!\\S)(?:${enums.join("|")})${WORD_ENDS}` }] : []),
    ...included(["value"]),
  ];
}

/** A declaration: its word, what it declares (or the label it is about), and the rest by form. Brackets mean nothing there. */
function declarations(): Rule {
  const all = OPS.filter(({ kind }) => kind === "declaration");
  const aboutLabel = ({ slots }: Op): boolean => slots[0]?.class === "ref";
  return {
    patterns: [
      declarationRule(all.filter(aboutLabel), `(?:->\\s*)?(${WORD})`, "entity.name.label"),
      declarationRule(
        all.filter((op) => !aboutLabel(op)),
        `(${WORD})`,
        "entity.name.type",
      ),
    ],
  };
}

function declarationRule(ops: readonly Op[], first: string, scope: string): Rule {
  const prefixes = DECLARATION_PREFIXES.map((prefix) => prefix.replaceAll(".", "\\.")).join("|");
  const plain = wordsOf(ops.filter(({ name }) => !name.includes(".")));
  return {
    begin: `^\\s*((?:${prefixes})(?:${plain})|${wordsOf(ops)})(?=[\\s#"']|$)(?:\\s+${first})?`,
    beginCaptures: captured(["storage.type.declaration", scope]),
    end: "$",
    patterns: [
      ...included(["comment", "string", "arrow"]),
      {
        match: `(?<!\\S)(${NAME})(:)(${WORD})`,
        captures: captured(["variable.other.member", "punctuation.separator.type", "storage.type"]),
      },
      { match: `(?<!\\S)(${NAME})(=)`, captures: captured(["variable.other.member", "keyword.operator"]) },
      ...included(["word"]),
    ],
  };
}

function includeLine(): Rule {
  return {
    begin: "^\\s*(?i:(include))(?=[\\s#\"']|$)",
    beginCaptures: captured(["keyword.control.include"]),
    end: "$",
    patterns: [
      ...included(["comment", "string"]),
      {
        match: `(?<!\\S)(?i:(as))(?:\\s+(${NAME}))?${WORD_ENDS}`,
        captures: captured(["keyword.control.include", "entity.name.namespace"]),
      },
    ],
  };
}

// ---- lines of Python ----

/** Headers, statements and assignments. Their words are those of the parser's tokens. */
function graphLines(): Readonly<Record<string, Rule>> {
  const expression = included([
    "comment",
    "template",
    "operator-word",
    "called-name",
    "comparison",
    "key",
    "string",
    "word",
  ]);
  return {
    "graph-line": {
      begin: `^(${NAME})(?=\\s*(?:[(@][^\\n]*)?:\\s*(?:#[^\\n]*)?$)`,
      beginCaptures: captured(["entity.name.function"]),
      end: "$",
      patterns: [
        { match: `(@${NAME})`, captures: captured(["storage.modifier"]) },
        { match: `(?<=[(,])\\s*(${NAME})`, captures: captured(["variable.parameter"]) },
        numberBehind("="),
        ...included(["comment", "string", "word"]),
      ],
    },
    statement: {
      patterns: [
        {
          begin: `^\\s*(${alternatives(KEYWORDS)})(?=[\\s:#]|$)`,
          beginCaptures: captured(["keyword.control"]),
          end: "$",
          patterns: expression,
        },
        {
          begin: `^\\s*(${NAME})(?:[.\\[][^\\s=]*)?\\s*((?://|\\*\\*|[-+*/%])?=)(?!=)`,
          beginCaptures: captured(["variable.other.assignment", "keyword.operator.assignment"]),
          end: "$",
          patterns: expression,
        },
      ],
    },
    template: {
      name: "string.quoted.double.weft",
      begin: '(?<![^\\s(\\[{,:])f"',
      beginCaptures: { 0: { name: "punctuation.definition.string.begin.weft" } },
      end: '(")|$',
      endCaptures: captured(["punctuation.definition.string.end"]),
      patterns: [
        { name: "constant.character.escape.weft", match: '\\\\["\\\\ntr]|\\{\\{|\\}\\}' },
        {
          name: "meta.template.expression.weft",
          begin: "\\{",
          end: '\\}|(?=")|$',
          patterns: included(["operator-word", "word"]),
        },
      ],
    },
    "operator-word": {
      name: "keyword.operator.word.weft",
      match: `(?<![\\p{L}\\p{Nd}_$.])(?:${alternatives(OPERATOR_WORDS)})(?![\\p{L}\\p{Nd}_])`,
    },
    "called-name": {
      match: `(?<![\\p{L}\\p{Nd}_$.])(?:(${NAME})(\\.))?(${NAME})(?=\\()`,
      captures: captured(["support.class.adapter", "punctuation.accessor", "support.function"]),
    },
    comparison: comparator("==|!=|<=|>=|<|(?<!-)>"),
  };
}

// ---- what stands on them ----

function comments(): Rule {
  const frame = {
    name: "comment.line.number-sign.weft",
    begin: "#\\s*(frame)\\s*:",
    beginCaptures: captured(["storage.modifier.frame"]),
    end: "$",
    patterns: [
      { match: ":\\s*([^\\s,\\[]+(?:\\[[^\\]]*\\])*)", captures: captured(["storage.type"]) },
      { name: "variable.parameter.weft", match: NAME },
    ],
  };
  return { patterns: [frame, { name: "comment.line.number-sign.weft", match: "#.*$" }] };
}

/** Keys of objects: quoted ones wherever a colon follows, bare ones at the beginning of a part or of a continued line. */
function keys(): Rule {
  const key = "support.type.property-name";
  return {
    patterns: [
      { ...DOUBLE_QUOTED, begin: '"(?=(?:[^"\\\\]|\\\\.)*"\\s*:)', name: `${DOUBLE_QUOTED.name} ${key}.weft` },
      { ...SINGLE_QUOTED, begin: "'(?=(?:[^'\\\\]|\\\\.)*'\\s*:)", name: `${SINGLE_QUOTED.name} ${key}.weft` },
      { match: `(?<=[{,])\\s*(${NAME})(?=\\s*:)`, captures: captured([key]) },
      { match: `^\\s*(${NAME})(?=\\s*:\\s)`, captures: captured([key]) },
    ],
  };
}

const DOUBLE_QUOTED = quoted('"', "double", '\\\\["\\\\ntr]');
const SINGLE_QUOTED = quoted("'", "single", "\\\\['\\\\]");

/** A string ends on its line, closed or not. */
function quoted(mark: string, kind: string, escapes: string) {
  return {
    name: `string.quoted.${kind}.weft`,
    begin: mark,
    beginCaptures: { 0: { name: "punctuation.definition.string.begin.weft" } },
    end: `(${mark})|$`,
    endCaptures: captured(["punctuation.definition.string.end"]),
    patterns: [{ name: "constant.character.escape.weft", match: escapes }],
  };
}

function labelArrow(start: string): Rule {
  return {
    match: `(->)\\s*((?=${start})${INNER_WORD})`,
    captures: captured(["keyword.operator.arrow", "entity.name.label"]),
  };
}

function resultArrow(): Rule {
  return {
    match: `(->)\\s*(?:\\$?(${NAME}))?`,
    captures: captured(["keyword.operator.arrow", "variable.other.assignment"]),
  };
}

/** The first word in round brackets, unless they hold a comparison. */
function called(): Rule {
  return {
    match: `(?<=\\()\\s*(?:core\\.)?(${NAME})(?=[\\s)]|$)(?!\\s*(?:[=<>]|!=))`,
    captures: captured(["support.function"]),
  };
}

const numberBehind = (before: string): Rule => ({
  name: "constant.numeric.weft",
  match: `(?<![^\\s(\\[{,:${before}])${NUMBER}(?=$|[\\s)\\],}#])`,
});

function words(): Rule[] {
  return [
    { name: "variable.other.weft", match: `\\$${NAME}` },
    { name: "constant.other.node.weft", match: "(?<!\\S)@n\\d+(?!\\S)" },
    numberBehind(""),
    { name: "constant.language.weft", match: `(?<![^\\s(\\[{,:])(?:${CONSTANT})(?=$|[\\s)\\],}#])` },
  ];
}

/** In conditions comparators may touch their sides. */
function conditionWords(): Rule[] {
  return [
    { name: "keyword.operator.logical.weft", match: "(?<!\\S)(?:not(?=[\\s(]|$)|!(?!=))" },
    comparator("==|!=|<=|>=|<|(?<!-)>|=|\\?(?!\\S)"),
    numberBehind("=<>"),
  ];
}

function comparator(match: string): Rule {
  return { name: "keyword.operator.comparison.weft", match };
}
