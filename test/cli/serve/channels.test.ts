/** A version next to the current one from the command line (T.A-2). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const web = (answer: number) => `@api("/who", method="GET")\ndef who():\n    return ${answer}\n`;

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

const run = (cwd: string, ...argv: readonly string[]) =>
  wf([...argv, "--server", `http://127.0.0.1:${service.port}`, "--no-color"], {
    cwd,
    environment: {},
    clock: realClock,
    stdin: "",
  });
const nextOf = async (name: string) => (await service.call("GET", `/programs/${name}`)).body.next;

describe("wf programs", () => {
  it("gives a version a share, promotes it and ends it", async () => {
    const cwd = folderWith({ "one.py": web(1), "two.py": web(2) });
    await run(cwd, "deploy", "one.py", "--name", "web", "--yes");
    const staged = await run(cwd, "deploy", "two.py", "--name", "web", "--yes", "--weight", "10");
    expect([staged.code, staged.stderr]).toEqual([0, expect.stringContaining("version 2 has 10 % of the calls")]);
    expect((await run(cwd, "programs", "list")).stdout).toMatch(/web +1, 2 \(10 %\)/);
    const flags = ["--weight", "50", "--key", "header:X-Customer", "--abort-percent", "5", "--abort-of", "50"];
    const set = await run(cwd, "programs", "next", "web", "2", ...flags);
    expect(set.stdout).toBe("web  version 2 has 50 % of the calls, version 1 the others\n");
    const abort = { failures_percent: 5, of: 50 };
    expect(await nextOf("web")).toMatchObject({ version: 2, weight: 50, key: { header: "X-Customer" }, abort });
    expect((await run(cwd, "programs", "abort", "web")).stdout).toBe("web  version 1 has all calls\n");
    expect(await nextOf("web")).toBeNull();
    const none = await run(cwd, "programs", "promote", "web");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("next_invalid")]);
    await run(cwd, "programs", "next", "web", "2", "--weight", "1");
    expect((await run(cwd, "programs", "promote", "web")).stdout).toBe("web  version 2 is current\n");
  });

  it("refuses flags that are missing, wrong or of another action", async () => {
    const cwd = folderWith({ "one.py": web(1) });
    for (const [argv, words] of [
      [["next", "web", "2"], "next needs --weight PERCENT"],
      [["next", "web"], "missing VERSION"],
      [["next", "web", "2", "--weight", "101"], "option --weight needs a whole number from 0 to 100"],
      [["next", "web", "2", "--weight", "5", "--key", "cookie:a"], "option --key needs header:NAME or query:NAME"],
      [["next", "web", "2", "--weight", "5", "--abort-of", "50"], "--abort-percent and --abort-of belong together"],
      [
        ["next", "web", "2", "--weight", "5", "--abort-percent", "5", "--abort-of", "0"],
        "option --abort-of needs a whole number from 1 to 1000",
      ],
      [["promote", "web", "--weight", "5"], "go with next"],
    ] as const) {
      const { code, stderr } = await run(cwd, "programs", ...argv);
      expect([code, stderr], words).toEqual([2, expect.stringContaining(words)]);
    }
    const deploy = await run(cwd, "deploy", "one.py", "--weight", "x");
    expect([deploy.code, deploy.stderr]).toEqual([2, expect.stringContaining("option --weight needs a whole number")]);
  });

  it("puts an accepted proposal next to the current version", async () => {
    const cwd = folderWith({ "asked.py": web(1) });
    await run(cwd, "deploy", "asked.py", "--yes");
    const made = await service.call("PUT", "/programs/asked?propose=1", { code: web(2) });
    const accept = ["proposals", "accept", made.body.id, "--comment", "right", "--yes", "--next"];
    expect((await run(cwd, ...accept)).stdout).toBe("asked  accepted  version 2 is next to the current one\n");
    expect(await nextOf("asked")).toMatchObject({ version: 2, weight: 0 });
    expect((await run(cwd, "proposals", "list", "--next")).stderr).toContain("--next goes with accept");
  });
});
