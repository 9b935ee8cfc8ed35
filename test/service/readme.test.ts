/** "Run the service" in the README, with its commands as they stand there: only the port is another. Needs bash and curl. */
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "./jobs/serving-jobs.ts";

const README = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");
const section = README.split("## Run the service\n")[1]?.split("\n## ")[0] ?? "";
const [, requests = ""] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? "");

const absent = missingTool();
if (absent !== null) console.warn(`test/service/readme.test.ts: skipped, ${absent}`);

function missingTool(): string | null {
  try {
    execFileSync("bash", ["-c", "curl --version"], { stdio: "ignore" });
    return null;
  } catch {
    return "bash or curl is missing";
  }
}

let serving: JobServing | null = null;
afterEach(async () => {
  await serving?.stop();
  serving = null;
});

describe("the README's section on the service", () => {
  it.skipIf(absent !== null)("shows commands that work as they are", async () => {
    serving = await servingJobs();
    const script = requests.replaceAll("localhost:8770", `127.0.0.1:${serving.port}`);
    expect(requests).toContain("curl");
    const { stdout } = await promisify(execFile)("bash", ["-euc", script]);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { status: "ok" },
      { ok: true, out: 5 },
      { ok: true, out: 42 },
      { ok: true, succeeded: 2, results: [{ out: 7 }, { out: 14 }] },
      { status: "succeeded", result: { ok: true, out: 5 } },
      { runs_total: 5 },
    ]);
  });
});
