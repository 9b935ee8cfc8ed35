/**
 * The gate against many programs and much changed source: it refuses nothing that the emitters make, and what it admits of changed source
 * is still made of the vocabulary alone. WEFT_GATE_PROGRAMS says how many programs are tried, WEFT_SEED which.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import { Op } from "../../../compiler/bytecode/opcodes.ts";
import type { Program } from "../../../compiler/bytecode/program.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import { emit } from "../../../vm/tier/emit.ts";
import { refusal, VOCABULARY } from "../../../vm/tier/gate.ts";
import { Kind } from "../../../vm/tier/kinds.ts";
import { NATIVES } from "../../../vm/tier/loops/natives.ts";
import { Places } from "../../../vm/tier/loops/translate/places.ts";
import { Held, type State } from "../../../vm/tier/loops/translate/states.ts";
import { translate as translateLoops } from "../../../vm/tier/loops/translate/translate.ts";
import { translate as translateShort } from "../../../vm/tier/translate.ts";
import { runs } from "../../support/generators.ts";
import { compileForTest } from "../../support/run-case.ts";
import { shortPrograms } from "../../support/short-programs.ts";
import { type Draw, drawsFrom, fuzzed } from "./fuzzed-bytecode.ts";

const PROGRAMS = Number(process.env["WEFT_GATE_PROGRAMS"] ?? 10_000);
/** Words of bytecode for which one written program is tried, changed each time: small programs are tried more often. */
const WORDS = 20_000;
/** Written at once; between two such parts the runner hears that the test is alive. */
const PART = 10;
/** Sources that are changed, and how often each. */
const CHANGED = 100;
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
const hostilePrograms = fc.tuple(hostileText, hostileText).map(([text, key]) => ({
  source: `L1:\n  Set s ${JSON.stringify(text)}\n  X o obj ${JSON.stringify(key)} $a\n  X o put o ${JSON.stringify(text)} s\n  X t concat s ${JSON.stringify(key)} $b\n  X o put o "t" t\n  J o\n`,
  frame: { a: 1, b: text } as JsonObject,
}));
const written: fc.Arbitrary<{ readonly source: string; readonly frame: JsonObject }> = fc.oneof(
  { weight: 10, arbitrary: shortPrograms.map(({ source, frames: [frame = {}] }) => ({ source, frame })) },
  { weight: 10, arbitrary: runs },
  { weight: 1, arbitrary: hostilePrograms },
);

const KINDS = [Kind.Unset, Kind.Number, Kind.Number, Kind.Boolean, Kind.Value, Kind.Optional];
const HELD = [Held.Memory, Held.Number, Held.Number, Held.Boolean];

/** What the emitter of short programs, or that of loops, makes of a verified program whose variables hold values of drawn kinds. */
function sourceOf(program: Program, draw: Draw): string | null {
  const tables = program.variant("fast");
  const drawn = <T extends number>(among: readonly T[], length: number): Uint8Array =>
    new Uint8Array(length).map(() => among[draw(among.length)] as number);
  if (draw(2) === 0) {
    const plan = translateShort(program, tables, drawn(KINDS, program.names.length));
    return plan === null ? null : emit(plan);
  }
  const places = new Places(program, tables);
  const { slots, variables, heads, count } = places.scan;
  const seeds = new Map<number, State>();
  const blocks = [...heads.subarray(0, count)].filter((pc) => places.isHead[pc] === 1);
  for (const pc of blocks.filter((_, at) => at === 0 || draw(2) === 0)) {
    const state = new Uint8Array(slots);
    state.set(drawn(HELD, variables));
    seeds.set(pc, state);
  }
  const generic = new Set(
    heads.subarray(0, count).filter((pc) => draw(10) === 0 && canBeGeneric(tables.code[pc] as number)),
  );
  const seen = (): Uint8Array => drawn([Held.Memory, Held.Number], slots);
  return translateLoops(places, { kinds: seen(), elements: seen(), generic, mayLeave: draw(8) === 0 }, seeds).source;
}

/** As `loops/builds.ts` has it. */
function canBeGeneric(op: number): boolean {
  return NATIVES[op] !== undefined || op === Op.LoopInit || op === Op.LoopNext;
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
  const draw = drawsFrom(seed);
  for (let tried = 0, part = 0; tried < PROGRAMS; part++) {
    for (const { source, frame } of fc.sample(written, { numRuns: PART, seed: seed + part })) {
      const ir = compileForTest(source, false, Object.keys(frame));
      const program = flatten(ir, ir.entry as string, foldCall);
      const times = Math.ceil(WORDS / program.variant("fast").code.length);
      for (let at = 0; at < times; at++, tried++) {
        const emitted = sourceOf(at === 0 ? program : fuzzed(program, draw), draw);
        if (emitted === null) continue;
        if (at % 50 === 0 && sources.length < CHANGED) sources.push(emitted);
        // Millions of them: nothing is asked of the test runner while all is well.
        if (refusal(emitted) === null && CHARACTERS.test(emitted)) continue;
        expect(refusal(emitted), `${source}\n${emitted}`).toBeNull();
        expect(emitted, source).toMatch(CHARACTERS);
      }
    }
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
