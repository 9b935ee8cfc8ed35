/** What begins jobs by itself does not begin those of a revoked key: jobs of jobs, next rounds, events (T.A-4). */
import { afterAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/json.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../jobs/serving-jobs.ts";
import { realClock } from "../serving.ts";
import { attestationOf, newSigner, type Signer, trust } from "./signers.ts";

const ann = newSigner("ann");
const bob = newSigner("bob");
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** `revoke`: of ann, in force at once. */
async function trusting() {
  const [keys, state] = [await temporaryFolder(), await temporaryFolder()];
  for (const one of [ann, bob]) trust(keys.path, one);
  let ahead = 0;
  const clock = { ...realClock, now: () => realClock.now() + ahead };
  const variables = { WF_TRUSTED_KEYS: keys.path, WF_ENABLE_ADAPTERS: "core,timer,signal,job,event" };
  const service = await servingJobs({ variables, clock, stateDir: state.path });
  ends.push(keys.remove, state.remove, () => service.stop());
  const revoke = (): void => {
    trust(keys.path, ann, { revoked: "lost" });
    ahead += 1500;
  };
  return { service, revoke };
}

async function deploy(service: JobServing, name: string, body: JsonObject, signer: Signer): Promise<void> {
  const attestation = await attestationOf(service, name, body, signer);
  expect((await service.call("PUT", `/programs/${name}`, { ...body, attestation })).status).toBe(201);
}

describe("a revoked key", () => {
  it("keeps jobs from starting jobs of its versions, and from a next round of their own", async () => {
    const { service, revoke } = await trusting();
    await deploy(service, "child", { code: "def main():\n    return 7\n" }, ann);
    const parent = 'from weft import job\n\n\ndef main():\n    return job.run("child", {})\n';
    await deploy(service, "parent", { code: parent, adapters: { job: { programs: ["child"] } } }, bob);
    const rounds =
      'from weft import job, signal\n\n\ndef main(n: int = 1):\n    signal.wait("go")\n    return job.again({"n": n + 1})\n';
    await deploy(service, "rounds", { code: rounds, adapters: { job: { programs: [] } } }, ann);
    const before = await service.over(await service.queued({ program: "parent", durable: true }));
    expect(before.body.result.out).toBe(7);
    const again = await service.queued({ program: "rounds", durable: true });
    await service.until(again, "waiting");
    revoke();
    const after = await service.over(await service.queued({ program: "parent", durable: true }));
    expect([after.body.status, after.body.result.message]).toEqual([
      "failed",
      expect.stringContaining("the key of ann, which signed 'child', is revoked"),
    ]);
    await service.call("POST", `/result/${again}/signals/go`, { data: null });
    const ended = await service.over(again);
    expect([ended.body.status, ended.body.result.message]).toEqual(["failed", expect.stringContaining("is revoked")]);
  });

  it("keeps an event from starting jobs of its versions, and not from those of others", async () => {
    const { service, revoke } = await trusting();
    const hears = '@on("orders/created")\ndef heard(event):\n    return event["data"]\n';
    const body = { code: hears, adapters: { event: { accept: ["orders/*"] } } };
    await deploy(service, "first", body, ann);
    await deploy(service, "second", body, bob);
    revoke();
    const { id } = (await service.call("POST", "/events", { name: "orders/created", data: 1 })).body;
    await expect
      .poll(async () => (await service.call("GET", `/events/${id}`)).body.starts?.length, { timeout: 10_000 })
      .toBe(2);
    const { starts } = (await service.call("GET", `/events/${id}`)).body;
    expect(starts.map(({ program, outcome, error }: JsonObject) => [program, outcome, error])).toEqual([
      ["first", "refused", "key_revoked"],
      ["second", "started", null],
    ]);
  });
});
