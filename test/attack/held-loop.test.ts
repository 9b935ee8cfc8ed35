/**
 * Large work that a service accepts by default is done in pieces, and other requests get their turn in between. Turns of the event loop are
 * counted, with a clock that moves when it is read: a slow machine gives as many as a fast one. `test/measured/held-loop.test.ts` measures them.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../vm/run.ts";
import { webServer } from "../adapters/builtin/http/servers.ts";
import { folder } from "../gateway/folder.ts";
import { servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { exchange, type Reply, realClock, type Serving, serving } from "../service/serving.ts";
import {
  ANSWERS,
  BODIES,
  DEPLOYED,
  ENDLESS_SUM,
  FRAMES,
  LARGE_JOB,
  listOf,
  MIB,
  PRODUCTS,
  repeated,
} from "./large-requests.ts";

const TIMEOUT = { timeout: 120_000 };
/** More than any of these takes by the counted clock. */
const LIMITS = { max_time_ms: 1_000_000 };

/** A clock that moves on by a millisecond when it is read. Timers take real time. */
function countedClock(): Clock {
  let now = performance.now();
  return { ...realClock, now: () => ++now };
}

/** Turns that the service gave to other work during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const turns = vi.spyOn(globalThis, "setImmediate");
  try {
    await work();
    return turns.mock.calls.length;
  } finally {
    turns.mockRestore();
  }
}

let service: Serving;
beforeAll(async () => {
  service = await serving({ clock: countedClock() });
});
afterAll(() => service.stop());

/** Of every request at least as many turns as here, three quarters of those of today. Sources are compiled in a thread: turns come of reading what it made. */
const TURNS = {
  bodies: [90, 16, 21, 15, 20, 6, 3, 140],
  frames: [320, 320, 410, 390, 24, 39],
  deployed: [18, 18, 14],
  answers: [2, 22, 100, 34, 22, 6, 2],
} as const;

describe("other requests get their turn while a service is sent", () => {
  it.each(BODIES.map(([what, body], at) => [what, TURNS.bodies[at] ?? Number.NaN, body] as const))(
    "%s: at least %i turns",
    TIMEOUT,
    async (_what, least, bodyOf) => {
      const body = Buffer.from(JSON.stringify({ ...bodyOf(), limits: LIMITS }));
      expect(body.length).toBeLessThan(4 * MIB);
      let status = 0;
      const turns = await turnsDuring(async () => {
        status = (await exchange(service.port, "POST", "/run", body)).status;
      });
      expect([200, 422]).toContain(status);
      expect(turns).toBeGreaterThanOrEqual(least);
    },
  );
});

describe("other requests get their turn while a frame is loaded", () => {
  it.each(FRAMES.map(([what, frame, status], at) => [what, TURNS.frames[at] ?? Number.NaN, frame, status] as const))(
    "%s: at least %i turns",
    TIMEOUT,
    async (_what, least, frameOf, expected) => {
      const body = Buffer.from(`{"code":"L1:\\n  J (type x)\\n","frame":{"x":${frameOf()}}}`);
      let status = 0;
      const turns = await turnsDuring(async () => {
        status = (await exchange(service.port, "POST", "/run", body)).status;
      });
      expect(status).toBe(expected);
      expect(turns).toBeGreaterThanOrEqual(least);
    },
  );

  it("and while a large body with numbers that lose digits is compared under its key", TIMEOUT, async () => {
    const frame = listOf(MIB, (at) => (at % 1000 === 0 ? "[9007199254740993]" : "[1]"));
    const code = "L1:\\n  J (len x)\\n";
    const body = Buffer.from(`{"code":"${code}","frame":{"x":${frame}}}`);
    const sent = (bytes: Buffer, headers: Record<string, string>) =>
      exchange(service.port, "POST", "/run", bytes, headers);
    const without = await turnsDuring(() => sent(body, {}));
    const replies: Reply[] = [];
    const turns = await turnsDuring(async () => replies.push(await sent(body, { "idempotency-key": "large" })));
    expect(turns).toBeGreaterThanOrEqual(without + 70);
    const other = Buffer.from(String(body).replace("9007199254740993", "9007199254740992"));
    replies.push(await sent(other, { "idempotency-key": "large" }));
    expect(replies.map(({ status, body: { error } }) => [status, error])).toEqual([
      [200, undefined],
      [422, "idempotency_key_reused"],
    ]);
  });
});

describe("a service that is asked for a product of sizes", () => {
  it.each(PRODUCTS)("ends it in time and gives turns meanwhile: %s", TIMEOUT, async (_what, code) => {
    const request = { code, strict: false, limits: { max_time_ms: 5_000 } };
    let reply: Reply | null = null;
    const turns = await turnsDuring(async () => {
      reply = await exchange(service.port, "POST", "/run", request);
    });
    const { ok, error, usage } = (reply as Reply | null)?.body ?? {};
    expect([ok, error]).toEqual([false, "max_time_ms_exceeded"]);
    expect(usage.time_ms - 5_000).toBeLessThanOrEqual(20);
    // A slice takes some ten looks at the clock.
    expect(turns).toBeGreaterThanOrEqual(200);
  });
});

it("/health is answered while 40 runs begin that compute without end", TIMEOUT, async () => {
  const request = { code: ENDLESS_SUM, limits: { max_time_ms: 4_000 } };
  const order: string[] = [];
  const runs = Array.from({ length: 40 }, async () => {
    const { body } = await exchange(service.port, "POST", "/run", request);
    order.push(body.error);
  });
  expect((await exchange(service.port, "GET", "/health")).status).toBe(200);
  order.push("health");
  await Promise.all(runs);
  expect(order).toEqual(["health", ...runs.map(() => "max_time_ms_exceeded")]);
});

describe("other requests get their turn while a large program is deployed", () => {
  it.each(DEPLOYED.map(([what, code], at) => [what, TURNS.deployed[at] ?? Number.NaN, code] as const))(
    "%s: at least %i turns",
    TIMEOUT,
    async (what, least, codeOf) => {
      const jobs = await servingJobs({ clock: countedClock(), variables: { WF_DEPLOY: "on" } });
      const path = `/programs/${what.replace(" ", "-")}`;
      // The first version has none to be compared with.
      for (const version of [1, 2]) {
        let reply: Reply | null = null;
        const turns = await turnsDuring(async () => {
          reply = await exchange(jobs.port, "PUT", path, { code: codeOf(version), strict: false });
        });
        expect((reply as Reply | null)?.status).toBe(version === 1 ? 201 : 200);
        expect(turns).toBeGreaterThanOrEqual(least);
        const shown = await exchange(jobs.port, "GET", `${path}/versions/${version}`);
        expect(shown.body).toMatchObject({ version, ir: { checksum: shown.body.checksum } });
      }
      await jobs.stop();
    },
  );

  it("refuses a program whose IR could not be read again", TIMEOUT, async () => {
    const jobs = await servingJobs({ variables: { WF_DEPLOY: "on" } });
    const code = repeated(0.95 * MIB, (at) => (at === 0 ? "L1:\n" : `  X y${at} add ${at} 1\n`), "  J y1\n");
    const { status, body } = await exchange(jobs.port, "PUT", "/programs/too-large", { code });
    expect([status, body.error, body.issues?.[0]?.code]).toEqual([422, "invalid_ir", "too_large"]);
    await jobs.stop();
  });
});

describe("other requests get their turn while a program is answered", () => {
  it.each(ANSWERS.map(([what, document, out], at) => [what, TURNS.answers[at] ?? Number.NaN, document, out] as const))(
    "%s: at least %i turns",
    TIMEOUT,
    async (_what, least, documentOf, expected) => {
      const document = Buffer.from(documentOf());
      const server = await webServer((_request, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(document),
      );
      const adapters = folder().file("adapters.json", { http: { allow_hosts: ["127.0.0.1"] } });
      const asking = await serving({ clock: countedClock(), variables: { WF_ADAPTERS_CONFIG: adapters } });
      const code = `L1:\n  R http.Get "${server.base}/" ->r\n  Err ->L2\n  J r.status\nL2:\n  J "error"\n`;
      const request = { code, adapters: { enable: ["http"], http: { max_response_bytes: 8 * MIB } } };
      let out = "";
      const turns = await turnsDuring(async () => {
        out = String((await exchange(asking.port, "POST", "/run", request)).body.out);
      });
      await asking.stop();
      await server.close();
      expect(out).toBe(expected);
      expect(turns).toBeGreaterThanOrEqual(least);
    },
  );

  it.each([false, true])("a job whose result is 14 MiB of small lists, durable: %s", TIMEOUT, async (durable) => {
    const folder = await temporaryFolder();
    const jobs = await servingJobs({ clock: countedClock(), stateDir: durable ? folder.path : null });
    let status = "";
    const turns = await turnsDuring(async () => {
      const { body } = await exchange(jobs.port, "POST", "/enqueue", { code: LARGE_JOB, durable, limits: LIMITS });
      status = (await exchange(jobs.port, "GET", `/result/${body.job_id}?wait=60`)).body.status;
    });
    await jobs.stop();
    await folder.remove();
    expect(status).toBe("succeeded");
    expect(turns).toBeGreaterThanOrEqual(140);
  });
});
