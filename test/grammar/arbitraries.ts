/**
 * Generators for the grammar's property tests: random text, lines made of op-like tokens, and programs that come close
 * to well-formed ones. They know nothing of what the parser should make of them.
 */
import fc from "fast-check";
import { OP_WORDS } from "../../grammar/ops.ts";

const STEP_WORDS = ["R", "J", "If", "Err", "Retry", "Call", "Set", "X", "Filt", "Filter", "Sort", "Loop", "ForEach"];
const MORE_STEPS = ["While", "CacheGet", "CacheSet", "QueuePut", "Tx", "Enf"];

const fragment = fc.constantFrom(
  ...["(", ")", "[", "]", "{", "}", ",", ":", "->", "=", "==", "!=", "<=", "<", "!", "?", "not", "as", "limit=5", "#"],
  ...['"', "'", "\\", '"a b"', "'it\\'s'", '"x\\n"', "k=", 'k="a b"', "@n1", "n2", "$x", "$", "$x.a[0]", "x.y", "x[i]"],
  ...["x", "y1", "L1:", "L2", "->L2", "->x", "1", "-2.5", "1e999", "9007199254740993", "true", "null", "/a", "a-b"],
  ...[
    "core.ADD",
    "core",
    "ADD",
    "frame: a: number",
    "é",
    "😀",
    "\u0000",
    "\ud800",
    "\u00a0",
    "\r",
    "\t",
    "include",
    "x?",
  ],
  ...STEP_WORDS,
  ...MORE_STEPS,
);

/** Lines of tokens that look like parts of programs, glued or apart. */
export const tokenSoup: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(fragment, fc.constantFrom(...OP_WORDS)),
      fc.constantFrom(" ", " ", " ", "", "\n", "\n  ", "\r\n"),
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.map(([word, gap]) => word + gap).join(""));

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  tokenSoup,
);

const name = fc.constantFrom("a", "b1", "total", "_x", "größe", "R", "If", "as", "not", "limit");
const text = fc.constantFrom(
  '"a b"',
  "'single'",
  '"it\'s"',
  `'say "hi"'`,
  '"tab\\t"',
  '"#no"',
  '""',
  '"back\\\\slash"',
  "'\\d'",
);
const atom = fc.oneof(
  name,
  text,
  fc.constantFrom(
    "1",
    "-2.50",
    "1e3",
    "true",
    "false",
    "null",
    "$x",
    "$x.a[0]",
    "x.y",
    'x["k v"]',
    "/a/b",
    "a-b",
    "10:30",
  ),
  fc.constantFrom('k="v w"', "k=v", "*", "x.0.y", "https://h/p"),
);
const key = fc.constantFrom("a", '"b c"', "'d'", "Lx", "x-y", "1");
const gap = fc.constantFrom("", " ", "\n", "\n  # note\n", " # tail\n ", "  ");

type Operands = { operand: string };

/** Operands with nested literals and calls, with line breaks and comments inside. */
const operand: fc.Arbitrary<string> = fc.letrec<Operands>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    atom,
    fc
      .array(fc.tuple(gap, tie("operand"), gap), { maxLength: 3 })
      .map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
    fc
      .array(fc.tuple(gap, key, fc.constantFrom(":", ": ", " : "), tie("operand"), gap), { maxLength: 3 })
      .map((pairs) => `{${pairs.map((pair) => pair.join("")).join(",")}}`),
    fc
      .tuple(fc.constantFrom("add", "core.len", "get"), fc.array(fc.tuple(gap, tie("operand")), { maxLength: 3 }))
      .map(([fn, args]) => `(${fn}${args.map(([space, value]) => ` ${space}${value}`).join("")})`),
    fc
      .tuple(tie("operand"), fc.constantFrom("==", "<", ">="), tie("operand"))
      .map(([left, op, right]) => `(${left} ${op} ${right})`),
  ),
})).operand;

const subject = fc.oneof(fc.constantFrom("a", "$x", "x.y", "b1"), operand);
const condition = fc
  .tuple(
    fc.constantFrom("", "", "not ", "!", "! "),
    fc.oneof(
      subject,
      fc.constantFrom("a?", "$x?", "x.y?", "a=b", "a=", 'mode="a b"', "n>=3", "n>-5", "(a = b)", "(n>=3)", "x!=3"),
      fc.tuple(subject, fc.constantFrom("==", "!=", "<", "="), operand).map((parts) => parts.join(" ")),
      fc.tuple(fc.constantFrom("a", "x.y"), fc.constantFrom("=", "<=", "=="), operand).map((parts) => parts.join("")),
    ),
  )
  .map((parts) => parts.join(""));
const ref = fc.constantFrom(
  "->L1",
  "->2",
  "L3",
  "3",
  "L4:",
  "->Lchk/ENTRY",
  "chk/ENTRY",
  "-> L2",
  "->LATE",
  "->ok",
  "->",
);
const out = fc.constantFrom("", "", " ->r", " -> r", " ->L5", " ->a ->b", "->r");
const maybe = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(""),
    part.map((value) => ` ${value}`),
  );
const words = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(" "));
const tail = (head: fc.Arbitrary<string>, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(head, ...parts).map((all) => all.join(""));

/** Steps, most of them with their slots in order. */
const step: fc.Arbitrary<string> = fc.oneof(
  tail(fc.constantFrom("R core.ADD", "R core ADD", "R http.GET"), maybe(operand), maybe(operand), out, maybe(operand)),
  tail(fc.constant("J"), maybe(operand), maybe(operand)),
  tail(words(fc.constant("If"), condition, ref), maybe(ref), maybe(ref)),
  tail(fc.constant("Err"), maybe(fc.constantFrom("@n1", "n2")), maybe(ref)),
  tail(
    fc.constant("Retry"),
    maybe(fc.constantFrom("@n1", "n2")),
    maybe(atom),
    maybe(atom),
    maybe(fc.constantFrom("fixed", "jitter")),
  ),
  tail(words(fc.constant("Call"), ref), out, maybe(atom)),
  tail(words(fc.constant("Set"), name, operand), maybe(operand)),
  tail(
    words(fc.constant("X"), name, fc.oneof(fc.constantFrom("add", "core.len"), operand)),
    maybe(operand),
    maybe(operand),
  ),
  words(fc.constantFrom("Filt", "Filter"), name, operand, atom, fc.constantFrom("==", "=", "in", "~", "<"), operand),
  tail(words(fc.constant("Sort"), name, operand, atom), maybe(fc.constantFrom("asc", "DESC", "up"))),
  words(fc.constantFrom("Loop", "ForEach"), operand, fc.constantFrom("it", "as it", "as"), ref, ref),
  tail(words(fc.constant("While"), condition, ref, ref), maybe(fc.constantFrom("limit=5", "limit=0", "5"))),
  tail(words(fc.constant("CacheGet"), atom, operand), out, maybe(operand)),
  tail(words(fc.constant("CacheSet"), atom, operand, operand), maybe(fc.constantFrom("60", "soon"))),
  tail(words(fc.constant("QueuePut"), atom, operand), out),
  words(fc.constant("Tx"), fc.constantFrom("begin", "BEGIN", "stop"), atom),
  words(fc.constant("Enf"), atom),
);

const declaration = fc.constantFrom(
  ...[
    "S app api /api",
    "E /x G ->L1 ->rows A[Order] 'all'",
    "E /y P L2",
    "D Order id:I note",
    "Env TOKEN",
    "arch.Svc b /b",
  ],
  ...[
    "Q mail 50 2",
    "C rates pair 60",
    'Pol admins role="a b"',
    "Cr L1 0 2 * * *",
    "T x B",
    "Inc a.wf",
    "S app",
    "Tok p #fff",
  ],
  ...["include lib/a.wf as chk", 'INCLUDE "a b.wf" AS chk', "include a b", "# frame: a: number, b", "# note  ", ""],
);
const head = fc.constantFrom("L1:", "L_a:", "1:", "L2 :", "Lpkg/RUN:", "L3:  # label");
const inlineLabel = fc
  .tuple(head, fc.array(fc.oneof(step, fc.constantFrom("foo bar", "Foo")), { maxLength: 3 }))
  .map(([label, steps]) => (label.includes("#") ? label : [label, ...steps].join(" ")));
const unknown = fc.constantFrom("  Foo bar  [1] # c", "END", "billing.Rule a  b", '"R" x', "x");

const line = fc.oneof(
  {
    arbitrary: fc.tuple(step, fc.constantFrom("", "", "  # c", "# glued")).map((parts) => `  ${parts.join("")}`),
    weight: 6,
  },
  { arbitrary: declaration, weight: 2 },
  { arbitrary: head, weight: 2 },
  { arbitrary: inlineLabel, weight: 1 },
  { arbitrary: unknown, weight: 1 },
);

/** Whole programs, nearly well-formed. */
export const program: fc.Arbitrary<string> = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
