/** What a run that is refused, or stopped at a call, tells: limits, usage, and flags only where flags help. */
import { describe, expect, it } from "vitest";
import { FLOOR_GRANT } from "../../../vm/grant/grant.ts";
import { verifies } from "../../support/requirements.ts";
import { documentOf, wf } from "../console.ts";

const DIV = "L1:\n  Set n 0\n  R core.DIV 10 n ->x\n  J x\n";

describe("a denial", () => {
  it("answers a violation with limits and usage", async () => {
    verifies("response.usage", "cli.exit.3");
    const result = await wf(["run", "-", "--json", "--forbid-adapter", "core"], { stdin: DIV });
    expect(result.code).toBe(3);
    const usage = { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };
    expect(documentOf(result)).toMatchObject({ error: "policy_violation", limits: FLOOR_GRANT.limits, usage });
  });

  it("names a flag for a call outside the allowlist only where a flag helps", async () => {
    verifies("errors.allowlist-miss");
    const byFlag = await wf(["run", "-", "--allow", "http"], { stdin: DIV });
    expect(byFlag.stderr).toContain("= help: add --allow-adapter core\n");
    const environment = { WF_HOST_ADAPTER_ALLOWLIST: "http" };
    const byServer = await wf(["run", "-", "--allow", "http"], { stdin: DIV, environment });
    expect(byServer.code).toBe(1);
    expect(byServer.stderr).toContain(
      "= help: no flag changes this: adapter core is outside the allowlist of server\n",
    );
  });

  it("by a list of the operator that names an unknown adapter says so, and runs what it can", async () => {
    const environment = { WF_HOST_ADAPTER_ALLOWLIST: "core,sqlit" };
    const result = await wf(["run", "-", "--json"], { stdin: "L1:\n  R core.ADD 2 3 ->x\n  J x\n", environment });
    expect(result.code).toBe(0);
    const warning =
      "unknown_adapter_name: no adapter is called 'sqlit'; did you mean sqlite? (WF_HOST_ADAPTER_ALLOWLIST)";
    expect(documentOf(result)).toMatchObject({ out: 5, warnings: [warning] });
  });
});
