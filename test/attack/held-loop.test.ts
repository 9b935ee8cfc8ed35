/** Large work that a service accepts by default: /health is answered meanwhile. */
import { afterAll, describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { webServer } from "../adapters/builtin/http/servers.ts";
import { folder } from "../gateway/folder.ts";
import { endServices, isBuilt, type ServeProcess, serveProcess } from "../service/jobs/faults/serve-process.ts";
import { temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { exchange } from "../service/serving.ts";
import { heldAtBest, isMeasurable, MAX_HELD_MS } from "./held-loop.ts";

afterAll(endServices);

const MIB = 1024 * 1024;

function repeated(bytes: number, part: (at: number) => string, end = ""): string {
  let text = "";
  for (let at = 0; text.length < bytes; at++) text += part(at);
  return text + end;
}

/** The IR of labels, as long as a body may be. */
function largeIr(): object {
  const source = repeated(230_000, (at) => `La${at}:\n  Set x${at} ${at}\n  J x${at}\n`);
  const { ir } = compile(source);
  if (ir === null) throw new Error("does not compile");
  return ir;
}

const BODIES: readonly (readonly [what: string, body: () => object])[] = [
  ["an IR document of 4 MB", () => ({ ir: largeIr() })],
  [
    "a source of 1 MiB of labels",
    () => ({ code: repeated(0.95 * MIB, (at) => `La${at}:\n  Set x${at} ${at}\n  J x${at}\n`) }),
  ],
  [
    "a source of 1 MiB in one label",
    () => ({ code: repeated(0.95 * MIB, (at) => (at === 0 ? "L1:\n" : `  X y${at} add ${at} 1\n`), "  J y1\n") }),
  ],
  [
    "a source of 1 MiB that sets nothing",
    () => ({ code: repeated(0.95 * MIB, (at) => (at === 0 ? "L1:\n" : `  X y${at} add x${at} 1\n`), "  J y1\n") }),
  ],
  [
    "a source of 1 MiB in the indented form",
    () => ({ code: repeated(0.95 * MIB, (at) => `g${at}:\n  x = ${at}\n  if x > 3:\n    out x + 1\n  out x\n`) }),
  ],
  [
    "a list of 1 MiB in one statement, which is refused",
    () => ({ code: `g():\n  a = [\n${repeated(0.95 * MIB, (at) => `    [${at}, "x"],\n`)}    1\n  ]\n  out a\n` }),
  ],
  [
    "1 MiB of branches of one statement, which are refused",
    () => ({ code: `g(x):\n  if x:\n    y = 1\n${repeated(0.95 * MIB, (at) => `  elif x == ${at}:\n    y = 2\n`)}` }),
  ],
  [
    "a program whose result is 14 MiB of small lists",
    () => ({ code: "L1:\n  X r range 900000\n  X z zip r r\n  J z\n" }),
  ],
];

/** Small requests for the product of two large sizes: all of them were one operation, minutes long. */
const PRODUCTS: readonly (readonly [what: string, code: string])[] = [
  [
    "1 M objects filtered by a list of 1 M numbers",
    'L1:\n Set a [{"p":-1}]\n Loop (range 20) i ->L2 ->L3\nL2:\n X a add a a\nL3:\n X s range 1000000\n Filt q a p in s\n J 1\n',
  ],
  [
    "2,048 lists of 4,096 numbers sought in 4,096 such lists",
    'L1:\n X r range 4096\n X m slice r 0 4095\n X n push m 0\n X o obj "p" n\n Set a [o]\n Loop (range 11) i ->L2 ->L3\n' +
      "L2:\n X a add a a\nL3:\n X s [r]\n Loop (range 12) i ->L4 ->L5\nL4:\n X s add s s\nL5:\n Filt q a p in s\n J 1\n",
  ],
];

describe.skipIf(!isBuilt || !isMeasurable)("a service that is asked for a product of sizes", () => {
  it.each(PRODUCTS)("ends it in time and answers meanwhile: %s", { timeout: 120_000 }, async (_what, code) => {
    const service = await serveProcess({ WF_DRAIN_MS: "1000" });
    const request = { code, strict: false, limits: { max_time_ms: 500 } };
    const late: number[] = [];
    const held = await heldAtBest(service, async () => {
      const { body } = await exchange(service.port, "POST", "/run", request);
      expect(body).toMatchObject({ ok: false, error: "max_time_ms_exceeded" });
      late.push(body.duration_ms - 500);
    });
    expect(held).toBeLessThanOrEqual(MAX_HELD_MS);
    // Wall time: on a loaded machine the run waits for the processor as well.
    expect(Math.min(...late)).toBeLessThanOrEqual(4 * MAX_HELD_MS);
    // Without a limit of its own the run takes minutes, which a signal does not wait for.
    const endless = exchange(service.port, "POST", "/run", { code, strict: false }).catch(() => null);
    for (let probe = 0; probe < 10; probe++) expect((await exchange(service.port, "GET", "/health")).status).toBe(200);
    await service.end("SIGTERM");
    await endless;
  });
});

describe.skipIf(!isBuilt || !isMeasurable)("a service answers /health while it is sent", () => {
  let service: ServeProcess | null = null;

  it.each(BODIES)("%s", { timeout: 120_000 }, async (_what, bodyOf) => {
    service ??= await serveProcess({});
    const { port } = service;
    const body = Buffer.from(JSON.stringify(bodyOf()));
    expect(body.length).toBeLessThan(4 * MIB);
    const statuses = new Set<number>();
    const held = await heldAtBest(service, async () => {
      statuses.add((await exchange(port, "POST", "/run", body)).status);
    });
    expect([...statuses].every((status) => status === 200 || status === 422)).toBe(true);
    expect(held).toBeLessThanOrEqual(MAX_HELD_MS);
  });
});

/** Requests that come together: each used to begin with a slice of its own before /health was answered. */
describe.skipIf(!isBuilt || !isMeasurable)("a service answers /health while many runs begin together", () => {
  it("40 programs that compute without end", { timeout: 120_000 }, async () => {
    const service = await serveProcess({ WF_WORKER_THREADS: "0" });
    const code = "main():\n  a = range(200000)\n  for i in range(100000):\n    n = sum(a)\n  out n\n";
    const request = { code, limits: { max_time_ms: 1000 } };
    const held = await heldAtBest(service, async () => {
      const sent = Array.from({ length: 40 }, () => exchange(service.port, "POST", "/run", request));
      for (const { body } of await Promise.all(sent)) expect(body.error).toBe("max_time_ms_exceeded");
    });
    expect(held).toBeLessThanOrEqual(MAX_HELD_MS);
    await service.end("SIGTERM");
  });
});

/** Programs of half a megabyte: the largest that can be deployed, for their IR. */
const DEPLOYED: readonly (readonly [what: string, code: (version: number) => string])[] = [
  ["labels", (version) => repeated(MIB / 2, (at) => `La${at}:\n  Set x${at} ${at + version}\n  J x${at}\n`)],
  [
    "one label",
    (version) => repeated(MIB / 2, (at) => (at === 0 ? "L1:\n" : `  X y${at} add ${at} ${version}\n`), "  J y1\n"),
  ],
  [
    "calls",
    (version) =>
      repeated(
        MIB / 2,
        (at) => (at === 0 ? "L1:\n" : `  R http.Get "https://h${at}.test/${version}" ->r\n`),
        "  J r\n",
      ),
  ],
];

describe.skipIf(!isBuilt || !isMeasurable)("a service answers /health while a large program is deployed", () => {
  let service: ServeProcess | null = null;

  it.each(DEPLOYED)("%s", { timeout: 120_000 }, async (what, codeOf) => {
    service ??= await serveProcess({ WF_DEPLOY: "on" });
    const { port } = service;
    const path = `/programs/${what.replace(" ", "-")}`;
    const replies: number[] = [];
    let version = 0;
    const deploy = async (): Promise<void> => {
      version += 1;
      const { status, body } = await exchange(port, "PUT", path, { code: codeOf(version), strict: false });
      replies.push(status);
      expect([body.version, body.difference?.from ?? 0]).toEqual([version, version - 1]);
      const shown = await exchange(port, "GET", `${path}/versions/${version}`);
      expect(shown.body).toMatchObject({ version, checksum: body.checksum, ir: { checksum: body.checksum } });
    };
    // The first version has none to be compared with.
    await deploy();
    expect(await heldAtBest(service, deploy)).toBeLessThanOrEqual(MAX_HELD_MS);
    expect(replies.slice(0, 2)).toEqual([201, 200]);
  });

  it("refuses a program whose IR could not be read again", { timeout: 120_000 }, async () => {
    service ??= await serveProcess({ WF_DEPLOY: "on" });
    const code = repeated(0.95 * MIB, (at) => (at === 0 ? "L1:\n" : `  X y${at} add ${at} 1\n`), "  J y1\n");
    const { status, body } = await exchange(service.port, "PUT", "/programs/too-large", { code });
    expect([status, body.error, body.issues?.[0]?.code]).toEqual([422, "invalid_ir", "too_large"]);
  });
});

/** With its request, just what a body may be. */
const FRAME = 4 * MIB - 200;

/** Frames that take longest to read and to load for their size. */
const FRAMES: readonly (readonly [what: string, frame: () => string, status: number])[] = [
  ["4 MiB of empty lists", () => listOf(FRAME, () => "[]"), 200],
  ["4 MiB of empty objects", () => listOf(FRAME, () => "{}"), 200],
  ["4 MiB of lists in lists", () => listOf(FRAME, () => "[[[1]],{}]"), 200],
  ["4 MiB of numbers", () => listOf(FRAME, (at) => String(at % 10)), 200],
  ["1.2 MB of keys of their own", () => `{${listOf(1.2e6, (at) => `"key${at}":1`).slice(1, -1)}}`, 200],
  [
    "4 MiB of keys of their own, more than there may be",
    () => `{${listOf(FRAME, (at) => `"key${at}":1`).slice(1, -1)}}`,
    400,
  ],
];

/** Even where other processes share caches and cores. */
const FRAME_HELD_MS = 100;

describe.skipIf(!isBuilt || !isMeasurable)("a service answers /health while a frame is loaded", () => {
  let service: ServeProcess | null = null;

  it.each(FRAMES)("%s", { timeout: 120_000 }, async (_what, frameOf, status) => {
    service ??= await serveProcess({});
    const { port } = service;
    const body = Buffer.from(`{"code":"L1:\\n  J (type x)\\n","frame":{"x":${frameOf()}}}`);
    const statuses = new Set<number>();
    const send = async (): Promise<void> => {
      statuses.add((await exchange(port, "POST", "/run", body)).status);
    };
    const held = await heldAtBest(service, send, FRAME_HELD_MS);
    expect([...statuses]).toEqual([status]);
    expect(held).toBeLessThanOrEqual(FRAME_HELD_MS);
  });
});

describe.skipIf(!isBuilt || !isMeasurable)(
  "a service answers /health while a large body is compared under its key",
  () => {
    it("1 MiB of lists with numbers that lose digits", { timeout: 120_000 }, async () => {
      const service = await serveProcess({});
      const frame = listOf(MIB, (at) => (at % 1000 === 0 ? "[9007199254740993]" : "[1]"));
      const body = Buffer.from(`{"code":"L1:\\n  J (len x)\\n","frame":{"x":${frame}}}`);
      const replies: (string | undefined)[] = [];
      const held = await heldAtBest(service, async () => {
        const { status, headers } = await exchange(service.port, "POST", "/run", body, { "idempotency-key": "large" });
        expect(status).toBe(200);
        replies.push(headers["idempotent-replayed"] as string | undefined);
      });
      expect(held).toBeLessThanOrEqual(MAX_HELD_MS);
      const { body: other } = await exchange(
        service.port,
        "POST",
        "/run",
        Buffer.from(String(body).replace("9007199254740993", "9007199254740992")),
        { "idempotency-key": "large" },
      );
      expect([replies[0], other.error]).toEqual([undefined, "idempotency_key_reused"]);
      await service.end("SIGTERM");
    });
  },
);

function listOf(bytes: number, element: (at: number) => string): string {
  return `[${repeated(bytes - 100, (at) => `${at === 0 ? "" : ","}${element(at)}`)}]`;
}

/** What other servers answer: those that take longest to read for their size, up to the largest that a request may ask for. */
const ANSWERS: readonly (readonly [what: string, document: () => string, status: string])[] = [
  ["8 MiB of empty objects", () => listOf(8 * MIB, () => "{}"), "error"],
  ["1.1 MB of empty objects", () => listOf(1.1e6, () => "{}"), "200"],
  ["5 MiB of numbers", () => listOf(4 * MIB, (at) => String(at % 10)), "200"],
  ["6 MB of different strings", () => listOf(6e6, (at) => `"s${at}"`), "200"],
  ["4 MB of rows", () => listOf(4e6, (at) => `{"id":${at},"name":"somebody","tags":["a","b"]}`), "200"],
  ["1.2 MB of keys of their own", () => `{${listOf(1.2e6, (at) => `"key${at}":1`).slice(1, -1)}}`, "200"],
  ["8 MiB of keys of their own", () => `{${listOf(8 * MIB, (at) => `"key${at}":1`).slice(1, -1)}}`, "error"],
];

describe.skipIf(!isBuilt || !isMeasurable)("a service answers /health while a program is answered", () => {
  it.each(ANSWERS)("%s", { timeout: 120_000 }, async (_what, documentOf, status) => {
    const document = Buffer.from(documentOf());
    const server = await webServer((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(document),
    );
    const adapters = folder().file("adapters.json", { http: { allow_hosts: ["127.0.0.1"] } });
    const service = await serveProcess({ WF_ADAPTERS_CONFIG: adapters });
    const code = `L1:\n  R http.Get "${server.base}/" ->r\n  Err ->L2\n  J r.status\nL2:\n  J "error"\n`;
    const request = { code, adapters: { enable: ["http"], http: { max_response_bytes: 8 * MIB } } };
    const outs = new Set<string>();
    const held = await heldAtBest(service, async () => {
      outs.add(String((await exchange(service.port, "POST", "/run", request)).body.out));
    });
    expect([...outs]).toEqual([status]);
    expect(held).toBeLessThanOrEqual(MAX_HELD_MS);
    await service.end("SIGTERM");
    await server.close();
  });

  it.each([false, true])(
    "a job whose result is 14 MiB of small lists, durable: %s",
    async (durable) => {
      const folder = await temporaryFolder();
      const service = await serveProcess(durable ? { WF_STATE_DIR: folder.path } : {});
      const { port } = service;
      const job = { code: "L1:\n  X r range 900000\n  X z zip r r\n  J z\n", durable };
      const held = await heldAtBest(service, async () => {
        const { body } = await exchange(port, "POST", "/enqueue", job);
        const { body: ended } = await exchange(port, "GET", `/result/${body.job_id}?wait=60`);
        expect(ended.status).toBe("succeeded");
      });
      expect(held).toBeLessThanOrEqual(MAX_HELD_MS);
      await service.end("SIGTERM");
      await folder.remove();
    },
    120_000,
  );
});
