/**
 * Older spellings (python.md F-7): each program means what it meant, or is refused with what to write instead. The values were recorded from the form
 * that these programs were written in.
 */
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { parseProgram } from "../../grammar/python/older/older.ts";
import { parsePython } from "../../grammar/python/parse.ts";
import { printPython } from "../../grammar/python/print/print.ts";
import { compiled, hostWith, ran } from "./support/weft.ts";

const host = hostWith();

async function result(source: string, frame: object = {}): Promise<unknown> {
  const made = compiled(source);
  if ("refused" in made) return made;
  const run = await ran(host, made.ir, JSON.stringify(frame));
  return run.kind === "value" ? run.value : `${run.exception}: ${run.message}`;
}

function python(source: string): string | null {
  const printed = printPython(source);
  return printed.ok ? printed.text : null;
}

const ORDER = { order: { lines: [{ price: 2, count: 3 }], id: 4 } };

describe("older spellings mean what they meant:", () => {
  it.each<[string, string, object, unknown]>([
    [
      "inputs, out in a loop, words for constants",
      `review @api "/review" POST:
  in: amount:number, vip
  fee = 10
  if vip:
    fee = 0
  elif amount >= 1000 and not vip:
    fee = 25
  lines = []
  for part in [amount, fee]:
    if part < 0:
      out {"status": "refused", "why": null}
    lines = push(lines, part)
  out {"status": "ok", "lines": lines}
`,
      { amount: 1500 },
      { status: "ok", lines: [1500, 25] },
    ],
    [
      "a function with inputs of its own",
      "main:\n  out fact(5)\n\nfact(n):\n  if n <= 1:\n    out 1\n  out n * fact(n - 1)\n",
      {},
      120,
    ],
    ["out alone", "main:\n  out\n", {}, "done"],
    ["a call with spaces", 'main:\n  x = core.ADD 2 3\n  y = core.GET {"a": [1, x]} "a.1"\n  out y\n', {}, 5],
    [
      "functions that share variables",
      `main:
  in: order, rate:number
  rate = 0.5
  call price
  fee = call charge
  out {"total": total, "fee": fee, "id": order.id, "n": lines}

price:
  total = 0
  lines = 0
  for line in order.lines:
    total += line.price * line.count
    call counted

counted:
  lines += 1

charge:
  in: total
  out total * rate
`,
      ORDER,
      { total: 6, fee: 3, id: 4, n: 1 },
    ],
    [
      "variables of a function that is called with brackets are its own, shared ones too",
      'main:\n  a = 1\n  x = twice(4)\n  y = twice(5)\n  out {"a": a, "x": x, "y": y}\n\ntwice(n):\n  a = n\n  call add\n  out a\n\nadd:\n  a = a + n\n',
      {},
      { a: 1, x: 8, y: 10 },
    ],
    [
      "a handler ends the pass of a loop, and sees its variable",
      `search:
  tried = 0
  failed = []
  for code in ["a1", "b2", "c3", "d4"]:
    tried += 1
    found = call check
    Err ->note
    if found:
      out {"found": code, "tried": tried, "failed": failed}
  out null

check:
  if code == "b2":
    raise f"cannot read {code}"
  out startswith(code, "c")

note:
  failed = push(failed, code)
`,
      {},
      { found: "c3", tried: 3, failed: ["b2"] },
    ],
    [
      "a handler covers what follows up to the next one, loops as well",
      'main:\n  seen = []\n  x = div(4, 2)\n  Err ->h\n  for i in [1, 0, 2]:\n    y = div(4, i)\n    seen = push(seen, y)\n  out {"seen": seen}\n\nh:\n  n = len(seen)\n  out {"handled": n}\n',
      {},
      { handled: 1 },
    ],
    [
      "a handler under a whole if, and another one below",
      'main:\n  n = 0\n  if true:\n    n = 1\n  else:\n    n = 2\n  Err ->first\n  n = 3\n  err "no"\n  Err ->second\n  out n\n\nfirst:\n  out 1\n\nsecond:\n  out {"second": n}\n',
      {},
      { second: 3 },
    ],
    [
      "members of inputs, in texts and with the names of methods",
      'main:\n  in: order\n  if order.items:\n    out f"{order.count} of {len(order.items)}"\n  out null\n',
      { order: { items: [1], count: 1 } },
      "1 of 1",
    ],
    [
      "members in a comprehension",
      "main:\n  in: rows\n  names = [row.name for row in rows if row.n > 1]\n  out names\n",
      { rows: [{ name: "a", n: 2 }] },
      ["a"],
    ],
  ])("%s", async (_what, source, frame, expected) => {
    expect(await result(source, frame)).toEqual(expected);
    // What the formatter writes is Python, and means the same.
    const written = python(source) ?? "";
    expect(parsePython(written).faults).toEqual([]);
    expect(await result(written, frame)).toEqual(expected);
    expect(python(written)).toBe(written);
  });

  it("the formatter keeps comments and empty lines, and moves shared functions into the one that calls them", () => {
    expect(
      python(`# What it is for.
main @cron "0 8 * * *":
  in: n:int   # how many

  x = call half  # its half
  out {"x": x}

# A half.
half:
  y = n / 2
  out y
`),
    ).toBe(`# What it is for.
@cron("0 8 * * *")
def main(n: int | None = None):
    y = None

    # A half.
    def half():
        nonlocal y
        y = n / 2
        return y

    x = half()  # its half
    return {"x": x}
`);
  });
});

describe("older spellings are refused with what to write:", () => {
  it.each<[string, string, string | RegExp]>([
    ["a call in brackets of its own", "main:\n  x = (add (mul 2 3) 1)\n  out x\n", "write f(a, b)"],
    ["a variable with a dollar sign", "main:\n  x = 1\n  y = $x\n  out y\n", "remove the $"],
    ["a question mark", "main:\n  in: x\n  y = x?\n  out y\n", "write x is not None"],
    ["out before a bracket", "main:\n  x = 1\n  out [x, x]\n", "write return [x, x]"],
    ["err before a minus", "main:\n  err -1\n", "write raise RuntimeError(-1)"],
    ["a step", "main:\n  Set x 3\n  out x\n", "write x = 3"],
    [
      "a step without a statement of the same meaning",
      "main:\n  rows = []\n  Filt rows rows n > 1\n  out rows\n",
      /^write \[row/,
    ],
    ["a limit of while", "main:\n  n = 1\n  while n < 3 limit 5:\n    n += 1\n  out n\n", /^count the passes/],
    ["a type of inputs that has no annotation", "main:\n  in: o:Order\n  out o\n", /annotation/],
    ["a branch", "main:\n  x = call f for i in [1]\n  out x\n\nf:\n  out 1\n", "write parallel(f, items)"],
    [
      "a function that two others share variables with",
      "main:\n  call f\n  out g()\n\ng():\n  call f\n  out 1\n\nf:\n  x = 1\n",
      /^give it parameters/,
    ],
    ["an unknown function", "main:\n  call f\n  out 1\n", /^define it/],
    [
      "a handler in a block of an if",
      "main:\n  if true:\n    x = 1\n    Err ->f\n  out 1\n\nf:\n  out 2\n",
      /^write try/,
    ],
    ["a variable of a loop that is read after it", "main:\n  for x in [1]:\n    y = x\n  out x\n", /name of its own$/],
    ["a change of a value that has two names", "main:\n  a = [1]\n  b = a\n  b[0] = 2\n  out a\n", /^store a copy/],
    [
      "a change of a variable of a loop",
      "main:\n  in: rows\n  for row in rows:\n    row.n = 1\n  out rows\n",
      /^store a copy/,
    ],
    ["another entry than main", "first:\n  out 1\n\nmain:\n  out 2\n", /^move main above/],
    ["return alone", "main:\n  return\n", /^write return "done"/],
    [
      "an exception without a class",
      "main:\n  try:\n    x = 1\n  except e:\n    x = 2\n  out x\n",
      /^write except Exception as e/,
    ],
    ["a bare word that is a text", "main:\n  out finished\n", /a text needs quotes$/],
  ])("%s", (_what, source, instead) => {
    const { ir, diagnostics } = compile(`# surface: python\n${source}`);
    expect(ir).toBeNull();
    expect(diagnostics.map(({ suggestion }) => suggestion)).toEqual([
      typeof instead === "string" ? instead : expect.stringMatching(instead),
    ]);
  });

  it("the edit for calls in brackets holds all of them", async () => {
    const source = "# surface: python\nmain:\n  x = (add (mul 2 3) (max (1 + 1) 9))\n  out (sub x 1)\n";
    const { diagnostics } = compile(source);
    const edits = [...(diagnostics[0]?.fix?.edits ?? [])].sort(
      (a, b) => b.span.start - a.span.start || b.span.end - a.span.end,
    );
    const text = edits.reduce(
      (text, { span, new_text }) => text.slice(0, span.start) + new_text + text.slice(span.end),
      source,
    );
    expect(text).toContain("x = add(mul(2, 3), max((1 + 1), 9))\n  out sub(x, 1)");
    expect(await result(text)).toBe(14);
  });

  it("places are those of the source", () => {
    const source = "main:\n  in: a\n  b = a\n  out b + unknown\n";
    const { diagnostics } = compile(`# surface: python\n${source}`);
    expect(diagnostics).toMatchObject([{ code: "WF6001", span: { line: 5, column: 11 } }]);
  });
});

describe("Python is not touched where", () => {
  it.each([
    [
      "words are names",
      "def main(out, err, call, state):\n    out = err + 1\n    call.append(out)\n    out[0]\n    return out\n",
    ],
    ["true is a variable", "def main(true):\n    return true.name\n"],
    ["a name stands alone", "def main():\n    out\n"],
  ])("%s", (_what, source) => {
    expect(parseProgram(source)).toEqual({ ...parsePython(source), text: source });
  });

  it.each(["def main(:\n    pass\n", "x = = 1\n", "if x\n    y\n", "f(a b)\n"])(
    "%j is wrong in Python as well",
    (source) => {
      expect(parseProgram(source).faults).toEqual(parsePython(source).faults);
    },
  );
});
