/** Code is generated from bytecode on every surface, unless the operator says otherwise. */
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

describe("code is generated", () => {
  it.each<[title: string, options: Partial<RuntimeOptions>]>([
    ["by default", {}],
    ["under a profile for trusted authors", { profile: "operator_full" }],
    ["under the profile for untrusted authors", { profile: "consumer_secure_default" }],
    ["in strict mode", { strictProfile: "local_minimal" }],
  ])("%s, unless the operator forbids it", async (_title, options) => {
    expect(await tierOf(options)).toBe("generated");
    expect(await tierOf(options, { WF_TIER: "auto" })).toBe("generated");
    expect(await tierOf(options, { WF_TIER: "off" })).toBe("none");
  });

  it("by the MCP server, unless the operator forbids it", async () => {
    for (const [variables, expected] of [
      [{}, "generated"],
      [{ WF_TIER: "off" }, "none"],
    ] as const) {
      const { runtime } = await start({ variables, clock, uuid, complain: () => {} });
      expect(runtime.gateway.host.tier).toBe(expected);
      await runtime.close();
    }
  });
});
