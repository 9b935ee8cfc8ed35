/** The example over six adapters, on the command line as its page says, against the servers that it brings along. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { documentOf, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { realClock } from "../support/adapter-bench.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLE = join(ROOT, "examples/feed-report");

type Mail = { readonly to: readonly string[]; readonly raw: string };

type Servers = { readonly webPort: number; readonly mailPort: number; close(): Promise<void> };
const { startServers } = (await import(join(EXAMPLE, "servers.mjs"))) as {
  startServers(given: { onMail(mail: Mail): number | undefined }): Promise<Servers>;
};

/** The words after `wf run` on the page of the example. */
function wordsOfPage(): readonly string[] {
  const line = /^npx wf (run .*)$/m.exec(readFileSync(join(EXAMPLE, "README.md"), "utf8"))?.[1] ?? "";
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ""));
}

/** The example as a user has it, in a folder of its own and with the servers of the test. `refuse`: the code a mail is refused with. */
async function prepared(refuse: () => number | undefined = () => undefined) {
  const mails: Mail[] = [];
  const onMail = (mail: Mail): number | undefined => {
    const refused = refuse();
    if (refused === undefined) mails.push(mail);
    return refused;
  };
  const servers = await startServers({ onMail });
  onTestFinished(() => servers.close());
  const adapters = readFileSync(join(EXAMPLE, "adapters.json"), "utf8")
    .replaceAll(":8791", `:${servers.webPort}`)
    .replace('"port": 8725', `"port": ${servers.mailPort}`);
  const folder = folderWith({ "adapters.json": adapters, "reports/old.md": "", "state/none": "" });
  const place = (word: string): string =>
    word
      .replace("examples/feed-report/adapters.json", join(folder, "adapters.json"))
      .replace("/tmp/weft-reports", join(folder, "reports"))
      .replace("/tmp/weft-state", join(folder, "state"));
  const command = [...wordsOfPage().map(place), "--json"];
  const options = { cwd: ROOT, clock: realClock, environment: { WF_STATE_DIR: join(folder, "state") } };
  const report = () => readFileSync(join(folder, "reports/report.md"), "utf8");
  return { mails, report, run: async () => documentOf(await wf(command, options)) };
}

const REPORT = [
  "# News about release",
  "",
  "- A new release of the runtime <https://news.example/1>",
  "- The release of next month <https://news.example/3>",
  "\n# 2027-03-01\n",
  "- 2027-03-01T09:15:00+01:00 Stand-up",
].join("\n");

it("tells what is new, once", async () => {
  const { mails, report, run } = await prepared();
  expect(await run()).toMatchObject({ ok: true, out: { new: 2, accepted: ["ada@example.com"], attachments: 1 } });
  expect(report()).toBe(REPORT);
  expect(mails.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  expect(mails[0]?.raw).toContain("Subject: News about release\r\n");
  expect(mails[0]?.raw).toContain(Buffer.from(REPORT).toString("base64").slice(0, 60));
  expect(await run()).toMatchObject({ ok: true, out: { new: 0 } });
  expect(mails).toHaveLength(1);
});

it("tells it with the next run when the mail server does not take it", async () => {
  const refusals = [421];
  const { mails, run } = await prepared(() => refusals.pop());
  expect(await run()).toMatchObject({ ok: true, out: { new: 2 } });
  expect(mails).toHaveLength(1);
});
