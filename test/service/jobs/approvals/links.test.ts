/** Links: one person decides once, a page that is only read decides nothing, and a signal is taken once (docs/approvals.md). */
import { writeFile } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPageNonce, newToken, pageNonce } from "../../../../service/jobs/approvals/tokens.ts";
import type { Reply } from "../../serving.ts";
import { type Asking, asking, asks, inFolder, REFUND, STARTS_MS, shared } from "./asking.ts";

const URL_BASE = "https://weft.example.com";
const OPTIONS = { variables: { WF_PUBLIC_URL: URL_BASE } };
const linking = shared(OPTIONS);

async function linkTo(service: Asking, approval: string, person = "user:ann"): Promise<string> {
  const { body } = await service.call("POST", `/approvals/${approval}/links`, { for: person });
  expect(body.url).toMatch(/^https:\/\/weft\.example\.com\/a\/[A-Za-z0-9_-]{43}$/);
  return body.url.slice(URL_BASE.length);
}

const nonceIn = ({ text }: Reply): string => /name="page" value="([^"]+)"/.exec(text)?.[1] ?? "";

function post(service: Asking, path: string, fields: Record<string, string>, headers: OutgoingHttpHeaders = {}) {
  const body = new URLSearchParams(fields).toString();
  return service.call("POST", path, body, { "content-type": "application/x-www-form-urlencoded", ...headers });
}

const stateOf = async (service: Asking, approval: string): Promise<string> =>
  (await service.call("GET", `/approvals/${approval}`)).body.state;

describe("the page of a link", () => {
  it("decides nothing when it is read, in whatever way, and once when it is answered", async () => {
    const service = linking();
    const { job, approval } = await service.asked(REFUND);
    const path = await linkTo(service, approval);
    for (const method of ["GET", "HEAD", "GET"]) expect((await service.call(method, path)).status).toBe(200);
    const page = await service.call("GET", path);
    expect(page.text).toContain("Refund of an order");
    expect(page.text).not.toContain("checked");
    expect(page.text).not.toMatch(/<script/i);
    expect(page.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
    });
    // A scanner that submits the form as it stands chooses nothing.
    const asItStands = await post(service, path, { page: nonceIn(page), comment: "" });
    expect({ status: asItStands.status, state: await stateOf(service, approval) }).toEqual({
      status: 422,
      state: "open",
    });
    const answer = { page: nonceIn(page), choice: "reject", comment: "too late" };
    const decided = await post(service, path, answer, { origin: "null" });
    expect({ status: decided.status, to: decided.headers.location }).toEqual({ status: 303, to: path.slice(3) });
    const out = (await service.over(job)).body.result.out;
    expect(out).toMatchObject({ decision: "reject", by: "ann", comment: "too late" });
    const after = await service.call("GET", path);
    expect(after.text).toContain("It is decided.");
    expect((await post(service, path, answer)).status).toBe(409);
    expect(service.lines.join("")).not.toContain(path.slice(3));
  });

  it.each([
    ["without a page", { choice: "approve" }],
    ["with a page of another link", { choice: "approve", page: pageNonce(newToken(), Date.now()) }],
    ["with an unknown choice", { choice: "perhaps" }],
    ["with a comment that is too long", { choice: "approve", comment: "x".repeat(2001) }],
    ["with text in a field for a number", { choice: "approve", "field-amount": "many" }],
    ["without a field", { choice: "approve" }],
  ])("is not answered %s", async (what, fields) => {
    const service = linking();
    const { approval } = await service.asked(asks({ form: { amount: "number" } }));
    const path = await linkTo(service, approval);
    const own = what.includes("page") ? {} : { page: nonceIn(await service.call("GET", path)) };
    const reply = await post(service, path, { ...own, ...fields });
    expect({ status: reply.status, state: await stateOf(service, approval) }).toEqual({ status: 422, state: "open" });
    expect(reply.text).toContain('role="alert"');
  });

  it("takes the fields of a form", async () => {
    const service = linking();
    const form = { amount: "number", fast: "boolean", way: ["bank", "card"], why: "text" };
    const { job, approval } = await service.asked(asks({ form }));
    const path = await linkTo(service, approval);
    const page = nonceIn(await service.call("GET", path));
    const fields = { "field-amount": "2.5", "field-fast": "true", "field-way": "card", "field-why": "a<b" };
    expect((await post(service, path, { page, choice: "approve", ...fields })).status).toBe(303);
    expect((await service.over(job)).body.result.out.data).toEqual({
      amount: 2.5,
      fast: true,
      way: "card",
      why: "a<b",
    });
  });

  it("shows what a program wrote as text, and what cannot be seen as an escape", async () => {
    const service = linking();
    const code = `L1:\n  R approval.ask "<b>Pay\u202e</b>" {"details": {"a": "<img src=x onerror=1>\u200b"}, "choices": ["<i>", "no"]} ->x\n  J x\n`;
    const { approval } = await service.asked(code);
    const { text } = await service.call("GET", await linkTo(service, approval));
    expect(text).not.toMatch(/<b>|<img|<i>|\u202e|\u200b/);
    expect(text).toContain("\\u{202e}");
    expect(text).toContain("\\u{200b}");
  });

  it("is refused to a page of another origin", async () => {
    const service = linking();
    const { approval } = await service.asked(REFUND);
    const path = await linkTo(service, approval);
    const page = nonceIn(await service.call("GET", path));
    const foreign = await post(service, path, { page, choice: "approve" }, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    const own = await post(service, path, { page, choice: "approve" }, { origin: URL_BASE });
    expect(own.status).toBe(303);
  });

  it("is one of several, of which one decides", async () => {
    const service = linking();
    const { approval } = await service.asked(REFUND);
    const paths = [await linkTo(service, approval), await linkTo(service, approval, "user:bob")];
    const replies = await Promise.all(
      paths.map(async (path) => {
        const page = nonceIn(await service.call("GET", path));
        return (await post(service, path, { page, choice: "approve" })).status;
      }),
    );
    expect(replies.sort()).toEqual([303, 409]);
  });

  it("says what became of the question when its job is over", async () => {
    const service = linking();
    const { job, approval } = await service.asked(REFUND);
    const path = await linkTo(service, approval);
    const page = nonceIn(await service.call("GET", path));
    await service.call("DELETE", `/result/${job}`);
    expect((await service.call("GET", path)).text).toContain("its job is over");
    expect((await post(service, path, { page, choice: "approve" })).status).toBe(409);
  });

  it("is a form and nothing else", async () => {
    const service = linking();
    const { approval } = await service.asked(REFUND);
    const path = await linkTo(service, approval);
    const json = await service.call("POST", path, { choice: "approve" });
    expect({ status: json.status, state: await stateOf(service, approval) }).toEqual({ status: 422, state: "open" });
    const large = await post(service, path, { choice: "x".repeat(300_000) });
    expect(large.status).toBe(413);
    expect(large.headers["content-type"]).toContain("text/html");
  });
});

describe("a link", () => {
  it(
    "needs the address of the service",
    async () => {
      const service = await asking();
      const { approval } = await service.asked(REFUND);
      const reply = await service.call("POST", `/approvals/${approval}/links`, { for: "user:ann" });
      expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 422, error: "links_not_configured" });
    },
    STARTS_MS,
  );

  it.each([
    [{ for: "group:leads" }, 400],
    [{ for: "ann" }, 400],
    [{ for: "user:ann", expires_s: 604_801 }, 400],
  ])("is not made for %j", async (body, status) => {
    const service = linking();
    const { approval } = await service.asked(REFUND);
    expect((await service.call("POST", `/approvals/${approval}/links`, body)).status).toBe(status);
  });

  it(
    "that is unknown says nothing, and a client that tries many is not answered",
    async () => {
      const service = await asking(OPTIONS);
      const replies: number[] = [];
      const texts = new Set<string>();
      for (let n = 0; n < 22; n += 1) {
        const { status, text } = await service.call("GET", `/a/${n % 2 === 0 ? newToken() : "x"}`);
        replies.push(status);
        if (status === 404) texts.add(text);
      }
      expect(replies).toEqual([...Array(20).fill(404), 429, 429]);
      expect(texts.size).toBe(1);
    },
    STARTS_MS,
  );
});

describe("the proof that the page was read", () => {
  it("holds for its link and a quarter of an hour", () => {
    const token = newToken();
    const now = 1_900_000_000_000;
    const nonce = pageNonce(token, now);
    const table: [string, string, number, boolean][] = [
      [token, nonce, now, true],
      [token, nonce, now + 15 * 60_000, true],
      [token, nonce, now + 15 * 60_000 + 1, false],
      [newToken(), nonce, now, false],
      [token, `${nonce}x`, now, false],
      [token, "", now, false],
      [token, nonce.replace(/^[^.]+/, (now + 60_000).toString(36)), now, false],
    ];
    for (const [of, given, at, good] of table) expect(isPageNonce(of, given, at)).toBe(good);
  });
});

describe("signal.link", () => {
  const LINKS = `L1:
  R signal.link "paid" {"expires": "1d"} ->url
  R ext.Hold url ->h
  R signal.wait "paid" {"timeout": "1d"} ->news
  J news.data
`;

  it(
    "takes a signal once, of any JSON",
    async () => {
      const operatorFile = join(await inFolder(), "adapters.json");
      await writeFile(operatorFile, JSON.stringify({ signal: { allow_links: true } }));
      const service = await asking({ variables: { ...OPTIONS.variables, WF_ADAPTERS_CONFIG: operatorFile } });
      const id = await service.queued({ code: LINKS });
      const held = await service.held();
      expect(held.name).toMatch(/^https:\/\/weft\.example\.com\/s\/[A-Za-z0-9_-]{43}$/);
      held.release(null);
      await service.until(id, "waiting");
      const path = held.name.slice(URL_BASE.length);
      expect((await service.call("GET", path)).status).toBe(405);
      expect((await service.call("POST", path, "{", { "content-type": "application/json" })).status).toBe(400);
      const sent = await service.call("POST", path, [1, { paid: true }]);
      expect(sent).toMatchObject({ status: 202, body: { ok: true, delivered: "now" } });
      expect((await service.over(id)).body.result.out).toEqual([1, { paid: true }]);
      expect((await service.call("POST", path, [2])).status).toBe(410);
    },
    STARTS_MS,
  );

  it("is not made where the operator does not allow it, whatever a caller asks for", async () => {
    const service = linking();
    const id = await service.queued({ code: LINKS, adapters: { signal: { allow_links: true } } });
    const { body } = await service.over(id);
    expect(body.result.error_structured.data.adapter_code).toBe("ADAPTER_NOT_ALLOWED");
  });
});
