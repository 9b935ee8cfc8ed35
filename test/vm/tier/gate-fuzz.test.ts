/**
 * The gate against many programs and much changed source: it refuses nothing that the emitter makes, and what it admits of changed source
 * is still made of the vocabulary alone. WEFT_GATE_PROGRAMS says how many programs are drawn, WEFT_SEED which.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import { emit } from "../../../vm/tier/emit.ts";
import { refusal, VOCABULARY } from "../../../vm/tier/gate.ts";
import { Kind } from "../../../vm/tier/kinds.ts";
import { translate } from "../../../vm/tier/translate.ts";
import { compileForTest } from "../../support/run-case.ts";
import { type ShortProgram, shortPrograms } from "../../support/short-programs.ts";

const PROGRAMS = Number(process.env["WEFT_GATE_PROGRAMS"] ?? 2000);
/** Drawn at once; between two such parts the runner hears that the test is alive. */
const PART = 1000;
/** Sources that are changed, and how often each. */
const CHANGED = 300;
const MUTANTS = 20;

const CHARACTERS = /^[A-Za-z0-9=!<>+\-*/&|?:,;.()[\]{}\n ]*$/;
const WORD = /[A-Za-z_$][A-Za-z0-9_$]*/g;
const NUMBERED = /^[a-z][0-9]{1,9}$/;
/** Words that reach outside of what a function is given. */
const REACHING =
  /^(?:process|globalThis|window|self|this|new|import|require|eval|Function|constructor|prototype|class|await|async|yield|with|delete|arguments|super)$/;

/** Programs in which texts that are code stand wherever a program can have a text. */
const hostileText = fc.constantFrom(
  '"];globalThis.stolen=1//',
  "${process.exit()}",
  "*/eval('1')/*",
  "__proto__",
  "constructor",
  "\\u0061",
  "\n};a();{",
);
const hostilePrograms: fc.Arbitrary<ShortProgram> = fc.tuple(hostileText, hostileText).map(([text, key]) => ({
  source: `L1:\n  Set s ${JSON.stringify(text)}\n  X o obj ${JSON.stringify(key)} $a\n  X o put o ${JSON.stringify(text)} s\n  X t concat s ${JSON.stringify(key)} $b\n  X o put o "t" t\n  J o\n`,
  frames: [{ a: 1, b: text }],
}));
const programs = fc.oneof({ weight: 20, arbitrary: shortPrograms }, { weight: 1, arbitrary: hostilePrograms });

function kindOf(value: Json): Kind {
  if (typeof value === "number") return Kind.Number;
  return typeof value === "boolean" ? Kind.Boolean : Kind.Value;
}

/** The source made for frames like this one; null: the program has none. */
function sourceFor(program: string, frame: JsonObject): string | null {
  const ir = compileForTest(program, false, Object.keys(frame));
  const made = flatten(ir, ir.entry as string, foldCall);
  const kinds = new Uint8Array(made.names.length);
  for (const [name, value] of Object.entries(frame)) {
    const slot = made.slots.get(name);
    if (slot !== undefined) kinds[slot] = kindOf(value);
  }
  const plan = translate(made, made.variant("fast"), kinds);
  return plan === null ? null : emit(plan);
}

const HOSTILE = [
  ...['"', "'", "`", "\\", "//", "/*", "*/", "@", "#", "$", "_", "%", "^", "~", "\t", "\r", "\0", "\u2028", "é", "𝒶"],
  ...["process", "globalThis", "this", "new ", "import(", "eval(", "Function(", "constructor", "__proto__", "await "],
  ...["0x1", "1e9", "1n", ".constructor("],
];

/** Source with one change: characters left out, replaced, moved or repeated. */
const changes = fc.record({
  at: fc.nat(),
  length: fc.integer({ min: 0, max: 6 }),
  inserted: fc.oneof(
    fc.constantFrom("", "(", ")", "{", "}", "[", "]", "/", ".", "0", ";", "a", "v1", "return", "C", "=", "\n"),
    fc.string({ maxLength: 3 }),
    fc.constantFrom(...HOSTILE),
  ),
});

it("admits what is emitted, and of changed source only the vocabulary", {
  timeout: 60_000 + PROGRAMS * 10,
}, async () => {
  expect([...VOCABULARY].filter((word) => REACHING.test(word))).toEqual([]);
  const sources: string[] = [];
  const { seed = Date.now() } = fc.readConfigureGlobal();
  for (let drawn = 0; drawn < PROGRAMS; drawn += PART) {
    fc.assert(
      fc.property(programs, ({ source, frames }) => {
        const emitted = sourceFor(source, frames[0] ?? {});
        if (emitted === null) return;
        expect(refusal(emitted), source).toBeNull();
        expect(emitted).toMatch(CHARACTERS);
        if (sources.length < CHANGED) sources.push(emitted);
      }),
      { numRuns: Math.min(PART, PROGRAMS - drawn), seed: seed + drawn },
    );
    await new Promise(setImmediate);
  }
  expect(sources).toHaveLength(CHANGED);

  for (const source of sources) {
    const random = fc.sample(changes, { numRuns: MUTANTS, seed: seed + source.length });
    for (const { at: place, length, inserted } of random) {
      const at = place % source.length;
      const changed = source.slice(0, at) + inserted + source.slice(at + length);
      if (refusal(changed) !== null) continue;
      expect(changed).toMatch(CHARACTERS);
      expect(changed).not.toMatch(/\/[/*]/);
      for (const [word] of changed.matchAll(WORD))
        if (!NUMBERED.test(word)) expect(VOCABULARY, changed.slice(Math.max(0, at - 20), at + 20)).toContain(word);
    }
    const at = (random[0]?.at ?? 0) % source.length;
    for (const text of HOSTILE) expect(refusal(source.slice(0, at) + text + source.slice(at)), text).not.toBeNull();
  }
});
