/**
 * What the indented form means where it is written as Python is: small programs, each with the value that Python gives for the same, run in the machine
 * and in the reference interpreter.
 */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { comparable, executor } from "../support/executors.ts";
import { fakeClock, fakeFacts } from "../support/mock-adapters.ts";

async function run(source: string): Promise<string> {
  const { ir, diagnostics } = compile(source, { catalog: builtinCatalog, strict: true });
  expect(diagnostics, source).toEqual([]);
  const request = { frame: {}, adapters: new Map(), clock: fakeClock(), facts: fakeFacts() };
  const machine = await executor("machine", builtinCatalog)(ir as Ir, request);
  const reference = await executor("reference", builtinCatalog)(ir as Ir, request);
  expect(comparable(machine)).toBe(comparable(reference));
  return machine.ok ? JSON.stringify(machine.out) : machine.error.message;
}

describe("the indented form means what Python means", () => {
  it.each<readonly [what: string, source: string, value: string]>([
    [
      "arithmetic binds as in Python",
      `
main:
  return 1 + 2 * 3
`,
      "7",
    ],
    [
      "every operator",
      `
main:
  a = 5
  b = 2
  return [(a + b - 4) * 3, a - b * 2, -b, a / b, a // b, a % b, -a + b, b ** 3]
`,
      "[9,1,-2,2.5,2,1,-3,8]",
    ],
    [
      "a power binds more tightly than the sign of a number",
      `
main:
  a = 2
  return [-2 ** 2, -a ** 2, (-2) ** 2, 2 ** -1, 1 - 2 ** 2, 5 -2 ** 2]
`,
      "[-4,-4,4,0.5,-3,1]",
    ],
    [
      "a sign in a spaced call belongs to its argument",
      `
main:
  a = 2
  b = 5
  return [(add 1 -a), (add 1 a-b), (sub b -a), f(b -a), (mul -a b), (abs -5), (abs -a)]

f(n):
  return n
`,
      "[-1,-2,7,3,-10,5,2]",
    ],
    [
      "texts join",
      `
main:
  return "a" + "b"
`,
      '"ab"',
    ],
    [
      "lists join",
      `
main:
  return [1] + [2, 3]
`,
      "[1,2,3]",
    ],
    [
      "elements, members by exactly their key, slices",
      `
main:
  xs = [1, 2, 3, 4]
  d = {"a.b": "x"}
  i = 2
  t = "hello"
  return [xs[i], d["a.b"], xs[-1], xs[1:3], xs[:1], t[1:4], xs[10], d["zz"]]
`,
      '[3,"x",4,[2,3],[1],"ell",null,null]',
    ],
    [
      "a put creates and changes what is in a variable",
      `
main:
  d = {"a": {}, "n": [1, 2]}
  k = "n"
  d.a.b = 5
  d[k][1] = 9
  return d
`,
      '{"a":{"b":5},"n":[1,9]}',
    ],
    [
      "+= and its like",
      `
main:
  a = 5
  b = 5
  c = 5
  e = 5
  a += 1
  b -= 1
  c *= 2
  e /= 2
  return [a, b, c, e]
`,
      "[6,4,10,2.5]",
    ],
    [
      "f-strings with formats and braces",
      `
main:
  name = "Ann"
  price = 3.5
  return f"Hello {name}, {price:.2f} {{x}} {price + 2.5}"
`,
      '"Hello Ann, 3.50 {x} 6"',
    ],
    [
      "a if c else b, also in a row",
      `
main:
  out = []
  for n in [10, 1, 5]:
    out = push(out, "big" if n > 8 else "small" if n < 3 else "mid")
  return out
`,
      '["big","small","mid"]',
    ],
    [
      "in, not in, is, chains",
      `
main:
  xs = [1, 2]
  d = {"k": 1}
  n = null
  return [1 in xs, "k" in d, "el" in "hello", 3 in xs, 3 not in xs, n is not None, n is None, 1 < 2 < 3]
`,
      "[true,true,true,false,true,false,true,true]",
    ],
    [
      "lists and maps built in brackets",
      `
main:
  xs = [1, 2, 3]
  rows = [{"k": "a", "v": 1}, {"k": "b", "v": 2}]
  return [[x for x in [2, 3, 4] if x % 2 == 0], [x * 10 for x in xs if x > 1], {r.k: r.v for r in rows}, [[y for y in ys] for ys in [[1, 2], [3]]]]
`,
      '[[2,4],[20,30],{"a":1,"b":2},[[1,2],[3]]]',
    ],
    [
      "True, False, None",
      `
main:
  return [True, False, None, not None]
`,
      "[true,false,null,true]",
    ],
    [
      "and, or and if evaluate only what they need",
      `
main:
  d = {"n": 5}
  x = d.n if d is not None and d.n > 3 else 0
  y = 1 if d.missing is None else d.missing.foo
  return [x, y]
`,
      "[5,1]",
    ],
    [
      "for with two names",
      `
main:
  res = []
  for k, v in {"a": 1, "b": 2}:
    res = push(res, [k, v])
  for i, x in enumerate(["x", "y"]):
    res = push(res, [i, x])
  return res
`,
      '[["a",1],["b",2],[0,"x"],[1,"y"]]',
    ],
    [
      "for over text, numbers, an object and null",
      `
main:
  res = []
  for c in "hi":
    res = push(res, c)
  for i in range(3):
    res = push(res, i)
  for k in {"k": 1}:
    res = push(res, k)
  for z in null:
    res = push(res, z)
  return res
`,
      '["h","i",0,1,2,"k"]',
    ],
    [
      "break and continue",
      `
main:
  res = []
  for n in [1, 2, 3, 4, 5]:
    if n == 2:
      continue
    if n == 4:
      break
    res = push(res, n)
  res = push(res, "end")
  return res
`,
      '[1,3,"end"]',
    ],
    [
      "break leaves while true",
      `
main:
  n = 0
  while true:
    n += 1
    if n == 5:
      break
  return n
`,
      "5",
    ],
    [
      "break leaves the innermost loop",
      `
main:
  n = 0
  while n < 10:
    n += 1
    if n == 3:
      if n == 3:
        break
    for q in [1, 2]:
      if q == 2:
        break
      z = q + 1
  return [n, z]
`,
      "[3,2]",
    ],
    [
      "a graph calls itself",
      `
main:
  return fact(5)

fact(n):
  if n <= 1:
    return 1
  return n * fact(n - 1)
`,
      "120",
    ],
    [
      "a call has variables of its own",
      `
main:
  a = 10
  x = add2(2, 3)
  y = call add2(a, 3)
  return [x, y]

def add2(a, b=1):
  t = a + b
  return t
`,
      "[5,13]",
    ],
    [
      "def with defaults",
      `
def main(n=5):
  a = helper(n)
  b = helper(n, 5)
  return [a, b]

def helper(a, b=1):
  return a + b
`,
      "[6,10]",
    ],
    [
      "try and except continue below",
      `
main:
  res = []
  try:
    raise "bad"
  except:
    res = push(res, "caught")
  try:
    x = 1 / 0
    raise "not here"
  except e:
    res = push(res, "cause: bad")
  try:
    y = 3
  except e:
    y = 4
  return push(res, y)
`,
      '["caught","cause: bad",3]',
    ],
    [
      "return leaves a try in a loop",
      `
main:
  for n in [1, 2]:
    try:
      if n == 2:
        return "inner"
      raise "x"
    except:
      pass
  return "never"
`,
      '"inner"',
    ],
    [
      "break and continue leave a try",
      `
main:
  seen = []
  for n in [1, 2, 3, 4, 5]:
    try:
      if n == 4:
        break
      seen = push(seen, n)
      if n == 2:
        continue
      raise "odd"
    except:
      if n == 4:
        continue
  return seen
`,
      "[1,2,3]",
    ],
    [
      "except with a name",
      `
main:
  try:
    raise "bad"
  except Exception as e:
    return f"message {e.message}"
`,
      '"message bad"',
    ],
    [
      "a loop over a number fails",
      `
main:
  n = 5
  for x in n:
    y = x
  return 1
`,
      "cannot loop over int",
    ],
    [
      "a member by a variable is put",
      `
main:
  counts = {}
  for w in ["bob", "ada", "bob"]:
    counts[w] = get(counts, w, 0) + 1
  return {k: counts[k] for k in sort(keys(counts))}
`,
      '{"ada":1,"bob":2}',
    ],
    [
      "the rest of a division of a path",
      `
main:
  rows = [{"n": 4}]
  return [rows[0].n, "fizz" if rows[0].n % 2 == 0 else "x"]
`,
      '[4,"fizz"]',
    ],
    [
      "recursion inside a choice",
      `
main:
  n = 10
  return fib(n)

fib(n):
  return n if n < 2 else fib(n - 1) + fib(n - 2)
`,
      "55",
    ],
    [
      "comparisons of calls",
      `
main:
  xs = ["a", "b", "c"]
  ok = len(xs) > 2 and xs[0] == "a"
  return [len(xs), ok]
`,
      "[3,true]",
    ],
    [
      "minus with and without spaces",
      `
main:
  x = 5 -4
  y = 5-4
  return [x, y]
`,
      "[1,1]",
    ],
    [
      "members of computed elements",
      `
main:
  d = {"a": {"b": "ok"}}
  k = "a"
  return [d[k].b, d[k].zz]
`,
      '["ok",null]',
    ],
    [
      "a graph in the condition of while",
      `
main:
  x = 0
  while next(x) < 4:
    x += 1
  return x

next(n):
  return n + 1
`,
      "3",
    ],
    [
      "a graph in a list that is built",
      `
main:
  return [double(x) for x in [1, 2]]

double(n):
  return n * 2
`,
      "[2,4]",
    ],
    [
      "graphs in the conditions of elif",
      `
main:
  n = 2
  if check(n, 1):
    return "a"
  elif check(n, 2):
    return "b"
  else:
    return "c"

check(a, b):
  return a == b
`,
      '"b"',
    ],
  ])("%s", async (_what, source, value) => {
    expect(await run(source)).toBe(value);
  });
});
