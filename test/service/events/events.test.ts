/** Events that start jobs of deployed programs and wake runs that wait, in a file and in a database. */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { type Eventful, eventful } from "./event-service.ts";

const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
});

const TIMEOUT_MS = 60_000;
const on = (event: string, options = "", result = 'event["data"]'): string =>
  `@on("${event}"${options === "" ? "" : `, ${options}`})\ndef heard(event):\n    return ${result}\n`;

function eventsIn(open: () => Promise<Eventful>): void {
  it(
    "E-1: the function of an event is not given its id, name, data, key and time",
    async () => {
      const service = await open();
      await service.deployed("all", on("one/created", "", "event"), { accept: ["one/*"] });
      const { id } = await service.emitted({ name: "one/created", data: { n: 5, "__proto__ ": [1.5] }, key: "k-1" });
      const [start] = (await service.delivered(id)).starts;
      const { body } = await service.over(start?.job_id ?? "");
      expect(body).toMatchObject({ program: "all", status: "succeeded" });
      const { at, ...event } = body.result.out;
      expect(event).toEqual({ id, name: "one/created", data: { n: 5, "__proto__ ": [1.5] }, key: "k-1" });
      expect(Date.parse(at)).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it(
    "E-1: a program that emits an event is not given its id, or the event does not start the other one",
    async () => {
      const service = await open();
      await service.deployed("hears", on("emitted/now"), { accept: ["emitted/now"] });
      const code = 'def main(n):\n    return event.emit("emitted/now", {"n": n}, key=7)\n';
      await service.deployed("emits", code, { emit: ["emitted/*"] });
      const job = await service.begun("emits", { n: 3 });
      const id = (await service.over(job)).body.result.out;
      const event = await service.delivered(id);
      expect(event).toMatchObject({ name: "emitted/now", emitted_by: job, hops: 1, key: "7", data: { n: 3 } });
      expect(event.starts).toMatchObject([{ program: "hears", label: "heard", outcome: "started" }]);
      expect((await service.over(event.starts[0]?.job_id ?? "")).body.result.out).toEqual({ n: 3 });
    },
    TIMEOUT_MS,
  );

  it(
    "E-2: a program whose function fits has no job, or several, or one whose function does not fit has one",
    async () => {
      const service = await open();
      await service.deployed("large", on("two/created", 'when="data.total > 100"'), { accept: ["two/created"] });
      await service.deployed("small", on("two/created", 'when="data.total <= 100"'), { accept: ["two/created"] });
      await service.deployed("every", on("two/created"), { accept: ["*"] });
      const { id } = await service.emitted({ name: "two/created", data: { total: 120 } });
      const event = await service.delivered(id);
      expect(event).toMatchObject({ started: 2, failed: 0, cut: false });
      expect(event.starts.map(({ program, outcome }) => [program, outcome])).toEqual([
        ["every", "started"],
        ["large", "started"],
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    "E-2: an id that was used before starts jobs again",
    async () => {
      const service = await open();
      await service.deployed("once", on("three/created"), { accept: ["three/created"] });
      const given = { name: "three/created", data: 1, id: "the-same" };
      expect(await service.emitted(given)).toMatchObject({ id: "the-same", duplicate: false });
      await service.delivered("the-same");
      expect(await service.emitted({ ...given, data: 2 })).toMatchObject({ id: "the-same", duplicate: true });
      const event = await service.delivered("the-same");
      expect(event).toMatchObject({ data: 1, started: 1 });
      const { body } = await service.call("GET", "/jobs?program=once");
      expect(body.jobs).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    "E-2, E-7: an expression that fails starts something, or is not noted with the event",
    async () => {
      const service = await open();
      await service.deployed("fails", on("four/created", 'when="data.total > 100"'), { accept: ["four/created"] });
      await service.deployed("endless", on("four/created", 'when="sum(n for n in range(10 ** 9)) > 0"'), {
        accept: ["four/created"],
      });
      await service.deployed("keyless", on("four/created", 'key="data.lines"'), { accept: ["four/created"] });
      await service.deployed("sound", on("four/created"), { accept: ["four/created"] });
      const { id } = await service.emitted({ name: "four/created", data: { lines: [] } });
      const event = await service.delivered(id);
      expect(event).toMatchObject({ started: 1, failed: 3 });
      expect(event.starts.map(({ program, outcome, job_id }) => [program, outcome, job_id !== null])).toEqual([
        ["endless", "when_failed", false],
        ["fails", "when_failed", false],
        ["keyless", "key_failed", false],
        ["sound", "started", true],
      ]);
      for (const { error } of event.starts.slice(0, 3)) expect(error).toMatch(/^[A-Za-z_]+$/);
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 39: the report of an emitter does not name today's subscribers, or what they reach",
    async () => {
      const service = await open();
      const hears = '@on("seven/created")\ndef heard(event):\n    return signal.wait("go")\n';
      const body = { code: hears, adapters: { event: { accept: ["seven/*"] } } };
      const emits = async (name: string) => (await service.call("GET", `/programs/${name}`)).body.emits;
      await service.deployed("named", 'def main():\n    return event.emit("seven/created", 1)\n', {
        emit: ["seven/*"],
      });
      expect(await emits("named")).toEqual({ names: ["seven/created"], subscribers: [], more: 0 });
      expect((await service.call("PUT", "/programs/seventh", body)).status).toBe(201);
      const adapters = { signal: { verbs: ["wait"], privilege_tiers: ["local_state"] } };
      const subscriber = {
        event: "seven/created",
        program: "seventh",
        version: 1,
        adapters,
      };
      expect(await emits("named")).toEqual({ names: ["seven/created"], subscribers: [subscriber], more: 0 });
      await service.deployed("computed", "def main(n):\n    return event.emit(n, 1)\n", { emit: ["seven/*", "other"] });
      expect(await emits("computed")).toMatchObject({ names: ["other", "seven/*"], subscribers: [subscriber] });
      await service.deployed("elsewhere", "def main(n):\n    return event.emit(n, 1)\n", { emit: ["seven/created/x"] });
      expect(await emits("elsewhere")).toMatchObject({ subscribers: [] });
      // Each answer is of its moment: a new version, a deployment that is disabled, one that is gone.
      await service.call("PUT", "/programs/seventh", {
        ...body,
        code: hears.replace('signal.wait("go")', "timer.sleep(1)"),
      });
      expect(await emits("named")).toMatchObject({
        subscribers: [{ version: 2, adapters: { timer: { verbs: ["sleep"] } } }],
      });
      await service.call("PATCH", "/programs/seventh", { enabled: false });
      expect(await emits("named")).toMatchObject({ subscribers: [] });
      expect(await emits("seventh")).toBeNull();
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 39: a dry run or a proposal of an emitter does not say what it starts, or one that may not emit seems to",
    async () => {
      const service = await open();
      await service.deployed("eight", on("eight/created"), { accept: ["eight/created"] });
      const code = 'def main():\n    return event.emit("eight/created", 1)\n';
      const wanted = { names: ["eight/created"], subscribers: [{ event: "eight/created", program: "eight" }], more: 0 };
      const body = { code, adapters: { event: { emit: ["*"] } } };
      const dry = await service.call("PUT", "/programs/says-eight?dry_run=1", body);
      expect(dry.body.emits).toMatchObject(wanted);
      const proposed = await service.call("PUT", "/programs/says-eight?propose=1", body);
      expect(proposed.body.emits).toMatchObject(wanted);
      const { body: refused } = await service.call("PUT", "/programs/says-eight?dry_run=1", { code });
      expect(refused.emits).toBeNull();
    },
    TIMEOUT_MS,
  );

  it(
    "amendment 39: the list of what an emitter starts has no bound, or those beyond it are not counted",
    async () => {
      const service = await open();
      const many = Array.from(
        { length: 70 },
        (_, at) => `@on("nine/n${at}")\ndef heard_${at}(event):\n    return ${at}\n`,
      );
      for (const name of ["nine-a", "nine-b"]) await service.deployed(name, many.join("\n\n"), { accept: ["nine/*"] });
      await service.deployed("says-nine", "def main(n):\n    return event.emit(n, 1)\n", {
        emit: ["nine/*", "n*", "x/*"],
      });
      const { emits } = (await service.call("GET", "/programs/says-nine")).body;
      expect([emits.subscribers.length, emits.more]).toEqual([100, 40]);
    },
    TIMEOUT_MS,
  );

  it(
    "E-1: jobs of one key run at the same time",
    async () => {
      const service = await open();
      const code =
        '@on("five/created", key="data.customer")\ndef heard(event):\n    signal.wait("go")\n    return event["key"]\n';
      await service.deployed("serial", code, { accept: ["five/created"] });
      const ids: string[] = [];
      for (const customer of ["ann", "ann", "bob"]) {
        const { id } = await service.emitted({ name: "five/created", data: { customer }, key: "other" });
        ids.push((await service.delivered(id)).starts[0]?.job_id ?? "");
      }
      const [first = "", second = "", third = ""] = ids;
      await service.until(first, "waiting");
      await service.until(third, "waiting");
      expect((await service.call("GET", `/result/${second}`)).body).toMatchObject({ status: "queued" });
      await service.call("POST", `/result/${first}/signals/go`, { data: null });
      expect((await service.over(first)).body.result.out).toBe("ann");
      await service.until(second, "waiting");
      for (const id of [second, third]) {
        await service.call("POST", `/result/${id}/signals/go`, { data: null });
        await service.over(id);
      }
    },
    TIMEOUT_MS,
  );

  it(
    "E-3: a run that waits for an event is woken by another one, or not by its own",
    async () => {
      const service = await open();
      const code =
        'def main(id):\n    found = signal.wait("event:six/paid", match={"order": id}, timeout="1h")\n    return [found["name"], found["data"]]\n';
      await service.deployed("waits", code, { accept: ["six/paid"] });
      const job = await service.begun("waits", { id: "o-2" });
      await service.until(job, "waiting");
      const waits = (await service.call("GET", `/jobs/${job}/waits`)).body.waits;
      expect(waits ?? [{ kind: "event" }]).toMatchObject([{ kind: "event" }]);
      const other = await service.emitted({ name: "six/paid", data: { order: "o-1" } });
      expect(await service.delivered(other.id)).toMatchObject({ woken: 0 });
      const { id } = await service.emitted({ name: "six/paid", data: { order: "o-2", total: 3 } });
      expect((await service.over(job)).body.result.out).toEqual(["event:six/paid", { order: "o-2", total: 3 }]);
      const event = await service.delivered(id);
      expect(event).toMatchObject({ woken: 1, starts: [{ program: null, outcome: "woken", job_id: job }] });
    },
    TIMEOUT_MS,
  );

  it(
    "E-3: an event that came since the job was queued is lost for its wait, or one is taken twice",
    async () => {
      const service = await open();
      const code =
        'def main():\n    signal.wait("go")\n    got = [signal.wait("event:seven/paid", key="k", timeout=0)["data"] for n in range(3)]\n    return got\n';
      await service.deployed("late", code, { accept: ["seven/*"] });
      const job = await service.begun("late");
      await service.until(job, "waiting");
      for (const [data, key] of [
        [1, "k"],
        [2, "other"],
        [3, "k"],
      ])
        await service.delivered((await service.emitted({ name: "seven/paid", data, key })).id);
      await service.call("POST", `/result/${job}/signals/go`, { data: null });
      expect((await service.over(job)).body.result.out).toEqual([1, 3, null]);
    },
    TIMEOUT_MS,
  );

  it(
    "E-4: events that cause each other never end",
    async () => {
      const service = await open();
      const code =
        '@on("eight/again")\ndef heard(event_now):\n    event.emit("eight/again", {"n": event_now["data"]["n"] + 1})\n    return event_now["data"]["n"]\n';
      await service.deployed("circle", code, { accept: ["eight/*"], emit: ["eight/*"], max_event_hops: 4 });
      const { id } = await service.emitted({ name: "eight/again", data: { n: 0 } });
      await service.delivered(id);
      const failed = await service.first("/jobs?program=circle&status=failed");
      const { body } = await service.call("GET", `/result/${failed.job_id}`);
      expect(JSON.stringify(body.result)).toContain("max_event_hops");
      const list = (await service.call("GET", "/events?name=eight/again")).body.events;
      expect(list.map(({ hops }: { hops: number }) => hops)).toEqual([4, 3, 2, 1, 0]);
    },
    TIMEOUT_MS,
  );

  it(
    "E-5: recent events do not say what they started",
    async () => {
      const service = await open();
      await service.deployed("listed", on("nine/created"), { accept: ["nine/created"] });
      const { id } = await service.emitted({ name: "nine/created", data: null, key: "0664 1234" });
      await service.delivered(id);
      const first = (await service.call("GET", "/events?limit=1&name=nine/created")).body;
      expect(first.events).toMatchObject([{ id, name: "nine/created", keyed: true, state: "done", started: 1 }]);
      expect(JSON.stringify(first)).not.toContain("0664");
      expect(first.subscribers).toContainEqual({ name: "nine/created", program: "listed", version: 1 });
      const { status, body } = await service.call("GET", "/events/unknown");
      expect([status, body.error]).toEqual([404, "event_not_found"]);
    },
    TIMEOUT_MS,
  );

  it(
    "E-1: a time to come starts nothing before",
    async () => {
      const service = await open();
      await service.deployed("later", on("ten/created"), { accept: ["ten/created"] });
      const at = new Date(Date.now() + 3_600_000).toISOString();
      const { id } = await service.emitted({ name: "ten/created", data: 1, at });
      const now = await service.emitted({ name: "ten/created", data: 2 });
      await service.delivered(now.id);
      expect((await service.call("GET", `/events/${id}`)).body).toMatchObject({ state: "due", at, started: 0 });
    },
    TIMEOUT_MS,
  );

  it(
    "E-6: a deployment that accepts no event is deployed, or hears of one",
    async () => {
      const service = await open();
      const refused = await service.call("PUT", "/programs/deaf", {
        code: on("eleven/created"),
        adapters: { event: { accept: ["other/*"] } },
      });
      expect([refused.status, refused.body.error]).toEqual([422, "event_invalid"]);
      expect(refused.body.issues[0]).toMatchObject({
        code: "not_accepted",
        message: expect.stringContaining("line 2"),
      });
      const surplus = await service.call("PUT", "/programs/deaf", {
        code: '@on("eleven/created")\ndef heard(event, other):\n    return other\n',
        adapters: { event: { accept: ["*"] } },
      });
      expect([surplus.status, surplus.body.issues[0].code]).toEqual([422, "input_missing"]);
      const code =
        'def main():\n    try:\n        event.emit("eleven/created", 1)\n    except Exception as e:\n        return e.code\n';
      await service.deployed("mute", code, { emit: ["twelve/*"] });
      expect((await service.over(await service.begun("mute"))).body.result.out).toBe("ADAPTER_NOT_ALLOWED");
      const waits =
        'def main():\n    try:\n        signal.wait("event:eleven/created")\n    except Exception as e:\n        return e.code\n';
      await service.deployed("waiting", waits, { accept: ["twelve/*"] });
      expect((await service.over(await service.begun("waiting"))).body.result.out).toBe("ADAPTER_NOT_ALLOWED");
    },
    TIMEOUT_MS,
  );

  it(
    "E-2: a disabled deployment hears of an event, or a version that is no longer current",
    async () => {
      const service = await open();
      await service.deployed("moves", on("thirteen/a"), { accept: ["thirteen/*"] });
      await service.deployed("moves", on("thirteen/b"), { accept: ["thirteen/*"] });
      const started = async (name: string): Promise<number> =>
        (await service.delivered((await service.emitted({ name, data: 1 })).id)).started;
      expect([await started("thirteen/a"), await started("thirteen/b")]).toEqual([0, 1]);
      await service.call("PATCH", "/programs/moves", { enabled: false });
      expect(await started("thirteen/b")).toBe(0);
    },
    TIMEOUT_MS,
  );

  it("E-1: a request that does not describe an event is taken", async () => {
    const service = await open();
    for (const body of [
      { name: "a b", data: 1 },
      { name: "a/b", data: 1, id: "" },
      { name: "/a", data: 1 },
      { name: "a/b", data: 1, at: "soon" },
    ])
      expect((await service.call("POST", "/events", body)).status).toBe(400);
    const large = await service.call("POST", "/events", { name: "a/b", data: "x".repeat(70_000) });
    expect([large.status, large.body.error]).toEqual([413, "payload_too_large"]);
    const signal = await service.call("POST", "/signals/event:a", { key: "k", data: 1 });
    expect(signal.status).toBe(400);
  });
}

describe("in a file", () => eventsIn(once(() => eventful())));
describe.skipIf(postgres === null)("in PostgreSQL", () =>
  eventsIn(once(async () => eventful({ databaseUrl: (await postgres?.createDatabase()) ?? null }))),
);

/** One service for all tests of a store. */
function once(open: () => Promise<Eventful>): () => Promise<Eventful> {
  let opened: Promise<Eventful> | null = null;
  return () => {
    opened ??= open();
    return opened;
  };
}
