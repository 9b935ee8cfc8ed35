/** Words that begin lines of the indented form: what they do and how they are written (docs/language.md, the indented form). */
import { type Explanation, factIf } from "./explanation.ts";

type WordText = {
  readonly title: string;
  readonly write: string;
  readonly note?: string;
  readonly example: string;
};

const WORDS: Readonly<Record<string, WordText>> = {
  in: {
    title: "Inputs of the program, which the caller gives.",
    write: "in: name… or name:type",
    note: "an input that is not given is null",
    example: "in: city limit:number",
  },
  out: {
    title: "Ends the graph with a value.",
    write: "out value?",
    note: "also inside blocks and loops; without a value the result is the string done",
    example: 'out {"total": total}',
  },
  err: { title: "Fails with RUNTIME_OP_ERROR.", write: "err message", example: 'err f"no rate for {pair}"' },
  call: {
    title: "Runs another graph of the file, or of a module.",
    write: "name = call graph or call graph",
    note: "the value is stored in name, or in _call_result without a name; variables are shared. With brackets, as in graph(a, b), the graph has variables of its own and starts with its inputs",
    example: "found = call check",
  },
  return: { title: "The same as out.", write: "return value?", example: "return total" },
  raise: {
    title: "The same as err.",
    write: "raise message?",
    note: "without a message, in an except block, the failure is raised again",
    example: 'raise "no rate"',
  },
  break: { title: "Ends the loop around it.", write: "break", example: "break" },
  continue: { title: "Ends this pass of the loop around it.", write: "continue", example: "continue" },
  pass: { title: "Does nothing, where a block needs a line.", write: "pass", example: "pass" },
  try: {
    title: "Runs its block; a failure in it runs the except block instead of the rest.",
    write: "try:",
    note: "then the lines below; except stands at its indentation",
    example: "try:",
  },
  except: {
    title: "The block that runs after a failure in the try block.",
    write: "except: or except name:",
    note: "name holds the failure, as in _error_info: name.message, name.code",
    example: "except e:",
  },
  if: {
    title: "Runs its block when the condition holds.",
    write: "if condition:",
    note: "the lines below are its block; elif and else have the same indentation",
    example: "if n > 3 and not done:",
  },
  elif: {
    title: "Another condition, tested when those above did not hold.",
    write: "elif condition:",
    example: "elif n == 3:",
  },
  else: { title: "The block that runs when no condition above held.", write: "else:", example: "else:" },
  for: {
    title: "Runs its block for each element of a list.",
    write: "for name in list:",
    note: "afterwards name has its former value; out ends the graph and thus the loop",
    example: "for item in order.lines:",
  },
  while: {
    title: "Runs its block as long as the condition holds.",
    write: "while condition limit N?:",
    note: "at most N times (default: 10000)",
    example: "while not done limit 50:",
  },
  config: { title: "Fields of the record type Config.", write: "config name:type…", example: "config retries:I" },
  state: { title: "Fields of the record type State.", write: "state name:type…", example: "state seen:A[S]" },
  "@api": {
    title: "Makes a graph an endpoint.",
    write: 'name @api "/path" method?:',
    note: "the default method is POST",
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
