/**
 * Durable jobs of a service that is killed at random moments (D-6, D-7): a call that acts again was made at most once, one under a key had one
 * key, and a job that says it did something did. `WEFT_DURABLE_KILLS` makes it another number of rounds.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { exchange, type Reply } from "../../serving.ts";
import { seededRandom } from "../faults/job-load.ts";
import { endServices, isBuilt, serveProcess, startProcess } from "../faults/serve-process.ts";
import { temporaryFolder } from "../serving-jobs.ts";

const ROUNDS = Number(process.env["WEFT_DURABLE_KILLS"] ?? 12);
const JOBS_A_ROUND = 6;

const folder = await temporaryFolder();
afterAll(() => {
  endServices();
  return folder.remove();
});

/** Makes an effect for each request; keyed ones once a key. */
async function world() {
  const unsafe = new Map<string, number>();
  const keyed = new Map<string, Set<string>>();
  let requests = 0;
  let wanted = { requests: 0, reached: (): void => {} };
  const server = createServer((request, response) => {
    const [, kind = "", name = ""] = request.url?.split("/") ?? [];
    request.resume();
    requests += 1;
    if (requests === wanted.requests) wanted.reached();
    // Some take a while, so that kills hit calls under way.
    const answer = (): void => void response.setHeader("content-type", "application/json").end('{"v":1}');
    if (kind === "unsafe") unsafe.set(name, (unsafe.get(name) ?? 0) + 1);
    if (kind === "keyed") {
      const keys = keyed.get(name) ?? new Set();
      keyed.set(name, keys.add(String(request.headers["idempotency-key"])));
    }
    setTimeout(answer, name.length % 4 === 0 ? 15 : 1);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    unsafe,
    keyed,
    /** Resolves at the request with this number from now, or after a while without it. */
    after: (more: number) =>
      new Promise<void>((reached) => {
        wanted = { requests: requests + more, reached };
        setTimeout(reached, 1500);
      }),
    close: () => server.close(),
  };
}

const PROGRAM = `L1:
  R core.SLEEP ms ->z
  R http.Get (join "" [url, "/read/", n]) ->a
  R http.Post (join "" [url, "/keyed/", n]) 1 {"idempotency_key": true} ->b
  Call L_act ->first
  R http.Get (join "" [url, "/read/", n]) ->c
  R http.Post (join "" [url, "/keyed/", n, "b"]) 1 {"idempotency_key": true} ->d
  J {"first": first}
L_act:
  R http.Post (join "" [url, "/unsafe/", n]) 1 ->r
  Err ->L_unknown
  J "done"
L_unknown:
  J _error_info.details.outcome
`;

describe.skipIf(!isBuilt)("durable jobs of a service that is killed", () => {
  it("act once, or say that the outcome is unknown, and all end", { timeout: 60_000 + ROUNDS * 10_000 }, async () => {
    const random = seededRandom("durable kills");
    const effects = await world();
    const url = `http://127.0.0.1:${effects.port}`;
    const stateDir = `${folder.path}/kills`;
    const variables = {
      WF_STATE_DIR: stateDir,
      WF_QUEUE_WORKERS: "4",
      WF_HTTP_ALLOW_PRIVATE: "1",
      WF_DURABLE_MOST_CRASHES: "1000",
      WF_QUEUE_MAX: "100000",
    };
    const ids = new Map<number, string>();
    let next = 0;
    const enqueue = async (port: number): Promise<void> => {
      const n = next++;
      const body = {
        code: PROGRAM,
        strict: false,
        frame: { n: String(n), ms: Math.floor(random() * 20), url },
        durable: true,
        adapters: {
          enable: ["http"],
          http: { allow_hosts: ["127.0.0.1"], allow_ports: [effects.port] },
        },
      };
      const reply = await exchange(port, "POST", "/enqueue", body).catch((): Reply | null => null);
      if (reply?.status === 202) ids.set(n, reply.body.job_id);
      // A loaded machine may refuse; what was not accepted is not expected.
      else if (reply !== null && reply.status !== 503) throw new Error(reply.text);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const service = startProcess(variables);
      // Now and then it dies while it starts, or twice in a row.
      if (random() < 0.15) await new Promise((resolve) => setTimeout(resolve, 150 + random() * 300));
      else {
        const port = await service.served;
        const moment = effects.after(1 + Math.floor(random() * 4 * JOBS_A_ROUND));
        await Promise.all(Array.from({ length: JOBS_A_ROUND }, () => enqueue(port)));
        await moment;
      }
      await service.end("SIGKILL");
    }
    const service = await serveProcess(variables);
    let unknown = 0;
    let resumed = 0;
    for (const [n, id] of ids) {
      const { body } = await exchange(service.port, "GET", `/result/${id}?wait=30`);
      expect(body.status, JSON.stringify(body)).toBe("succeeded");
      const acts = effects.unsafe.get(String(n)) ?? 0;
      expect(acts, `job ${n}`).toBeLessThanOrEqual(1);
      if (body.result.out.first === "done") expect(acts).toBe(1);
      else {
        expect(body.result.out.first).toBe("unknown");
        expect(body.result.warnings.join()).toContain("outcome_unknown");
        unknown += 1;
      }
      for (const name of [String(n), `${n}b`]) expect(effects.keyed.get(name)?.size, `keyed ${name}`).toBe(1);
      expect(body.result.usage.adapter_calls).toBe(6);
      resumed += body.resumes > 0 ? 1 : 0;
    }
    console.info(`jobs ${ids.size}, continued ${resumed}, of unknown outcome ${unknown}`);
    expect(resumed).toBeGreaterThan(0);
    expect(await service.end("SIGTERM")).toBe(0);
    effects.close();
    const db = new Database(`${stateDir}/weft.db`, { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
  });
});
