/** `job.run(…, share="budget")`: what a job uses is charged to the one that waits for it, in a file and in a database. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { KEY, KEY_SECRET, modelWorld } from "../../../adapters/builtin/llm/world.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { seededRandom } from "../faults/job-load.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { type Families, families } from "./family-service.ts";

const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

const TIMEOUT_MS = 60_000;
const COUNTS = "def main(n: int):\n    s = 0\n    for i in range(n):\n        s = s + i\n    return s\n";
const FAILS = `def main(n: int):
    s = 0
    for i in range(n):
        s = s + i
    raise ValueError(f'no {s}')
`;
const COUNTS_AND_WAITS = `def main(n: int):
    s = 0
    for i in range(n):
        s = s + i
    return signal.wait('go')['data']
`;
const SHARES = "def main(n: int):\n    return job.run('counts', {'n': n}, share='budget')\n";

type Use = { readonly steps: number; readonly adapter_calls: number };
// biome-ignore lint/suspicious/noExplicitAny: answers of the service
type Body = any;

async function childOf(service: Families, id: string, at = 0): Promise<Body> {
  const child = (await service.children(id))[at]?.job_id ?? "";
  return (await service.over(child)).body;
}

/** Resolves when the job waits for a signal, and not for another job. */
async function signalWaited(service: Families, id: string): Promise<void> {
  const isThere = async () => {
    const { waits } = (await service.call("GET", `/result/${id}/waits`)).body;
    return waits.some(({ kind, ended_at }: Body) => kind === "signal" && ended_at === null);
  };
  await expect.poll(isThere, { timeout: TIMEOUT_MS }).toBe(true);
}

/** What the parent used without its jobs, which is the same in every run of the same program with these inputs. */
function ownSteps({ result }: Body): number {
  return result.usage.steps - (result.usage.shared?.steps ?? 0);
}

function chargedTo({ result }: Body): Use {
  const { steps, adapter_calls } = result.usage;
  expect(result.usage.charged).toMatchObject({ steps, adapter_calls });
  return result.usage.charged;
}

function sharedIn(open: () => Promise<Families>): void {
  it(
    "the run that waits does not pay what its job used, or pays another amount",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      await service.deployed("shares", SHARES, ["counts"]);
      const id = await service.begun("shares", { n: 100 });
      const { body } = await service.over(id);
      expect(body.result.out).toBe(4950);
      expect(body.result.usage.shared).toEqual(chargedTo(await childOf(service, id)));
      expect(body.result.usage.adapter_calls).toBe(1);
      const { body: less } = await service.over(await service.begun("shares", { n: 0 }));
      expect(ownSteps(body)).toBe(ownSteps(less));
      const tree = await service.call("GET", `/result/${id}/family`);
      expect(tree.body.jobs.map(({ share }: { readonly share?: string }) => share)).toEqual([undefined, "budget"]);
    },
    TIMEOUT_MS,
  );

  it(
    "a job that fails is not paid for, or its failure cannot be caught",
    async () => {
      const service = await open();
      await service.deployed("fails", FAILS);
      const code = `def main(n: int):
    try:
        job.run('fails', {'n': n}, share='budget')
    except Exception as e:
        return e.code
`;
      await service.deployed("catches", code, ["fails"]);
      const id = await service.begun("catches", { n: 100 });
      const { body } = await service.over(id);
      expect(body.result.out).toBe("ADAPTER_JOB_FAILED");
      const charged = chargedTo(await childOf(service, id));
      expect(charged.steps).toBeGreaterThan(200);
      expect(body.result.usage.shared).toEqual(charged);
    },
    TIMEOUT_MS,
  );

  it(
    "a job may use more than the one that waits has left, or more than its deployment allows",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      await service.deployed("counts-little", COUNTS, [], { limits: { max_steps: 50, max_adapter_calls: 7 } });
      const code = `def main(name: str, n: int):
    return job.run(name, {'n': n}, share='budget')
`;
      await service.deployed("bound", code, ["counts", "counts-little"], {
        limits: { max_steps: 400, max_adapter_calls: 9 },
      });
      const limitsOf = async (name: string, n: number) => {
        const id = await service.begun("bound", { name, n });
        const { body } = await service.over(id);
        const child = await childOf(service, id);
        return { body, child, limits: child.result.limits, steps: body.result.usage.steps };
      };
      const wide = await limitsOf("counts", 10);
      expect(wide.limits.max_adapter_calls).toBe(8);
      expect(wide.limits.max_steps).toBeLessThan(400);
      const little = await limitsOf("counts-little", 5);
      expect(little.limits).toMatchObject({ max_steps: 50, max_adapter_calls: 7 });
      const { body, child, limits } = await limitsOf("counts", 10_000);
      expect(child.result).toMatchObject({ ok: false, error: "max_steps_exceeded" });
      expect(child.result.usage.charged.steps).toBe(limits.max_steps);
      // What raised in the parent leaves it without a single step.
      expect(body.result).toMatchObject({ ok: false, usage: { steps: 400 } });
    },
    TIMEOUT_MS,
  );

  it(
    "a run whose jobs used up its steps continues, or fails with another code than that of the limit",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      const code = `def main():
    done = []
    for n in range(100):
        try:
            done.append(job.run('counts', {'n': 50}, share='budget'))
        except Exception as e:
            pass
    return done
`;
      await service.deployed("repeats", code, ["counts"], { limits: { max_steps: 1000 } });
      const id = await service.begun("repeats");
      const { body } = await service.over(id);
      expect(body.result).toMatchObject({ ok: false, error: "max_steps_exceeded", usage: { steps: 1000 } });
      const children = await service.children(id);
      let sum = ownSteps(body);
      for (const at of children.keys()) sum += chargedTo(await childOf(service, id, at)).steps;
      expect(sum).toBe(1000);
    },
    TIMEOUT_MS,
  );

  it(
    "calls of jobs are not counted as those of the one that waits, or are without bound",
    async () => {
      const service = await open();
      await service.deployed("calls", "def main(n: int):\n    for i in range(n):\n        core.now()\n    return n\n");
      const code = `def main(n: int):
    got = []
    for i in range(5):
        try:
            got.append(job.run('calls', {'n': n}, share='budget'))
        except Exception as e:
            got.append(e.details['error'])
    return got
`;
      await service.deployed("asks", code, ["calls"], { limits: { max_adapter_calls: 12 } });
      const id = await service.begun("asks", { n: 3 });
      const { body } = await service.over(id);
      // Each takes one call to start and three of its own: the fifth call has nothing left.
      expect(body.result).toMatchObject({ ok: false, error: "max_adapter_calls_exceeded" });
      expect(body.result.usage.adapter_calls).toBe(12);
      expect(body.result.usage.shared.adapter_calls).toBe(9);
    },
    TIMEOUT_MS,
  );

  it(
    "what a job pays for its own jobs is not passed on to the one above",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      await service.deployed("shares", SHARES, ["counts"]);
      await service.deployed("top", "def main(n: int):\n    return job.run('shares', {'n': n}, share='budget')\n", [
        "shares",
        "counts",
      ]);
      const id = await service.begun("top", { n: 100 });
      const { body } = await service.over(id);
      expect(body.result.out).toBe(4950);
      const middle = await childOf(service, id);
      const bottom = await childOf(service, middle.job_id);
      expect(middle.result.usage.shared).toEqual(chargedTo(bottom));
      expect(body.result.usage.shared).toEqual(chargedTo(middle));
      expect(bottom.result.limits.max_steps).toBeLessThan(middle.result.limits.max_steps);
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 50: the rounds of a job have the whole budget again, or are not paid together",
    async () => {
      const service = await open();
      const rounds = `def main(n: int, until: int):
    s = 0
    for i in range(50):
        s = s + i
    if n < until:
        job.again({'n': n + 1, 'until': until})
    return n
`;
      await service.deployed("rounds", rounds);
      const code = "def main(until: int):\n    return job.run('rounds', {'n': 1, 'until': until}, share='budget')\n";
      await service.deployed("waits-for-rounds", code, ["rounds"], { limits: { max_steps: 1000 } });
      const used = async (until: number) => {
        const id = await service.begun("waits-for-rounds", { until });
        const { body } = await service.over(id);
        return { body, child: await childOf(service, id) };
      };
      const one = await used(1);
      const three = await used(3);
      expect(three.child.round).toBe(3);
      const { charged, steps } = three.child.result.usage;
      expect(three.body.result).toMatchObject({ out: 3, usage: { shared: charged } });
      // The rounds before the last make a call more.
      expect(charged.adapter_calls).toBe(2);
      expect(three.child.result.limits.max_steps).toBe(one.child.result.limits.max_steps - (charged.steps - steps));
      const many = await used(20);
      expect(many.child.result).toMatchObject({ ok: false, error: "max_steps_exceeded" });
      expect(many.body.result.usage.steps).toBe(1000);
    },
    TIMEOUT_MS,
  );

  it(
    "a job that is cancelled while it waits is not paid for, or the call does not say that it failed",
    async () => {
      const service = await open();
      await service.deployed("waits", COUNTS_AND_WAITS);
      const code = `def main():
    try:
        job.run('waits', {'n': 30}, share='budget')
    except Exception as e:
        return [e.code, e.details['status']]
`;
      await service.deployed("loses", code, ["waits"]);
      const id = await service.begun("loses");
      await service.until(id, "waiting");
      const [child] = await service.children(id);
      await service.until(child?.job_id ?? "", "waiting");
      await service.call("DELETE", `/result/${child?.job_id}`);
      const { body } = await service.over(id);
      expect(body.result.out).toEqual(["ADAPTER_JOB_FAILED", "cancelled"]);
      const charged = chargedTo(await childOf(service, id));
      expect(charged.steps).toBeGreaterThan(60);
      expect(charged.steps).toBeLessThan(200);
      expect(body.result.usage.shared).toEqual(charged);
    },
    TIMEOUT_MS,
  );

  it(
    "a job that takes too long is not paid for, or is not cancelled",
    async () => {
      const service = await open();
      await service.deployed("waits", COUNTS_AND_WAITS);
      const code = `def main():
    try:
        job.run('waits', {'n': 30}, timeout=0.3, share='budget')
    except Exception as e:
        return [e.code, job.status(e.details['job_id'])['status']]
`;
      await service.deployed("hurries", code, ["waits"]);
      const id = await service.begun("hurries");
      const { body } = await service.over(id);
      expect(body.result.out).toEqual(["ADAPTER_TIMEOUT", "cancelled"]);
      expect(body.result.usage.shared).toEqual(chargedTo(await childOf(service, id)));
    },
    TIMEOUT_MS,
  );

  it(
    "a job that was cancelled before it began costs something",
    async () => {
      const service = await open();
      await service.deployed("late", COUNTS, [], { delay_s: 3600 });
      const code = `def main():
    try:
        job.run('late', {'n': 30}, timeout=0.1, share='budget')
    except Exception as e:
        return e.code
`;
      await service.deployed("impatient", code, ["late"]);
      const { body } = await service.over(await service.begun("impatient"));
      expect(body.result).toMatchObject({ out: "ADAPTER_TIMEOUT", usage: { shared: { steps: 0, adapter_calls: 0 } } });
    },
    TIMEOUT_MS,
  );

  it(
    "two calls with one key pay for their job twice, or one of them for a job with a budget of its own",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      const code = `def main():
    a = job.run('counts', {'n': 50}, key='a', share='budget')
    b = job.run('counts', {'n': 50}, key='a', share='budget')
    codes = []
    try:
        job.run('counts', {'n': 50}, key='a')
    except Exception as e:
        codes.append(e.code)
    job.start('counts', {'n': 50}, key='b')
    try:
        job.run('counts', {'n': 50}, key='b', share='budget')
    except Exception as e:
        codes.append(e.code)
    return [a, b, codes]
`;
      await service.deployed("keys", code, ["counts"]);
      const id = await service.begun("keys");
      const { body } = await service.over(id);
      expect(body.result.out).toEqual([1225, 1225, ["ADAPTER_CONFLICT", "ADAPTER_CONFLICT"]]);
      expect(body.result.usage.shared).toEqual(chargedTo(await childOf(service, id)));
    },
    TIMEOUT_MS,
  );

  it(
    "a program in the opcode form pays another amount, or a repeat of its call pays again",
    async () => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      await service.deployed("fails", FAILS);
      const calls = (name: string) => `R job.run "${name}" {"n": 30} {"share": "budget"} ->r`;
      const paid = async (name: string, code: string) => {
        await service.deployed(name, code, ["counts", "fails"], { limits: { max_steps: 300 } });
        const id = await service.begun(name);
        const { body } = await service.over(id);
        const children = await service.children(id);
        const charges = await Promise.all(children.map((_, at) => childOf(service, id, at)));
        return { body, steps: charges.reduce((sum, child) => sum + chargedTo(child).steps, 0), many: children.length };
      };
      const twice = await paid("twice", `L1:\n  ${calls("counts")}\n  ${calls("counts")}\n  J r\n`);
      expect(twice.body.result).toMatchObject({ out: 435, usage: { shared: { steps: twice.steps } } });
      expect(ownSteps(twice.body)).toBe(3);
      const repeats = await paid("repeats-it", `L1:\n  ${calls("fails")}\n  Retry 3 0\n  J r\n`);
      expect(repeats.many).toBe(1);
      expect(repeats.body.result).toMatchObject({ ok: false, usage: { shared: { steps: repeats.steps } } });
      const many = Array(6).fill(calls("counts")).join("\n  ");
      const all = await paid("too-many", `L1:\n  ${many}\n  J r\n`);
      expect(all.body.result).toMatchObject({ ok: false, usage: { shared: { steps: all.steps } } });
      expect(all.body.result.usage.steps).toBeLessThanOrEqual(300);
    },
    TIMEOUT_MS,
  );

  it(
    "jobs that share a budget use more together than the one that began them may",
    async () => {
      const service = await open();
      const code = `def main(todo: list, id: str):
    done = 0
    for one in todo:
        if isinstance(one, int):
            for i in range(one):
                done += 1
        else:
            try:
                done += job.run('trees', {'todo': one, 'id': id}, share='budget')
            except Exception as e:
                done += 1
    return done
`;
      await service.deployed("trees", code, ["trees"]);
      const random = seededRandom("budgets of trees");
      type Todo = readonly (number | Todo)[];
      const plan = (depth: number): Todo =>
        Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
          random() < 0.5 || depth === 0 ? Math.floor(random() * 60) : plan(depth - 1),
        );
      for (let at = 0; at < 12; at++) {
        const max_steps = 30 + Math.floor(random() * 600);
        const id = await service.begun("trees", { todo: plan(3), id: `t${at}` }, { limits: { max_steps } });
        const { body } = await service.over(id);
        let sum = 0;
        for (const { job_id } of (await service.call("GET", `/result/${id}/family`)).body.jobs)
          sum += ownSteps((await service.over(job_id)).body);
        expect(sum).toBe(body.result.usage.steps);
        expect(sum).toBeLessThanOrEqual(max_steps);
        if (!body.result.ok) expect(body.result.error).toBe("max_steps_exceeded");
      }
    },
    TIMEOUT_MS,
  );

  it.each([
    ["in a branch", "parallel(lambda n: job.run('counts', {'n': n}, share='budget'), [1, 2])", "ADAPTER_CONFLICT"],
    ["with detach", "job.run('counts', {'n': 1}, share='budget', detach=True)", "ADAPTER_BAD_ARGS"],
    ["for a job that is not durable", "job.run('fleeting', {'n': 1}, share='budget')", "ADAPTER_NOT_CONFIGURED"],
  ])(
    "a budget is shared %s",
    async (_where, call, code) => {
      const service = await open();
      await service.deployed("counts", COUNTS);
      await service.deployed("fleeting", COUNTS, [], { durable: false });
      await service.deployed("refused", `def main():\n    ${call}\n`, ["counts", "fleeting"]);
      const id = await service.begun("refused");
      const { body } = await service.over(id);
      expect(body.result.error_structured.data).toMatchObject({ adapter_code: code });
      expect(await service.children(id)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "a retry of a person has the budget of a job that waits no longer, or charges it",
    async () => {
      const service = await open();
      await service.deployed("fails", FAILS);
      const code = "def main():\n    return job.run('fails', {'n': 10}, share='budget')\n";
      await service.deployed("gives-up", code, ["fails"], { limits: { max_steps: 500 } });
      const id = await service.begun("gives-up");
      const before = (await service.over(id)).body;
      const child = await childOf(service, id);
      const again = await service.call("POST", `/result/${child.job_id}/retry`, {});
      const retried = (await service.over(again.body.job_id)).body;
      expect(retried.result.usage.charged).toBeUndefined();
      expect(retried.result.limits).toEqual(child.result.limits);
      expect((await service.call("GET", `/result/${id}`)).body.result).toEqual(before.result);
    },
    TIMEOUT_MS,
  );
}

it(
  "a job in line is not paid for when it is cancelled, because it does not say what it used",
  async () => {
    const service = await families({ variables: { WF_QUEUE_WORKERS: "1" } });
    await service.deployed("waits", COUNTS_AND_WAITS);
    await service.deployed("busy", "def main():\n    for i in range(40):\n        timer.sleep(0.04)\n");
    const code = `def main():
    try:
        job.run('waits', {'n': 30}, share='budget')
    except Exception as e:
        return e.details['status']
`;
    await service.deployed("loses", code, ["waits"]);
    const id = await service.begun("loses");
    await service.until(id, "waiting");
    const [child] = await service.children(id);
    const waiting = `/result/${child?.job_id}`;
    await service.until(child?.job_id ?? "", "waiting");
    await service.until(await service.begun("busy"), "running");
    await service.call("POST", `${waiting}/signals/go`, { data: 1 });
    expect((await service.call("GET", waiting)).body.status).toBe("queued");
    await service.call("DELETE", waiting);
    const { body } = await service.over(id);
    expect(body.result.out).toBe("cancelled");
    expect(body.result.usage.shared).toEqual(chargedTo(await childOf(service, id)));
  },
  TIMEOUT_MS,
);

it(
  "what jobs spend on models is without bound, or is counted twice, or is forgotten with the process",
  async () => {
    const models = await modelWorld();
    const folder = await temporaryFolder();
    const operatorFile = join(folder.path, "adapters.json");
    await writeFile(operatorFile, JSON.stringify({ llm: models.settings() }));
    const open = () =>
      families({
        stateDir: folder.path,
        variables: {
          ...{ WF_ENABLE_ADAPTERS: "core,ext,signal,timer,job,llm", WF_ADAPTERS_CONFIG: operatorFile },
          [`WF_SECRET_${KEY_SECRET}`]: KEY,
        },
      });
    const before = await open();
    const asks = `def main(n: int):
    for i in range(n):
        llm.chat('Say hello.', max_tokens=20)
    return n
`;
    await before.deployed("asks", asks);
    const code = `def main():
    llm.chat('Say hello.', max_tokens=20)
    got = [job.run('asks', {'n': 2}, share='budget')]
    signal.wait('go')
    for n in [1, 3]:
        try:
            got.append(job.run('asks', {'n': n}, share='budget'))
        except Exception as e:
            got.append(e.details['code'])
    try:
        llm.chat('Say hello.', max_tokens=20)
    except Exception as e:
        got.append(e.code)
    return got
`;
    await before.deployed("spends", code, ["asks"], {
      adapters: { job: { programs: ["asks"] }, llm: { max_calls: 5 } },
    });
    const id = await before.begun("spends");
    await signalWaited(before, id);
    await before.leave();
    const after = await open();
    await after.call("POST", `/result/${id}/signals/go`, { data: 1 });
    const { body } = await after.over(id);
    expect(body.result.out).toEqual([2, 1, "RUNTIME_ADAPTER_ERROR", "ADAPTER_QUOTA"]);
    const { llm, shared } = body.result.usage;
    expect([llm.calls, shared.llm.calls]).toEqual([5, 4]);
    expect(llm.models.small).toMatchObject({ calls: 5, cost: llm.cost });
    // Each request is counted once: two of the jobs of this process, and that of the job which ended here.
    expect(models.bodies()).toHaveLength(5);
    expect((await after.call("GET", "/metrics")).body.llm.calls).toBe(3);
    await after.leave();
    await models.server.close();
    await folder.remove();
  },
  TIMEOUT_MS,
);

describe("in a file", () => sharedIn(once(() => families())));
describe.skipIf(postgres === null)("in PostgreSQL", () =>
  sharedIn(once(async () => families({ databaseUrl: (await postgres?.createDatabase()) ?? null }))),
);

/** One service for all tests of a store. */
function once(open: () => Promise<Families>): () => Promise<Families> {
  let opened: Promise<Families> | null = null;
  return () => {
    opened ??= open();
    return opened;
  };
}
