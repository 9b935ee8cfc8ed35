/** Who may decide: what a trusted proxy says, whom the question is for, and who queued the job (docs/approvals.md). */
import { describe, expect, it } from "vitest";
import { readServiceStart } from "../../../../service/config.ts";
import { asking, asks, REFUND, STARTS_MS, shared } from "./asking.ts";

const PROXY = { WF_TRUST_PROXY: "1", WF_USER_HEADER: "X-Forwarded-User", WF_GROUPS_HEADER: "X-Groups" };
const proxied = shared({ variables: { ...PROXY, WF_PUBLIC_URL: "https://weft.example.com" } });
const as = (user: string, groups = "") => ({
  "x-forwarded-user": user,
  "x-groups": groups,
  "x-forwarded-for": "192.0.2.1",
});

describe("with a proxy that names people", () => {
  it.each([
    ["somebody it is not for", as("eve", "sales"), 403],
    ["a person without a name", { "x-forwarded-for": "192.0.2.1" }, 403],
    ["two names at once", as("ann, eve"), 403],
    ["a name with a space", as("ann x"), 403],
    ["who is named", as("ann"), 200],
    ["a member of a group that is named", as("joe", "sales, leads"), 200],
  ])("%s decides or does not", async (_who, headers, status) => {
    const service = proxied();
    const { approval } = await service.asked(asks({ to: ["user:ann", "group:leads"] }), as("bob"));
    const reply = await service.call("POST", `/approvals/${approval}`, { decision: "approve" }, headers);
    expect(reply.status, reply.text).toBe(status);
    if (status === 403) expect(reply.body.error).toBe("approval_not_yours");
    else expect(reply.body.answers).toMatchObject([{ by: headers["x-forwarded-user" as never], via: "proxy" }]);
  });

  it("is decided by all whom it names when the question names no people", async () => {
    const service = proxied();
    const { approval, job } = await service.asked(REFUND, as("bob"));
    await service.call("POST", `/approvals/${approval}`, { decision: "reject" }, as("eve"));
    expect((await service.over(job)).body.result.out.by).toBe("eve");
  });

  it("is not decided by who queued the job", async () => {
    const service = proxied();
    const { approval } = await service.asked(REFUND, as("bob"));
    const own = await service.call("POST", `/approvals/${approval}`, { decision: "approve" }, as("bob"));
    expect({ status: own.status, error: own.body.error }).toEqual({ status: 403, error: "approval_not_yours" });
    expect((await service.call("GET", `/approvals/${approval}`)).body.asked_by).toBe("bob");
  });

  it("is found by whom it names and by their groups, without their names in the query", async () => {
    const service = proxied();
    const { approval } = await service.asked(asks({ to: ["user:mia", "group:lab"] }), as("bob"));
    const found = async (headers: object) => {
      const { body } = await service.call("GET", "/approvals?to=me&limit=200", undefined, { ...headers });
      return body.approvals.some((each: { approval_id: string }) => each.approval_id === approval);
    };
    expect(await found(as("mia"))).toBe(true);
    expect(await found(as("joe", "sales, lab"))).toBe(true);
    expect(await found(as("joe", "sales"))).toBe(false);
    expect(await found({})).toBe(false);
    expect((await service.call("GET", "/approvals?to=you")).status).toBe(400);
  });

  it("wants as many people as are needed to approve, and one to reject", async () => {
    const service = proxied();
    const decide = (approval: string, decision: string, who: string) =>
      service.call("POST", `/approvals/${approval}`, { decision }, as(who));
    const two = await service.asked(asks({ need: 2 }), as("bob"));
    expect((await decide(two.approval, "approve", "ann")).body.state).toBe("open");
    expect((await decide(two.approval, "approve", "ann")).status).toBe(403);
    expect((await decide(two.approval, "approve", "eve")).body.state).toBe("decided");
    expect((await service.over(two.job)).body.result.out).toMatchObject({ approved: true, by: "eve" });
    const one = await service.asked(asks({ need: 2 }), as("bob"));
    await decide(one.approval, "approve", "ann");
    await decide(one.approval, "reject", "eve");
    expect((await service.over(one.job)).body.result.out).toMatchObject({ decision: "reject", approved: false });
  });

  it("makes links for the operator only, who comes without the proxy", async () => {
    const service = proxied();
    const { approval } = await service.asked(REFUND, as("bob"));
    const link = (headers: object) =>
      service.call("POST", `/approvals/${approval}/links`, { for: "user:ann" }, { ...headers });
    expect((await link(as("eve"))).status).toBe(403);
    expect((await link({ "x-forwarded-for": "192.0.2.1" })).status).toBe(403);
    expect((await link({})).status).toBe(201);
  });
});

describe("without a proxy that names people", () => {
  it(
    "two people cannot be distinguished",
    async () => {
      const service = await asking();
      const { approval } = await service.asked(asks({ need: 2 }));
      const reply = await service.call("POST", `/approvals/${approval}`, { decision: "approve" }, as("ann"));
      expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 403, error: "approval_not_yours" });
      // A rejection counts at once, and needs to be by somebody, too.
      expect((await service.call("GET", `/approvals/${approval}`)).body.state).toBe("open");
    },
    STARTS_MS,
  );
});

describe("the start", () => {
  it.each([
    [{ WF_USER_HEADER: "X-User" }, "WF_TRUST_PROXY"],
    [{ WF_GROUPS_HEADER: "X-Groups" }, "WF_USER_HEADER"],
    [{ WF_USER_HEADER: "X User", WF_TRUST_PROXY: "1" }, "WF_USER_HEADER"],
    [{ WF_PUBLIC_URL: "weft.example.com" }, "WF_PUBLIC_URL"],
    [{ WF_PUBLIC_URL: "https://a.example/?x=1" }, "WF_PUBLIC_URL"],
    [{ WF_PUBLIC_URL: "https://u:p@a.example" }, "WF_PUBLIC_URL"],
  ])("refuses %j", (variables, named) => {
    expect(() => readServiceStart(variables)).toThrow(named);
  });
});
