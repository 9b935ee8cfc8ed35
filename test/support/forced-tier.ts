/**
 * `WEFT_TIER` chooses how programs run in all tests, built programs left out: `force` makes functions from their bytecode at their first run, and
 * from their loops at their first block; `leave` does the same, and loops in generated code leave it at random; `loop` runs everything in the loop.
 */
import { setTierDefaults } from "../../vm/tier/policy.ts";
import { randomLeaves } from "./random-leaves.ts";

/** Slices of generated code have as many steps as those of the loop, which tests count. */
const FORCED_LOOPS = { hotSlices: 0, maxSliceFactor: 1 };
const asked = process.env["WEFT_TIER"];

if (asked === "force") setTierDefaults({ setting: "auto", heat: 1, ...FORCED_LOOPS });
else if (asked === "leave") setTierDefaults({ setting: "auto", heat: 1, ...FORCED_LOOPS, leaves: randomLeaves(0.2) });
else if (asked === "loop") setTierDefaults({ isDisabled: true });
else if (asked !== undefined) throw new Error(`WEFT_TIER is ${asked}; expected force, leave or loop`);
