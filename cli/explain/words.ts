/** Words of Python as programs here use them: what they do and how they are written (docs/python.md). */
import { type Explanation, factIf } from "./explanation.ts";

type WordText = {
  readonly title: string;
  readonly write: string;
  readonly note?: string;
  readonly example: string;
};

const WORDS: Readonly<Record<string, WordText>> = {
  def: {
    title: "A function: with variables of its own; the first one, or `main`, is where a run starts.",
    write: "def name(input, other=1):",
    note: "inputs of the program are the parameters of that function",
    example: "def total(orders, limit=100):",
  },
  return: {
    title: "Ends the function with a value.",
    write: "return value",
    example: 'return {"total": total}',
  },
  raise: {
    title: "Fails with an exception, which except blocks may catch.",
    write: "raise Error(message) or raise",
    note: "without one, in an except block, the exception is raised again",
    example: 'raise ValueError("no rate")',
  },
  try: {
    title: "Runs its block; an exception in it runs the except block that names its class.",
    write: "try:",
    note: "then the lines below; except, else and finally stand at its indentation",
    example: "try:",
  },
  except: {
    title: "The block for exceptions of a class.",
    write: "except Class as name:",
    note: "AdapterError is that of adapter calls: e.code, e.status, e.retryable. Limits and denials are never caught",
    example: "except AdapterError as e:",
  },
  finally: {
    title: "The block that runs in any case.",
    write: "finally:",
    example: "finally:",
  },
  if: {
    title: "Runs its block when the condition holds.",
    write: "if condition:",
    example: "if n > 3 and not done:",
  },
  elif: {
    title: "Another condition, tested when those above did not hold.",
    write: "elif condition:",
    example: "elif n == 3:",
  },
  else: {
    title: "The block that runs when no condition above held.",
    write: "else:",
    example: "else:",
  },
  for: {
    title: "Runs its block for each element.",
    write: "for name in values:",
    note: "counted by max_loop_iters",
    example: 'for item in order["lines"]:',
  },
  while: {
    title: "Runs its block as long as the condition holds.",
    write: "while condition:",
    note: "counted by max_loop_iters",
    example: "while not done:",
  },
  break: {
    title: "Ends the loop around it.",
    write: "break",
    example: "break",
  },
  continue: {
    title: "Ends this pass of the loop around it.",
    write: "continue",
    example: "continue",
  },
  pass: {
    title: "Does nothing, where a block needs a line.",
    write: "pass",
    example: "pass",
  },
  match: {
    title: "Runs the block of the first pattern that fits.",
    write: "match value:",
    note: "case lines stand below it, deeper",
    example: "match order:",
  },
  case: {
    title: "A pattern of a match, and its block.",
    write: "case pattern:",
    example: 'case {"kind": "paid"}:',
  },
  import: {
    title: "Makes a module known.",
    write: "import module",
    note: "docs/python.md lists those that there are; adapters need no import",
    example: "import json",
  },
  from: {
    title: "Makes names of a module known.",
    write: "from module import name",
    example: "from collections import Counter",
  },
  lambda: {
    title: "A function in an expression.",
    write: "lambda names: value",
    example: "key = lambda row: row[1]",
  },
  global: {
    title: "Lets a function assign a variable of the file.",
    write: "global name",
    example: "global total",
  },
  nonlocal: {
    title: "Lets a function assign a variable of the function around it.",
    write: "nonlocal name",
    example: "nonlocal total",
  },
  del: {
    title: "Takes a key, an element or a variable away.",
    write: "del target",
    example: 'del order["note"]',
  },
  assert: {
    title: "Fails with AssertionError when the condition does not hold.",
    write: "assert condition, message",
    example: "assert n > 0",
  },
  "with retry": {
    title: "Repeats its block when an adapter call in it fails in a way that may pass.",
    write: 'with retry(times, backoff_ms=0, strategy="fixed"):',
    note: "times is how often at most it is repeated",
    example: "with retry(3, backoff_ms=200):",
  },
  parallel: {
    title: "Calls a function for each item, some at the same time.",
    write: "parallel(function, items, limit=8, settle=False)",
    note: "results in the order of the items; the function changes nothing that it shares",
    example: "pages = parallel(fetch, urls, limit=5)",
  },
  print: {
    title: "Adds a line to the output of the run.",
    write: "print(value)",
    example: "print(total)",
  },
  "@api": {
    title: "Makes a function an endpoint.",
    write: '@api("/path", method="GET")',
    note: "the line above the function",
    example: '@api("/rates")',
  },
  "@cron": {
    title: "Gives a function a schedule.",
    write: '@cron("expression", tz="UTC")',
    note: "the line above the function",
    example: '@cron("0 3 * * *")',
  },
};

export function wordExplanations(): Explanation[] {
  return Object.entries(WORDS).map(([code, { title, write, note = "", example }]) => ({
    code,
    title,
    kind: "word",
    names: [],
    facts: [
      ["class", code.startsWith("@") ? "decorator" : "word of Python"],
      ["write", write],
      ...factIf("note", note),
      ["example", example],
    ],
  }));
}
