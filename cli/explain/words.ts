/** Words that begin lines of the indented form: what they do and how they are written (docs/language.md, the indented form). */
import type { Keyword } from "../../grammar/indented/words.ts";
import { type Explanation, factIf } from "./explanation.ts";

type WordText = {
  readonly title: string;
  readonly write: string;
  readonly note?: string;
  readonly example: string;
};

const WORDS: Readonly<Record<Keyword | "@api" | "@cron", WordText>> = {
  in: {
    title: "Inputs of the program, which the caller gives.",
    write: "in: name… or name:type",
    note: "one that is not given is null",
    example: "in: city limit:number",
  },
  out: {
    title: "Ends the graph with a value.",
    write: "out value?",
    note: "also inside blocks and loops; without a value the graph gives the text done",
    example: 'out {"total": total}',
  },
  err: { title: "Fails with RUNTIME_OP_ERROR.", write: "err message", example: 'err (concat "no rate for " pair)' },
  call: {
    title: "Runs another graph of the file, or of a module.",
    write: "name = call graph or call graph",
    note: "the value is in name, else in _call_result; variables are shared, there are no arguments",
    example: "found = call check",
  },
  if: {
    title: "Runs its block when the condition holds.",
    write: "if condition:",
    note: "then the lines below; elif and else stand at its indentation",
    example: "if n > 3 and not done:",
  },
  elif: {
    title: "Another condition, looked at when those above did not hold.",
    write: "elif condition:",
    example: "elif n == 3:",
  },
  else: { title: "The block that runs when no condition above held.", write: "else:", example: "else:" },
  for: {
    title: "Runs its block for each element of a list.",
    write: "for name in list:",
    note: "then name has its former value; out leaves the loop with the graph",
    example: "for item in order.lines:",
  },
  while: {
    title: "Runs its block as long as the condition holds.",
    write: "while condition limit N?:",
    note: "at most N times, 10000 when not written",
    example: "while not done limit 50:",
  },
  config: { title: "Fields of the record type Config.", write: "config name:type…", example: "config retries:I" },
  state: { title: "Fields of the record type State.", write: "state name:type…", example: "state seen:A[S]" },
  "@api": {
    title: "Makes a graph an endpoint.",
    write: 'name @api "/path" method?:',
    note: "POST when no method is written",
    example: 'rates @api "/rates" GET:',
  },
  "@cron": {
    title: "Gives a graph a schedule.",
    write: 'name @cron "expression":',
    example: 'nightly @cron "0 3 * * *":',
  },
};

export function wordExplanations(): Explanation[] {
  return Object.entries(WORDS).map(([code, { title, write, note = "", example }]) => ({
    code,
    title,
    kind: "word",
    names: [],
    facts: [
      ["class", code.startsWith("@") ? "decorator of the indented form" : "word of the indented form"],
      ["write", write],
      ...factIf("note", note),
      ["example", example],
    ],
  }));
}
