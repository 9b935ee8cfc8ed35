/**
 * Listings of whole programs, kept as text under test/fixtures/bytecode: a change of the emitter shows there. After an intended
 * change write them anew with `npx vitest run test/compiler/bytecode/listing.test.ts -u` and read the difference.
 */
import { expect, it } from "vitest";
import { disassemble } from "../../../compiler/bytecode/disassemble.ts";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import type { Program, VariantKind } from "../../../compiler/bytecode/program.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import { looseIr } from "../../support/bytecode.ts";

const COUNTING = `L1:
  Set i 0
  Set s 0
  While (lt i 10) ->L2 ->L3 limit=100
L2:
  X s add s i
  X i add i 1
L3:
  J s
`;

const LISTS = `L1:
  Set out []
  Loop orders order ->L2 ->L4
L2:
  If (gt order.total 10) ->L3
L3:
  X out push out {"id": order.id, "text": (concat "#" order.id)}
L4:
  Filt big out total >= 20
  Sort big big id
  J big
`;

const CALLS = `L1:
  Call L2 ->r
  If r ->L3 ->L4
L2:
  R core.ADD n 1 ->n
  J (lt n 5)
L3:
  Call L1 ->again
  J again
L4:
  J n
`;

const FAILURES = `L1:
  R ext.OP 1 key ->r
  Retry @n1 3 100
  Err @n1 ->L2
  Set done true
  J r
L2:
  CacheGet ns key ->hit "none"
  J hit
`;

it.each<[string, string, string[], VariantKind[]]>([
  ["counting", COUNTING, [], ["fast", "stepped", "traced"]],
  ["lists", LISTS, ["orders"], ["fast"]],
  ["calls", CALLS, ["n"], ["fast", "stepped"]],
  ["failures", FAILURES, ["key"], ["fast"]],
])("%s", async (name, source, inputs, kinds) => {
  const ir = looseIr(source, inputs);
  if (ir?.entry === undefined || ir.entry === null) throw new Error("does not compile");
  const program: Program = Object.create(flatten(ir, ir.entry, foldCall), { ir_checksum: { value: "" } });
  const listings = kinds.map((kind) => disassemble(program, kind).replace(/ +\n/, "\n"));
  await expect(`${source}\n${listings.join("\n")}`).toMatchFileSnapshot(`../../fixtures/bytecode/${name}.txt`);
});
