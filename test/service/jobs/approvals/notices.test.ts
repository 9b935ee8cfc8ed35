/** Notices of questions are sent by the rules of the operator, at least once, in a signed request or in a queue (docs/approvals.md). */
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { StartFault } from "../../../../adapters/operator/start-fault.ts";
import { readNotifyRules, ruleFor } from "../../../../service/jobs/approvals/notify-rules.ts";
import { signatureFault } from "../../../../service/programs/endpoints/verify/signatures.ts";
import { type Asking, asking, asks, inFolder, STARTS_MS } from "./asking.ts";

type Delivery = { readonly headers: IncomingMessage["headers"]; readonly body: Buffer };

/** Answers with the statuses one after the other, the last one again and again. */
async function receiver(...statuses: number[]) {
  const taken: Delivery[] = [];
  const takers: ((delivery: Delivery) => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end();
    const delivery = { headers: request.headers, body: Buffer.concat(chunks) };
    const taker = takers.shift();
    if (taker === undefined) taken.push(delivery);
    else taker(delivery);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next(): Promise<Delivery> {
      const first = taken.shift();
      return first === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(first);
    },
  };
}
const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function telling(notify: readonly object[], variables: Record<string, string> = {}): Promise<Asking> {
  const file = join(await inFolder(), "operator.json");
  await writeFile(file, JSON.stringify({ approvals: { notify } }));
  return asking({
    variables: { WF_ADAPTERS_CONFIG: file, WF_PUBLIC_URL: "https://weft.example.com", ...variables },
  });
}

describe("a notice", () => {
  it(
    "is a signed request with a link for each person",
    async () => {
      const other = await receiver(200);
      const { url, next } = await receiver(200);
      const service = await telling(
        [{ to: "group:leads", http: { url: other.url } }, { http: { url, auth_secret: "NOTICE" } }],
        { WF_SECRET_NOTICE: "a secret of the operator!" },
      );
      const { approval, job } = await service.asked(asks({ to: ["user:ann", "user:bob"], timeout: "1d" }));
      const { headers, body } = await next();
      const request = { method: "POST", path: "/", query: "", publicUrl: null };
      const delivery = { ...request, headers, body, now: Date.now() };
      const settings = { kind: "standard", secrets: "NOTICE" } as const;
      expect(await signatureFault(settings, delivery, async () => "a secret of the operator!")).toBeNull();
      const notice = JSON.parse(body.toString("utf8"));
      expect(notice).toMatchObject({
        kind: "approval",
        approval_id: approval,
        job_id: job,
        title: "Refund of an order",
        links: [{ for: "user:ann" }, { for: "user:bob" }],
      });
      const page = await service.call("GET", notice.links[0].url.replace("https://weft.example.com", ""));
      expect(page.text).toContain("<dt>You are</dt><dd>ann</dd>");
      await service.logged("approval_notified");
      expect(service.lines.join("")).not.toContain(notice.links[0].url.slice(-43));
    },
    STARTS_MS,
  );

  it(
    "that failed is noted, and the question stays open",
    async () => {
      const { url, next } = await receiver(500);
      const service = await telling([{ http: { url } }]);
      const { approval } = await service.asked(asks({}));
      await next();
      expect(await service.logged("approval_notice_failed")).toMatchObject({ error: "status_500", tries: 0 });
      expect((await service.call("GET", `/approvals/${approval}`)).body.state).toBe("open");
    },
    STARTS_MS,
  );

  it(
    "may be a message of a queue",
    async () => {
      const service = await telling([{ queue: "questions" }], {
        WF_ENABLE_ADAPTERS: "core,ext,signal,timer,approval,queue",
      });
      const { approval } = await service.asked(asks({ to: "group:leads" }));
      await service.logged("approval_notified");
      const taken = await service.run({
        code: 'L1:\n  R queue.len "questions" ->n\n  J n.ready\n',
      });
      expect({ out: taken.body.out, approval }).toMatchObject({ out: 1 });
    },
    STARTS_MS,
  );
});

describe("the rules", () => {
  const approval = { asked: { to: ["user:ann", "group:leads"] }, job: { deployment: "refund", about: { name: null } } };
  it.each([
    [{ to: "user:ann", queue: "q" }, true],
    [{ to: "user:eve", queue: "q" }, false],
    [{ name: "refund", queue: "q" }, true],
    [{ name: "order", queue: "q" }, false],
    [{ queue: "q" }, true],
  ])("%j fits or does not", (rule, fits) => {
    expect(ruleFor(readNotifyRules({ notify: [rule] }), approval as never) !== null).toBe(fits);
  });

  it.each([
    { notify: {} },
    { notify: [{}] },
    { notify: [{ queue: "q", http: { url: "http://a.example" } }] },
    { notify: [{ http: { url: "ftp://a.example" } }] },
    { notify: [{ to: "ann", queue: "q" }] },
    { tell: [] },
  ])("refuse %j", (given) => {
    expect(() => readNotifyRules(given)).toThrow(StartFault);
  });
});
