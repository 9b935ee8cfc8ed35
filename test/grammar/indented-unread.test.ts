/** Changes that nothing reads (WF9034) and items of loops that are read after their loop: what other languages mean by both is not what happens here. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { repair } from "../support/applied-edits.ts";

const inputs = ["rows", "d", "n", "xs", "o"];
const compiled = (source: string) => compile(source, { catalog: builtinCatalog, strict: true, inputs });
const found = (source: string) =>
  compiled(source).diagnostics.map(({ code, severity, span }) => `${severity} ${code} ${span?.line}`);

const main = (...lines: readonly string[]): string => `main:\n${lines.map((line) => `  ${line}\n`).join("")}`;

describe("a change that nothing reads", () => {
  it.each<readonly [what: string, source: string, repaired: string]>([
    [
      "of the item of a loop is written back to the list",
      main("for row in rows:", '  row["n"] = 1', "  row.m = 2", "out rows"),
      main(
        "for i, row in enumerate(rows):",
        '  row["n"] = 1',
        "  rows[i] = row",
        "  row.m = 2",
        "  rows[i] = row",
        "out rows",
      ),
    ],
    [
      "of a value of an object is written back to the object",
      main("for k, v in d:", "  v.n = 1  # one", "out d"),
      main("for k, v in d:", "  v.n = 1  # one", "  d[k] = v", "out d"),
    ],
    [
      "before a break is written back there",
      main("for r in o.rows:", "  if r.id == n:", "    r.n += 1", "    break", "out o"),
      main(
        "for i, r in enumerate(o.rows):",
        "  if r.id == n:",
        "    r.n += 1",
        "    o.rows[i] = r",
        "    break",
        "out o",
      ),
    ],
    [
      "takes another name for the place where i is one",
      main("i = 5", "for r in rows:", "  r.n = i", "out rows"),
      main("i = 5", "for r_at, r in enumerate(rows):", "  r.n = i", "  rows[r_at] = r", "out rows"),
    ],
  ])("%s", (_what, source, repaired) => {
    const { source: text, ir, rounds } = repair(source, compiled);
    expect(text).toBe(repaired);
    expect(ir).not.toBeNull();
    expect(rounds).toBe(1);
  });

  it.each<readonly [what: string, source: string, findings: readonly string[]]>([
    ["an input of a call", `${main("f(d)", "out d")}\nf(d):\n  d.n = 1\n`, ["error WF9034 6"]],
    ["a copy of a part", main('x = d["x"]', "x.n = 5", "out d"), ["error WF9034 3"]],
    ["a list in a list of another kind", main("for r in sort(rows):", "  r.n = 1", "out rows"), ["error WF9034 3"]],
    ["a counter", main("n = 0", "for x in xs:", "  n += 1", "out xs"), ["warning WF9034 4"]],
    ["a handler that does not read it", main("try:", "  d.n = 1", "except:", "  out 1", "out 2"), ["error WF9034 3"]],
  ])("%s", (_what, source, findings) => {
    expect(found(source)).toEqual(findings);
  });

  it.each<readonly [what: string, source: string]>([
    ["in the next pass", main("for x in xs:", "  if n > 3:", "    out x", "  n += 1", "out null")],
    ["in the condition of the loop", main("while n < 5:", "  n += 1", "out 1")],
    ["by the handler of a failure", main("try:", "  n += 1", "  raise 'x'", "except:", "  out n", "out 1")],
    ["after a break", main("for x in xs:", "  n += 1", "  break", "out n")],
    ["after a continue", main("for x in xs:", "  n += 1", "  continue", "out n")],
    ["in a template", main("n += 1", 'out f"{n}"')],
    ["by an adapter", main("d.n = 1", 'r = http.Post "https://a.example" d', "out r")],
    ["by a graph that shares the variables", `${main("n += 1", "x = call f", "out x")}\nf:\n  out n\n`],
    [
      "by a graph that runs itself",
      `${main("n = 0", "call f", "out 1")}\nf:\n  if n < 3:\n    n += 1\n    call f\n  out null\n`,
    ],
    [
      "by the handler of an Err",
      `${main("n += 1", 'r = http.Get "https://a.example"', "Err ->note", "out r")}\nnote:\n  out n\n`,
    ],
    ["in a comprehension", main("n += 1", "out [x + n for x in xs]")],
    ["in its own list", main("for r in rows:", "  r.n = 1", "  xs = push(xs, r)", "out xs")],
  ])("is left alone where it is read %s", (_what, source) => {
    expect(found(source)).toEqual([]);
  });
});

describe("the item of a loop after its loop", () => {
  it.each<readonly [what: string, source: string, findings: readonly string[]]>([
    ["has no value", main("for x in [1, 2]:", "  pass", "out x"), ["error WF4001 4"]],
    [
      "has the one from before",
      main("i = 0", "for i in range(3):", "  if xs[i] == n:", "    break", "out i"),
      ["warning WF9035 6"],
    ],
    ["may be that of another loop", main("for x in xs:", "  d = x", "for x in rows:", "  d = [d, x]", "out d"), []],
    ["may be set anew", main("for x in xs:", "  d = x", "x = 1", "out [d, x]"), []],
  ])("%s", (_what, source, findings) => {
    expect(found(source)).toEqual(findings);
  });

  it("is that of the frame where the caller gives one", () => {
    expect(found(main("for n in xs:", "  d = n", "out [d, n]"))).toEqual([]);
  });
});
