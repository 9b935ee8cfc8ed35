/** Habits from other languages that compile and then give something else: templates in texts, members of what is a text (docs/diagnostics.md). */
import { describe, expect, it } from "vitest";
import { ERROR_INFO_MEMBERS } from "../../../compiler/check/error-members.ts";
import { compile } from "../../../compiler/compile.ts";
import { errorInfo } from "../../../vm/errors/error-info.ts";
import { compileText, lines } from "../compiling.ts";

function habits(source: string) {
  return compileText(source).diagnostics.filter(({ code }) => code === "WF9031" || code === "WF9032");
}

/** The finding's code, column and suggestion, and its line after the fix. */
function told(source: string) {
  return habits(source).map(({ code, span, suggestion, fix }) => {
    const [edit] = fix?.edits ?? [];
    const fixed =
      edit === undefined ? null : source.slice(0, edit.span.start) + edit.new_text + source.slice(edit.span.end);
    return [code, span?.column, suggestion, fixed?.split("\n")[(span?.line ?? 1) - 1]?.trim() ?? null];
  });
}

describe("a template in a text", () => {
  const of = (step: string) => told(lines("# frame: name, order", "L1:", `  ${step}`, "  J 1"));

  it.each([
    ['Set t "Hello ${name}"', '(concat "Hello " name)', 'Set t (concat "Hello " name)'],
    ['Set t "${name}!"', '(concat name "!")', 'Set t (concat name "!")'],
    ['Set t "${name}"', "name", "Set t name"],
    ["Set t 'say \"#{name}\"'", `(concat 'say "' name '"')`, `Set t (concat 'say "' name '"')`],
    [
      'Set t "no {{ name }}, {{order.id}}"',
      '(concat "no " name ", " order.id)',
      'Set t (concat "no " name ", " order.id)',
    ],
    ['Set t "${{ name }} ${ $order.id }"', '(concat name " " order.id)', 'Set t (concat name " " order.id)'],
    ['X t upper "a${name}"', '(concat "a" name)', 'X t upper (concat "a" name)'],
    ['Set t {"a": ["b${name}"]}', '(concat "b" name)', 'Set t {"a": [(concat "b" name)]}'],
    [
      'R http.GET "https://a.b/${name}" ->t',
      '(concat "https://a.b/" name)',
      'R http.GET (concat "https://a.b/" name) ->t',
    ],
    [
      'Set t "Hello $name, $order.id"',
      '(concat "Hello " name ", " order ".id")',
      'Set t (concat "Hello " name ", " order ".id")',
    ],
    ['If (eq order "${name}x") ->L1', '(concat name "x")', null],
    ['R db.F "t${name}" * ->t', '(concat "t" name)', null],
  ])("%s", (step, joined, fixed) => {
    expect(of(step)).toEqual([["WF9031", expect.any(Number), `join the pieces: ${joined}`, fixed]]);
  });

  it.each([
    'Set t "${other} {{other}} $other {name} ${name ${} ${1} ${name.} ${name()}"',
    'X t format "${name} {{name}}" {"name": name}',
    'Set t (core.format "${name}" order)',
    'R core.FORMAT "${name}" order ->t',
  ])("is not one: %s", (step) => {
    expect(of(step)).toEqual([]);
  });

  it("is left to a program that fills templates in itself", () => {
    const source = lines("# frame: name", "L1:", '  Set t "{{name}}"', "  Set u -name", "  J [(format t name), u]");
    // Which takes away nothing else that is said of its texts.
    expect(compileText(source).diagnostics.map(({ code, span }) => [code, span?.line])).toEqual([["WF9030", 4]]);
  });

  it("has a fix that compiles to the joined text", () => {
    const source = lines("# frame: name", "L1:", '  J "a\\n${name}"');
    const [edit] = habits(source)[0]?.fix?.edits ?? [];
    const fixed = source.slice(0, edit?.span.start) + edit?.new_text + source.slice(edit?.span.end);
    expect(fixed).toContain('J (concat "a\\n" name)');
    expect(compileText(fixed)).toMatchObject({ ok: true, diagnostics: [] });
  });

  it("counts names that the program itself declares, and none that only its caller knows", () => {
    expect(compile('L1:\n  J "${n}"\n', { inputs: ["n"] }).diagnostics).toEqual([]);
  });
});

describe("a member of a caught failure", () => {
  const of = (step: string, ...more: readonly string[]) =>
    told(lines("# frame: o", "L1:", "  R ext.G ->x", "  Err ->L2", "  J x", "L2:", `  ${step}`, "  J 1", ...more));
  const MESSAGE = "write _error_info.message, or _error, which is the message";

  it.each([
    ["J _error.message", MESSAGE, "J _error_info.message"],
    ['J _error["message"]', MESSAGE, "J _error_info.message"],
    ["J $_error.code", "write $_error_info.code", "J $_error_info.code"],
    ['J {"a": [_error.details.status]}', "write _error_info.details", 'J {"a": [_error_info.details.status]}'],
    ["If _error.cod == 1 ->L1", "write _error_info.code", "If _error_info.code == 1 ->L1"],
    ["J _error_info.retriable", "write _error_info.retryable", "J _error_info.retryable"],
    [
      "J _error_info.status",
      expect.stringMatching(/^_error is the message; _error_info has code, .* and details$/),
      null,
    ],
    ["J _error[0]", expect.stringMatching(/^_error is the message; /), null],
  ])("%s", (step, suggestion, fixed) => {
    expect(of(step)).toEqual([["WF9032", expect.any(Number), suggestion, fixed]]);
  });

  it.each([
    "J _error",
    "J _error_info.details.status",
    "J $_error_info.line",
    "X t get o _error.message",
    "J _error_infos.x",
  ])("is not one: %s", (step) => {
    expect(of(step)).toEqual([]);
  });

  it("is left to programs that write the variable themselves, or are given it", () => {
    const set = lines("L_own:", '  Set _error {"message": "m"}', "  J null");
    expect(of("J _error.message", set)).toEqual([]);
    expect(of("J _error.message", "# frame: _error")).toEqual([]);
    const source = "L1:\n  J _error.message\n";
    expect(compile(source, {}).diagnostics.map(({ code }) => code)).toEqual(["WF9032"]);
    expect(compile(source, { inputs: ["_error"] }).diagnostics).toEqual([]);
  });

  it("is one of those that the runtime writes", () => {
    const error = {
      code: "c",
      message: "m",
      label: "1",
      node: "n1",
      op: "R",
      line: 1,
      step_index: 0,
      stack: [],
      data: {},
    };
    expect(Object.keys(errorInfo(error as never) as object)).toEqual(ERROR_INFO_MEMBERS);
  });
});
