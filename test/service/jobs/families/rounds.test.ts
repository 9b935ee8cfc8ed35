/** `job.again`: a job ends its run and begins the next round with other inputs, in a file and in a database. */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { type Families, families } from "./family-service.ts";

const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

const TIMEOUT_MS = 60_000;
const COUNTS =
  "def main(n: int, until: int = 3):\n    if n < until:\n        job.again({'n': n + 1, 'until': until})\n    return n\n";

function roundsIn(open: () => Promise<Families>): void {
  it(
    "T.J-3: a job that begins again is another job, or has the inputs, journal or result of a round before",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      const id = await service.begun("counts", { n: 1 });
      const { body } = await service.over(id);
      expect(body).toMatchObject({ job_id: id, status: "succeeded", resumes: 0, round: 3 });
      expect(body.result.out).toBe(3);
      expect(body.rounds.map(({ round, waited }: { [name: string]: unknown }) => [round, waited])).toEqual([
        [2, false],
        [1, false],
      ]);
      const traces = [body.trace_id, ...body.rounds.map(({ trace_id }: { trace_id: string }) => trace_id)];
      expect(new Set(traces).size).toBe(3);
      const journal = await service.call("GET", `/result/${id}/journal`);
      expect(journal.body.records.filter(({ kind }: { kind: string }) => kind === "start")).toHaveLength(1);
      expect(journal.body.records.filter(({ verb }: { verb?: string }) => verb === "again")).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "T.J-3: who waits for a job is given the result of its first round, and not that of its last",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      await service.deployed("above", "def main():\n    return job.run('counts', {'n': 0})\n", ["counts"]);
      const id = await service.begun("above");
      expect((await service.over(id)).body.result.out).toBe(3);
      expect(await service.children(id)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    "T.J-3: a call of the next round finds the job, or the wait, of a call of the round before",
    async () => {
      const service = await open();
      await service.deployed("one", "def main(n):\n    return n\n");
      const code = `def main(n, got=[]):
    first = job.run('one', {'n': n}, key='same')
    second = job.run('one', {'n': n * 10})
    timer.sleep(0.3)
    if n < 3:
        job.again({'n': n + 1, 'got': got + [first, second]})
    return got + [first, second]
`;
      await service.deployed("each", code, ["one"]);
      const id = await service.begun("each", { n: 1 });
      expect((await service.over(id)).body.result.out).toEqual([1, 10, 2, 20, 3, 30]);
      expect(await service.children(id)).toHaveLength(6);
    },
    TIMEOUT_MS,
  );

  it(
    "T.J-3: a signal that a round did not read is lost for the next one, or one is read twice",
    async () => {
      const service = await open();
      const code = `def main(got=[]):
    got = got + [signal.wait('go')['data']]
    if len(got) < 3:
        job.again({'got': got})
    return got
`;
      await service.deployed("takes", code);
      const id = await service.begun("takes");
      await service.until(id, "waiting");
      for (const data of [1, 2, 3]) await service.call("POST", `/result/${id}/signals/go`, { data });
      expect((await service.over(id)).body.result.out).toEqual([1, 2, 3]);
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 50: more than ten rounds a minute without a wait are taken, or the failure cannot be caught",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      const id = await service.begun("counts", { n: 0, until: 50 });
      const { body } = await service.over(id);
      expect(body).toMatchObject({ status: "failed", round: 11 });
      expect(body.result.error_structured.data).toMatchObject({ adapter_code: "ADAPTER_TOO_FAST" });
      const code = `def main(n):
    try:
        job.again({'n': n + 1})
    except RuntimeError as e:
        return [n, e.code]
`;
      await service.deployed("catches", code);
      const other = await service.begun("catches", { n: 0 });
      expect((await service.over(other)).body.result.out).toEqual([10, "ADAPTER_TOO_FAST"]);
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 50: rounds with a wait in between are refused",
    async () => {
      const service = await open();
      const code =
        "def main(n):\n    timer.sleep(0.3)\n    if n < 12:\n        job.again({'n': n + 1})\n    return n\n";
      await service.deployed("sleeps", code);
      const id = await service.begun("sleeps", { n: 0 });
      expect((await service.over(id)).body).toMatchObject({ round: 13, result: { out: 12 } });
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 50: a round has a lifetime of its own without again_lifetime, or has none with it",
    async () => {
      const service = await open();
      const code = "def main(n):\n    if n == 0:\n        job.again({'n': 1})\n    signal.wait('go')\n";
      await service.deployed("lives", code, [], { lifetime_s: 3600 });
      await service.deployed("lives-on", code, [], { lifetime_s: 3600, again_lifetime: true });
      const ends: number[] = [];
      for (const name of ["lives", "lives-on"]) {
        const id = await service.begun(name, { n: 0 });
        await service.until(id, "waiting");
        const { body } = await service.call("GET", `/result/${id}`);
        ends.push(Date.parse(body.lifetime_ends_at) - Date.parse(body.rounds[0].began_at) - 3_600_000);
      }
      expect(ends[0]).toBe(0);
      expect(ends[1]).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it.each([
    [
      "a caller with finally",
      "    def inner():\n        job.again({})\n    try:\n        inner()\n    finally:\n        n = 2\n",
    ],
    ["a branch", "    parallel(lambda n: job.again({}), [1, 2])\n"],
  ])(
    "T.J-3: a run ends in the middle of %s",
    async (_where, body) => {
      const service = await open();
      await service.deployed("inside", `def main():\n${body}    return 1\n`);
      const id = await service.begun("inside");
      const over = (await service.over(id)).body;
      expect(over).toMatchObject({ status: "failed" });
      expect(over.result.error_structured.data).toMatchObject({ adapter_code: "ADAPTER_CONFLICT" });
      expect(over.round).toBeUndefined();
    },
    TIMEOUT_MS,
  );

  it(
    "T.J-3: inputs that the program does not take begin a round",
    async () => {
      const service = await open();
      await service.deployed(
        "typed",
        "def main(n: int):\n    if n == 1:\n        job.again({'n': 'two'})\n    return n\n",
      );
      const id = await service.begun("typed", { n: 1 });
      const { body } = await service.over(id);
      expect(body.result.error_structured.data).toMatchObject({ adapter_code: "ADAPTER_BAD_ARGS" });
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 50: a round takes no token of a rate, or a job that is cancelled begins again",
    async () => {
      const service = await open();
      await service.deployed("rated", COUNTS, [], { rate: { limit: 2, per_s: 3600 } });
      const id = await service.begun("rated", { n: 1 });
      const held = async () => (await service.call("GET", `/result/${id}`)).body.held_by?.kind;
      await expect.poll(held, { timeout: TIMEOUT_MS }).toBe("rate");
      expect((await service.call("GET", `/result/${id}`)).body).toMatchObject({ status: "queued", round: 3 });
      await service.call("DELETE", `/result/${id}`);
      expect((await service.over(id)).body).toMatchObject({ status: "cancelled", round: 3 });
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 50: a job in line for its second round is ended as one that was never begun",
    async () => {
      const service = await open();
      const code =
        "def main(n):\n    signal.wait('go')\n    if n < 2:\n        job.again({'n': n + 1})\n    return n\n";
      await service.deployed("yields", code, [], {
        concurrency: [{ limit: 1, hold: true, on_full: "replace_waiting" }],
      });
      const go = (id: string) => service.call("POST", `/result/${id}/signals/go`, { data: null });
      const first = await service.begun("yields", { n: 1 });
      await service.until(first, "waiting");
      const second = await service.begun("yields", { n: 2 });
      await go(first);
      await service.until(second, "waiting");
      await service.begun("yields", { n: 2 });
      expect((await service.call("GET", `/result/${first}`)).body).toMatchObject({ status: "queued", round: 2 });
      await go(second);
      await service.until(first, "waiting");
      await go(first);
      expect((await service.over(first)).body.result.out).toBe(2);
    },
    TIMEOUT_MS,
  );

  it(
    "T.J-3: the tree of a family does not say in which round a job is",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      await service.deployed("over-it", "def main():\n    return job.run('counts', {'n': 0})\n", ["counts"]);
      const id = await service.begun("over-it");
      await service.over(id);
      const { body } = await service.call("GET", `/result/${id}/family`);
      expect(body.jobs.map(({ round }: { readonly round?: number }) => round)).toEqual([undefined, 4]);
    },
    TIMEOUT_MS,
  );

  it(
    "T.J-3: an input by which a job is found keeps the value of the first round",
    async () => {
      const service = await open();
      const code = "def main(n):\n    if n == 1:\n        job.again({'n': 2})\n    signal.wait('go')\n";
      await service.deployed("searched", code, [], { search: ["n"] });
      const id = await service.begun("searched", { n: 1 });
      await service.until(id, "waiting");
      const found = async (n: number) => (await service.call("GET", `/jobs?program=searched&search=n:${n}`)).body.jobs;
      expect(await found(1)).toEqual([]);
      expect(await found(2)).toMatchObject([{ job_id: id }]);
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 50: rounds are not counted by the rules of the program, or keep a place from others",
    async () => {
      const service = await open();
      const code =
        "def main(n):\n    signal.wait('go')\n    if n < 2:\n        job.again({'n': n + 1})\n    return n\n";
      await service.deployed("serial", code, [], { concurrency: [{ limit: 1, hold: true }] });
      const first = await service.begun("serial", { n: 1 });
      await service.until(first, "waiting");
      const second = await service.begun("serial", { n: 1 });
      const go = (id: string) => service.call("POST", `/result/${id}/signals/go`, { data: null });
      await go(first);
      // The other one was in line before the second round of the first.
      await service.until(second, "waiting");
      expect((await service.call("GET", `/result/${first}`)).body).toMatchObject({ status: "queued", round: 2 });
      await go(second);
      await service.until(first, "waiting");
      await go(first);
      expect((await service.over(first)).body.result.out).toBe(2);
      await service.until(second, "waiting");
      await go(second);
      expect((await service.over(second)).body.result.out).toBe(2);
    },
    TIMEOUT_MS,
  );
}

describe("in a file", () => roundsIn(once(() => families())));
describe.skipIf(postgres === null)("in PostgreSQL", () =>
  roundsIn(once(async () => families({ databaseUrl: (await postgres?.createDatabase()) ?? null }))),
);

/** One service for all tests of a store. */
function once(open: () => Promise<Families>): () => Promise<Families> {
  let opened: Promise<Families> | null = null;
  return () => {
    opened ??= open();
    return opened;
  };
}
