/** Mail from whole programs: through the gateway, with an operator's file, its secrets, and what surfaces show of a run. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { emailAdapter } from "../../../../adapters/builtin/email/definition.ts";
import { readHostConfig } from "../../../../adapters/operator/host-config.ts";
import { openRuntime } from "../../../../adapters/runtime.ts";
import { realClock } from "../../../support/adapter-bench.ts";
import { PASSWORD, recordingServer, USER, withLogin } from "./smtp-world.ts";

const SEND = `L1:
  R email.send "ann@x.test" "Hello" "canary-body" null "hidden@x.test" ->m
  Retry 2 1
  J m.accepted
`;

it("a program sends under Retry, once, and shows nothing secret", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "weft-mail-")));
  let refusals = 1;
  const server = await recordingServer(withLogin, { message: () => (refusals-- > 0 ? 451 : undefined) });
  const file = join(folder, "adapters.json");
  const smtp = { ...server.section, user: USER, auth_secret: "MAIL_PASSWORD" };
  writeFileSync(file, JSON.stringify({ enable: ["email"], email: { accounts: { default: { from: USER, smtp } } } }));
  const read = readHostConfig({
    WF_STATE_DIR: folder,
    WF_ADAPTERS_CONFIG: file,
    WF_SECRET_MAIL_PASSWORD: PASSWORD,
  });
  if (!read.ok) throw new Error(read.message);
  const logged: unknown[] = [];
  const runtime = openRuntime({
    config: read.config,
    clock: realClock,
    uuid: () => crypto.randomUUID(),
    log: (event, fields) => logged.push({ event, fields }),
  });
  onTestFinished(async () => {
    await runtime.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { gateway } = runtime;
  const admission = gateway.admit({});
  if (!admission.ok) throw new Error(JSON.stringify(admission.issues));
  const { ir } = gateway.host.compile(SEND, { strict: true });
  if (ir === null) throw new Error("the program compiles");
  const prepared = await gateway.prepare(ir, admission);
  if (!prepared.ok) throw new Error(JSON.stringify(prepared));
  const answer = await gateway.run(prepared, { record: true });
  expect(answer).toMatchObject({ ok: true, out: ["ann@x.test", "hidden@x.test"] });
  expect(server.mails.length).toBe(1);
  expect(server.mails[0]?.raw).not.toContain("hidden");
  await expect.poll(() => server.connections.open).toBe(0);
  expect(JSON.stringify([answer, gateway.grant, admission.explanation, logged])).not.toContain(PASSWORD);
  expect(JSON.stringify(logged)).not.toMatch(/canary-body|x\.test/);

  const replayed = await gateway.run(prepared, { replay: answer.record });
  expect(replayed).toMatchObject({ ok: true, out: ["ann@x.test", "hidden@x.test"] });
  expect(server.mails.length).toBe(1);
});

it("what is written to whom is recorded as a hash", () => {
  const hashed = Object.entries(emailAdapter.verbs).filter(([, verb]) => verb.record === "hash");
  expect(hashed.map(([name]) => name).sort()).toEqual(["draft", "reply", "send"]);
});
