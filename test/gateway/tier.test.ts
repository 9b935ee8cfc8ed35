/** Where code is generated for short programs, and where the operator has to ask for it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHostConfig } from "../../adapters/operator/host-config.ts";
import { openRuntime, type RuntimeOptions } from "../../adapters/runtime.ts";
import { start } from "../../mcp/start.ts";
import { setTierDefaults } from "../../vm/tier/policy.ts";
import { fakeClock } from "../support/mock-adapters.ts";

const clock = fakeClock();
const uuid = (): string => "00000000-0000-4000-8000-000000000000";

async function tierOf(options: Partial<RuntimeOptions>, variables: Record<string, string> = {}): Promise<string> {
  const read = readHostConfig(variables);
  if (!read.ok) throw new Error(read.message);
  const runtime = openRuntime({ config: read.config, clock, uuid, log: () => {}, ...options });
  const { tier } = runtime.gateway.host;
  await runtime.close();
  return tier;
}

const before = setTierDefaults({});
beforeAll(() => void setTierDefaults({ isDisabled: false }));
afterAll(() => void setTierDefaults(before));

const AUTO = { WF_TIER: "auto" };

describe("code is generated for short programs", () => {
  it.each<[title: string, options: Partial<RuntimeOptions>, expected: string]>([
    ["by default", {}, "generated"],
    ["under a profile for trusted authors", { profile: "operator_full" }, "generated"],
    ["not under the profile for untrusted authors", { profile: "consumer_secure_default" }, "closures"],
    ["not in strict mode", { strictProfile: "local_minimal" }, "closures"],
    ["not where the surface does without", { tier: "off" }, "closures"],
  ])("%s", async (_title, options, expected) => {
    expect(await tierOf(options)).toBe(expected);
    expect(await tierOf(options, AUTO)).toBe("generated");
    expect(await tierOf(options, { WF_TIER: "off" })).toBe("closures");
  });

  it("by the MCP server only when it is asked for", async () => {
    for (const [variables, expected] of [
      [{}, "closures"],
      [AUTO, "generated"],
    ] as const) {
      const { runtime } = await start({ variables, clock, uuid, complain: () => {} });
      expect(runtime.gateway.host.tier).toBe(expected);
      await runtime.close();
    }
  });
});
