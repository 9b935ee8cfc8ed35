/** Jobs that start jobs and wait for them, in a file and in a database. */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { type Families, families } from "./family-service.ts";

const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

const DOUBLE = "def main(n):\n    return n * 2\n";
const FAILS = "def main(n):\n    raise ValueError(f'no {n}')\n";
const WAITS = "def main():\n    return signal.wait('go')['data']\n";

const idOf = (job: { readonly job_id: string } | undefined): string => job?.job_id ?? "";

const TIMEOUT_MS = 60_000;

function familiesIn(open: () => Promise<Families>): void {
  it(
    "a job is given the result of the one that it ran",
    async () => {
      const service = await open();
      await service.deployed("double", DOUBLE);
      await service.deployed("parent", "def main(n):\n    return [job.run('double', {'n': n}), n]\n", ["double"]);
      const id = await service.begun("parent", { n: 21 });
      expect((await service.over(id)).body.result).toMatchObject({ ok: true, out: [42, 21] });
      const [child, ...others] = await service.children(id);
      expect(others).toEqual([]);
      expect(child).toMatchObject({ parent: id, program: "double", status: "succeeded", durable: true });
    },
    TIMEOUT_MS,
  );

  it(
    "a job that fails is a failure of the call, with its code and words",
    async () => {
      const service = await open();
      await service.deployed("fails", FAILS);
      const code = `def main():
    try:
        return job.run('fails', {'n': 7})
    except Exception as e:
        return [e.code, e.details['status'], e.details['code'], e.details['message']]
`;
      await service.deployed("catcher", code, ["fails"]);
      const id = await service.begun("catcher");
      const { body } = await service.over(id);
      expect(body.result.out).toEqual([
        "ADAPTER_JOB_FAILED",
        "failed",
        expect.stringMatching(/^RUNTIME_/),
        expect.stringContaining("no 7"),
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    "several are started, and waited for in the order in which they end",
    async () => {
      const service = await open();
      await service.deployed("waits", WAITS);
      const code = `def main():
    ids = [job.start('waits', {}) for n in range(3)]
    order = []
    left = list(ids)
    while left:
        first = job.wait_any(left)
        order.append(job.wait(first['id']))
        left.remove(first['id'])
    return order
`;
      await service.deployed("many", code, ["waits"]);
      const id = await service.begun("many");
      await service.until(id, "waiting");
      const children = await service.children(id);
      expect(children.length).toBe(3);
      for (const at of [1, 2, 0]) {
        await service.until(children[at]?.job_id ?? "", "waiting");
        await service.call("POST", `/result/${children[at]?.job_id ?? ""}/signals/go`, { data: at });
        await service.over(children[at]?.job_id ?? "");
      }
      expect((await service.over(id)).body.result.out).toEqual([1, 2, 0]);
    },
    TIMEOUT_MS,
  );

  it(
    "a key starts one job, whichever call of the job names it",
    async () => {
      const service = await open();
      await service.deployed("double", DOUBLE);
      const code = `def main():
    a = job.start('double', {'n': 1}, key='__proto__')
    b = job.start('double', {'n': 2, '__proto__': {'n': 9}}, key='__proto__')
    return [a == b, job.wait(b)]
`;
      await service.deployed("keyed", code, ["double"]);
      const id = await service.begun("keyed");
      expect((await service.over(id)).body.result.out).toEqual([true, 2]);
      expect(await service.children(id)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    "children of a cancelled job are cancelled, and detached ones are not",
    async () => {
      const service = await open();
      await service.deployed("waits", WAITS);
      const middle = "def main():\n    return job.run('waits', {})\n";
      await service.deployed("middle", middle, ["waits"]);
      const code = `def main():
    free = job.start('waits', {}, detach=True)
    return job.run('middle', {})
`;
      await service.deployed("top", code, ["waits", "middle"]);
      const id = await service.begun("top");
      await service.until(id, "waiting");
      const [free, held] = await service.children(id);
      await service.until(idOf(held), "waiting");
      const [deep] = await service.children(idOf(held));
      await service.until(idOf(free), "waiting");
      await service.until(idOf(deep), "waiting");
      for (const of of [id, idOf(deep)]) {
        const { body } = await service.call("GET", `/result/${of}/family`);
        expect(
          body.jobs.map(({ job_id, depth, parent }: { [name: string]: unknown }) => [job_id, depth, parent]),
        ).toEqual([
          [id, 0, null],
          [idOf(free), 1, id],
          [idOf(held), 1, id],
          [idOf(deep), 2, idOf(held)],
        ]);
      }
      expect((await service.call("GET", "/result/01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d/family")).status).toBe(404);
      await service.call("DELETE", `/result/${id}`);
      expect((await service.over(idOf(held))).body.status).toBe("cancelled");
      expect((await service.over(idOf(deep))).body.result).toMatchObject({ ok: false, error: "cancelled" });
      expect((await service.call("GET", `/result/${idOf(free)}`)).body.status).toBe("waiting");
      await service.call("DELETE", `/result/${idOf(free)}`);
    },
    TIMEOUT_MS,
  );

  it(
    "a job that takes too long is cancelled, and the call says so",
    async () => {
      const service = await open();
      await service.deployed("waits", WAITS);
      const code = `def main():
    try:
        job.run('waits', {}, timeout=0.3)
    except Exception as e:
        return [e.code, job.status(e.details['job_id'])['over']]
`;
      await service.deployed("hurried", code, ["waits"]);
      const id = await service.begun("hurried");
      const { body } = await service.over(id);
      expect(body.result.out[0]).toBe("ADAPTER_TIMEOUT");
      const [child] = await service.children(id);
      expect((await service.over(idOf(child))).body.result).toMatchObject({ ok: false, error: "cancelled" });
    },
    TIMEOUT_MS,
  );

  it(
    "jobs of other families are as if they did not exist",
    async () => {
      const service = await open();
      await service.deployed("waits", WAITS);
      const other = await service.begun("waits");
      await service.until(other, "waiting");
      const code = `def main(id):
    codes = []
    for act in [job.status, job.cancel, job.wait]:
        try:
            act(id)
        except Exception as e:
            codes.append(e.code)
    return codes
`.replace(
        "for act in [job.status, job.cancel, job.wait]:\n        try:\n            act(id)",
        "for act in range(3):\n        try:\n            job.status(id) if act == 0 else job.cancel(id) if act == 1 else job.wait(id)",
      );
      await service.deployed("nosy", code, ["waits"]);
      for (const id of [other, "0198f000-0000-7000-8000-000000000000"]) {
        const asked = await service.begun("nosy", { id });
        expect((await service.over(asked)).body.result.out).toEqual(Array(3).fill("ADAPTER_NOT_FOUND"));
      }
      expect((await service.call("GET", `/result/${other}`)).body.status).toBe("waiting");
      await service.call("DELETE", `/result/${other}`);
    },
    TIMEOUT_MS,
  );

  it(
    "a family does not grow beyond its bounds",
    async () => {
      const service = await open();
      await service.deployed("double", DOUBLE);
      const many = `def main():
    ids = []
    try:
        for n in range(1000):
            ids.append(job.start('double', {'n': n}))
    except Exception as e:
        return [e.code, len(ids)]
`;
      await service.deployed("many", many, ["double"], {
        adapters: { job: { programs: ["double"], max_child_jobs: 4 } },
      });
      expect((await service.over(await service.begun("many"))).body.result.out).toEqual(["ADAPTER_QUOTA", 4]);
      const deep = `def main(n):
    try:
        return job.run('deep', {'n': n + 1})
    except Exception as e:
        return [e.code, n]
`;
      await service.deployed("deep", deep, ["deep"]);
      expect((await service.over(await service.begun("deep", { n: 0 }))).body.result.out).toEqual(["ADAPTER_QUOTA", 5]);
    },
    TIMEOUT_MS,
  );

  it(
    "only the programs of the grant are started, and no child may do more than its parent",
    async () => {
      const service = await open();
      await service.deployed("double", DOUBLE);
      await service.deployed("sleeps", "def main():\n    timer.sleep(0)\n    return 1\n");
      const code = `def main(name, inputs):
    try:
        return job.run(name, inputs)
    except Exception as e:
        return e.code
`;
      await service.deployed("any", code, ["double", "sleeps", "gone"], { allowed_adapters: ["core", "job"] });
      const asked = async (name: string, inputs: object) =>
        (await service.over(await service.begun("any", { name, inputs }))).body.result.out;
      expect(await asked("double", { n: 2 })).toBe(4);
      expect(await asked("other", {})).toBe("ADAPTER_NOT_ALLOWED");
      expect(await asked("gone", {})).toBe("ADAPTER_NOT_FOUND");
      expect(await asked("double", { m: 2 })).toBe("ADAPTER_BAD_ARGS");
      expect(await asked("sleeps", {})).toMatch(/ADAPTER_(NOT_ALLOWED|JOB_FAILED)/);
    },
    TIMEOUT_MS,
  );
}

describe("in a file", () => familiesIn(once(() => families())));
describe.skipIf(postgres === null)("in PostgreSQL", () =>
  familiesIn(once(async () => families({ databaseUrl: (await postgres?.createDatabase()) ?? null }))),
);

/** One service for all tests of a store. */
function once(open: () => Promise<Families>): () => Promise<Families> {
  let opened: Promise<Families> | null = null;
  return () => {
    opened ??= open();
    return opened;
  };
}
