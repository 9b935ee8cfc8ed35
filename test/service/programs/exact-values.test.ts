/** Values that say more than JavaScript's on their way into programs in Python: frames of deployments and schedules, signals, decisions (V-7, V-8). */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { shared } from "../jobs/approvals/asking.ts";
import { temporaryFolder } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

const folder = await temporaryFolder();
const operatorFile = join(folder.path, "adapters.json");
await writeFile(operatorFile, JSON.stringify({ signal: { allow_send: ["go"] } }));
afterAll(() => folder.remove());

const plain = shared({ variables: { WF_ADAPTERS_CONFIG: operatorFile } });

const ODD = '{"10":2.0,"9":12345678901234567890123,"e":1e300}';
const READ = '{"10":2.0,"9":12345678901234567890123,"e":1e+300}';
const SHOW = "def main(v, w=None):\n    return [v, type(w).__name__]\n";

/** The text of what the job returned. */
async function outOf(id: string): Promise<string> {
  const { text, body } = await plain().over(id);
  expect(body).toMatchObject({ status: "succeeded" });
  return /"out":(.*?),"runtime_version"/.exec(text)?.[1] ?? text;
}

it("the frame of a deployment gives its runs floats, long ints and the order of members", async () => {
  const { call } = plain();
  const put = (v: string) =>
    call("PUT", "/programs/exact", `{"code": ${JSON.stringify(SHOW)}, "strict": true, "frame": {"v": ${v}, "w": 5}}`);
  const { status, body } = await put(ODD);
  expect([status, body.warnings]).toEqual([201, []]);
  expect((await call("POST", "/run", { program: "exact" })).text).toContain(`"out":[${READ},"int"]`);
  expect((await call("POST", "/run", '{"program": "exact", "frame": {"w": 7.0}}')).text).toContain(
    `"out":[${READ},"float"]`,
  );
  expect(await outOf((await call("POST", "/enqueue", { program: "exact" })).body.job_id)).toBe(`[${READ},"int"]`);
  const [first, second, again] = [await put("5"), await put("5.0"), await put(" 5.0 ")];
  expect([first.body.version, second.body.version, again.body.version]).toEqual([2, 3, 3]);
  expect((await call("GET", "/programs/exact/versions/3")).text).toContain('"v": 5.0');
});

it("the frame of a schedule does, wherever it is written", async () => {
  const { call } = plain();
  const written = `@cron("0 8 * * *", frame={"v": {"10": 2.0, "9": 12345678901234567890123, "e": 1e300}})\n${SHOW}`;
  const asked = `{"code": ${JSON.stringify(SHOW)}, "schedules": [{"label": "main", "cron": "@daily", "frame": {"v": ${ODD}, "w": -0.0}}]}`;
  for (const [name, body, out] of [
    ["written", { code: written }, `[${READ},"NoneType"]`],
    ["asked", asked, `[${READ},"float"]`],
  ] as const) {
    expect((await call("PUT", `/programs/${name}`, body)).status).toBe(201);
    expect((await call("GET", `/schedules/${name}/main`)).text).toContain('"9":12345678901234567890123');
    const { body: fired } = await call("POST", `/schedules/${name}/main/run`);
    expect(await outOf(fired.job_id)).toBe(out);
  }
});

it("a text of a frame that says something else than the frame is refused", async () => {
  const { call } = plain();
  await call("PUT", "/programs/same", { code: `@cron("@daily", frame={"v": 2.0})\n${SHOW}` });
  const { ir } = (await call("GET", "/programs/same/versions/1")).body;
  expect(ir.declarations[0].settings).toEqual({ frame: { v: 2 }, frame_text: '{"v":2.0}' });
  ir.declarations[0].settings.frame_text = '{"v":3.0}';
  const { checksum: _old, ...changed } = ir;
  expect((await call("PUT", "/programs/other", { ir: changed })).body).toMatchObject({
    error: "schedule_invalid",
    issues: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining("frame_text") })]),
  });
});

it("signals do, at every door", async () => {
  const service = plain();
  const code =
    'def main():\n    a, b, c = [signal.wait("go").data for _ in range(3)]\n    return [a, b, type(c).__name__, repr(c)]\n';
  const { call } = service;
  const queued = await call(
    "POST",
    "/enqueue",
    `{"code": ${JSON.stringify(code)}, "signals": [{"name": "go", "data": ${ODD}}]}`,
  );
  const id = queued.body.job_id;
  await service.until(id, "waiting");
  const sent = await call("POST", `/result/${id}/signals/go`, `{"data": 2.0}`, { "idempotency-key": "one" });
  expect(sent.status).toBe(202);
  await service.until(id, "waiting");
  const sender = `def main():\n    return signal.send("go", 7.0, job="${id}").delivered\n`;
  expect(await outOf((await call("POST", "/enqueue", { code: sender, durable: true })).body.job_id)).toBe('"now"');
  expect(await outOf(id)).toBe(`[${READ},2.0,"float","7.0"]`);
});

it("questions and their answers do", async () => {
  const service = plain();
  const code = `def main():
    a = approval.ask("Pay?", details={"sum": 5.0, "id": 12345678901234567890}, form={"amount": "number"})
    return [a.decision, a.data, type(a.data["amount"]).__name__]
`;
  const { job, approval } = await service.asked(code);
  expect((await service.call("GET", `/approvals/${approval}`)).text).toContain(
    '"details":{"sum":5.0,"id":12345678901234567890}',
  );
  const decided = await service.call(
    "POST",
    `/approvals/${approval}`,
    '{"decision": "approve", "data": {"amount": 3.0}}',
  );
  expect(decided.text).toContain('"amount": 3.0');
  expect(await outOf(job)).toBe('["approve",{"amount":3.0},"float"]');
});

it("a body that is a number alone stays a float", async () => {
  const { call, port } = plain();
  const code = '@api("/n")\ndef main(body):\n    return [body, type(body).__name__]\n';
  await call("PUT", "/programs/number", { code });
  for (const [sent, out] of [
    ["2.0", '[2.0,"float"]'],
    ["2", '[2,"int"]'],
    ["12345678901234567890", '[12345678901234567890,"int"]'],
  ] as const)
    expect((await exchange(port, "POST", "/app/number/n", sent)).text).toBe(`${out}\n`);
});
