/**
 * The generated programs under every profile and many requests: what server and caller admit together, each of them admits alone. A
 * run that is refused or denied by one of them is so by both, and a run under both is no longer than under either.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { OPEN_SERVER } from "../../vm/admission/admit.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import { createGateway, type Gateway } from "../../vm/gateway.ts";
import { EMPTY_GRANT, FLOOR_GRANT, type Grant } from "../../vm/grant/grant.ts";
import { fillGrant, PROFILES } from "../../vm/grant/profiles.ts";
import { createHost, type RunAnswer } from "../../vm/host.ts";
import { runs } from "../support/generators.ts";
import { fakeClock, fakeFacts, mockAdapters, mockExt } from "../support/mock-adapters.ts";
import { verifies } from "../support/requirements.ts";
import { compileForTest } from "../support/run-case.ts";

const CATALOG = createCatalog([...builtinAdapters, mockExt]);

/** A gateway of which everything is made anew, so that runs cannot see one another. */
function gatewayUnder(grant: Grant): Gateway {
  const clock = fakeClock();
  const host = createHost({
    clock,
    facts: fakeFacts(),
    catalog: CATALOG,
    adapters: mockAdapters(clock),
    traceId: () => "t",
  });
  const link = async () => ({ ok: true, adapter: null, warnings: [] }) as const;
  const sides = [{ source: "server", grant }];
  return createGateway(host, { settings: builtinSettings, link }, { ...OPEN_SERVER, sides });
}

/** How a program ends: refused by policy, or the answer of its run. */
async function end(grant: Grant, request: CallerRequest, ir: Ir, frame: JsonObject): Promise<RunAnswer | "refused"> {
  const gateway = gatewayUnder(grant);
  const admission = gateway.admit(request);
  if (!admission.ok) throw new Error(JSON.stringify(admission.issues));
  const prepared = await gateway.prepare(ir, admission);
  return prepared.ok ? gateway.run(prepared, { frame }) : "refused";
}

const requestsOf = (limits: object, allowed: readonly string[] | null): readonly CallerRequest[] => [
  { limits, allowed_adapters: allowed },
  { limits, policy: { forbidden_effects: ["io-write"] } },
  { limits, policy: { forbidden_privilege_tiers: ["operator_sensitive"] }, allowed_adapters: ["core", "ext", "cache"] },
];

it("a merge admits only what each side admits alone", { timeout: 120_000 }, async () => {
  verifies("grant.merge.restrictive", "profile.loaded-as-server-grant");
  const admittedBy = new Map<string, number>();
  for (const { source, frame, limits, allowedAdapters } of fc.sample(runs, { seed: 11, numRuns: 60 })) {
    const ir = compileForTest(source, false, Object.keys(frame));
    for (const profile of PROFILES) {
      const server = fillGrant(profile, FLOOR_GRANT);
      const serverAlone = await end(server, {}, ir, frame);
      for (const request of requestsOf(limits, allowedAdapters)) {
        const both = await end(server, request, ir, frame);
        if (both === "refused" || !both.ok) continue;
        admittedBy.set(profile.name, (admittedBy.get(profile.name) ?? 0) + 1);
        const callerAlone = await end(EMPTY_GRANT, request, ir, frame);
        // Frames are measured only where a limit asks for it.
        const { frame_bytes, ...usage } = both.usage;
        for (const alone of [serverAlone, callerAlone]) expect(alone).toMatchObject({ ok: true, out: both.out, usage });
      }
    }
  }
  // The programs are worth it: every profile admits some of them.
  for (const { name } of PROFILES) expect([name, admittedBy.get(name) ?? 0]).not.toEqual([name, 0]);
});
