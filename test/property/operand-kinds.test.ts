/**
 * Every operation that the machine's loop does itself, on every pair of kinds of values, set or not, in every form that it has: alone, into its
 * own operand, and as a part of a fused instruction. Always what the reference interpreter gives.
 */
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { comparable } from "../support/executors.ts";
import type { GeneratedRun } from "../support/generators.ts";
import { compileForTest } from "../support/run-case.ts";
import { reference, sliced } from "../support/sliced.ts";

const UNSET: unique symbol = Symbol("unset");
const VALUES: readonly (Json | typeof UNSET)[] = [
  UNSET,
  ...[null, true, false, 0, 1, 2, -7, 2.5, 3_000_000_000, 1e308, "", "2", "x", "é", "x".repeat(70)],
  ...[[], [1], {}, { k: 1 }],
];

const OPERATIONS = "add sub mul div idiv mod lt lte gt gte eq ne and or concat push get min".split(" ");
const LOOP = ["  Set n 0", "  Set c true", "  While c ->L2 ->L3 limit=3", "L2:"];

/** Programs over the variables `a` and `b`. */
const FORMS: readonly (readonly [what: string, lines: readonly string[]])[] = [
  ...OPERATIONS.flatMap((op): [string, string[]][] => [
    [`${op}`, ["L1:", `  X r ${op} $a $b`, "  J [r, a, b]"]],
    [`${op} into its first operand`, ["L1:", `  X a ${op} $a $b`, "  J [a, b]"]],
    [`${op} of constants`, ["L1:", `  X r ${op} $a 2`, `  X s ${op} 3 $b`, "  J [r, s]"]],
  ]),
  ...["lt", "lte", "eq"].flatMap((op): [string, string[]][] => [
    [`${op} and a branch`, ["L1:", `  X c ${op} $a $b`, "  If c ->L2 ->L3", "L2:", "  J 2", "L3:", "  J [c, 3]"]],
    [
      `${op} and the end of a body`,
      ["L1:", ...LOOP, "  X n mul (add n 1) 1", `  X c ${op} $a $b`, "L3:", "  J [n, c]"],
    ],
  ]),
  [
    "a sum, a comparison and the end of a body",
    ["L1:", ...LOOP, "  X n add $a $b", "  X c lt $n $b", "L3:", "  J [n, c]"],
  ],
  [
    "a sum of its own, a comparison and the end of a body",
    ["L1:", ...LOOP, "  X a add $a 1", "  X c lt $a $b", "L3:", "  J c"],
  ],
  ["a choice", ["L1:", "  X r ite $a $b 5", "  X s ite $b 7 $a", "  X r push r 1", "  J [r, s, a, b]"]],
  ["a condition", ["L1:", "  If a ->L2 ->L3", "L2:", "  If b ->L4 ->L3", "L3:", "  J 3", "L4:", "  J 4"]],
  ["texts that are the same", ["L1:", "  If a=2 ->L2 ->L3", "L2:", "  J 2", "L3:", "  J 3"]],
  ["truth", ["L1:", "  X r not $a", "  X s bool $b", "  X t len $a", "  J [r, s, t]"]],
  ["an object and a put", ["L1:", "  X o obj $a $b", "  X o put o $b $a", '  X o put o "k" $b', "  J o"]],
  ["a loop and its values", ["L1:", "  Loop $a i ->L2 ->L3", "L2:", "  J $b", "L3:", "  J [_loop_last, i]"]],
];

it.each(FORMS)("%s", async (_what, lines) => {
  const source = `${lines.join("\n")}\n`;
  const ir = compileForTest(source, false, ["a", "b"]);
  for (const a of VALUES) {
    for (const b of VALUES) {
      const frame: JsonObject = { ...(a === UNSET ? {} : { a }), ...(b === UNSET ? {} : { b }) } as JsonObject;
      const run: GeneratedRun = {
        source,
        frame,
        limits: { max_steps: 50, max_frame_bytes: 5000 },
        allowedAdapters: null,
      };
      const expected = comparable(await reference(ir, run));
      expect(comparable((await sliced(ir, run, 10_000)).outcome), `${JSON.stringify(frame)}\n${source}`).toBe(expected);
    }
  }
});
