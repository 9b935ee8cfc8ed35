/** The start of a service warns of mailboxes and memory below /tmp where others could use them, and only there. */
import { describe, expect, it } from "vitest";
import { CONTRACT_PLACES, readHostConfig, type Variables } from "../../adapters/operator/host-config.ts";
import { sharedPlaceWarnings } from "../../adapters/operator/shared-places.ts";

const OWN = 1000;
type Found = { readonly uid: number; readonly mode: number } | "EACCES" | null;
type Case = {
  readonly variables?: Variables;
  readonly isReachable?: boolean;
  readonly found?: Readonly<Record<string, Found>>;
};

function warnings({ variables = {}, isReachable = false, found = {} }: Case): readonly string[] {
  const read = readHostConfig(variables, CONTRACT_PLACES);
  if (!read.ok) throw new Error(read.message);
  const look = (path: string) => {
    const facts = found[path] ?? null;
    if (facts === "EACCES") throw Object.assign(new Error(), { code: facts });
    return facts;
  };
  return sharedPlaceWarnings(read.config, { isReachable, user: OWN, look });
}
const MEMORY = CONTRACT_PLACES.memoryDb;
const own = (mode: number): Found => ({ uid: OWN, mode });

describe("the default places of mailboxes and memory", () => {
  it.each<[string, Case]>([
    ["do not exist yet", {}],
    [
      "belong to the user of the service alone",
      { found: { [MEMORY]: own(0o100600), [CONTRACT_PLACES.agentRoot]: own(0o40700) } },
    ],
    ["are not used", { isReachable: true, variables: { WF_AGENT_ROOT: "/own/agents", WF_MEMORY_DB: "/own/memory" } }],
    ["are in a database", { isReachable: true, variables: { WF_DATABASE_URL: "postgres://localhost/weft" } }],
  ])("are not warned of where they %s", (_title, given) => {
    expect(warnings(given)).toEqual([]);
  });

  it.each<[string, Found]>([
    ["belongs to another user", { uid: OWN + 1, mode: 0o100600 }],
    ["can be written by others", own(0o100622)],
    ["can be read by others", own(0o100644)],
    ["is a link", own(0o120777)],
    ["cannot be looked at", "EACCES"],
  ])("are warned of where one %s", (_title, found) => {
    expect(warnings({ found: { [MEMORY]: found } })).toEqual([
      `shared_places: ${MEMORY} belongs to another user of this machine, or others may use it; set WF_AGENT_ROOT and WF_MEMORY_DB`,
    ]);
  });

  it("are warned of where other machines reach the service", () => {
    const [warning, ...more] = warnings({ isReachable: true, variables: { WF_MEMORY_DB: "/own/memory" } });
    expect(warning).toMatch(/^shared_places: .*other machines can reach .*; set WF_AGENT_ROOT and WF_MEMORY_DB$/);
    expect(more).toEqual([]);
  });
});
