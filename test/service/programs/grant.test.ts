/** Deployments that a later grant refuses (P-7). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMPTY_GRANT } from "../../../vm/grant/grant.ts";
import { servingJobs, temporaryFolder } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const ECHO = { code: "E /echo P ->L1\nL1:\n  R ext.Echo 1 ->x\n  J x\n" };

describe("a grant that is tightened (P-7)", () => {
  it("refuses runs, endpoints and jobs of a deployment that stays, and /ready says so", async () => {
    const before = await servingJobs({ stateDir: folder.path });
    const deployed = await before.call("PUT", "/programs/echo", ECHO);
    expect(deployed.body.warnings).toEqual([]);
    await before.call("PUT", "/programs/fine", { code: "L1:\n  J 1\n" });
    await before.stop();

    const after = await servingJobs({
      stateDir: folder.path,
      floor: { ...EMPTY_GRANT, forbidden_adapters: ["ext"] },
    });
    try {
      await after.logged("program_refused", (one) => one["program"] === "echo");
      const ready = await after.call("GET", "/ready");
      expect([ready.status, ready.body.warnings]).toEqual([200, [expect.stringContaining("program_refused: echo: ")]]);
      const { body: shown } = await after.call("GET", "/programs/echo");
      expect(shown.warnings).toEqual([expect.stringContaining("program_refused: echo: ")]);
      expect((await after.run({ program: "echo" })).status).toBe(403);
      expect((await after.call("POST", "/enqueue", { program: "echo" })).status).toBe(403);
      const endpoint = await exchange(after.port, "POST", "/app/echo/echo", {});
      expect([endpoint.status, endpoint.body.error]).toEqual([403, "policy_violation"]);
      expect((await after.run({ program: "fine" })).body.out).toBe(1);
      await after.call("PUT", "/programs/echo", { code: "L1:\n  J 1\n" });
      expect((await after.call("GET", "/ready")).body.warnings).toBeUndefined();
    } finally {
      await after.stop();
    }
  });
});
