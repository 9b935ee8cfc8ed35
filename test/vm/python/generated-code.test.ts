/** Generated code of Python functions: what it is made of, and that it does what the loop does wherever it is left. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { emitPython } from "../../../compiler/bytecode/python/emit.ts";
import { Py } from "../../../compiler/bytecode/python/instructions.ts";
import { pythonFault } from "../../../compiler/bytecode/python/verify.ts";
import { translate } from "../../../vm/python/tier/translate.ts";
import { refusal } from "../../../vm/tier/gate.ts";
import { setTierDefaults } from "../../../vm/tier/policy.ts";
import { caseFiles, readCases } from "../../python/support/case-files.ts";
import { compiled, hostWith, ran } from "../../python/support/weft.ts";
import { randomLeaves } from "../../support/random-leaves.ts";

function codeOf(source: string) {
  const made = compiled(source);
  return "ir" in made ? emitPython(made.ir) : null;
}

const FOLDER = fileURLToPath(new URL("../../python/cases", import.meta.url));
const cases = caseFiles(FOLDER).map((name) => readCases(FOLDER, name));

const HOSTILE = '"];globalThis.stolen=1//';
const PROGRAM = `
def f(x, ys):
    t = ${JSON.stringify(HOSTILE)}
    for y in ys:
        if y > x and y != 3:
            t += str(y)
        else:
            while x < y:
                x += 1
    return [t, x]


def main():
    return f(2, [1, 5, 3, 9])
`;

describe("the source of a function", () => {
  const codes = [PROGRAM, ...cases.flat().map(({ source }) => source)].flatMap((source) => codeOf(source) ?? []);

  it("is made for nearly every function, and passes the gate", () => {
    let made = 0;
    let all = 0;
    for (const code of codes) {
      for (const routine of code.routines) {
        all += 1;
        expect(pythonFault(code, routine)).toBeNull();
        const text = translate(code, routine);
        if (text === null) continue;
        made += 1;
        expect(refusal(text.source)).toBeNull();
        expect(text.entries.get(routine.pc)).toBeDefined();
      }
    }
    expect(made / all).toBeGreaterThan(0.98);
  });

  it("has no text of the program", () => {
    const code = codeOf(PROGRAM);
    const sources = code?.routines.map((routine) => translate(code, routine)?.source ?? "") ?? [];
    expect(sources.join("")).toContain("for(;;)");
    expect(sources.join("")).not.toMatch(/["'`]|stolen/);
  });
});

it("docs/tier.md shows the source of its loop", () => {
  const [, page = ""] = readFileSync("docs/tier.md", "utf8").split("## Functions in Python");
  const [, program = ""] = /```python\n([^`]*)```/.exec(page) ?? [];
  const [, shown = "nothing"] = /```js\n([^`]*)```/.exec(page) ?? [];
  const code = codeOf(program);
  const sources = code?.routines.map((routine) => translate(code, routine)?.source) ?? [];
  expect(sources.join("\n")).toContain(shown);
});

describe("bytecode that no emitter made", () => {
  const code = codeOf(PROGRAM);
  if (code === null) throw new Error("it does not compile");
  const f = code.routines[code.byLabel.get("f") ?? 0];
  if (f === undefined) throw new Error("f is missing");
  const placeOf = (op: Py): number => {
    const at = code.code.indexOf(op, f.pc);
    if (at < 0) throw new Error(`instruction ${op} is missing`);
    return at;
  };

  it.each([
    ["a register that is not there", () => placeOf(Py.Next) + 1, 10_000],
    ["a constant that is not there", () => placeOf(Py.Next) + 2, -10_000],
    ["a target between two instructions", () => placeOf(Py.Next) + 3, f.pc + 2],
    ["an unknown instruction", () => placeOf(Py.Next), 999],
    ["an unknown instruction at the end", () => f.end - 2, -1],
  ])("is refused: %s", (_what, at, word) => {
    const words = code.code.slice();
    words[at()] = word;
    expect(pythonFault({ ...code, code: words }, f)).toBeTypeOf("string");
  });
});

describe("runs", () => {
  let before: ReturnType<typeof setTierDefaults> | null = null;
  afterEach(() => {
    if (before !== null) setTierDefaults(before);
    before = null;
  });

  const AT_ONCE = { setting: "auto", heat: 1, hotSlices: 0, isDisabled: false } as const;

  async function answers(tier: Parameters<typeof setTierDefaults>[0]): Promise<readonly unknown[]> {
    before = setTierDefaults(tier);
    const host = hostWith();
    const found: unknown[] = [];
    for (const { id, source, runs } of cases.flatMap((file) => file.slice(0, 4))) {
      const made = compiled(source);
      if (!("ir" in made)) continue;
      for (const { frame, script } of runs) if (script === null) found.push([id, await ran(host, made.ir, frame)]);
    }
    setTierDefaults(before);
    return found;
  }

  it("come to the deepest call with functions of many variables", async () => {
    before = setTierDefaults({ ...AT_ONCE, leaves: undefined });
    const names = Array.from({ length: 400 }, (_, at) => `v${at}`);
    const source = `
def f(n):
    ${names.map((name, at) => `${name} = n + ${at}`).join("\n    ")}
    if n == 0:
        return ${names.join(" + ")}
    return f(n - 1)


def main():
    return f(4000)
`;
    const made = compiled(source);
    if (!("ir" in made)) throw new Error("it does not compile");
    expect(await ran(hostWith(), made.ir, "{}")).toMatchObject({ kind: "value", value: 79_800 });
  });

  it("give the same in the loop, in generated code, and where that is left anywhere", async () => {
    const inLoop = await answers({ isDisabled: true });
    expect(inLoop.length).toBeGreaterThan(50);
    expect(await answers({ ...AT_ONCE, leaves: undefined })).toEqual(inLoop);
    expect(await answers({ ...AT_ONCE, leaves: randomLeaves(0.2) })).toEqual(inLoop);
  });
});
