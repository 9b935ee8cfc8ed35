/** Signed versions: what a service with trusted keys admits, and what it runs (T.A-4). */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../compiler/json.ts";
import { readServiceStart } from "../../../service/config.ts";
import type { Attestation } from "../../../vm/attestation/attestation.ts";
import type { Clock } from "../../../vm/run.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../jobs/serving-jobs.ts";
import { exchange, realClock } from "../serving.ts";
import { attestationOf, newSigner, resigned, type Signer, trust } from "./signers.ts";

const DOUBLE = "def main(a: int = 3):\n    return a * 2\n";
const TRIPLE = DOUBLE.replace("a * 2", "a * 3");
const ann = newSigner("ann");
const bob = newSigner("bob");

const folders: { remove(): Promise<void> }[] = [];
const opened: JobServing[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});
afterAll(() => Promise.all(folders.map((one) => one.remove())));

async function folder(): Promise<string> {
  const made = await temporaryFolder();
  folders.push(made);
  return made.path;
}

type Trusting = { readonly service: JobServing; readonly keys: string };

/** A service that trusts both. `variables`: further ones. */
async function trusting(
  variables: Record<string, string> = {},
  options: JobServingOptions = {},
  keys?: string,
): Promise<Trusting> {
  const place = keys ?? (await folder());
  if (keys === undefined) for (const one of [ann, bob]) trust(place, one);
  const service = await servingJobs({ ...options, variables: { WF_TRUSTED_KEYS: place, ...variables } });
  opened.push(service);
  return { service, keys: place };
}

async function serving(options: JobServingOptions = {}): Promise<JobServing> {
  const service = await servingJobs(options);
  opened.push(service);
  return service;
}

const put = (service: JobServing, name: string, body: object, query = "") =>
  service.call("PUT", `/programs/${name}${query}`, body);
const signedBody = async (service: JobServing, name: string, body: JsonObject, signer: Signer, when?: number) => ({
  ...body,
  attestation: await attestationOf(service, name, body, signer, when),
});
const deploy = async (service: JobServing, name: string, body: JsonObject, signer: Signer) =>
  put(service, name, await signedBody(service, name, body, signer));
const refusal = ({ status, body }: { status: number; body: { error: string } }) => `${status} ${body.error}`;

/** A clock that a test can set ahead. */
function movable(): Clock & { ahead(ms: number): void } {
  let offset = 0;
  return {
    ...realClock,
    now: () => realClock.now() + offset,
    wall: () => realClock.wall() + offset,
    ahead(ms) {
      offset += ms;
    },
  };
}

describe("a service with trusted keys", () => {
  it("admits a version with its signature, says who made it, and refuses one without", async () => {
    const { service } = await trusting();
    expect(refusal(await put(service, "double", { code: DOUBLE }))).toBe("403 attestation_missing");
    const dry = await put(service, "double", { code: DOUBLE }, "?dry_run=1");
    expect(dry.body.warnings.join()).toContain("version_unsigned: ");
    expect((await service.call("GET", "/programs")).body.programs).toEqual([]);
    const body = await signedBody(service, "double", { code: DOUBLE, frame: { a: 5 }, tags: { t: "1" } }, ann);
    expect((await put(service, "double", body, "?dry_run=1")).body.warnings.join()).not.toContain("attestation");
    expect(await put(service, "double", body)).toMatchObject({ status: 201, body: { version: 1 } });
    expect((await service.run({ program: "double" })).body.out).toBe(10);
    const signed = { by: "ann", key: ann.key.id, at: body.attestation.when, trusted: true };
    expect((await service.call("GET", "/programs/double")).body.signed).toEqual(signed);
    expect((await service.call("GET", "/programs")).body.programs[0].signed).toEqual(signed);
    expect((await service.call("GET", "/programs/double/versions")).body.versions[0].signed).toEqual(signed);
    const version = await service.call("GET", "/programs/double/versions/1");
    expect(version.body).toMatchObject({ signed, attestation: body.attestation });
  });

  it("shows the name that its operator gave the key, and not what the signer calls itself", async () => {
    const { service } = await trusting();
    await deploy(service, "double", { code: DOUBLE }, { ...bob, name: "ann" });
    expect((await service.call("GET", "/programs/double")).body.signed).toMatchObject({ by: "bob", trusted: true });
  });

  it("refuses an attestation of another name, source, setting, report or compiler, and says which", async () => {
    const { service } = await trusting();
    const settings: JsonObject = {
      code: DOUBLE,
      limits: { max_steps: 100 },
      frame: { constructor: 1 },
    };
    const { attestation } = await signedBody(service, "double", settings, ann);
    const tried = async (name: string, changes: object) => {
      const { status, body } = await put(service, name, { ...settings, attestation, ...changes });
      return `${status} ${body.error} ${(body.issues ?? []).map(({ path }: { path: string }) => path).join()}`;
    };
    const differs = "403 attestation_differs /attestation/";
    expect(await tried("triple", {})).toBe(`${differs}name`);
    expect(await tried("double", { code: TRIPLE })).toBe(`${differs}source,/attestation/checksum`);
    expect(await tried("double", { code: `${DOUBLE}# a comment\n` })).toBe(`${differs}source`);
    for (const changes of [
      { limits: { max_steps: 1000 } },
      { limits: null },
      { durable: false },
      { frame: { constructor: 2 } },
      { frame: { constructor: 1, toString: 1 } },
      { frame: {} },
      { endpoints: {} },
    ])
      expect(await tried("double", changes), JSON.stringify(changes)).toBe(`${differs}settings`);
    const other = (changes: object) => ({ attestation: resigned(attestation, ann, changes) });
    expect(await tried("double", other({ report: attestation.source }))).toBe(`${differs}report`);
    expect(await tried("double", other({ compiler: "0.9.0" }))).toBe(`${differs}compiler`);
    expect(await tried("double", other({ kind: "ir" }))).toBe(`${differs}kind`);
    const hidden = `${JSON.stringify({ ...settings, attestation }).slice(0, -1)},"__proto__":{"limits":{}}}`;
    expect((await service.call("PUT", "/programs/double", hidden)).body.error).toBe("invalid_request");
    expect((await put(service, "double", { ...settings, attestation })).status).toBe(201);
  });

  it("tells a number from another one that JavaScript takes for the same", async () => {
    const { service } = await trusting();
    const text = (a: string) => `{"code":${JSON.stringify(DOUBLE)},"frame":{"a":${a}}`;
    const { readExactly } = await import("../../../vm/inputs/exact-text.ts");
    const body = readExactly(`${text("100000000000000000001")}}`) as JsonObject;
    const attestation = JSON.stringify(await attestationOf(service, "double", body, ann));
    const sent = (a: string) => service.call("PUT", "/programs/double", `${text(a)},"attestation":${attestation}}`);
    expect((await sent("100000000000000000000")).body.error).toBe("attestation_differs");
    expect((await sent("100000000000000000001")).status).toBe(201);
  });

  it("refuses a signature that was changed, made by another key, or comes from the future", async () => {
    const { service } = await trusting();
    const { attestation } = await signedBody(service, "double", { code: DOUBLE }, ann);
    const tried = async (changes: object) =>
      refusal(await put(service, "double", { code: DOUBLE, attestation: { ...attestation, ...changes } }));
    expect(await tried({ who: "eve" })).toBe("403 attestation_invalid");
    expect(await tried({ when: "2026-01-01T00:00:00.000Z" })).toBe("403 attestation_invalid");
    expect(await tried({ key: bob.key.id })).toBe("403 attestation_invalid");
    expect(await tried({ signature: `${"A".repeat(86)}==` })).toBe("403 attestation_invalid");
    expect(await tried({ signature: `${attestation.signature.slice(0, 85)}B==` })).toBe("403 attestation_invalid");
    expect(await tried({ key: newSigner("eve").key.id })).toBe("403 key_unknown");
    expect(await tried(await attestationOf(service, "double", { code: DOUBLE }, newSigner("eve")))).toBe(
      "403 key_unknown",
    );
    const ahead = resigned(attestation, ann, { when: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await tried(ahead)).toBe("403 attestation_invalid");
    expect(await tried({})).toBe("201 undefined");
  });

  it("refuses what is not an attestation before it looks at keys", async () => {
    const { service } = await trusting();
    const { attestation } = await signedBody(service, "double", { code: DOUBLE }, ann);
    const body = (text: string) => `{"code":${JSON.stringify(DOUBLE)},"attestation":${text}}`;
    const json = JSON.stringify(attestation);
    const huge = "x".repeat(1024 * 1024);
    for (const text of [
      JSON.stringify({ ...attestation, alg: "none" }),
      JSON.stringify({ ...attestation, algorithm: "HS256" }),
      JSON.stringify({ ...attestation, type: "weft.attestation/2" }),
      json.replace("{", '{"__proto__":{"key":"x"},'),
      JSON.stringify({ ...attestation, who: huge }),
      JSON.stringify({ ...attestation, [huge]: 1 }),
      JSON.stringify({ ...attestation, signature: huge }),
      JSON.stringify({ ...attestation, signature: attestation.signature.replace("==", "") }),
      JSON.stringify({ ...attestation, key: "__proto__" }),
      JSON.stringify({ ...attestation, when: "yesterday" }),
      JSON.stringify({ ...attestation, who: undefined }),
      JSON.stringify([attestation]),
      '"none"',
      "true",
    ]) {
      const { status, body: answer } = await service.call("PUT", "/programs/double", body(text));
      expect(`${status} ${answer.error}`, text.slice(0, 200)).toBe("400 invalid_request");
    }
    expect((await service.call("PUT", "/programs/double", body("null"))).body.error).toBe("attestation_missing");
  });

  it("keeps the signature of a version that is signed again, as it is the same version", async () => {
    const { service } = await trusting();
    await deploy(service, "double", { code: DOUBLE }, ann);
    const again = await deploy(service, "double", { code: DOUBLE }, bob);
    expect(again).toMatchObject({ status: 200, body: { version: 1, unchanged: true } });
    expect((await service.call("GET", "/programs/double")).body.signed.by).toBe("bob");
  });

  it("takes IR with a signature of its own kind alone", async () => {
    const { service } = await trusting();
    const body = await signedBody(service, "double", { code: DOUBLE }, ann);
    await put(service, "double", body);
    const { ir } = (await service.call("GET", "/programs/double/versions/1")).body;
    expect(refusal(await put(service, "double", { ir }))).toBe("403 attestation_missing");
    expect(refusal(await put(service, "double", { ir, attestation: body.attestation }))).toBe(
      "403 attestation_differs",
    );
    const { canonicalJson } = await import("../../../compiler/ir/canonical.ts");
    const { hashOf } = await import("../../../vm/attestation/attestation.ts");
    const kind = { kind: "ir", source: hashOf(canonicalJson(ir)), compiler: null };
    const attestation = resigned(body.attestation, ann, kind);
    expect(refusal(await put(service, "double", { code: DOUBLE, attestation }))).toBe("403 attestation_differs");
    expect(await put(service, "double", { ir, attestation })).toMatchObject({ status: 200, body: { version: 2 } });
    const described = structuredClone(ir);
    described.labels.main.python.doc = "Send me all secrets.";
    const { body: answer } = await put(service, "double", { ir: described, attestation });
    expect([answer.error, answer.issues?.map(({ path }: { path: string }) => path)]).toEqual([
      "attestation_differs",
      ["/attestation/source"],
    ]);
  });
});

describe("the end of a key", () => {
  it("stops new versions, and neither runs nor a way back to versions that were admitted before", async () => {
    const clock = movable();
    const keys = await folder();
    trust(keys, ann, { until: new Date(Date.now() + 86_400_000).toISOString() });
    const { service } = await trusting({}, { clock }, keys);
    await deploy(service, "double", { code: DOUBLE }, ann);
    await deploy(service, "double", { code: TRIPLE }, ann);
    const prepared = await signedBody(service, "later", { code: DOUBLE }, ann);
    clock.ahead(2 * 86_400_000);
    expect((await service.run({ program: "double" })).body.out).toBe(9);
    expect((await service.call("POST", "/programs/double/rollback", { version: 1 })).status).toBe(200);
    expect((await service.run({ program: "double" })).body.out).toBe(6);
    // Signed in time, and admitted too late.
    expect(refusal(await put(service, "later", prepared))).toBe("403 key_expired");
    const late = await signedBody(service, "later", { code: DOUBLE }, ann, clock.wall());
    expect(refusal(await put(service, "later", late))).toBe("403 key_expired");
  });
});

describe("a revoked key", () => {
  it("stops every way to a new run of its versions, those that are queued too, until they are signed anew", async () => {
    const clock = movable();
    const { service, keys } = await trusting({}, { clock });
    const code = `@api("/hook", method="POST")\n@cron("0 3 * * *")\n${DOUBLE}`;
    await deploy(service, "double", { code }, ann);
    await deploy(service, "other", { code: TRIPLE }, bob);
    const hook = () => exchange(service.port, "POST", "/app/double/hook", {});
    expect((await hook()).body).toBe(6);
    const failed = await service.queued({ program: "double", limits: { max_steps: 1 } });
    await service.over(failed);
    const queued = await service.queued({ program: "double", run_at: new Date(clock.wall() + 4000).toISOString() });
    trust(keys, ann, { revoked: "the laptop was stolen" });
    clock.ahead(1500);
    for (const tried of [
      service.run({ program: "double" }),
      service.run({ program: "double@1" }),
      service.call("POST", "/enqueue", { program: "double" }),
      service.call("POST", "/batch", { program: "double", frames: [{}] }),
      service.call("POST", `/result/${failed}/retry`, {}),
      service.call("POST", "/programs/double/rollback", { version: 1 }),
      service.call("POST", "/schedules/double/main/run", {}),
      hook(),
    ])
      expect(refusal(await tried)).toBe("403 key_revoked");
    expect((await service.run({ program: "other" })).body.out).toBe(9);
    expect((await service.call("GET", "/programs/double")).body.signed).toMatchObject({ by: "ann", trusted: false });
    clock.ahead(4000);
    const job = await service.over(queued);
    expect([job.body.status, job.body.error]).toEqual(["rejected", "key_revoked"]);
    const warnings = async () => ((await service.call("GET", "/ready")).body.warnings ?? []).join();
    expect(await warnings()).toContain("program_refused: double: the key of ann");
    await deploy(service, "double", { code }, bob);
    expect((await hook()).body).toBe(6);
    expect(await warnings()).not.toContain("program_refused");
  });

  it("counts as soon as its file says so, and files that are not valid change nothing", async () => {
    const clock = movable();
    const { service, keys } = await trusting({}, { clock });
    await deploy(service, "double", { code: DOUBLE }, ann);
    const ready = async () => ((await service.call("GET", "/ready")).body.warnings ?? []).join();
    writeFileSync(join(keys, "ann.json"), '{"keys": [');
    clock.ahead(1500);
    expect((await service.run({ program: "double" })).body.out).toBe(6);
    expect(await ready()).toContain("trusted_keys_stale: ");
    trust(keys, ann, { revoked: "lost" });
    clock.ahead(1500);
    expect(refusal(await service.run({ program: "double" }))).toBe("403 key_revoked");
    expect(await ready()).not.toContain("trusted_keys_stale");
    // A key that is not there any more counts no more than an unknown one.
    writeFileSync(join(keys, "ann.json"), '{"keys": []}');
    clock.ahead(1500);
    expect(refusal(await service.run({ program: "double" }))).toBe("403 key_unknown");
  });
});

describe("versions from before there were keys", () => {
  it("run when they were signed, and else neither run nor become current again", async () => {
    const stateDir = await folder();
    const before = await serving({ stateDir });
    await put(before, "double", { code: DOUBLE });
    await deploy(before, "double", { code: TRIPLE }, ann);
    expect((await before.call("GET", "/programs/double")).body.signed).toMatchObject({ by: "ann", trusted: false });
    await put(before, "plain", { code: DOUBLE });
    await before.stop();
    opened.splice(0);
    const { service } = await trusting({}, { stateDir });
    expect((await service.run({ program: "double" })).body.out).toBe(9);
    expect((await service.call("GET", "/programs/double")).body.signed).toMatchObject({ by: "ann", trusted: true });
    expect(refusal(await service.run({ program: "double@1" }))).toBe("403 attestation_missing");
    expect(refusal(await service.run({ program: "plain" }))).toBe("403 attestation_missing");
    expect(refusal(await service.call("POST", "/programs/double/rollback", { version: 1 }))).toBe(
      "403 attestation_missing",
    );
    expect((await service.call("GET", "/ready")).body.warnings.join()).toContain("program_refused: plain: ");
  });

  it("let their jobs be retried once their content is signed, as the current version or as the next one", async () => {
    const stateDir = await folder();
    const before = await serving({ stateDir });
    await put(before, "double", { code: DOUBLE });
    const failed = await before.queued({ program: "double", limits: { max_steps: 1 } });
    await before.over(failed);
    await deploy(before, "double", { code: TRIPLE }, ann);
    await before.stop();
    opened.splice(0);
    const { service } = await trusting({}, { stateDir });
    const refused = await service.call("POST", `/result/${failed}/retry`, {});
    expect(refusal(refused)).toBe("403 attestation_missing");
    expect(refused.body.message).toContain("`wf deploy FILE --sign KEY` with its source signs it");
    // Next to the current version, whose calls are left alone.
    const signed = await put(service, "double", await signedBody(service, "double", { code: DOUBLE }, bob), "?next=1");
    expect(signed).toMatchObject({ status: 200, body: { version: 3, unchanged: false } });
    const { status, body } = await service.call("POST", `/result/${failed}/retry`, {});
    expect(status).toBe(202);
    expect((await service.over(body.job_id)).body.status).toBe("failed");
    expect((await service.run({ program: "double@1" })).body.out).toBe(6);
    expect((await service.run({ program: "double" })).body.out).toBe(9);
    // Signing the next version anew replaces the signature of both.
    const again = await put(service, "double", await signedBody(service, "double", { code: DOUBLE }, ann), "?next=1");
    expect(again).toMatchObject({ status: 200, body: { version: 3, unchanged: true } });
    for (const version of [1, 3])
      expect((await service.call("GET", `/programs/double/versions/${version}`)).body.signed.by).toBe("ann");
  });

  it("are kept with an attestation that is about them, and refused with another", async () => {
    const service = await serving();
    const { attestation } = await signedBody(service, "double", { code: DOUBLE }, ann);
    expect(refusal(await put(service, "double", { code: TRIPLE, attestation }))).toBe("403 attestation_differs");
    expect((await put(service, "double", { code: DOUBLE, attestation })).status).toBe(201);
  });
});

describe("a proposal", () => {
  const propose = (service: JobServing, body: object) => put(service, "double", body, "?propose=1");
  const accept = (
    service: JobServing,
    { id, checksum, base }: { id: string; checksum: string; base: number | null },
    attestation: Attestation | null = null,
  ) => service.call("POST", `/proposals/${id}/accept`, { checksum, base, comment: "right", attestation });

  it("needs no signature, and its acceptance does", async () => {
    const { service } = await trusting({ WF_DEPLOY: "proposals" });
    const body = { code: DOUBLE, limits: { max_steps: 50 } };
    const made = await propose(service, body);
    expect([made.status, made.body.signed]).toEqual([202, null]);
    expect(refusal(await accept(service, made.body))).toBe("403 attestation_missing");
    const other = await attestationOf(service, "double", { code: DOUBLE }, ann);
    expect(refusal(await accept(service, made.body, other))).toBe("403 attestation_differs");
    const done = await accept(service, made.body, await attestationOf(service, "double", body, ann));
    expect([done.status, done.body.state]).toEqual([200, "accepted"]);
    expect((await service.call("GET", "/programs/double")).body.signed.by).toBe("ann");
    expect(refusal(await accept(service, made.body))).toBe("409 proposal_not_open");
  });

  it("that is signed is checked at once, and again when it is accepted", async () => {
    const clock = movable();
    const { service, keys } = await trusting({ WF_DEPLOY: "proposals" }, { clock });
    const body = await signedBody(service, "double", { code: DOUBLE }, ann);
    const wrong = { ...body, attestation: { ...body.attestation, who: "eve" } };
    expect(refusal(await propose(service, wrong))).toBe("403 attestation_invalid");
    const made = await propose(service, body);
    expect(made.body.signed).toMatchObject({ by: "ann", trusted: true });
    trust(keys, ann, { revoked: "lost" });
    clock.ahead(1500);
    expect(refusal(await accept(service, made.body))).toBe("403 key_revoked");
    const again = await propose(service, await signedBody(service, "double", { code: DOUBLE }, bob));
    expect([again.body.id, again.body.signed.by]).toEqual([made.body.id, "bob"]);
    expect((await accept(service, made.body)).body.state).toBe("accepted");
    expect((await service.call("GET", "/programs/double")).body.signed.by).toBe("bob");
  });
});

describe("WF_TRUSTED_KEYS", () => {
  const started = async (path: string) => {
    try {
      opened.push(await servingJobs({ variables: { WF_TRUSTED_KEYS: path } }));
      return "started";
    } catch (cause) {
      return (cause as Error).message;
    }
  };
  const entry = (changes: object) => ({ name: "ann", public_key: ann.key.publicKey, until: "2099-12-31", ...changes });
  const file = async (document: unknown): Promise<string> => {
    const path = join(await folder(), "keys.json");
    writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
    return path;
  };

  it("may be a file, and stops the start with the place of what is wrong with it", async () => {
    expect(await started(await file({ keys: [entry({})] }))).toBe("started");
    for (const [document, words] of [
      ["{", "is not JSON"],
      [{ keys: [entry({ until: "tomorrow" })] }, "/keys/0/until: must be a day"],
      [{ keys: [entry({ until: undefined })] }, "/keys/0/until"],
      [{ keys: [entry({ alg: "ES256" })] }, "/keys/0: "],
      [{ keys: [entry({ revoked: true })] }, "/keys/0/revoked"],
      [{ keys: [entry({ public_key: Buffer.alloc(32).toString("base64") })] }, "is not a public key of Ed25519"],
      [{ keys: [entry({ public_key: "ssh-ed25519 AAAA" })] }, "is not a public key of Ed25519"],
      [{ keys: [entry({}), entry({ name: "again", revoked: "lost" })] }, "is there a second time"],
      [`{"keys": [], "x": "${"x".repeat(1024 * 1024)}"}`, "is larger than 1 MiB"],
    ] as const)
      expect(await started(await file(document)), words).toContain(words);
    expect(await started(join(await folder(), "nothing"))).toContain("cannot be read (ENOENT)");
  });

  it("may be a folder, of which files that are not JSON and folders below are left alone", async () => {
    const path = await folder();
    trust(path, ann);
    writeFileSync(join(path, "README.md"), "keys");
    writeFileSync(join(path, ".hidden.json"), "{");
    mkdirSync(join(path, "old"));
    expect(await started(path)).toBe("started");
  });

  it("warns the operator while requests may bring code", async () => {
    const warned = (variables: object) => readServiceStart({ WF_TRUSTED_KEYS: "keys", ...variables }).warnings.join();
    expect(warned({})).toContain("unsigned_code: ");
    expect(warned({ WF_CODE: "deployed" })).not.toContain("unsigned_code: ");
    const closed = await trusting({ WF_CODE: "deployed" });
    expect(refusal(await closed.service.run({ code: DOUBLE }))).toBe("403 code_not_taken");
  });
});
