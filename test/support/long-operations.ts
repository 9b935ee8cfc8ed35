/** Operations over values that are as large as they may be, or nearly: what the tests of turns count and those of times measure. */
import type { JsonObject } from "../../compiler/json.ts";
import { KEY_WORK, MAX_LIST_LENGTH, MAX_OBJECT_KEYS } from "../../vm/values/values.ts";

export type Operation = {
  readonly what: string;
  /** Makes the values in the program itself, so that no copy of a frame counts. */
  readonly values: readonly string[];
  readonly lines: readonly string[];
  /** Units of work that the engine does in one go (docs/costs.md, what is not interrupted). */
  readonly engine?: number;
};

export const program = (...lines: string[]): string => `L1:\n${lines.map((line) => `  ${line}\n`).join("")}`;

const LIST = ["X r range 600000"];
const TEXT = [...LIST, 'X t join "é " r'];
const DEEP = ["X r range 300000", "X z zip r r"];
/** Texts may be four times as long: the engine then flattens one for 0.13 s (docs/costs.md). */
const LONG_TEXT_UNITS = 16_777_216;
/** The largest object, the longest list and a long text. */
const LARGEST = [
  `X n range ${MAX_OBJECT_KEYS - 1}`,
  'X t join " k" n',
  'X k split t " "',
  "X p zip k n",
  "X o from_entries p",
];
const LONGEST_LIST = [`X r range ${MAX_LIST_LENGTH}`];
const LONGEST_TEXT = [`X t repeat "é日 b" ${LONG_TEXT_UNITS >> 2}`];

/** A look at the text of TEXT, such as a comparison. */
export const LOOK = 5_000_000 >> 4;
/** A copy of a list. */
const COPY = MAX_LIST_LENGTH;
/** A look at the members of an object. */
const MEMBERS = (KEY_WORK + 1) * MAX_OBJECT_KEYS;
/** A text that is made of a shorter one. */
const REPEATED = LONG_TEXT_UNITS;

const STRIPS = ["X a strip t", "X b lstrip t", "X c rstrip t", "X d lines t"];

type Row = readonly [what: string, values: readonly string[], lines: readonly string[], engine?: number];
const rows: readonly Row[] = [
  ["range", [], LIST],
  ["sort of numbers", LIST, ["X v reverse r", "X x sort v"]],
  ["sort of texts", TEXT, ['X v split t " "', "X x sort v"]],
  ["sort of lists", DEEP, ["X x sort z"]],
  ["unique of numbers", LIST, ["X x unique r"]],
  ["unique of texts", TEXT, ["X v split t", "X x unique v"]],
  ["unique of lists", DEEP, ["X x unique z"]],
  ["unique of long lists", LIST, ["X a arr r r", "X x unique a"]],
  ["reverse", LIST, ["X x reverse r"]],
  ["flatten", DEEP, ["X x flatten z"]],
  ["zip", [], DEEP],
  ["min and max", LIST, ["X x min r", "X y max r"]],
  ["join", LIST, ['X t join "é " r']],
  ["join of long texts", ['X p repeat "x" 1000', "X q repeat [p] 20000"], ["X x join p q"]],
  ["split at a text", TEXT, ['X x split t "é"']],
  ["split at white space", TEXT, ["X x split t"]],
  ["replace", TEXT, ['X x replace t "é" "ab"']],
  ["insertion everywhere", TEXT, ['X x replace t "" "-"']],
  ["trim", TEXT, ["X x trim t"]],
  ["strip, lstrip and rstrip of white space", [`X t repeat " " ${LONG_TEXT_UNITS}`], STRIPS, REPEATED],
  ["lower and upper", TEXT, ["X x lower t", "X y upper t"]],
  ["hash", TEXT, ["X x hash t sha512"]],
  ["format", TEXT, ['X x format "{} {0} {0}" t']],
  ["len and substr", TEXT, ["X x len t", "X y substr t 5 9", "X z slice t 3 9"]],
  ["contains in a text", TEXT, ['X x contains t "none"']],
  ["contains in a list of lists", DEEP, ["X x contains z [1, 2]"]],
  ["sort_by a position", DEEP, ["X x sort_by z 1 desc"]],
  [
    "group_by and count_by a position",
    [`X r range ${MAX_OBJECT_KEYS}`, "X z zip r r"],
    ["X y count_by z 0", "X g group_by z 0"],
  ],
  [
    "group_by, count_by and index_by a text",
    LARGEST,
    ["X y count_by p 0", "X g group_by p 0", "X i index_by p 0"],
    MEMBERS,
  ],
  ["sum, avg and max_by of a position", DEEP, ["X x sum z 1", "X y avg z 1", "X m max_by z 1"]],
  ["diff, intersect and chunk", LIST, ["X v reverse r", "X x diff r v", "X y intersect r v", "X c chunk r 3"]],
  ["enumerate and from_entries", LIST, ["X x enumerate r", `X y from_entries (take x ${MAX_OBJECT_KEYS})`], MEMBERS],
  [
    "entries, pairs, keys, values, len and count",
    LARGEST,
    ["X a entries o", "X b pairs o", "X c keys o", "X d values o", "X e len o", "X f count o"],
    MEMBERS,
  ],
  [
    "put into a shared object",
    LARGEST,
    ['X a put o "k1" 5', 'X b put_at o "k1" 5', 'X c put o "k1.b" 5', 'X d put_at o ["a", "b"] 5'],
    MEMBERS,
  ],
  ["merge, pick and omit", LARGEST, ["X a merge o o", "X b pick o k", 'X c omit o "k1"'], MEMBERS],
  ["equality of objects", LARGEST, ['X a put o "q" 1', 'X b put a "q" 2', 'X c put o "q" 2', "X d eq b c"], MEMBERS],
  ["stringify and parse of an object", LARGEST, ["X a stringify o", "X b parse a"], MEMBERS],
  ["unique and concat of objects", LARGEST, ["X a unique [o, o]", "X b concat o o", 'X c join "," o'], MEMBERS],
  ["unique of the longest list", LONGEST_LIST, ["X x unique r"]],
  ["sort of the longest list", LONGEST_LIST, ["X v reverse r", "X x sort v"]],
  ["copies of the longest list", LONGEST_LIST, ["X a slice r 1", "X b push a 1", "X c put_at r 5 1"], COPY],
  ["lower and upper of a long text", LONGEST_TEXT, ["X x lower t", "X y upper t"], REPEATED],
  [
    "substr, trim, hash and replace of a long text",
    LONGEST_TEXT,
    ["X a substr t 1000000 9", "X b trim t", "X c hash t", 'X d replace t "日" "x"'],
    REPEATED,
  ],
  ["stringify of a long text", ['X t repeat "ab\\"ç" 2500000'], ["X x stringify t"], REPEATED],
  ["a list of a long text", LONGEST_TEXT, ["X a arr t", "X b reverse a", "X c stringify b"], REPEATED],
  [
    "sort of long texts",
    ["X r range 15000", 'X p repeat "x" 1000', 'X t join (concat "," p) r'],
    ['X v split t ","', "X s sort v", "X z zip v r", "X y sort_by z 0"],
    REPEATED,
  ],
  ["lines, words and title", TEXT, ["X x lines t", "X y words t", "X z title t"]],
  [
    "repeat and pad",
    LONGEST_TEXT,
    [`X y pad "x" ${LONG_TEXT_UNITS - 1} "ab"`, `X z repeat [1, 2] ${MAX_LIST_LENGTH >> 1}`],
    REPEATED,
  ],
  ["a pattern", TEXT, ["X x find_all t '\\d'", "X y match t '(a|b)*c$'", "X z replace_all t 'é' 'e'"]],
  ["stringify", DEEP, ["X x stringify z"]],
  ["parse", DEEP, ["X t stringify z", "Set z 0", "X x parse t"]],
  ["concat of a list", LIST, ['X x concat "a" r']],
  ["equality", DEEP, ["X o zip r r", "X x eq z o"]],
  ["text equality", DEEP, ["X o zip r r", "If z=o ->L2 ->L2\nL2:\n  Set x 1"]],
  ["a list as a key", LIST, ["X x obj r 1", "X y get x r"]],
  ["add of lists", LIST, ["X x add r r"], COPY],
  ["slice", LIST, ["X x slice r 1"], COPY],
  ["a core call", LIST, ["X v reverse r", "R core.SORT v ->x"]],
  ["a core call whose verb is computed", LIST, ['Set f "core.SORT"', "X v reverse r", "R core.UNIQUE v ->x"]],
  ["Filt by a number", DEEP, ['X o obj "a" 1', "Filt x z a > 1"]],
];

export const LONG: readonly Operation[] = rows.map(([what, values, lines, engine]) =>
  engine === undefined ? { what, values, lines } : { what, values, lines, engine },
);

export const sortedRows: readonly JsonObject[] = Array.from({ length: 40_000 }, (_, at) => ({
  k: at % 977,
  t: `row ${at % 1009}`,
  l: [at],
}));
