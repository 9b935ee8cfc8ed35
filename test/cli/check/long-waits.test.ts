/** `wf check` of waits that are longer than a job lives: 30 days, or what the project says of the program (D2.Q-2). */
import { describe, expect, it } from "vitest";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const FILES = {
  "slow.wf": 'from weft import timer\n\n\ndef main():\n    timer.sleep("60d")\n    return 1\n',
  "steps.wf": 'L1:\n  R signal.wait "go" {"timeout": "60d"} ->s\n  J s.received\n',
};

describe("a wait that is longer than a job lives", () => {
  it("is a warning with its line, in both forms, and --deny-warnings fails", async () => {
    const cwd = folderWith(FILES);
    const checked = await wf(["check", "slow.wf", "steps.wf"], { cwd });
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain("slow.wf:5:5 warning WF9044 timer.sleep takes 60d, and a job lives for 30d");
    expect(checked.stdout).toContain("steps.wf:2:3 warning WF9044 signal.wait takes 60d, and a job lives for 30d");
    expect((await wf(["check", "slow.wf", "--deny-warnings"], { cwd })).code).toBe(1);
  });

  it("is measured by the lifetime that the project has for the program", async () => {
    const programs = { slow: { lifetime_s: 90 * 86_400 }, steps: { lifetime_s: 3600 } };
    const cwd = folderWith({ ...FILES, "wf.config.json": JSON.stringify({ programs }) });
    const { stdout } = await wf(["check", "slow.wf", "steps.wf"], { cwd });
    expect(stdout).not.toContain("slow.wf:");
    expect(stdout).toContain("signal.wait takes 60d, and a job lives for 1h");
  });
});
