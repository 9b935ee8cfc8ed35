/** Rows of the module difflib. */
import { type Row, row } from "../row.ts";

type Line = readonly [name: string, params: string, result: string, help: string, example: string];

const MATCHER = "SequenceMatcher";
const M = "difflib.SequenceMatcher(None, 'abc', 'abd')";
const files = "a, b, fromfile='', tofile='', fromfiledate='', tofiledate='', n=3, lineterm='\\n'";
const LINES = "['a\\n', 'b\\n'], ['a\\n', 'c\\n']";

const LINES_OF: readonly Line[] = [
  [
    MATCHER,
    "isjunk=None, a='', b='', autojunk=True",
    "difflib.SequenceMatcher",
    "compares two sequences",
    `round(${M}.ratio(), 2) == 0.67`,
  ],
  [`${MATCHER}.set_seqs`, "self, a, b", "None", "sets both", `${M}.set_seqs('a', 'b') is None`],
  [`${MATCHER}.set_seq1`, "self, a", "None", "sets a", `${M}.set_seq1('a') is None`],
  [`${MATCHER}.set_seq2`, "self, b", "None", "sets b", `${M}.set_seq2('a') is None`],
  [
    `${MATCHER}.find_longest_match`,
    "self, alo=0, ahi=None, blo=0, bhi=None",
    "Match",
    "the longest common part",
    `${M}.find_longest_match() == (0, 0, 2)`,
  ],
  [
    `${MATCHER}.get_matching_blocks`,
    "self",
    "list",
    "all common parts",
    `${M}.get_matching_blocks() == [(0, 0, 2), (3, 3, 0)]`,
  ],
  [
    `${MATCHER}.get_opcodes`,
    "self",
    "list[tuple]",
    "changes from a to b",
    `${M}.get_opcodes() == [('equal', 0, 2, 0, 2), ('replace', 2, 3, 2, 3)]`,
  ],
  [
    `${MATCHER}.get_grouped_opcodes`,
    "self, n=3",
    "Iterator",
    "changes in groups",
    `len(list(${M}.get_grouped_opcodes())) == 1`,
  ],
  [`${MATCHER}.ratio`, "self", "float", "how alike they are", `round(${M}.ratio(), 2) == 0.67`],
  [`${MATCHER}.quick_ratio`, "self", "float", "an upper bound of ratio", `round(${M}.quick_ratio(), 2) == 0.67`],
  [`${MATCHER}.real_quick_ratio`, "self", "float", "an upper bound of ratio", `${M}.real_quick_ratio() == 1.0`],
  [
    "get_close_matches",
    "word, possibilities, n=3, cutoff=0.6",
    "list",
    "the most alike values",
    "difflib.get_close_matches('appel', ['ape', 'apple', 'peach']) == ['apple', 'ape']",
  ],
  [
    "unified_diff",
    files,
    "Iterator",
    "changes of lines, as diff -u",
    `list(difflib.unified_diff(${LINES}))[-1] == '+c\\n'`,
  ],
  [
    "context_diff",
    files,
    "Iterator",
    "changes of lines, as diff -c",
    `list(difflib.context_diff(${LINES}))[-1] == '! c\\n'`,
  ],
  [
    "ndiff",
    "a, b, linejunk=None, charjunk=...",
    "Iterator",
    "all lines with their changes",
    `list(difflib.ndiff(${LINES})) == ['  a\\n', '- b\\n', '+ c\\n']`,
  ],
  ["Differ", "linejunk=None, charjunk=None", "difflib.Differ", "compares lines", "difflib.Differ().linejunk is None"],
  ["Differ.compare", "self, a, b", "Iterator", "ndiff", `list(difflib.Differ().compare(${LINES}))[-1] == '+ c\\n'`],
];

export const DIFFERENCES: readonly Row[] = LINES_OF.map(([name, params, result, help, example]) =>
  row(`difflib.${name}`, params, result, help, example, {
    raises: "ValueError",
    cost: "n * m",
  }),
);
