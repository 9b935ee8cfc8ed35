/** The statements of the contract about versions that hold without a service: what IR carries, and what additions may not change. */
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import { verifies } from "../support/requirements.ts";
import { catalog, irOf, run, world } from "../support/world.ts";

const SOURCE = "S app api /api\nL1:\n  R core.ADD 2 3 ->x\n  J x\n";

describe("versions", () => {
  it("every IR object of the compiler carries ir_version, in both modes", () => {
    verifies("versioning.ir");
    for (const strict of [true, false]) {
      for (const source of [SOURCE, "L1:\n  J 1\n", "", "Q mail\n", "Set x 1\nJ x\n"]) {
        const { ir } = compile(source, { strict, catalog });
        if (strict && ir === null) continue;
        expect([source, ir?.ir_version]).toEqual([source, "1.0"]);
      }
    }
  });

  it("hints and host-level additions change nothing of what a program computes", async () => {
    verifies("versioning.additive");
    const ir = irOf(SOURCE);
    const plain = await run(SOURCE);
    const advice = { ...ir.execution_requirements, isolation_level: "container", resource_profile: "large" };
    const hinted = normalize(
      JSON.parse(JSON.stringify({ ...ir, execution_requirements: advice, x_sandbox_hint: { cpu: 1 } })),
      catalog,
    );
    if (!hinted.ok) throw new Error("refused");
    expect(hinted.ir.checksum).toBe(ir.checksum);
    expect(hinted.ir.ir_version).toBe(ir.ir_version);
    const answer = await world().host.run({ ir: hinted.ir });
    expect(answer).toMatchObject({ ok: true, out: 5 });
    expect(answer.usage).toEqual(plain.usage);
  });
});
