/** `wf convert`: how programs are written in the other form, what is refused, and what the command prints and writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convertText, type Form } from "../../../compiler/convert/convert-text.ts";
import { compiled, irOf } from "../../support/world.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const convert = (text: string, to: Form) =>
  convertText(text, to, irOf(text, { strict: false }), (changed) => compiled(changed, { strict: false }).ir);

function refusalsOf(text: string, to: Form): string[] {
  const result = convert(text, to);
  return result.ok ? [result.text] : result.refusals.map(({ line, what }) => `${line} ${what}`);
}

it.each<Form>(["opcode", "indented"])("a program in Python is refused where %s is asked for", (to) => {
  expect(refusalsOf("# surface: python\ndef main(a):\n    return a\n", to)).toEqual([
    "1 a program in Python: its values and functions have no labels and steps of the same meaning",
  ]);
});

describe("the indented form of a program", () => {
  it.each<[why: string, opcode: string, indented: string]>([
    [
      "labels are graphs, steps are statements",
      "L1:\n  R core.ADD 2 3 ->x\n  X y mul x 2\n  Call L_note ->z\n  J {a: z}\n\nL_note:\n  J y\n",
      'main:\n  x = core.ADD 2 3\n  y = mul(x, 2)\n  z = call note\n  out {"a": z}\n\nnote:\n  J y\n',
    ],
    [
      "an adapter is called with brackets, its handler stays below",
      'L1:\n  R ext.GET "u" {} ->x\n  Err ->L_down\n  J x\nL_down:\n  J "no"\n',
      'main:\n  x = ext.GET("u", {})\n  Err ->down\n  out x\n\ndown:\n  out "no"\n',
    ],
    [
      "a label that one step goes to is a block of it",
      "# frame: n\nL1:\n  Set t 0\n  Loop [1, 2] i ->L2 ->L3\nL2:\n  # adds\n  X t add t i\n  J null\nL3:\n  If n > 2 ->L4 ->L5\nL4:\n  J t\nL5:\n  Set a 1\n  J a\n",
      "# frame: n\nmain:\n  t = 0\n  for i in [1, 2]:\n    # adds\n    t = add(t, i)\n  if n > 2:\n    J t\n  else:\n    a = 1\n    out a\n",
    ],
    [
      "a While is a while",
      "L1:\n  Set n 0\n  While n < 3 ->L2 ->L3 limit=9\nL2:\n  X n add n 1\n  J null\nL3:\n  J n\n",
      "main:\n  n = 0\n  while n < 3 limit 9:\n    n = add(n, 1)\n  J n\n",
    ],
    [
      "If and Loop that share a label stay steps",
      "# frame: n\nL1:\n  If n > 1 ->L2 ->L3\nL2:\n  J n\nL3:\n  Loop [1] i ->L4 ->L2\nL4:\n  J i\n",
      "# surface: indented\n# frame: n\nmain:\n  If n > 1 ->label_2 ->label_3\n\nlabel_2:\n  J n\n\nlabel_3:\n  Loop [1] i ->label_4 ->label_2\n\nlabel_4:\n  J i\n",
    ],
    [
      "comments and empty lines stay where they were",
      "# What it does.\nS app api /x\n\n# One.\nL1: # first\n  Set a 1 # one\n\n  # two\n  J a\n  # end\n",
      "# What it does.\nS app api /x\n\n# One.\napp:  # first\n  a = 1  # one\n\n  # two\n  out a\n  # end\n",
    ],
    [
      "the service, endpoints and schedules stay declared",
      "E /a GET ->L2\nCr L2 0 2 * * *\nL1:\n  J 1\nL2:\n  J 2\n",
      "E /a GET ->L_label_2\nCr L_label_2 0 2 * * *\n\nmain:\n  out 1\n\nlabel_2:\n  out 2\n",
    ],
    [
      "graphs are named like no function, variable or op",
      "L1:\n  Call L_len ->a\n  Call L_a ->b\n  J b\nL_len:\n  J 1\nL_a:\n  J 2\n",
      "main:\n  a = call len_2\n  b = call a_2\n  out b\n\nlen_2:\n  out 1\n\na_2:\n  out 2\n",
    ],
    [
      "X stays where a handler can read which op failed",
      "L1:\n  X a div 1 0\n  Err ->L2\n  J a\nL2:\n  J _error_info.op\n",
      "main:\n  X a div 1 0\n  Err ->label_2\n  out a\n\nlabel_2:\n  J _error_info.op\n",
    ],
  ])("%s", (_why, opcode, indented) => {
    expect(convert(opcode, "indented")).toEqual({ ok: true, text: indented });
  });

  it.each<[text: string, refusals: readonly string[]]>([
    ["L1:\n  Set a 1\n", ["1 the label 'L1', which ends without J: write J null at its end"]],
    ["L1:\n  Set 5 1\n  J 1\n", ["2 the step 'Set', which has an error"]],
    ["L1:\n  J 1\n  Set a 1\n  J a\n", ["3 a step below J, which nothing reaches"]],
  ])("is refused for %j", (text, refusals) => {
    expect(refusalsOf(text, "indented")).toEqual(refusals);
  });
});

describe("the opcode form of a program", () => {
  it.each<[why: string, indented: string, opcode: string]>([
    [
      "blocks are the labels that they become",
      "# Sums.\nmain:\n  in: xs:list\n  total = 0\n  # each\n  for x in xs:\n    total += x  # more\n  out total\n",
      "# Sums.\nS main core noop\n# frame: xs: list\n\nL_entry:\n  Set xs $xs\n  Set total 0\n  # each\n  Loop (each xs) x ->Lmain~body2 ->Lmain~cont1\n\nLmain~body2:\n  Set total (plus $total $x)  # more\n  J null\n\nLmain~cont1:\n  J $total\n",
    ],
    [
      "decorators are declarations",
      'a @api "/a" GET:\n  out 1\n\nb @cron "0 2 * * *":\n  out 2\n',
      'S a core noop\nE /a GET ->L_entry\nCr L_b "0 2 * * *"\n\nL_entry:\n  J 1\n\nL_b:\n  J 2\n',
    ],
  ])("%s", (_why, indented, opcode) => {
    expect(convert(indented, "opcode")).toEqual({ ok: true, text: opcode });
  });

  it.each<[text: string, refusals: readonly string[]]>([
    ["main:\n  out twice(2)\ntwice(n):\n  out n * 2\n", ["2 the call of 'twice', which has variables of its own"]],
    ["main:\n  for x in [1, 2]:\n    if x == 1:\n      break\n  out 1\n", ["2 a loop that break leaves"]],
    ["main:\n  in: n!\n  out n\n", ["2 the input 'n!', which only runs that begin at its graph need"]],
  ])("is refused for %j", (text, refusals) => {
    expect(refusalsOf(text, "opcode")).toEqual(refusals);
  });
});

describe("wf convert", () => {
  const OPCODE = "L1:\n  Set a 1\n  J a\n";
  const INDENTED = "main:\n  a = 1\n  out a\n";
  const REFUSED = "L1:\n  Set a 1\n";
  const textIn = (cwd: string, name: string): string => readFileSync(join(cwd, name), "utf8");

  it("prints one program, and leaves one that has the form", async () => {
    const cwd = folderWith({ "a.wf": OPCODE, "b.wf": INDENTED });
    expect(await wf(["convert", "--to", "indented", "a.wf"], { cwd })).toMatchObject({ code: 0, stdout: INDENTED });
    expect(await wf(["convert", "--to", "indented", "b.wf"], { cwd })).toMatchObject({ code: 0, stdout: INDENTED });
    expect(await wf(["convert", "--to", "indented"], { stdin: OPCODE })).toMatchObject({ code: 0, stdout: INDENTED });
    expect(textIn(cwd, "a.wf")).toBe(OPCODE);
  });

  it("replaces files with --write, apart from those that it refuses", async () => {
    const cwd = folderWith({ "a.wf": OPCODE.replaceAll("\n", "\r\n"), "b.wf": INDENTED, "c.wf": REFUSED });
    const result = await wf(["convert", "--to", "indented", "--write", "a.wf", "b.wf", "c.wf"], { cwd });
    expect(result).toMatchObject({ code: 1, stdout: "a.wf\n" });
    expect(result.stderr).toContain("error c.wf:1: the indented form cannot say the label 'L1', which ends without J");
    expect(result.stderr).toContain("note 3 files, 1 converted\n");
    expect(textIn(cwd, "a.wf")).toBe(INDENTED.replaceAll("\n", "\r\n"));
    expect(textIn(cwd, "c.wf")).toBe(REFUSED);
  });

  it("answers in JSON", async () => {
    const cwd = folderWith({ "a.wf": OPCODE, "c.wf": REFUSED });
    expect(documentOf(await wf(["convert", "--to", "indented", "a.wf", "c.wf", "--json"], { cwd }))).toEqual({
      ok: false,
      files: [
        { path: "a.wf", ok: true, changed: true, refused: [], text: INDENTED },
        {
          path: "c.wf",
          ok: false,
          changed: false,
          error: "not_convertible",
          refused: [{ line: 1, what: "the label 'L1', which ends without J: write J null at its end" }],
        },
      ],
    });
  });

  it.each<[argv: readonly string[], message: string]>([
    [["a.wf"], "--to needs one of indented, opcode"],
    [["--to", "python", "a.wf"], "--to needs one of indented, opcode"],
    [["--to", "opcode", "a.wf", "b.wf"], "several files are converted with --write; without it, give one"],
    [["--to", "opcode", "--write", "-"], "--write needs a file, not standard input"],
    [["--to", "opcode", "a.json"], "a.json is not source; only source has a form"],
  ])("refuses %j", async (argv, message) => {
    const cwd = folderWith({ "a.wf": OPCODE, "b.wf": OPCODE, "a.json": JSON.stringify(irOf(OPCODE)) });
    const result = await wf(["convert", ...argv], { cwd, stdin: OPCODE });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  it("shows what is wrong with a program that does not compile", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  J (\n" });
    const result = await wf(["convert", "--to", "indented", "a.wf"], { cwd });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("error WF1");
  });
});
