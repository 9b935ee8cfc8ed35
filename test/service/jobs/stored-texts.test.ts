/**
 * Texts that no database keeps as they are, at every door that leads to a store: a zero byte, half a surrogate pair, and a megabyte. Each is
 * refused with a code, or finds nothing; none is a defect, and none costs the service its connection. In a file and in a database.
 */
import type { OutgoingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { exchange, type Reply } from "../serving.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const postgres = await startPostgres();
const folder = await temporaryFolder();
afterAll(async () => {
  await postgres?.stop();
  await folder.remove();
}, 60_000);

const ID = "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d";
const APPROVAL = "3f0c9a51d2b84e6f9b1c7d8e2a4f6b90";
const PROGRAM = '@api("/go/{n}", method="POST")\ndef go(n):\n    return 1\n';
const CODE = "L1:\n  J 1\n";

type Door = readonly [
  method: string,
  path: string,
  body?: object | string | undefined,
  headers?: OutgoingHttpHeaders | undefined,
];

const FILTERS = ["name", "program", "label", "checksum", "schedule", "q", "status", "waits", "queued_after"];
const KEYED = { "idempotency-key": "k" };

/** Where a text can be a part of an address. `t`: the text, escaped. */
const ADDRESSES: readonly ((t: string) => Door)[] = [
  ...[...FILTERS, "cursor", "order", "limit"].map(
    (name) =>
      (t: string): Door => ["GET", `/jobs?${name}=${t}`],
  ),
  (t) => ["GET", `/jobs?tag=team:${t}`],
  (t) => ["GET", `/jobs?tag=${t}`],
  ...["", "/events", "/journal", "/waits", "/variables", "/frame"].map(
    (rest) =>
      (t: string): Door => ["GET", `/result/${t}${rest}`],
  ),
  (t) => ["DELETE", `/result/${t}`],
  (t) => ["POST", `/result/${t}/retry`, {}],
  (t) => ["POST", `/result/${t}/retry`, {}, KEYED],
  (t) => ["POST", `/result/${t}/outcome`, { seq: 1, decision: "fail" }],
  (t) => ["POST", `/result/${t}/signals/go`, {}, KEYED],
  (t) => ["POST", `/result/${ID}/signals/${t}`, {}],
  (t) => ["POST", `/result/${ID}/signals/${t}`, {}, KEYED],
  (t) => ["POST", `/signals/${t}`, { key: "k" }],
  (t) => ["POST", `/signals/${t}`, { key: "k" }, KEYED],
  ...["to", "job", "cursor", "state"].map(
    (name) =>
      (t: string): Door => ["GET", `/approvals?${name}=${t}`],
  ),
  (t) => ["GET", `/approvals?to=user:${t}`],
  (t) => ["GET", `/approvals/${t}`],
  (t) => ["POST", `/approvals/${t}`, { decision: "approve" }],
  (t) => ["POST", `/approvals/${t}`, { decision: "approve" }, KEYED],
  (t) => ["POST", `/approvals/${t}/links`, { for: "user:ann" }],
  (t) => ["GET", `/a/${t}`],
  (t) => ["POST", `/a/${t}`, "decision=approve", { "content-type": "application/x-www-form-urlencoded" }],
  (t) => ["POST", `/s/${t}`, {}],
  ...["tag", "q", "cursor"].map(
    (name) =>
      (t: string): Door => ["GET", `/programs?${name}=${t}`],
  ),
  (t) => ["GET", `/programs/${t}`],
  (t) => ["PUT", `/programs/${t}`, { code: CODE }],
  (t) => ["PATCH", `/programs/${t}`, { enabled: true }],
  (t) => ["DELETE", `/programs/${t}`],
  (t) => ["POST", `/programs/${t}/rollback`, { version: 1 }],
  (t) => ["GET", `/programs/${t}/versions`],
  (t) => ["GET", `/programs/nightly/versions?cursor=${t}`],
  (t) => ["GET", `/programs/nightly/versions/${t}`],
  ...["program", "cursor"].map(
    (name) =>
      (t: string): Door => ["GET", `/schedules?${name}=${t}`],
  ),
  (t) => ["GET", `/schedules/nightly/${t}`],
  (t) => ["GET", `/schedules/${t}/L1`],
  (t) => ["GET", `/schedules/nightly/L1/${t}`],
  (t) => ["GET", `/schedules/nightly/${t}/next`],
  (t) => ["PATCH", `/schedules/nightly/${t}`, { paused: true }],
  (t) => ["POST", `/schedules/nightly/${t}/run`],
  (t) => ["POST", `/schedules/nightly/${t}/backfill`, { from: "2030-01-01", to: "2030-01-02" }],
  (t) => ["GET", `/runs?name=${t}`],
  (t) => ["GET", `/runs?program=${t}`],
  (t) => ["POST", `/app/nightly/go/${t}`, {}],
  (t) => ["POST", `/app/nightly/go/${t}`, {}, KEYED],
  (t) => ["POST", `/app/${t}/go/1`, {}, KEYED],
  (t) => ["POST", `/app/nightly/go/1?n=${t}`, {}, KEYED],
  (t) => ["GET", `/ui/layout/${t}`],
];

/** Cursors are text in base64. */
const CURSORS: readonly ((t: string) => Door)[] = [
  "/jobs",
  "/programs",
  "/schedules",
  "/programs/nightly/versions",
].flatMap((path) => [
  (t: string): Door => ["GET", `${path}?cursor=${Buffer.from(t).toString("base64url")}`],
  (t: string): Door => ["GET", `${path}?cursor=${Buffer.from(`1/${t}`).toString("base64url")}`],
]);

const members = (names: readonly string[], t: string): readonly object[] => names.map((name) => ({ [name]: t }));

/** Members of bodies that a store keeps, or looks for, as they are. */
const BODIES: readonly ((t: string) => readonly Door[])[] = [
  (t) =>
    ["/jobs/cancel", "/jobs/retry"].flatMap((path) =>
      [...members([...FILTERS, "tag"], t), { tag: `team:${t}` }].map(
        (one): Door => ["POST", path, { ...one, dry_run: true }],
      ),
    ),
  (t) =>
    ["/enqueue", "/run"].flatMap((path) =>
      [{ name: t }, { tags: { team: t } }, { tags: { [t]: "a" } }, { label: t }, { replay_artifact_id: t }].map(
        (one): Door => ["POST", path, { code: CODE, ...one }],
      ),
    ),
  (t) => ["/enqueue", "/run"].map((path): Door => ["POST", path, { program: t }]),
  (t) => [
    ["POST", `/result/${ID}/outcome`, { seq: 1, decision: "done", by: t, result: t }],
    ["POST", `/result/${ID}/retry`, { code: t }],
    ["POST", "/signals/go", { key: t }],
    ["POST", "/signals/go", { key: "k", id: t }],
    ["POST", `/result/${ID}/signals/go`, { id: t }],
    ["POST", `/approvals/${APPROVAL}`, { decision: t, comment: t, data: { a: t } }],
    ["POST", `/approvals/${APPROVAL}/links`, { for: `user:${t}` }],
    ["PATCH", "/programs/nightly", { description: t }],
    ["PATCH", "/programs/nightly", { tags: { team: t } }],
    ["PATCH", "/programs/nightly", { tags: { [t]: "a" } }],
    ["PUT", "/programs/other", { code: CODE, description: t }],
    ["PUT", "/programs/other", { code: CODE, tags: { team: t } }],
    ["PUT", "/programs/other", { code: CODE, tz: t }],
    ["PUT", "/programs/other", { code: CODE, label: t }],
    ["PUT", "/programs/other", { main: t, files: { [t]: CODE } }],
    ["PUT", "/programs/other", { code: CODE, endpoints: { [t]: {} } }],
    ["PUT", "/programs/other", { code: CODE, schedules: [{ label: t }] }],
    ["PUT", "/programs/other", { code: CODE, schedules: [{ label: "L1", cron: t, tz: t }] }],
  ],
];

/** Values of programs are kept as JSON, whatever is in them. */
const VALUES: readonly ((t: string) => Door)[] = [
  (t) => ["POST", "/enqueue", { code: "# frame: n: any\nL1:\n  J n\n", frame: { n: t, [t]: 1 } }],
  (t) => ["POST", "/enqueue", { code: "# frame: n: any\nL1:\n  J n\n", frames: [{ n: t }] }],
  (t) => ["POST", "/signals/go", { key: "k", data: { [t]: t } }],
];

const TEXTS: readonly (readonly [what: string, text: string, escaped: string])[] = [
  ["a zero byte", "a\0b", "a%00b"],
  ["a zero byte alone", "\0", "%00"],
  ["half a surrogate pair", "a\ud800b", "a%ED%A0%80b"],
  ["the other half", "\udc00", "%ED%B0%80"],
];

function placed(name: string, options: () => Promise<JobServingOptions>): void {
  describe(name, { timeout: 120_000 }, () => {
    let service: JobServing;
    beforeAll(async () => {
      const variables = { WF_PUBLIC_URL: "http://localhost", WF_UI: "act" };
      service = await servingJobs({ ...(await options()), variables });
      const put = await service.call("PUT", "/programs/nightly", {
        code: PROGRAM,
        schedules: [{ label: "go", cron: "0 0 1 1 *", frame: { n: 1 } }],
      });
      expect(put.status, put.text).toBe(201);
    }, 60_000);
    afterAll(() => service.stop());

    const knocked = async (doors: readonly Door[]): Promise<readonly string[]> => {
      const wrong: string[] = [];
      for (const [method, path, body, headers] of doors) {
        const reply: Reply = await exchange(service.port, method, path, body, headers);
        const told = reply.status < 400 || typeof reply.body?.error === "string" || /^\/[as]\//.test(path);
        if (reply.status >= 500 || !told)
          wrong.push(
            `${method} ${path} ${JSON.stringify(body)?.slice(0, 100)}: ${reply.status} ${reply.text.slice(0, 200)}`,
          );
      }
      wrong.push(
        ...service.log
          .filter(({ event }) => event === "defect" || event === "store_unavailable")
          .map((event) => JSON.stringify(event)),
      );
      return wrong;
    };

    it.each(TEXTS)("refuses %s or finds nothing", async (_what, text, escaped) => {
      const doors = [
        ...ADDRESSES.map((door) => door(escaped)),
        ...CURSORS.map((door) => door(text)),
        ...BODIES.flatMap((door) => door(text)),
      ];
      expect(await knocked(doors)).toEqual([]);
      expect((await service.call("GET", `/jobs?name=${escaped}`)).status).toBe(text.includes("\0") ? 400 : 200);
      expect((await service.call("POST", "/signals/go", { key: text })).body.error).toBe("invalid_request");
    });

    it.each(TEXTS)("keeps %s in values as it is", async (_what, text) => {
      expect(await knocked(VALUES.map((door) => door(text)))).toEqual([]);
      const id = await service.queued({ code: "# frame: n: any\nL1:\n  J n\n", frame: { n: { [text]: text } } });
      expect((await service.over(id)).body.result.out).toEqual({ [text]: text });
    });

    it("refuses a megabyte", async () => {
      const long = "x".repeat(1 << 20);
      expect(await knocked(BODIES.flatMap((door) => door(long)))).toEqual([]);
      for (const door of ADDRESSES) {
        const [method, path, body, headers] = door("x".repeat(8000));
        expect((await exchange(service.port, method, path, body, headers)).status, path.slice(0, 40)).toBeLessThan(500);
      }
      const { status } = await exchange(service.port, "GET", `/jobs?name=${long}`);
      expect([414, 431]).toContain(status);
    });

    it("fails calls that would keep them", async () => {
      const code = [
        "# frame: t: text",
        "L1:",
        '  R signal.wait "go" {"key": t} ->x',
        "  Err ->L2",
        "  J 0",
        "L2:",
        "  J _error_info.adapter_code",
        "",
      ].join("\n");
      for (const [, text] of TEXTS) {
        const id = await service.queued({ code, frame: { t: text } });
        expect((await service.over(id)).body.result.out).toBe("ADAPTER_BAD_ARGS");
      }
    });
  });
}

placed("in a file", async () => ({ stateDir: folder.path }));
if (postgres !== null) placed("in a database", async () => ({ databaseUrl: await postgres.createDatabase() }));
