/** What every store of deployments does, through its interface alone. Each store's test runs them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NewVersion } from "../../../service/programs/deployment.ts";
import type { NewProposal } from "../../../service/programs/proposals/proposal.ts";
import type { Deployed, DeployRequest, ProgramStore } from "../../../service/programs/store.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { alone, newJob } from "../jobs/store-cases.ts";

function newVersion(name: string, content: string): NewVersion {
  return {
    name,
    content,
    checksum: `sha256:${content}`,
    compiler: "1.0.0",
    semantics: 1,
    sourceHash: null,
    attestation: null,
    createdMs: 0,
    ir: `{"nodes":["${content}"]}`,
    source: JSON.stringify({ code: content }),
    settings: "{}",
    warnings: "[]",
    schedules: "[]",
  };
}

function deployOf(
  name: string,
  content: string,
  base: number | null,
  changes: Partial<DeployRequest> = {},
): DeployRequest {
  return {
    version: newVersion(name, content),
    base,
    source: "api",
    tags: undefined,
    description: undefined,
    maxDeployments: 100,
    versionsKept: 50,
    maxSchedules: 1000,
    ...changes,
  };
}

const made = (version: number, changes: Partial<Deployed> = {}): Deployed =>
  ({ state: "deployed", version, created: version === 1, unchanged: false, ...changes }) as Deployed;

let names = 0;
let proposals = 0;
const fresh = (): string => `p${++names}`;

export function programStoreCases(kind: string, open: () => Promise<JobStore>): void {
  describe(kind, () => {
    let store: JobStore;
    let programs: ProgramStore;
    beforeAll(async () => {
      store = await open();
      programs = store.programs;
    });
    afterAll(() => store.close());

    const job = async (deployment: string, version: number): Promise<string> => {
      const one = { ...newJob(store.now()), deployment, version, keepMs: 0 };
      await store.enqueue(alone(one), { most: 1000, key: null });
      return one.id;
    };

    it("numbers versions, keeps the current one for equal content, and gives each back whole (P-5)", async () => {
      const name = fresh();
      expect(await programs.deploy(deployOf(name, "a", null))).toEqual(made(1));
      expect(await programs.deploy(deployOf(name, "a", 1))).toEqual(made(1, { created: false, unchanged: true }));
      expect(await programs.deploy(deployOf(name, "b", 1))).toEqual(made(2));
      expect(await programs.version(name, 1)).toMatchObject({ name, version: 1, ir: '{"nodes":["a"]}', semantics: 1 });
      const current = await programs.current(name);
      expect(current?.deployment).toMatchObject({ name, version: 2, enabled: true, checksum: "sha256:b" });
      expect(current?.version).toMatchObject({ version: 2, source: '{"code":"b"}' });
      const versions = await programs.versions({ name, limit: 10, before: null });
      expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    });

    it("replaces no version that the caller did not know of (P-3)", async () => {
      const name = fresh();
      await programs.deploy(deployOf(name, "a", null));
      expect(await programs.deploy(deployOf(name, "b", null))).toEqual({ state: "moved", current: 1 });
      expect(await programs.deploy(deployOf(name, "b", 7))).toEqual({ state: "moved", current: 1 });
      expect(await programs.deploy(deployOf(fresh(), "b", 1))).toEqual({ state: "moved", current: null });
      expect(await programs.rollback({ name, version: 1, ifMatch: 2, source: "api", maxSchedules: 9 })).toMatchObject({
        state: "moved",
      });
    });

    it("gives two that deploy at once different versions, or lets one of them look again", async () => {
      const name = fresh();
      await programs.deploy(deployOf(name, "a", null));
      const both = await Promise.all(["b", "c"].map((content) => programs.deploy(deployOf(name, content, 1))));
      expect(both.map(({ state }) => state).sort()).toEqual(["deployed", "moved"]);
    });

    it("makes an older version current again, and numbers continue after the newest", async () => {
      const name = fresh();
      await programs.deploy(deployOf(name, "a", null));
      await programs.deploy(deployOf(name, "b", 1));
      expect(await programs.rollback({ name, version: 1, ifMatch: undefined, source: "api", maxSchedules: 9 })).toEqual(
        {
          state: "changed",
        },
      );
      expect((await programs.current(name))?.version.checksum).toBe("sha256:a");
      expect(await programs.deploy(deployOf(name, "b", 1))).toEqual(made(3));
      expect(await programs.rollback({ name, version: 9, ifMatch: undefined, source: "api", maxSchedules: 9 })).toEqual(
        {
          state: "version_not_found",
        },
      );
    });

    it("keeps tags and description that a deployment does not name", async () => {
      const name = fresh();
      const tags = { team: "ops" };
      await programs.deploy(deployOf(name, "a", null, { tags, description: "Nightly" }));
      await programs.deploy(deployOf(name, "b", 1));
      expect(await programs.find(name)).toMatchObject({ tags, description: "Nightly" });
      await programs.deploy(deployOf(name, "b", 2, { tags: {}, description: null }));
      expect(await programs.find(name)).toMatchObject({ tags: {}, description: null, version: 2 });
      const change = { name, enabled: false, tags: { a: "1" }, description: "x", source: "api", ifMatch: 2 } as const;
      expect(await programs.change(change)).toEqual({ state: "changed" });
      expect(await programs.find(name)).toMatchObject({ enabled: false, tags: { a: "1" }, description: "x" });
      await programs.deploy(deployOf(name, "c", 2));
      expect(await programs.find(name)).toMatchObject({ enabled: false, version: 3 });
    });

    it("keeps a number of versions, and those that jobs name (P-4)", async () => {
      const name = fresh();
      const deploy = (content: string, base: number | null) =>
        programs.deploy(deployOf(name, content, base, { versionsKept: 2 }));
      await deploy("a", null);
      await job(name, 1);
      for (const [at, content] of ["b", "c", "d"].entries()) await deploy(content, at + 1);
      const versions = await programs.versions({ name, limit: 10, before: null });
      expect(versions.map(({ version }) => version)).toEqual([4, 3, 1]);
    });

    it("refuses more deployments than there may be (P-4)", async () => {
      const there = (await programs.list({ limit: 200, after: null, tag: null, q: null })).length;
      const name = fresh();
      expect(await programs.deploy(deployOf(name, "a", null, { maxDeployments: there }))).toEqual({ state: "full" });
      await programs.deploy(deployOf(name, "a", null, { maxDeployments: there + 1 }));
      expect(await programs.deploy(deployOf(name, "b", 1, { maxDeployments: there }))).toMatchObject({ version: 2 });
    });

    it("refuses more schedules than all deployments together may have, at a rollback too (K-6)", async () => {
      const name = fresh();
      const spec = (label: string) => ({
        id: `${name}/${label}`,
        cron: "@daily",
        tz: "UTC",
        label,
        frame: {},
        paused: false,
      });
      const of = (content: string, base: number | null, count: number, maxSchedules: number): DeployRequest => {
        const schedules = JSON.stringify(Array.from({ length: count }, (_, at) => spec(`L${at}`)));
        const request = deployOf(name, content, base, { maxSchedules });
        return { ...request, version: { ...request.version, schedules } };
      };
      const there = (await store.schedules.list({ limit: 1000, after: null, program: null })).length;
      expect(await programs.deploy(of("a", null, 3, there + 2))).toEqual({ state: "schedules_full" });
      expect(await programs.find(name)).toBeNull();
      expect(await programs.deploy(of("a", null, 3, there + 3))).toEqual(made(1));
      // Of one deployment, those of the version before do not count; and fewer are always allowed.
      expect(await programs.deploy(of("b", 1, 2, there + 1))).toEqual(made(2));
      const back = { name, version: 1, ifMatch: undefined, source: "api" } as const;
      expect(await programs.rollback({ ...back, maxSchedules: there + 2 })).toEqual({ state: "schedules_full" });
      expect(await programs.find(name)).toMatchObject({ version: 2 });
      expect(await programs.rollback({ ...back, maxSchedules: there + 3 })).toEqual({ state: "changed" });
      await programs.remove({ name, source: "api", ifMatch: undefined });
    });

    it("forgets a removed deployment, and its versions with the last job that names them", async () => {
      const name = fresh();
      await programs.deploy(deployOf(name, "a", null));
      await programs.deploy(deployOf(name, "b", 1));
      const id = await job(name, 1);
      expect(await programs.remove({ name, source: "api", ifMatch: undefined })).toEqual({ state: "changed" });
      expect(await programs.find(name)).toBeNull();
      expect(await programs.current(name)).toBeNull();
      expect(await programs.version(name, 1)).not.toBeNull();
      expect(await programs.version(name, 2)).toBeNull();
      expect(await programs.remove({ name, source: "api", ifMatch: undefined })).toEqual({ state: "not_found" });
      // The numbers of versions that jobs name are not given again.
      expect(await programs.deploy(deployOf(name, "c", null))).toEqual(made(3, { created: true }));
      expect((await store.find(id))?.deployment).toBe(name);
      expect((await store.find(id))?.version).toBe(1);
    });

    it("lists by name, tag and words, in pages", async () => {
      const prefix = fresh();
      for (const [word, tags, description] of [
        ["x", { team: "ops" }, "Sends the digest"],
        ["y", { team: "web", tier: "1" }, null],
        ["z", {}, "100% of_it"],
      ] as const)
        await programs.deploy(deployOf(`${prefix}-${word}`, word, null, { tags, description }));
      const list = async (changes: object) =>
        (await programs.list({ limit: 10, after: prefix, tag: null, q: prefix, ...changes })).map(({ name }) =>
          name.slice(-1),
        );
      expect(await list({})).toEqual(["x", "y", "z"]);
      expect(await list({ limit: 1, after: `${prefix}-x` })).toEqual(["y"]);
      expect(await list({ tag: { key: "team", value: "ops" } })).toEqual(["x"]);
      expect(await list({ tag: { key: "team", value: null } })).toEqual(["x", "y"]);
      expect(await list({ q: "DIGEST" })).toEqual(["x"]);
      expect(await list({ q: "0% of_" })).toEqual(["z"]);
    });

    it("finds the newest job of a program, of whichever version, and none of one without jobs", async () => {
      const [first, other] = [fresh(), fresh()];
      for (const name of [first, other]) await programs.deploy(deployOf(name, "a", null));
      await programs.deploy(deployOf(first, "b", 1));
      const queue = async (version: number, at: number) => {
        const job = { ...newJob(at), deployment: first, version };
        await store.enqueue(alone(job), { most: 1000, key: null });
        return job.id;
      };
      const activity = async () =>
        new Map((await programs.activity([other, first, "none"])).map((one) => [one.name, one]));
      const now = store.now();
      await queue(2, now);
      await queue(1, now + 1);
      const newest = await queue(2, now + 2);
      expect((await activity()).get(first)).toMatchObject({ lastJob: newest, status: "queued", finishedMs: null });
      const older = await queue(1, now + 3);
      await store.cancel(older);
      const found = await activity();
      expect(found.get(first)).toMatchObject({ lastJob: older, status: "cancelled", finishedMs: expect.any(Number) });
      expect(found.get(other)).toEqual({
        name: other,
        lastJob: null,
        status: null,
        finishedMs: null,
        promisedMs: null,
        unpromised: [],
      });
      expect(found.size).toBe(2);
    });

    it("hands over schedules that were not promised a time yet, unless they are held", async () => {
      const name = fresh();
      const cron = (id: string, changes: object = {}) => ({
        id: `${name}/${id}`,
        cron: "0 2 * * *",
        tz: "UTC",
        paused: false,
        ...changes,
      });
      const schedules = JSON.stringify([cron("a"), cron("b", { paused: true })]);
      const version = { ...newVersion(name, "a"), schedules };
      await programs.deploy(deployOf(name, "a", null, { version }));
      const activity = async () => (await programs.activity([name]))[0];
      expect(await activity()).toMatchObject({
        promisedMs: null,
        unpromised: [{ spec: cron("a"), baseMs: expect.any(Number) }],
      });
      const id = `${name}/a`;
      const { revision = 0 } = (await store.schedules.find(id)) ?? {};
      expect(await store.schedules.promise(id, revision, { dueMs: 5000, atMs: 6000 })).toBe(true);
      expect(await activity()).toMatchObject({ promisedMs: 6000, unpromised: [] });
    });

    it("leaves what came from files to files, until they are gone", async () => {
      const name = fresh();
      await programs.deploy(deployOf(name, "a", null, { source: "file" }));
      expect(await programs.deploy(deployOf(name, "b", 1))).toEqual({ state: "managed" });
      expect(await programs.remove({ name, source: "api", ifMatch: undefined })).toEqual({ state: "managed" });
      expect(await programs.release([name])).not.toContain(name);
      expect(await programs.release([])).toContain(name);
      expect(await programs.deploy(deployOf(name, "b", 1))).toEqual(made(2));
    });

    it("reports every change by its name", async () => {
      const name = fresh();
      const seen: (string | null)[] = [];
      const stop = programs.onChanged((changed) => seen.push(changed));
      await programs.deploy(deployOf(name, "a", null));
      stop();
      await programs.deploy(deployOf(name, "b", 1));
      expect(seen).toContain(name);
    });

    const proposed = (name: string, content: string, base: number | null, changes: Partial<NewProposal> = {}) => ({
      id: `${++proposals}`.padStart(32, "0"),
      version: newVersion(name, content),
      source: "api" as const,
      base,
      tags: { team: "ops" },
      description: null,
      review: "{}",
      comment: null,
      proposer: { by: "agent", via: "proxy" } as const,
      expiresMs: Date.now() + 3_600_000,
      ...changes,
    });
    const decision = { decider: { by: "ann", via: "proxy" }, comment: "right" } as const;
    const bounds = { maxDeployments: 100, versionsKept: 50, maxSchedules: 1000 };
    const accepted = (id: string, content: string, base: number | null) =>
      programs.accept({
        id,
        ...decision,
        checksum: `sha256:${content}`,
        base,
        attestation: null,
        asNext: false,
        ...bounds,
      });

    it("lets an attestation count for all versions of the same content (T.A-4)", async () => {
      const name = fresh();
      const signed = (content: string, attestation: string | null) => ({ ...newVersion(name, content), attestation });
      await programs.deploy({ ...deployOf(name, "a", null), version: signed("a", null) });
      await programs.deploy({ ...deployOf(name, "other", 1), version: signed("other", '{"n":1}') });
      const asNext = { ...deployOf(name, "a", 2), asNext: true };
      for (const attestation of ['{"n":2}', '{"n":3}']) {
        await programs.deploy({ ...asNext, version: signed("a", attestation) });
        const kept = await Promise.all([1, 2, 3].map((version) => programs.version(name, version)));
        expect(kept.map((version) => version?.attestation)).toEqual([attestation, '{"n":1}', attestation]);
      }
    });

    it("keeps the attestation of versions and proposals, and the newer one of the same content (T.A-4)", async () => {
      const name = fresh();
      const signed = (content: string, attestation: string | null) => ({ ...newVersion(name, content), attestation });
      await programs.deploy({ ...deployOf(name, "a", null), version: signed("a", '{"n":1}') });
      expect((await programs.find(name))?.attestation).toBe('{"n":1}');
      await programs.deploy({ ...deployOf(name, "a", 1), version: signed("a", '{"n":2}') });
      await programs.deploy({ ...deployOf(name, "a", 1), version: signed("a", null) });
      expect((await programs.current(name))?.version).toMatchObject({ version: 1, attestation: '{"n":2}' });
      expect((await programs.version(name, 1))?.attestation).toBe('{"n":2}');
      const one = proposed(name, "b", 1, { version: signed("b", null) });
      await programs.propose(one, 100);
      expect((await programs.proposal(one.id))?.attestation).toBeNull();
      const again = proposed(name, "b", 1, { version: signed("b", '{"n":3}') });
      expect(await programs.propose(again, 100)).toMatchObject({ id: one.id, repeated: true });
      expect(await programs.proposal(one.id)).toMatchObject({ attestation: '{"n":3}', compiler: "1.0.0" });
      const with4 = {
        id: one.id,
        ...decision,
        checksum: "sha256:b",
        base: 1,
        attestation: '{"n":4}',
        asNext: false,
        ...bounds,
      };
      expect(await programs.accept(with4)).toMatchObject({ state: "accepted", version: 2 });
      expect((await programs.versions({ name, limit: 2, before: null })).map((v) => v.attestation)).toEqual([
        '{"n":4}',
        '{"n":2}',
      ]);
    });

    it("keeps a version next to the current one until it is promoted, ended, or fails too often (T.A-2)", async () => {
      const name = fresh();
      const asNext = { asNext: true };
      const at = { name, source: "api", ifMatch: undefined } as const;
      const nextOf = async () => JSON.parse((await programs.find(name))?.next ?? "null");
      expect(await programs.deploy(deployOf(name, "a", null, asNext))).toEqual({ state: "no_current" });
      await programs.deploy(deployOf(name, "a", null));
      const staged = { state: "deployed", version: 2, created: false };
      expect(await programs.deploy(deployOf(name, "b", 1, asNext))).toEqual({ ...staged, unchanged: false });
      expect(await programs.deploy(deployOf(name, "b", 1, asNext))).toEqual({ ...staged, unchanged: true });
      expect(await programs.find(name)).toMatchObject({ version: 1, checksum: "sha256:a" });
      expect(await nextOf()).toMatchObject({ version: 2, weight: 0, key: null, abort: null });
      const rule = { failures_percent: 50, of: 3 };
      const set = { ...at, version: 2, weight: 10, key: null, abort: rule };
      expect(await programs.setNext({ ...set, version: 1 })).toEqual({ state: "is_current" });
      expect(await programs.setNext({ ...set, version: 9 })).toEqual({ state: "version_not_found" });
      expect(await programs.setNext({ ...set, ifMatch: 7 })).toEqual({ state: "moved", current: 1 });
      expect(await programs.setNext({ ...set, name: fresh() })).toEqual({ state: "not_found" });
      expect(await programs.setNext(set)).toEqual({ state: "changed" });
      const note = (failed: boolean, version = 2) => programs.noteNext({ name, version, failed });
      // The rule looks at three runs, so two are too few; old outcomes leave the window.
      for (const failed of [true, false, false, true, false]) expect(await note(failed)).toBeNull();
      expect(await note(true, 1)).toBeNull();
      expect(await note(true)).toEqual({ failures: 2, of: 3 });
      expect(await nextOf()).toBeNull();
      expect(await note(true)).toBeNull();
      expect(await programs.abortNext(at)).toEqual({ state: "no_next" });
      await programs.setNext(set);
      expect(await programs.abortNext(at)).toEqual({ state: "ended", version: 2 });
      await programs.setNext(set);
      const promote = { ...at, version: 2, maxSchedules: 100 };
      expect(await programs.promoteNext({ ...promote, version: 1 })).toEqual({ state: "no_next" });
      expect(await programs.promoteNext(promote)).toEqual({ state: "changed" });
      expect(await programs.find(name)).toMatchObject({ version: 2, next: null });
      // Versions beyond the bound go, and not the one that is served.
      await programs.setNext({ ...set, version: 1 });
      for (const [at2, content] of ["c", "d"].entries())
        await programs.deploy(deployOf(name, content, 2 + at2, { versionsKept: 1 }));
      expect((await programs.versions({ name, limit: 9, before: null })).map(({ version }) => version)).toEqual([4, 1]);
      await programs.rollback({ ...at, version: 1, maxSchedules: 100 });
      expect(await programs.find(name)).toMatchObject({ version: 1, next: null });
      await programs.setNext({ ...set, version: 4 });
      await programs.remove(at);
      await programs.deploy(deployOf(name, "e", null));
      expect(await nextOf()).toBeNull();
    });

    it("makes a proposal current with the word of a person, and keeps who it was (T.A-1)", async () => {
      const name = fresh();
      const one = proposed(name, "a", null);
      expect(await programs.propose(one, 100)).toEqual({ state: "added", id: one.id, repeated: false });
      expect(await programs.find(name)).toBeNull();
      expect(await programs.proposal(one.id)).toMatchObject({ state: "open", base: null, current: null, name });
      expect(await accepted(one.id, "a", null)).toEqual({ state: "accepted", name, version: 1, created: true });
      const version = await programs.version(name, 1);
      expect([version?.ir, JSON.parse(version?.acceptance ?? "{}")]).toMatchObject([
        '{"nodes":["a"]}',
        { by: "ann", via: "proxy", comment: "right", proposal: one.id, proposed_by: "agent" },
      ]);
      expect((await programs.find(name))?.tags).toEqual({ team: "ops" });
      expect(await programs.proposal(one.id)).toMatchObject({ state: "accepted", version: 1, decision });
      expect(await accepted(one.id, "a", null)).toEqual({ state: "not_open", now: "accepted" });
    });

    it("accepts nothing that was made against another version, and one of two at once", async () => {
      const name = fresh();
      const old = proposed(name, "a", null);
      await programs.propose(old, 100);
      await programs.deploy(deployOf(name, "b", null));
      expect(await accepted(old.id, "a", null)).toEqual({ state: "stale", base: null, current: 1 });
      expect(await programs.propose(proposed(name, "c", null), 100)).toEqual({ state: "moved", current: 1 });
      const both = [proposed(name, "c", 1), proposed(name, "d", 1)] as const;
      for (const one of both) await programs.propose(one, 100);
      const done = await Promise.all([accepted(both[0].id, "c", 1), accepted(both[1].id, "d", 1)]);
      expect(done.map(({ state }) => state).sort()).toEqual(["accepted", "stale"]);
      expect(await accepted(both[0].id, "x", 1)).not.toMatchObject({ state: "accepted" });
    });

    it("keeps one proposal for equal content, declines with a word, and bounds those that wait", async () => {
      const name = fresh();
      const one = proposed(name, "a", null);
      await programs.propose(one, 100);
      expect(await programs.propose(proposed(name, "a", null), 100)).toMatchObject({ id: one.id, repeated: true });
      const waiting = await programs.openProposals();
      expect(await programs.propose(proposed(name, "b", null), waiting)).toEqual({ state: "full" });
      expect(await programs.decline({ id: one.id, ...decision })).toEqual({ state: "declined", name });
      expect(await programs.decline({ id: one.id, ...decision })).toEqual({ state: "not_open", now: "declined" });
      expect(await programs.decline({ id: "f".repeat(32), ...decision })).toEqual({ state: "not_found" });
      const listed = await programs.proposals({ state: "declined", name, limit: 5, before: null });
      expect(listed.map(({ id }) => id)).toEqual([one.id]);
    });

    it("ends a proposal that is not decided in time", async () => {
      const name = fresh();
      const one = proposed(name, "a", null, { expiresMs: Date.now() - 1 });
      await programs.propose(one, 100);
      expect((await programs.proposal(one.id))?.state).toBe("expired");
      expect(await accepted(one.id, "a", null)).toEqual({ state: "not_open", now: "expired" });
      expect(await programs.proposals({ state: "expired", name, limit: 5, before: null })).toHaveLength(1);
      expect(await programs.proposals({ state: "open", name, limit: 5, before: null })).toHaveLength(0);
    });
  });
}
