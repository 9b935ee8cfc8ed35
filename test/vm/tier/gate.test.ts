/** The gate in front of generated code: what it admits, and that it refuses source that was changed in any way that matters. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import { emit } from "../../../vm/tier/emit.ts";
import { refusal } from "../../../vm/tier/gate.ts";
import { Kind } from "../../../vm/tier/kinds.ts";
import { Places } from "../../../vm/tier/loops/translate/places.ts";
import { Held } from "../../../vm/tier/loops/translate/states.ts";
import { translate as translateLoops } from "../../../vm/tier/loops/translate/translate.ts";
import { translate } from "../../../vm/tier/translate.ts";
import { loopPrograms } from "../../support/loop-programs.ts";
import { compileForTest } from "../../support/run-case.ts";
import { shortPrograms } from "../../support/short-programs.ts";

/** The source of a program whose inputs have a kind; null: it has none. */
function sourceOf(program: string, inputs: readonly string[], kind: Kind = Kind.Optional): string | null {
  const ir = compileForTest(program, false, inputs);
  const made = flatten(ir, ir.entry as string, foldCall);
  const kinds = new Uint8Array(made.names.length);
  for (const name of inputs) {
    const slot = made.slots.get(name);
    if (slot !== undefined) kinds[slot] = kind;
  }
  const plan = translate(made, made.variant("fast"), kinds);
  return plan === null ? null : emit(plan);
}

/** The source of a program's loops, as if it were built in front of the first block, where nothing is set. */
function loopSourceOf(program: string, inputs: readonly string[]): string {
  const places = placesOf(program, inputs);
  const nothing = new Uint8Array(places.scan.slots);
  return translateLoops(
    places,
    { kinds: nothing, elements: nothing, generic: new Set(), mayLeave: false },
    new Map([[0, nothing]]),
  ).source;
}

/** The same, as if it were built in front of every block, with variables of one kind. */
function everySourceOf(program: string, inputs: readonly string[], held: Held): string {
  const places = placesOf(program, inputs);
  const state = new Uint8Array(places.scan.slots).fill(held, 0, places.scan.variables);
  const heads = [...places.isHead.keys()].filter((pc) => places.isHead[pc] === 1);
  const kinds = state.map(() => (held === Held.Memory ? 0 : Held.Number));
  const observed = { kinds, elements: kinds, generic: new Set(held === Held.Memory ? heads : []), mayLeave: false };
  return translateLoops(places, observed, new Map(heads.map((pc) => [pc, state]))).source;
}

function placesOf(program: string, inputs: readonly string[]): Places {
  const ir = compileForTest(program, false, inputs);
  const made = flatten(ir, ir.entry as string, foldCall);
  return new Places(made, made.variant("fast"));
}

const HOSTILE = '"];globalThis.stolen=1//';
const PROGRAM = `L1:
  Set process ${JSON.stringify(HOSTILE)}
  X o obj ${JSON.stringify(HOSTILE)} process
  X o put o "eval('1')" "\\u0060\${x}\\u0060"
  X constructor concat "*/ import('fs') /*" $x
  X o put o "id" constructor
  J o
`;

describe("emitted source", () => {
  it("holds no text of a program", () => {
    const source = sourceOf(PROGRAM, ["x"]) ?? "";
    expect(source).toContain("return function(");
    expect(refusal(source)).toBeNull();
    for (const part of ["process", "globalThis", "eval", "import", "constructor", "stolen", '"', "'", "`", "id"])
      expect(source).not.toContain(part);
  });

  it("passes the gate for every program", () => {
    fc.assert(
      fc.property(shortPrograms, ({ source }) => {
        const emitted = sourceOf(source, ["a", "b", "o"]);
        if (emitted === null) return;
        expect(refusal(emitted)).toBeNull();
        expect(emitted).toMatch(/^[A-Za-z0-9=!<>+\-*/&|?:,;.()[\]{}\n ]*$/);
      }),
      { numRuns: Number(process.env["WEFT_TIER_PROGRAMS"] ?? 100) },
    );
  });
});

describe("emitted source of loops", () => {
  it("holds no text of a program", () => {
    const source = everySourceOf(
      `L1:\n  Loop xs process ->L2 ->L3\nL2:\n${PROGRAM.slice(4, -6)}L3:\n  J o\n`,
      ["xs", "x"],
      Held.Memory,
    );
    expect(source).toContain("for(;;)");
    expect(refusal(source)).toBeNull();
    for (const part of ["process", "globalThis", "eval", "import", "constructor", "stolen", '"', "'", "`", "id]"])
      expect(source).not.toContain(part);
  });

  it.each([Held.Memory, Held.Number, Held.Boolean])(
    "passes the gate for every program, variables held as %i",
    (held) => {
      fc.assert(
        fc.property(loopPrograms, ({ source, frame }) => {
          const emitted = everySourceOf(source, Object.keys(frame), held);
          expect(refusal(emitted)).toBeNull();
          expect(emitted).toMatch(/^[A-Za-z0-9=!<>+\-*/&|?:,;.()[\]{}\n ]*$/);
        }),
        { numRuns: Number(process.env["WEFT_TIER_PROGRAMS"] ?? 40) },
      );
    },
  );
});

it("docs/tier.md shows the source of its loop", () => {
  const [, page = ""] = readFileSync("docs/tier.md", "utf8").split("### An example of a loop");
  const [, program = ""] = /```\n(L1:[^`]*)```/.exec(page) ?? [];
  const [, shown = "nothing"] = /```js\n([^`]*)```/.exec(page) ?? [];
  const source = loopSourceOf(program, []);
  expect(source.replace(/\n+/g, "\n")).toContain(shown);
});

it("docs/tier.md shows the source of its example", () => {
  const [, page = ""] = readFileSync("docs/tier.md", "utf8").split("## Short programs");
  const [, program = ""] = /```\n(# frame:[^`]*)```/.exec(page) ?? [];
  const [, shown = ""] = /```js\n([^`]*)```/.exec(page) ?? [];
  const lines = (sourceOf(program, ["price"], Kind.Number) ?? "").split("\n").filter((line) => !/^const /.test(line));
  const ends = lines.map((line) => line.replace(/used\[0\].*;return/, "\nreturn"));
  expect(shown.trimEnd().split("\n")).toEqual(ends.join("\n").split("\n"));
});

describe("the gate refuses", () => {
  const source = sourceOf(PROGRAM, ["x"]) ?? "";

  it.each([
    ["a string", "v1='x';"],
    ["a string in double quotes", 'v1="x";'],
    ["a template", "v1=`x`;"],
    ["an escape", "v1=\\u0061;"],
    ["a line comment", "v1=v2//v3\n"],
    ["a block comment", "v1=v2/*v3*/"],
    ["a pattern", "v1=/a/;"],
    ["a word of the host", "process.exit()"],
    ["the global object", "globalThis"],
    ["this", "return this"],
    ["new", "new b(1)"],
    ["a member that is not in the vocabulary", "v1.constructor"],
    ["a fraction", "v1=1.5;"],
    ["an exponent", "v1=1e9;"],
    ["a hexadecimal number", "v1=0x10;"],
    ["an octal number", "v1=010;"],
    ["a big integer", "v1=1n;"],
    ["a number of many digits", "v1=12345678901;"],
    ["a private name", "v1.#a"],
    ["a decorator", "@a"],
    ["a dollar sign", "$"],
    ["an underscore", "_a"],
    ["a letter beyond ASCII", "é"],
    ["a line separator", "\u2028"],
    ["a tab", "\t"],
  ])("%s", (_title, inserted) => {
    for (const at of [0, source.indexOf("\n") + 1, source.length])
      expect(refusal(source.slice(0, at) + inserted + source.slice(at))).not.toBeNull();
  });

  it("brackets that do not match", () => {
    for (const bracket of ["(", ")", "[", "]", "{", "}"]) {
      expect(refusal(source + bracket)).not.toBeNull();
      expect(refusal(bracket + source)).not.toBeNull();
    }
    expect(refusal("([)]")).not.toBeNull();
    // Closes the function that the source is put into.
    expect(refusal(`};a();{${""}`)).not.toBeNull();
  });

  it("every other character, wherever it stands", () => {
    const known = "=!<>+-*/&|?:,;.()[]{}\n ";
    for (let code = 0; code < 0x300; code++) {
      const character = String.fromCharCode(code);
      if (/[A-Za-z0-9]/.test(character) || known.includes(character)) continue;
      for (const at of [0, source.indexOf("{"), source.length])
        expect(refusal(source.slice(0, at) + character + source.slice(at)), `U+${code.toString(16)}`).not.toBeNull();
    }
  });
});
