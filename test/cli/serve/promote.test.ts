/** `wf promote` between two running services (T.A-3). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const DOUBLE = "def main(a: int):\n    return a * 2\n";
const HOOK = '@api("/hook", method="POST")\ndef hook(a: int):\n    return a\n';
const VERIFIED = { code: HOOK, endpoints: { "/hook": { verify: { kind: "standard", secrets: ["SHOP_KEY"] } } } };

let staging: JobServing;
let production: JobServing;
let careful: JobServing;
beforeAll(async () => {
  staging = await servingJobs({ variables: { WF_SECRET_SHOP_KEY: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" } });
  production = await servingJobs();
  careful = await servingJobs({ variables: { WF_DEPLOY: "proposals" } });
});
afterAll(() => Promise.all([staging, production, careful].map((one) => one.stop())));

const address = ({ port }: JobServing): string => `http://127.0.0.1:${port}`;
const promote = (to: JobServing, ...argv: readonly string[]) =>
  wf(["promote", ...argv, "--from", address(staging), "--to", address(to), "--no-color"], {
    cwd: folderWith({}),
    environment: {},
    clock: realClock,
    stdin: "",
  });
const put = (service: JobServing, name: string, body: object) => service.call("PUT", `/programs/${name}`, body);

describe("wf promote", () => {
  it("brings source, settings, tags and description of a version, with the same checksum", async () => {
    const first = await put(staging, "double", {
      code: DOUBLE,
      frame: { a: 4 },
      tags: { team: "ops" },
      description: "two",
    });
    await put(staging, "double", { code: DOUBLE.replace("2", "3") });
    const done = await promote(production, "double@1");
    expect([done.code, done.stdout]).toEqual([0, "deployed  double 1\n"]);
    const { body } = await production.call("GET", "/programs/double");
    expect(body).toMatchObject({ checksum: first.body.checksum, tags: { team: "ops" }, description: "two" });
    expect((await production.run({ program: "double" })).body.out).toBe(8);
    expect((await promote(production, "double@1")).stdout).toContain("unchanged  double 1");
  });

  it("compares settings, and changes nothing with --dry-run", async () => {
    await put(staging, "sets", { code: DOUBLE, limits: { max_steps: 500 } });
    await put(production, "sets", { code: DOUBLE, limits: { max_steps: 100 } });
    const dry = await promote(production, "sets", "--dry-run");
    expect([dry.code, dry.stderr]).toEqual([
      0,
      expect.stringContaining('limits: {"max_steps":100} → {"max_steps":500}'),
    ]);
    expect((await production.call("GET", "/programs/sets")).body.version).toBe(1);
    expect(documentOf(await promote(production, "sets", "--dry-run", "--json"))).toMatchObject({
      settings_changes: [{ name: "limits", there: { max_steps: 100 }, here: { max_steps: 500 } }],
    });
  });

  it("names secrets that are missing there, and needs --yes then", async () => {
    expect((await put(staging, "shop", VERIFIED)).body.warnings.join()).not.toContain("secret_missing");
    const refused = await promote(production, "shop");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("verifies with secret SHOP_KEY")]);
    expect(refused.stderr + refused.stdout).not.toContain("whsec_");
    expect((await production.call("GET", "/programs/shop")).status).toBe(404);
    expect((await promote(production, "shop", "--yes")).code).toBe(0);
  });

  it("proposes where only proposals are taken, and says where the version comes from", async () => {
    await put(staging, "careful", { code: DOUBLE });
    const direct = await promote(careful, "careful");
    expect([direct.code, direct.stderr]).toEqual([2, expect.stringContaining("proposals only")]);
    expect((await promote(careful, "careful", "--propose")).code).toBe(0);
    const [proposal] = (await careful.call("GET", "/proposals")).body.proposals;
    expect(proposal).toMatchObject({ name: "careful", comment: `promoted from ${address(staging)}, version 1` });
  });

  it("refuses a program that would be another one there", async () => {
    const { expectSame } = await import("../../../cli/promote/promotion.ts");
    const from = { version: 1, checksum: "sha256:a", compiler: "1.0.0", semantics: 1, settings: {}, ir: {} };
    expect(() => expectSame("x", from, "sha256:a")).not.toThrow();
    expect(() => expectSame("x", from, "sha256:b")).toThrow("another program there");
  });

  it.each([
    ["no name", [], "missing NAME"],
    ["a name that no deployment can have", ["A b"], "NAME must look like"],
    ["a program that is not there", ["nothing"], "no program is deployed"],
    ["a version that is not there", ["double@9"], "has no version 9"],
  ])("refuses %s", async (_what, argv, message) => {
    const { code, stderr } = await promote(production, ...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("needs both addresses", async () => {
    const { code, stderr } = await wf(["promote", "x", "--from", "http://a"], {
      cwd: folderWith({}),
      environment: {},
      stdin: "",
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("--from URL and --to URL")]);
  });
});
