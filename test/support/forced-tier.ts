/**
 * `WEFT_TIER` chooses how short programs run in all tests, built programs left out: `force` makes functions from their bytecode at their first run,
 * `closures` does so without generated code, and `loop` runs everything in the loop.
 */
import { setTierDefaults } from "../../vm/tier/policy.ts";

const asked = process.env["WEFT_TIER"];

if (asked === "force") setTierDefaults({ setting: "auto", heat: 1 });
else if (asked === "closures") setTierDefaults({ setting: "off", heat: 1 });
else if (asked === "loop") setTierDefaults({ isDisabled: true });
else if (asked !== undefined) throw new Error(`WEFT_TIER is ${asked}; expected force, closures or loop`);
