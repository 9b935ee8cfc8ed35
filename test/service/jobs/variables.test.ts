/** D2.Q-6: what a durable run holds where it stands is read from its journal, when somebody asks, and nothing is called for it. */
import { afterEach, expect, it } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function served(variables: JobServingOptions["variables"] = { WF_JOURNAL_VALUES: "1" }): Promise<JobServing> {
  const folder = await temporaryFolder();
  closing.push(() => folder.remove());
  const service = await servingJobs({ stateDir: folder.path, ...(variables === undefined ? {} : { variables }) });
  closing.push(() => service.stop());
  return service;
}

const ADAPTERS = { adapters: { enable: ["ext", "signal", "approval"] } };
const variablesOf = async (service: JobServing, id: string, values = true) =>
  (await service.call("GET", `/result/${id}/variables${values ? "?values=1" : ""}`)).body;

const ORDERS = `from weft import ext, signal

LIMIT = 2

def ask(order, seen):
    total = order["price"] * 2
    rest = [one for one in seen if one != order["id"]]
    answer = signal.wait("go")
    return total

def main(orders):
    seen = set()
    sent = []
    for order in orders:
        seen.add(order["id"])
        sent.append(ext.Echo(order["id"]))
        if len(sent) == LIMIT:
            ask(order, sorted(seen))
    return sent
`;
const FRAME = {
  orders: [
    { id: "a", price: 1.5 },
    { id: "b", price: 2.5 },
  ],
};

it("shows the functions under way with their lines and variables, and calls nothing for it", async () => {
  const service = await served();
  const id = await service.queued({ code: ORDERS, frame: FRAME, durable: true, ...ADAPTERS });
  await service.until(id, "waiting");
  const calls = (await service.call("GET", "/metrics")).body.adapter_calls_total;
  const body = await variablesOf(service, id);
  expect(body).toMatchObject({ function: "ask", line: 8 });
  expect(body.variables).toEqual({
    order: FRAME.orders[1],
    seen: ["a", "b"],
    total: 5,
    rest: ["a"],
  });
  expect(body.callers).toEqual([
    {
      function: "main",
      line: 18,
      variables: { ...FRAME, order: FRAME.orders[1], seen: { $python: "{'a', 'b'}" }, sent: ["a", "b"] },
    },
  ]);
  expect((await service.call("GET", "/metrics")).body.adapter_calls_total).toEqual(calls);
  const { seq } = body;
  expect((await service.call("GET", `/result/${id}/journal`)).body.records.at(-1).seq).toBe(seq);
  // The job continues as if it had not been looked at.
  await service.call("POST", `/result/${id}/signals/go`, {});
  expect((await service.over(id)).body).toMatchObject({ status: "succeeded" });
  expect(await variablesOf(service, id)).toMatchObject({ seq: null, why: "succeeded", variables: {}, callers: [] });
});

it("shows shapes where values are not asked for, and no values where the operator shows none", async () => {
  const service = await served({});
  const frame = { orders: [{ id: "a", price: "secret" }, FRAME.orders[1]] };
  const id = await service.queued({ code: ORDERS, frame, durable: true, ...ADAPTERS });
  await service.until(id, "waiting");
  const { text, body } = await service.call("GET", `/result/${id}/variables`);
  expect(text).not.toContain("secret");
  expect(body.variables).toEqual({
    order: "{2 members}",
    seen: "[2 elements]",
    total: "a number",
    rest: "[1 element]",
  });
  expect(body.callers[0].variables.seen).toBe("a value of Python");
  expect((await service.call("GET", `/result/${id}/variables?values=1`)).status).toBe(403);
});

it("shows what was in the variables where a durable job failed", async () => {
  const code = `from weft import ext

def ratio(part, whole):
    share = part["n"] / whole
    return share

def main(rows):
    count = 0
    for row in rows:
        whole = ext.Echo(row["of"])
        count += 1
        ratio(row, whole)
`;
  const service = await served();
  const frame = {
    rows: [
      { n: 1, of: 2 },
      { n: 3, of: 0 },
    ],
  };
  const id = await service.queued({ code, frame, durable: true, ...ADAPTERS });
  expect((await service.over(id)).body).toMatchObject({ status: "failed" });
  expect(await variablesOf(service, id)).toMatchObject({
    function: "ratio",
    line: 4,
    variables: { part: { n: 3, of: 0 }, whole: 0 },
    callers: [{ function: "main", line: 12, variables: { count: 2, whole: 0 } }],
  });
});

it("shows where a branch waits, below the function that waits for it", async () => {
  const code = `from weft import signal, parallel

def one(name):
    wanted = name.upper()
    return signal.wait(name)

def main(names):
    count = len(names)
    return parallel(one, names)
`;
  const service = await served();
  const id = await service.queued({ code, frame: { names: ["x", "y"] }, durable: true, ...ADAPTERS });
  await service.until(id, "waiting");
  const { function: name, variables, callers } = await variablesOf(service, id);
  expect(name).toBe("one");
  expect([variables.name, variables.wanted]).toEqual([
    expect.stringMatching(/^[xy]$/),
    expect.stringMatching(/^[XY]$/),
  ]);
  expect(callers).toMatchObject([{ function: "main", variables: { count: 2 } }]);
});

it("shows captured variables, large values by their size, and leaves functions out", async () => {
  const code = `from weft import signal

def main(n):
    count = 0
    big = "x" * 100000
    many = list(range(5000))
    def add():
        nonlocal count
        count += n
    add()
    signal.wait("go")
    return count
`;
  const service = await served();
  const id = await service.queued({ code, frame: { n: 3 }, durable: true, ...ADAPTERS });
  await service.until(id, "waiting");
  expect((await variablesOf(service, id)).variables).toEqual({
    n: 3,
    count: 3,
    big: { $truncated: 100_002, type: "string" },
    many: { $truncated: expect.any(Number), type: "list" },
  });
});

it("shows the variables of a run in the opcode form", async () => {
  const service = await served();
  const code = 'L1:\n  Set kept ["secret"]\n  R signal.wait "go" ->s\n  J 1\n';
  const id = await service.queued({ code, durable: true, ...ADAPTERS });
  await service.until(id, "waiting");
  expect(await variablesOf(service, id)).toMatchObject({
    function: null,
    variables: { kept: ["secret"] },
    callers: [],
  });
});

it("says why there is nothing to show", async () => {
  const service = await served();
  const plain = await service.queued({ code: "def main():\n    return 1\n", durable: false });
  await service.over(plain);
  expect(await variablesOf(service, plain)).toMatchObject({ seq: null, why: "not_durable" });
  expect((await service.call("GET", "/result/01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d/variables")).status).toBe(404);
});

it("keeps what it found for those who look again", async () => {
  const service = await served();
  const id = await service.queued({ code: ORDERS, frame: FRAME, durable: true, ...ADAPTERS });
  await service.until(id, "waiting");
  const all = await Promise.all(Array.from({ length: 4 }, () => variablesOf(service, id)));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
});
