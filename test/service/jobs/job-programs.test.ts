/** Jobs of one program share what reading and checking it takes. */
import { describe, expect, it, vi } from "vitest";
import { JobPrograms } from "../../../service/jobs/run/job-programs.ts";
import { servingJobs } from "./serving-jobs.ts";

describe("the program of jobs", () => {
  it("is normalised and prepared once, however many run it", async () => {
    const service = await servingJobs();
    try {
      const prepare = vi.spyOn(service.services.gateway, "prepare");
      const code = "# frame: a: number\nL1:\n  R core.ADD a 3 ->x\n  J x\n";
      for (let a = 0; a < 5; a++) {
        const { body } = await service.over(await service.queued({ code, frame: { a } }));
        expect(body.result.out).toBe(a + 3);
      }
      // One that was compiled, for each request, and one that was read, for all jobs together.
      expect(prepare).toHaveBeenCalledTimes(6);
      expect(new Set(prepare.mock.calls.map(([ir]) => ir)).size).toBe(2);
    } finally {
      await service.stop();
    }
  });

  it("is kept within bounds", () => {
    const programs = new JobPrograms();
    const work = (n: number, size = 1) => ({
      checksum: `sha256:${n}`,
      program: JSON.stringify({ n, text: "x".repeat(size) }),
    });
    const first = programs.read(work(0));
    expect(programs.read(work(0))).toBe(first);
    expect(programs.read(work(1, 300_000))).not.toBe(programs.read(work(1, 300_000)));
    for (let n = 2; n < 70; n++) programs.read(work(n));
    expect(programs.read(work(0))).not.toBe(first);
  });
});
