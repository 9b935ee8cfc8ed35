/** Questions to people: asked by durable jobs, decided once, by those who may. */
import { describe, expect, it } from "vitest";
import { asking, asks, inFolder, REFUND, STARTS_MS, shared } from "./asking.ts";

const plain = shared();

const UNKNOWN = "0123456789abcdef0123456789abcdef";

describe("a job that asks", () => {
  it("waits until somebody decides, and is given the decision", async () => {
    const service = plain();
    const { job, approval } = await service.asked(REFUND);
    const waits = await service.call("GET", `/result/${job}/waits`);
    expect(waits.body.waits).toMatchObject([{ kind: "approval", approval, ended_at: null }]);
    const open = await service.call("GET", `/approvals/${approval}`);
    expect(open.body).toMatchObject({
      state: "open",
      job_id: job,
      title: "Refund of an order",
      details: { order: 7 },
      choices: ["approve", "reject"],
      decision: null,
      answers: [],
    });
    const decided = await service.call("POST", `/approvals/${approval}`, { decision: "approve", comment: "fine" });
    expect(decided).toMatchObject({ status: 200, body: { state: "decided", decision: "approve" } });
    const { body } = await service.over(job);
    expect(body.result.out).toMatchObject({
      decision: "approve",
      approved: true,
      by: null,
      comment: "fine",
      data: null,
      id: approval,
    });
    expect((await service.call("GET", `/approvals/${approval}`)).body.answers).toMatchObject([
      { choice: "approve", by: null, via: "api", comment: "fine" },
    ]);
    expect((await service.call("GET", `/approvals?job=${job}`)).body.approvals).toEqual([]);
    expect((await service.call("GET", `/approvals?state=decided&job=${job}`)).body.approvals).toHaveLength(1);
    await service.logged("approval_opened");
    expect(await service.logged("approval_decided")).toMatchObject({ decision: "approve", via: "api", by_hash: null });
    expect(service.lines.join("")).not.toMatch(/Refund|fine/);
  });

  it("is counted in the figures with the age of its question, until somebody decides", async () => {
    const service = await asking();
    const figures = async () => {
      const { open_approvals, oldest_approval_age_ms } = (await service.call("GET", "/metrics")).body;
      return [open_approvals, oldest_approval_age_ms];
    };
    expect(await figures()).toEqual([0, null]);
    const { approval } = await service.asked(REFUND);
    await expect.poll(figures, { timeout: STARTS_MS }).toEqual([1, expect.any(Number)]);
    const { text } = await service.call("GET", "/metrics", undefined, { accept: "text/plain" });
    expect(text).toMatch(/^wf_oldest_approval_age_seconds [0-9.]+$/m);
    await service.call("POST", `/approvals/${approval}`, { decision: "approve" });
    await expect.poll(figures, { timeout: STARTS_MS }).toEqual([0, null]);
  });

  it("is given what it asked for in its form", async () => {
    const service = plain();
    const form = { amount: "number", why: "text", fast: "boolean", way: ["bank", "card"] };
    const { job, approval } = await service.asked(asks({ form }));
    const decide = (data: object, decision = "approve") =>
      service.call("POST", `/approvals/${approval}`, { decision, data });
    const good = { amount: 3.5, why: "late", fast: true, way: "bank" };
    for (const [data, path] of [
      [{ ...good, way: "cash" }, "/data/way"],
      [{ ...good, amount: "3" }, "/data/amount"],
      [{ ...good, fast: null }, "/data/fast"],
      [{ ...good, more: 1 }, "/data/more"],
      [JSON.parse('{"__proto__": 1}'), "/data/__proto__"],
    ] as const) {
      const refused = await decide(data);
      expect({ status: refused.status, path: refused.body.issues[0].path }).toEqual({ status: 400, path });
    }
    expect((await decide(good)).status).toBe(200);
    expect((await service.over(job)).body.result.out.data).toEqual(good);
  });

  it.each([
    ["an unknown question", UNKNOWN, { decision: "approve" }, 404, "approval_not_found"],
    ["an id of another form", "x", { decision: "approve" }, 404, "approval_not_found"],
    ["a wrong choice", null, { decision: "perhaps" }, 400, "invalid_request"],
    ["data without a form", null, { decision: "approve", data: { a: 1 } }, 400, "invalid_request"],
    ["an unknown member", null, { decision: "approve", by: "ann" }, 400, "invalid_request"],
    ["a long comment", null, { decision: "approve", comment: "x".repeat(2001) }, 400, "invalid_request"],
  ] as const)("is not decided by %s", async (_what, id, body, status, error) => {
    const service = plain();
    const { approval } = await service.asked(REFUND);
    const refused = await service.call("POST", `/approvals/${id ?? approval}`, body);
    expect({ status: refused.status, error: refused.body.error }).toEqual({ status, error });
    expect((await service.call("GET", `/approvals/${approval}`)).body.state).toBe("open");
  });

  it("counts one of two decisions at the same time", async () => {
    const service = plain();
    const { job, approval } = await service.asked(REFUND);
    const both = await Promise.all(
      ["approve", "reject"].map((decision) => service.call("POST", `/approvals/${approval}`, { decision })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const counted = both[0]?.status === 200 ? "approve" : "reject";
    expect((await service.over(job)).body.result.out.decision).toBe(counted);
    const late = await service.call("POST", `/approvals/${approval}`, { decision: "approve" });
    expect({ status: late.status, error: late.body.error }).toEqual({ status: 409, error: "approval_not_open" });
  });

  it("gets the same answer again under the same Idempotency-Key", async () => {
    const service = plain();
    const { approval } = await service.asked(REFUND);
    const send = () =>
      service.call("POST", `/approvals/${approval}`, { decision: "reject" }, { "idempotency-key": "k" });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  });

  it(
    "continues in another process",
    async () => {
      const stateDir = await inFolder();
      const first = await asking({ stateDir });
      const { job, approval } = await first.asked(REFUND);
      await first.leave();
      const second = await asking({ stateDir });
      expect((await second.call("GET", `/approvals/${approval}`)).body.state).toBe("open");
      await second.call("POST", `/approvals/${approval}`, { decision: "reject" });
      expect((await second.over(job)).body.result.out).toMatchObject({ decision: "reject", approved: false });
    },
    STARTS_MS,
  );

  it("is given expired when no decision comes in time, and takes none afterwards", async () => {
    const service = plain();
    const id = await service.queued({ code: asks({ timeout: 0.2 }) });
    const { body } = await service.over(id);
    expect(body.result.out).toMatchObject({ decision: "expired", approved: false, by: null });
    const [approval] = (await service.call("GET", `/approvals?state=expired&job=${id}`)).body.approvals;
    const late = await service.call("POST", `/approvals/${approval.approval_id}`, { decision: "approve" });
    expect(late.body.error).toBe("approval_not_open");
  });

  it("takes its question along when it is cancelled", async () => {
    const service = plain();
    const { job, approval } = await service.asked(REFUND);
    await service.call("DELETE", `/result/${job}`);
    expect((await service.call("GET", `/approvals/${approval}`)).body.state).toBe("cancelled");
    const late = await service.call("POST", `/approvals/${approval}`, { decision: "approve" });
    expect({ status: late.status, error: late.body.error }).toEqual({ status: 409, error: "approval_not_open" });
  });

  it("opens questions first and waits later, and takes one back", async () => {
    const service = plain();
    const code = `L1:
  R approval.open "first" {"timeout": "1d"} ->a
  R approval.open "second" {"timeout": "1d"} ->b
  R approval.cancel b ->c
  R approval.wait b ->never
  R approval.wait a {"timeout": 0} ->early
  R approval.wait a ->answer
  R approval.cancel a ->late
  J [c.ok, never.decision, early.decision, answer.decision, late.ok]
`;
    const { job, approval } = await service.asked(code);
    const all = (await service.call("GET", `/approvals?job=${job}&state=all`)).body.approvals;
    expect(all.map(({ title, state }: { title: string; state: string }) => [title, state]).sort()).toEqual([
      ["first", "open"],
      ["second", "cancelled"],
    ]);
    await service.call("POST", `/approvals/${approval}`, { decision: "approve" });
    const { body } = await service.over(job);
    expect(body.result.out).toEqual([true, "cancelled", "expired", "approve", false]);
  });

  it("gets a decision that came before its wait", async () => {
    const service = plain();
    const code = `L1:
  R approval.open "soon" ->a
  R ext.Hold "x" ->h
  R approval.wait a ->answer
  J answer.decision
`;
    const id = await service.queued({ code });
    const held = await service.held();
    const [{ approval_id }] = (await service.call("GET", `/approvals?job=${id}`)).body.approvals;
    await service.call("POST", `/approvals/${approval_id}`, { decision: "reject" });
    held.release(null);
    expect((await service.over(id)).body.result.out).toBe("reject");
  });

  it.each([
    ['R approval.wait "0123456789abcdef0123456789abcdef" ->x', "ADAPTER_NOT_FOUND"],
    ['R approval.ask "t" {"choices": ["expired"]} ->x', "ADAPTER_BAD_ARGS"],
    ['R approval.ask "t" {"choices": ["a", "a"]} ->x', "ADAPTER_BAD_ARGS"],
    ['R approval.ask "t" {"to": "ann"} ->x', "ADAPTER_BAD_ARGS"],
    ['R approval.ask "t" {"timeout": "soon"} ->x', "ADAPTER_BAD_ARGS"],
    ['R approval.ask "t" {"form": {"a b": "text"}} ->x', "ADAPTER_BAD_ARGS"],
    ['R approval.ask "t" {"details": (repeat "x" 70000)} ->x', "ADAPTER_TOO_LARGE"],
  ])("fails for %s", async (step, code) => {
    const service = plain();
    const id = await service.queued({ code: `L1:\n  ${step}\n  J x\n`, strict: false });
    const { body } = await service.over(id);
    expect(body.result.error_structured.data.adapter_code, body.result.message).toBe(code);
  });

  it("has as many open questions as it may", async () => {
    const service = plain();
    const step = (n: number) => `  R approval.open "q${n}" ->a${n}\n`;
    const code = `L1:\n${[1, 2, 3].map(step).join("")}  J a3\n`;
    const adapters = { approval: { max_open: 2 } };
    const id = await service.queued({ code, adapters });
    const { body } = await service.over(id);
    expect(body.result.error_structured.data.adapter_code).toBe("ADAPTER_QUOTA");
  });

  it("asks only those that the grant admits", async () => {
    const service = plain();
    const adapters = { approval: { allow_to: ["user:ann"] } };
    for (const options of [{}, { to: ["user:bob"] }, { to: ["user:ann", "group:x"] }]) {
      const id = await service.queued({ code: asks(options), adapters });
      const { body } = await service.over(id);
      expect(body.result.error_structured.data.adapter_code).toBe("ADAPTER_NOT_ALLOWED");
    }
  });

  it("is asked for nothing where the run is not a durable job", async () => {
    const service = plain();
    const { body } = await service.run({ code: REFUND });
    expect(body.error_structured.data.adapter_code).toBe("ADAPTER_NOT_CONFIGURED");
    const polled = await service.run({ code: asks({ timeout: 0 }) });
    expect(polled.body.out).toMatchObject({ decision: "expired" });
  });
});

describe("GET /approvals", () => {
  it("pages, the newest first, and filters by people", async () => {
    const service = plain();
    const ids: string[] = [];
    const open = async (): Promise<string[]> =>
      (await service.call("GET", "/approvals?limit=200")).body.approvals.map(
        ({ approval_id }: { approval_id: string }) => approval_id,
      );
    const before = await open();
    for (const to of [[], ["user:ann"], ["group:leads", "user:bob"]])
      ids.unshift((await service.asked(asks({ to }))).approval);
    expect(await open()).toEqual([...ids, ...before]);
    const first = await service.call("GET", "/approvals?limit=2");
    const second = await service.call("GET", `/approvals?limit=1&cursor=${first.body.next_cursor}`);
    const seen = [...first.body.approvals, ...second.body.approvals].map(({ approval_id }) => approval_id);
    expect(seen).toEqual(ids);
    const last = await service.call("GET", "/approvals?limit=200");
    expect(last.body.next_cursor).toBeNull();
    const idsFor = async (to: string): Promise<string[]> =>
      (await service.call("GET", `/approvals?limit=3&to=${to}`)).body.approvals.map(
        ({ approval_id }: { approval_id: string }) => approval_id,
      );
    expect(await idsFor("group:leads,user:ann")).toEqual(ids);
    expect(await idsFor("user:eve")).not.toContain(ids[0]);
    expect(await idsFor("user:eve")).toContain(ids[2]);
  });

  it.each(["state=gone", "limit=0", "limit=201", "cursor=x", "to=ann", "more=1"])("refuses %s", async (query) => {
    const service = plain();
    expect((await service.call("GET", `/approvals?${query}`)).status).toBe(400);
  });

  it(
    "shows no titles, details and comments where values are not shown",
    async () => {
      const service = await asking({ variables: { WF_UI_VALUES: "0" } });
      const { approval } = await service.asked(REFUND);
      const { body, text } = await service.call("GET", `/approvals/${approval}`);
      expect(body.values_hidden).toBe(true);
      expect(text).not.toMatch(/Refund|order/);
    },
    STARTS_MS,
  );

  it(
    "is empty where jobs are not listed",
    async () => {
      const service = await asking({ variables: { WF_JOBS_LIST: "0" } });
      const id = await service.queued({ code: REFUND });
      await service.until(id, "waiting");
      expect((await service.call("GET", "/approvals")).body.approvals).toEqual([]);
    },
    STARTS_MS,
  );
});
