/** console-2 § 2: the arguments of calls and branches of a durable job, in short, are read from its journal when somebody asks. */
import { afterEach, expect, it } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function served(
  options: Partial<JobServingOptions> = { variables: { WF_JOURNAL_VALUES: "1" } },
): Promise<JobServing> {
  const folder = await temporaryFolder();
  closing.push(() => folder.remove());
  const service = await servingJobs({ stateDir: folder.path, ...options });
  closing.push(() => service.stop());
  return service;
}

const ADAPTERS = { adapters: { enable: ["ext", "signal", "timer"] } };
const callsOf = async (service: JobServing, id: string, values = true) =>
  (await service.call("GET", `/result/${id}/calls${values ? "?values=1" : ""}`)).body;
const queued = (service: JobServing, code: string, frame = {}) =>
  service.queued({ code, frame, durable: true, ...ADAPTERS });

const SHOPS = `from weft import ext, parallel

def probe(shop, tries=2):
    found = ext.Echo(shop)
    return found

def main(shops):
    ext.Echo({"a": 1})
    return parallel(probe, shops)
`;

it("names the arguments of each call, and of each branch the function that it runs, of a job that succeeded too", async () => {
  const service = await served();
  const id = await queued(service, SHOPS, { shops: ["north", "south"] });
  await service.over(id);
  const calls = (await service.call("GET", "/metrics")).body.adapter_calls_total;
  const body = await callsOf(service, id);
  const { records } = (await service.call("GET", `/result/${id}/journal`)).body;
  const bySeq = new Map(body.calls.map((call: { seq: number; arguments: string }) => [call.seq, call.arguments]));
  const seen = records.flatMap(({ kind, seq, branch }: { kind: string; seq: number; branch?: string }) =>
    kind === "call" ? [[branch?.slice(-2) ?? "", bySeq.get(seq)]] : [],
  );
  expect(seen.sort()).toEqual([
    ["#0", '"north"'],
    ["#1", '"south"'],
    ["", '{"a": 1}'],
  ]);
  expect(body.branches).toEqual([
    { branch: expect.stringMatching(/#0$/), function: "probe", arguments: '"north", 2' },
    { branch: expect.stringMatching(/#1$/), function: "probe", arguments: '"south", 2' },
  ]);
  expect((await service.call("GET", "/metrics")).body.adapter_calls_total).toEqual(calls);
});

it("names branches that wait before they called anything, and what a lambda calls", async () => {
  const code = `from weft import parallel, signal

def ask(name):
    return signal.wait(name)

def main(names):
    return parallel([lambda name=name: ask(name) for name in names])
`;
  const service = await served();
  const id = await queued(service, code, { names: ["x", "y", "z"] });
  await service.until(id, "waiting");
  expect((await callsOf(service, id)).branches.map((one: object) => ({ ...one, branch: "" }))).toEqual(
    ["x", "y", "z"].map((name) => ({ branch: "", function: "ask", arguments: JSON.stringify(name) })),
  );
});

/** Three branches that wait at a call of their own, after one that has an answer. */
const ASKS = `from weft import ext, parallel, signal, timer

def ask(name):
    ext.Echo(name)
    if name == "sleeps":
        timer.sleep(3600)
    return signal.wait("to-" + name, timeout="1h")

def main(names):
    return parallel(ask, names)
`;

it("names the arguments of the waiting call in every branch, and of what it called before", async () => {
  const service = await served();
  const id = await queued(service, ASKS, { names: ["x", "sleeps", "z"] });
  await service.until(id, "waiting");
  const { records } = (await service.call("GET", `/result/${id}/journal`)).body;
  const { calls } = await callsOf(service, id);
  const bySeq = new Map(calls.map((call: { seq: number; arguments: string }) => [call.seq, call.arguments]));
  const seen = records.flatMap(({ kind, seq, branch, adapter }: Record<string, string>) =>
    kind === "call" || kind === "wait" ? [[branch?.slice(-2), kind, adapter, bySeq.get(seq)]] : [],
  );
  expect(seen.sort()).toEqual([
    ["#0", "call", "ext", '"x"'],
    ["#0", "wait", "signal", '"to-x", timeout="1h"'],
    ["#1", "call", "ext", '"sleeps"'],
    ["#1", "wait", "timer", "3600"],
    ["#2", "call", "ext", '"z"'],
    ["#2", "wait", "signal", '"to-z", timeout="1h"'],
  ]);
});

it("names the arguments of waiting calls in branches of branches, while others have ended", async () => {
  const code = `from weft import parallel, signal

def ask(name):
    if name == "done":
        return name
    return signal.wait(name)

def pair(name):
    return parallel(ask, [name + "1", "done", name + "2"])

def main(names):
    return parallel(pair, names)
`;
  const service = await served();
  const id = await queued(service, code, { names: ["a", "b"] });
  await service.until(id, "waiting");
  const { calls, branches } = await callsOf(service, id);
  const shown = (of: readonly { arguments: string }[]) => of.map((one) => one.arguments).sort();
  expect(shown(calls)).toEqual(['"a1"', '"a2"', '"b1"', '"b2"']);
  expect(branches.filter(({ function: name }: { function: string }) => name === "pair")).toHaveLength(2);
});

it("shows shapes where values are not asked for, and refuses values where the operator shows none", async () => {
  const service = await served({});
  const id = await queued(service, SHOPS, { shops: ["a secret"] });
  await service.over(id);
  const { text, body } = await service.call("GET", `/result/${id}/calls`);
  expect(text).not.toContain("a secret");
  expect(body.calls.map((one: { arguments: string }) => one.arguments)).toEqual(["{1 member}", "text, 8"]);
  expect(body.branches).toMatchObject([{ function: "probe", arguments: "text, 8, a number" }]);
  expect((await service.call("GET", `/result/${id}/calls?values=1`)).status).toBe(403);
});

it("bounds what is shown of long arguments, and masks credentials before it cuts them", async () => {
  const code = `from weft import ext

def main(word, many):
    ext.Echo(word)
    ext.Echo("token=abcdefghijklmnopqrstuvwxyz0123456789 and more words that are longer than the room")
    ext.Echo(word * 100)
    ext.Echo(many)
    ext.Echo({"token": "abcdefgh", "to": ["a"]})
    ext.Echo({"token": "abcdefgh", "n": None})
    ext.Echo([1.5, True])
    ext.Echo({"a": "x" * 50, "b": "y" * 50})
`;
  const service = await served();
  const id = await queued(service, code, { word: "<b>\u202e".repeat(1000), many: Array(5000).fill("x") });
  await service.over(id);
  const shown = (await callsOf(service, id)).calls.map((one: { arguments: string }) => one.arguments);
  expect(shown).toEqual([
    `${JSON.stringify(`${"<b>\u202e".repeat(10).slice(0, 39)}…`)}`,
    '"token=[REDACTED] and more words that ar…"',
    "text, 400000",
    "[5000 elements]",
    "{2 members}",
    '{"token": "[REDACTED]", "n": None}',
    "[1.5, True]",
    `{"a": "${"x".repeat(39)}…", "b": "yyy…`,
  ]);
});

it("says the line of each call in the events of a job whose program is in Python", async () => {
  const service = await served();
  const id = await queued(service, SHOPS, { shops: ["north"] });
  await service.over(id);
  const { text } = await service.call("GET", `/result/${id}/events`, undefined, { "last-event-id": "0" });
  const calls = text.split("\n").filter((line) => line.startsWith('data: {"seq"') && line.includes("label_id"));
  expect(calls.map((line) => JSON.parse(line.slice(6))).map(({ label_id, line }) => [label_id, line])).toEqual([
    ["main", 8],
    ["probe", 4],
  ]);
});

it("says why nothing is shown of a job without a journal", async () => {
  const service = await served();
  const plain = await service.queued({ code: "def main():\n    return 1\n", durable: false });
  await service.over(plain);
  expect(await callsOf(service, plain)).toMatchObject({ seq: null, why: "not_durable", calls: [], branches: [] });
  expect((await service.call("GET", "/result/01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d/calls")).status).toBe(404);
});
