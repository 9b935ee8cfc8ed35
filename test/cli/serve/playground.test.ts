/** `wf playground`: a page to write programs in, on a service that keeps nothing and is reached from this machine alone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ProcessSignal } from "../../../cli/session/io.ts";
import { consoleFiles } from "../../../service/console/files.ts";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const isBuilt = consoleFiles() !== null;
if (!isBuilt)
  process.stderr.write("test/cli/serve/playground.test.ts: skipped, the console is not built (npm run build)\n");

it.skipIf(!isBuilt)(
  "serves a playground that runs programs and keeps nothing, whatever the environment says",
  async () => {
    const cwd = folderWith({});
    const state = join(cwd, "state");
    let said = "";
    let end: (signal: ProcessSignal) => void = () => {};
    let listens: (url: string) => void = () => {};
    const listening = new Promise<string>((resolve) => {
      listens = resolve;
    });
    const over = wf(["playground"], {
      cwd,
      clock: realClock,
      environment: {
        WF_STATE_DIR: state,
        WF_HOST: "0.0.0.0",
        WF_UI: "off",
        WF_DATABASE_URL: "postgres://none.example/x",
      },
      onListen: (send) => {
        end = send;
      },
      onComplaint(text) {
        said += text;
        const url = /playground (\S+)/.exec(text)?.[1];
        if (url !== undefined) listens(url);
      },
    }).then(({ code, stdout }) => ({ code, stdout }));
    const early = over.then(({ code }) => Promise.reject(new Error(`${code}: ${said}`)));
    const url = await Promise.race([listening, early]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/ui\/playground$/);
    const page = await fetch(url);
    expect(await page.text()).toContain('name="weft-rules" content="playground values"');
    const { origin } = new URL(url);
    const headers = { origin, "x-wf-ui": "1", "content-type": "application/json" };
    const answer = await fetch(`${origin}/run`, { method: "POST", headers, body: '{"code": "L1:\\n  J 7\\n"}' });
    expect(await answer.json()).toMatchObject({ ok: true, out: 7 });
    const queued = await fetch(`${origin}/enqueue`, { method: "POST", headers, body: '{"code": "L1:\\n  J 7\\n"}' });
    expect(await queued.json()).toMatchObject({ ok: false, error: "ui_read_only" });
    end("SIGINT");
    expect(await over).toEqual({ code: 0, stdout: "" });
    expect(existsSync(state)).toBe(false);
  },
  30_000,
);

it("refuses a port that is not one", async () => {
  const { code, stderr } = await wf(["playground", "--port", "many"], { cwd: folderWith({}) });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^wf playground: .*--port/)]);
});
