/**
 * A TextMate grammar, for editors and highlighters: ops, labels, references, strings, variables, numbers, comments, adapter names. Words
 * come from the op table; the names of functions from the caller.
 */
import { OPS, type Op } from "../ops.ts";

const NAME = "[\\p{L}_][\\p{L}\\p{Nd}_]*";

/** The grammar as a JSON value. */
export function textMateOf(functions: readonly string[]): { readonly [member: string]: unknown } {
  return {
    $schema: "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
    name: "Weft",
    scopeName: "source.weft",
    fileTypes: ["wf"],
    patterns: ["comment", "label", "call", "step", "declaration", "include", "value"].map((name) => ({
      include: `#${name}`,
    })),
    repository: repositoryOf(functions),
  };
}

function wordsOf(kind: Op["kind"]): string {
  const words = OPS.filter((op) => op.kind === kind).flatMap(({ name, aliases }) => [name, ...aliases]);
  return words
    .sort((left, right) => right.length - left.length)
    .map((word) => word.replaceAll(".", "\\."))
    .join("|");
}

function repositoryOf(functions: readonly string[]) {
  const called = [...functions].sort((left, right) => right.length - left.length).join("|");
  return {
    comment: { name: "comment.line.number-sign.weft", match: "#.*$" },
    label: {
      match: "^\\s*(L[^\\s:#\"',\\[\\](){}]+)(:)",
      captures: { 1: { name: "entity.name.label.weft" }, 2: { name: "punctuation.separator.label.weft" } },
    },
    call: {
      match: `\\b(R)\\s+(${NAME})\\.([^\\s#"']+)`,
      captures: {
        1: { name: "keyword.control.weft" },
        2: { name: "support.class.adapter.weft" },
        3: { name: "support.function.verb.weft" },
      },
    },
    step: {
      match: `(?<=^|\\s)(${wordsOf("step")})(?=\\s|$)`,
      captures: { 1: { name: "keyword.control.weft" } },
    },
    declaration: {
      match: `^\\s*((?:arch\\.|test\\.)?(?:${wordsOf("declaration")}))(?=\\s)`,
      captures: { 1: { name: "storage.type.declaration.weft" } },
    },
    include: { match: "^\\s*(?i:(include))(?=\\s)", captures: { 1: { name: "keyword.control.include.weft" } } },
    value: {
      patterns: ["string", "reference", "result", "function", "variable", "number", "constant", "operator"].map(
        (name) => ({
          include: `#${name}`,
        }),
      ),
    },
    string: {
      patterns: [
        quoted('"', "string.quoted.double.weft", '\\\\["\\\\ntr]'),
        quoted("'", "string.quoted.single.weft", "\\\\['\\\\]"),
      ],
    },
    reference: { match: "->\\s*(L[^\\s:#\"',\\[\\](){}]+)", captures: { 1: { name: "entity.name.label.weft" } } },
    result: { match: `->\\s*(${NAME})`, captures: { 1: { name: "variable.other.assignment.weft" } } },
    function: {
      match: `(?<=\\(|^\\s*X\\s+\\S+\\s+)(?:core\\.)?(${called})(?=[\\s)]|$)`,
      captures: { 1: { name: "support.function.weft" } },
    },
    variable: { name: "variable.other.weft", match: `\\$${NAME}` },
    number: {
      name: "constant.numeric.weft",
      match: "(?<=^|[\\s(\\[,:])-?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?(?=$|[\\s)\\],}])",
    },
    constant: { name: "constant.language.weft", match: "(?<=^|[\\s(\\[,:])(?:true|false|null)(?=$|[\\s)\\],}])" },
    operator: {
      name: "keyword.operator.comparison.weft",
      match: "(?<=\\s)(?:==|!=|<=|>=|<|>|=)(?=\\s)|\\b(?:not|limit=)",
    },
  };
}

function quoted(mark: string, name: string, escapes: string) {
  return {
    name,
    begin: mark,
    end: `${mark}|$`,
    patterns: [{ name: "constant.character.escape.weft", match: escapes }],
  };
}
