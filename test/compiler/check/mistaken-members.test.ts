/** Values that are read or stored as other languages do it, and give null: members of lists, objects as pairs, a result that is not returned. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { repair } from "../../support/applied-edits.ts";

const inputs = ["rows", "t"];
const compiled = (source: string) => compile(source, { catalog: builtinCatalog, strict: true, inputs });
const main = (...lines: readonly string[]): string => `main:\n${lines.map((line) => `  ${line}\n`).join("")}`;
const found = (source: string) => compiled(source).diagnostics.filter(({ code }) => /^WF903[789]$/.test(code));

describe("a member of a list or a string", () => {
  it.each<readonly [source: string, repaired: string]>([
    [main('out [sum(rows, "n"), rows.length]'), main('out [sum(rows, "n"), len(rows)]')],
    [
      main("n = 0", "for r in rows:", "  n += r.n", "out n / rows.length"),
      main("n = 0", "for r in rows:", "  n += r.n", "out n / len(rows)"),
    ],
    [
      main("s = upper(t)", "if s.length > 3:", "  out 1", "out 2"),
      main("s = upper(t)", "if len(s) > 3:", "  out 1", "out 2"),
    ],
    ["main:\n  in: rows:list\n  out rows.count\n", "main:\n  in: rows:list\n  out len(rows)\n"],
    ["L1:\n  Set xs [1]\n  J xs.size\n", "L1:\n  Set xs [1]\n  J (len xs)\n"],
  ])("is its length: %s", (source, repaired) => {
    expect(found(source)).toMatchObject([{ code: "WF9039", severity: "error" }]);
    expect(repair(source, compiled)).toMatchObject({ source: repaired, rounds: 1 });
  });

  it.each<readonly [source: string, suggestion: string]>([
    [main("out sum(rows.n)"), "write [r.n for r in rows] for all elements, rows[0].n for the first"],
    [main('out join(",", rows.n)'), "write [r.n for r in rows] for all elements, rows[0].n for the first"],
    [
      main("for n in t.items.name:", "  pass", "out t"),
      "write [i.name for i in t.items] for all elements, t.items[0].name for the first",
    ],
    [
      main('groups = group_by(rows, "n")', "out groups[0]"),
      'write values(groups) for a list of the groups, groups["0"] for the key "0"',
    ],
  ])("may be null: %s", (source, suggestion) => {
    expect(found(source)).toMatchObject([{ code: "WF9039", severity: "warning", suggestion, fix: null }]);
  });

  it.each(["sum(t.prices)", "len(rows.body)", "sum(t.settings.n)", "first(rows.n)"])("is one in %s", (value) => {
    expect(found(main(`out ${value}`))).toEqual([]);
  });

  it.each([
    ["r.items[0].id", "r.body.items[0].id"],
    ["r.items", "r.body.items"],
    ['r["items"]', "r.body.items"],
    ["r.data.items", "r.body.items"],
    ["r.statusCode", "r.status"],
    ["r.status_code", "r.status_code"],
    ["r.body.items", "r.body.items"],
    ["r[0].id", "r.body[0].id"],
  ])("of an answer of http is in its body: %s", (written, meant) => {
    const source = (value: string): string => main('r = http.Get("https://example.com")', `out ${value}`);
    expect(repair(source(written), compiled).source).toBe(source(meant));
  });

  it.each<readonly [source: string, suggestion: string | null]>([
    [main('xs = [{"n": 1}]', "out xs.n"), "write [x.n for x in xs] for all elements, xs[0].n for the first"],
    [
      main('xs = sort_by(rows, "n")', "out rows.n"),
      "write [r.n for r in rows] for all elements, rows[0].n for the first",
    ],
    [main("s = lower(t)", "out s.upper"), null],
  ])("is null: %s", (source, suggestion) => {
    expect(found(source)).toMatchObject([{ code: "WF9039", severity: "error", suggestion, fix: null }]);
  });

  it.each<readonly [source: string, repaired: string]>([
    [main("out [p.key for p in entries(rows)]"), main("out [p[0] for p in entries(rows)]")],
    [
      main("for p in entries(rows):", "  if p.value.n:", "    out p.key", "out 0"),
      main("for p in entries(rows):", "  if p[1].n:", "    out p[0]", "out 0"),
    ],
    [
      main("p = first(sort_by(entries(rows), 1))", "out p.value"),
      main("p = first(sort_by(entries(rows), 1))", "out p[1]"),
    ],
    [
      main("for p in enumerate(rows):", "  if p.index > 2:", "    out p.price", "out 0"),
      main("for p in enumerate(rows):", "  if p[0] > 2:", "    out p[1].price", "out 0"),
    ],
  ])("is a place in a pair: %s", (source, repaired) => {
    expect(found(source)[0]).toMatchObject({ code: "WF9039", severity: "error" });
    expect(repair(source, compiled)).toMatchObject({ source: repaired, rounds: 1 });
  });

  it.each<readonly [source: string, suggestion: string]>([
    [
      main('g = group_by(rows, "n")', "out [x.n for x in g]"),
      "a loop passes the keys of an object: write for x, value in …: and value.n",
    ],
    [
      main('for k in {"a": {"n": 1}}:', "  if k.n:", "    out k", "out 0"),
      "a loop passes the keys of an object: write for k, value in …: and value.n",
    ],
    [
      main('r = http.Get("https://example.com")', "out [x.n for x in r]"),
      "a loop passes the names of the parts of an answer: go through its body, as in r.body",
    ],
    [
      main('top = take(sort_by(rows, "n"), 1)', "out top.n"),
      "write [t.n for t in top] for all elements, top[0].n for the first",
    ],
  ])("is null, for a loop or a list: %s", (source, suggestion) => {
    expect(found(source)).toMatchObject([{ code: "WF9039", severity: "error", suggestion, fix: null }]);
  });

  it.each<readonly [read: string, repaired: string | null]>([
    ["e.msg", "e.message"],
    ["e.type", "e.code"],
    ["e.retriable", "e.retryable"],
    ["e.status", null],
    ["e.message", null],
    ["e.details.status", null],
  ])("of a caught failure is one of its own: %s", (read, repaired) => {
    const source = (value: string): string => main("try:", "  x = 1 / t", "except e:", `  x = ${value}`, "out x");
    const told = compiled(source(read)).diagnostics.filter(({ code }) => code === "WF9032");
    expect(told.length).toBe(/message|details/.test(read) ? 0 : 1);
    expect(repair(source(read), compiled).source).toBe(source(repaired ?? read));
  });

  it("is a warning where the value may be an object", () => {
    expect(found(main("out rows.length"))).toMatchObject([{ code: "WF9039", severity: "warning", fix: null }]);
  });

  it.each([
    main("out [rows.n, rows.count, rows[0].n]"),
    main('out rows["length"]'),
    main('d = {"length": 2}', "out d.length"),
    main("for k in rows:", "  if k == t:", "    out rows.total", "out 0"),
    main("a = 1", "out a.b"),
    main("xs = [[1]]", "out xs[0][0]"),
    main("out get(rows, t.length)"),
    main("m = match(t, 'a')", "out m.groups"),
    main("for p in rows:", "  if p.key:", "    out p.value", "out 0"),
    main("for k in t:", "  if k.n:", "    out k", "out 0"),
    main("for k, v in group_by(rows, t):", "  if v[0].n:", "    out k", "out 0"),
    main("ps = entries(rows)", "if t:", "  ps = rows", "out [p.key for p in ps]"),
    main("e = rows", "out e.status"),
    main('r = http.Get("https://example.com")', "for k, v in r:", "  if k == t:", "    out v", "out 0"),
  ])("is not one: %s", (source) => {
    expect(found(source).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("objects as pairs", () => {
  it.each([
    main('for a, b in [{"a": 1}]:', "  out [a, b]", "out 0"),
    main('xs = [{"a": 1}]', "out [a for a, b in xs]"),
    main('xs = sort_by(rows, "n")', "for a, b in rows:", "  out [a, b]", "out xs"),
  ])("are refused: %s", (source) => {
    expect(found(source)).toMatchObject([
      { code: "WF9038", suggestion: expect.stringMatching(/read item\.a$/), fix: null },
    ]);
  });

  it.each([
    main("for a, b in rows:", "  out [a, b]", "out 0"),
    main("for a, b in [[1, 2]]:", "  out [a, b]", "out 0"),
    main('for i, r in enumerate([{"a": 1}]):', "  out [i, r.a]", "out 0"),
    main('for k, v in {"a": {"b": 1}}:', "  out [k, v.b]", "out 0"),
  ])("are not: %s", (source) => {
    expect(found(source)).toEqual([]);
  });
});

describe("a result that is not returned", () => {
  it.each<readonly [source: string, repaired: string]>([
    [main("result = 1 + 2"), main("return 1 + 2")],
    [main("out = 3"), main("return 3")],
    [
      main("if t:", '  size = "big"', "else:", '  size = "small"'),
      main("if t:", '  return "big"', "else:", '  return "small"'),
    ],
    [main("try:", "  n = int(t)", "except:", "  n = 0"), main("try:", "  return int(t)", "except:", "  return 0")],
    ["main:\n  out twice(2)\n\ntwice(n):\n  m = n * 2\n", "main:\n  out twice(2)\n\ntwice(n):\n  return n * 2\n"],
  ])("is returned: %s", (source, repaired) => {
    expect(found(source)).toMatchObject([{ code: "WF9037", severity: "error" }]);
    expect(repair(source, compiled)).toMatchObject({ source: repaired, rounds: 1 });
  });

  it.each([
    main("x = 1", "out 2"),
    main("if t:", "  out 1", "x = 2"),
    main("if t:", "  x = 1"),
    main("answer = http.Get(t)"),
    "main:\n  call step\n  out x\n\nstep:\n  x = 1\n",
    "main:\n  a = 1 / 0\n  Err ->bad\n  out a\n\nbad:\n  state = 1\n",
    "ENTRY:\n  x = 1\n\nEXIT_a:\n  y = 2\n",
  ])("is not one: %s", (source) => {
    expect(found(source)).toEqual([]);
  });
});
