/**
 * What a team does with the console: an agent proposes a program, a person accepts it, an event starts it, its child waits for an approval, it
 * fails once, the mail arrives, its input is looked at, and it is retried. Skipped, with the reason, without Chromium.
 */
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { type RecordingServer, recordingServer } from "../adapters/builtin/email/smtp-world.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { answer, brokenRules, openPage, show, startBrowser } from "./console-pages.ts";

const SECONDS = 1000;
const REVIEW = `def main(order: str, total: float):
    return approval.ask(f"Pack {order}", details={"total": total}, timeout="3d").decision
`;
const orders = (bank: string): string => `@on("orders/created", when="data.total > 100", key="data.order")
def take(event):
    order = event["data"]["order"]
    decision = job.run("review", {"order": order, "total": event["data"]["total"]})
    paid = http.Post("${bank}", {"order": order})
    return {"order": order, "decision": decision, "receipt": paid.body["receipt"]}
`;

if (CHROMIUM === null) process.stderr.write("test/browser/console-team.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console of a team", { timeout: 180 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let mail: RecordingServer;
  let bank: Server;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** Requests that the bank answered. It fails the first one. */
  let asked = 0;

  beforeAll(async () => {
    folder = await temporaryFolder();
    mail = await recordingServer();
    bank = createServer((request, response) => {
      request.resume();
      asked += 1;
      response.writeHead(asked === 1 ? 500 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(asked === 1 ? { error: "closed" } : { receipt: "r-1" }));
    });
    await new Promise<void>((resolve) => bank.listen(0, "127.0.0.1", resolve));
    const written = async (name: string, document: object): Promise<string> => {
      const path = join(folder.path, name);
      await writeFile(path, JSON.stringify(document));
      return path;
    };
    const operator = await written("adapters.json", {
      http: { allow_private: true },
      email: { accounts: { default: { from: "weft@x.test", smtp: mail.section } }, allow_recipients: ["ops@x.test"] },
    });
    const notices = await written("notices.json", {
      targets: { mail: { email: { account: "default", to: "ops@x.test" } } },
      on_failure: "mail",
      window_s: 1,
    });
    service = await servingJobs({
      stateDir: join(folder.path, "state"),
      variables: {
        ...{ WF_UI: "act", WF_DEPLOY: "on", WF_UI_VALUES: "1", WF_JOURNAL_VALUES: "1" },
        WF_ENABLE_ADAPTERS: "core,http,job,approval,event,email",
        WF_ADAPTERS_CONFIG: operator,
        WF_NOTICES: notices,
      },
      app: { consoleFiles: files },
    });
    base = `http://127.0.0.1:${service.port}`;
    browser = await startBrowser();
  }, 60 * SECONDS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await mail?.close();
    bank?.close();
    await folder?.remove();
  });

  it("leads from a proposal over an event, a child and a failure to the retried job", async () => {
    const { page, faults } = await openPage(browser, base);

    // An agent proposes, and a person accepts.
    expect((await service.call("PUT", "/programs/review", { code: REVIEW })).status).toBe(201);
    const code = orders(`http://127.0.0.1:${(bank.address() as AddressInfo).port}/`);
    const adapters = {
      http: { allow_hosts: ["127.0.0.1"] },
      job: { programs: ["review"] },
      event: { accept: ["orders/*"] },
    };
    const proposed = await service.call("PUT", "/programs/orders?propose=1", {
      code,
      adapters,
      comment: "takes orders",
    });
    expect([proposed.status, proposed.text]).toEqual([202, expect.any(String)]);
    await show(page, base, "/proposals");
    await page.getByRole("link", { name: "orders" }).click();
    await page.getByText("decision = job.run", { exact: false }).first().waitFor();
    await page.getByLabel("Your word on it").fill("the team has read it");
    await page.getByRole("button", { name: "Accept" }).click();
    await answer(page, true);
    await page.getByText(/accepted, by somebody without a name .*the team has read it/).waitFor();

    // Who emits is shown what that starts.
    const emitter = 'def main():\n    return event.emit("orders/created", {})\n';
    const emit = { code: emitter, adapters: { event: { emit: ["orders/*"] } } };
    expect((await service.call("PUT", "/programs/shop", emit)).status).toBe(201);
    await show(page, base, "/programs/shop");
    const started = page.getByRole("region", { name: "Emitted events" });
    await started.getByText(/orders\/created starts orders@1, which reaches http: Post; job: run/).waitFor();

    // An event starts it.
    const event = { name: "orders/created", id: "o-7 created", data: { order: "o-7", total: 120.5 } };
    expect((await service.call("POST", "/events", event)).status).toBe(202);
    await show(page, base, "/events");
    await page.getByRole("row", { name: /orders\/created/ }).waitFor();

    // Its child waits for an approval, which is given in the console.
    await show(page, base, "/approvals");
    await page.getByText("Pack o-7").first().waitFor();
    await page.getByRole("link", { name: "Pack o-7" }).first().click();
    await page.getByText("120.5").first().waitFor();
    await page.getByRole("button", { name: "approve" }).click();
    await answer(page, true);
    await page.getByText(/approve, by somebody without a name/).waitFor();

    // It fails, and the mail arrives.
    const failures = async () => (await service.call("GET", "/jobs?program=orders&status=failed")).body.jobs;
    await expect.poll(failures, { timeout: 30 * SECONDS }).toHaveLength(1);
    const [failed] = await failures();
    await expect.poll(() => mail.mails.length, { timeout: 30 * SECONDS }).toBe(1);
    expect(mail.mails[0]).toMatchObject({ recipients: ["ops@x.test"], raw: expect.stringContaining("orders") });
    expect(mail.mails[0]?.raw).not.toContain("o-7");

    // The input is looked at, and the job is retried.
    await show(page, base, `/jobs/${failed.job_id}`);
    await page.getByText("RUNTIME_ADAPTER_ERROR").first().waitFor();
    await page.getByRole("region", { name: "Input" }).getByText("o-7").first().waitFor();
    await page.getByRole("button", { name: "Retry from the failure" }).click();
    await page.getByRole("heading", { level: 1, name: /succeeded/ }).waitFor();
    await page.getByText("r-1").first().waitFor();
    expect(asked).toBe(2);

    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
