/** A real service for every built-in adapter, in its own folders, and what an outsider sees of its effects. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { sqliteAdapter } from "../../adapters/builtin/sqlite/definition.ts";
import type { HostPlaces } from "../../adapters/definition/host-services.ts";
import { createWasmPool, type WasmPool } from "../../adapters/engine/wasm/pool.ts";
import type { HttpService } from "../../adapters/guard/http/http.ts";
import { createServices } from "../../adapters/services.ts";
import type { ConformanceOptions, Fixture } from "../../adapters/testing/conformance.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { NO_PLACES } from "../support/adapter-bench.ts";
import { inProcessSqlite } from "../support/in-process-sqlite.ts";
import { CALENDAR_PROGRAMS, calendarFixture } from "./builtin/calendar/fixture.ts";
import { MAIL_PROGRAMS, mailFixture } from "./builtin/email/fixture.ts";
import { webServer } from "./builtin/http/servers.ts";
import { MODEL_PROGRAMS, modelFixture } from "./builtin/llm/fixture.ts";
import { SOCIAL_PROGRAMS, socialFixture } from "./builtin/social/fixture.ts";
import { RSS } from "./builtin/videomon/feeds.ts";
import { fromText, SHARED } from "./builtin/wasm/modules.ts";
import { jobDesk } from "./job-desk.ts";

type Setup = {
  readonly settings?: (folder: string) => JsonObject;
  readonly places?: (folder: string) => Partial<HostPlaces>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly frame?: JsonObject;
  readonly observe?: (folder: string) => Promise<Json> | Json;
  readonly beside?: (folder: string) => NonNullable<Fixture["beside"]>;
  /** SQLite in helper processes, as in service; otherwise in this process, on the same files. */
  readonly helpers?: true;
};

/** Threads that all fixtures share: nothing of a module is left in them. Files share this module, so the one that uses them closes them. */
let threads: WasmPool | null = null;

function sharedThreads(): WasmPool {
  threads ??= createWasmPool();
  return threads;
}

export async function closeSharedThreads(): Promise<void> {
  const open = threads;
  threads = null;
  await open?.close();
}

export function world({
  settings,
  places,
  secrets = {},
  files = {},
  frame = {},
  observe,
  beside,
  helpers,
}: Setup): () => Promise<Fixture> {
  return async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "weft-conformance-")));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const { services, close } = createServices({
      places: { ...NO_PLACES, ...places?.(folder) },
      environment: {},
      tools: { fails: { summary: "fails", run: () => Promise.reject(new Error("canary of a tool")) } },
    });
    const sqlite = helpers ? services.sqlite : inProcessSqlite();
    return {
      settings: settings?.(folder) ?? {},
      // The others are made when they are first asked for.
      services: {
        places: services.places,
        sqlite,
        get wasm() {
          return sharedThreads();
        },
        get parsers() {
          return services.parsers;
        },
        get http() {
          return services.http as HttpService;
        },
        get processes() {
          return services.processes;
        },
        get postgres() {
          return services.postgres;
        },
      },
      secrets,
      frame,
      beside: beside?.(folder) ?? [],
      hidden: [folder],
      ...(observe === undefined ? {} : { observe: async () => observe(folder) }),
      async stop() {
        await sqlite.close();
        await close();
        // A call that was given up may still be at its last write.
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
      },
    };
  };
}

const JOB = "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d";

/** For adapters that act in the store of the job that their run belongs to. */
const ofJob =
  (settings: JsonObject): (() => Promise<Fixture>) =>
  async () => {
    const { desk, did } = jobDesk();
    return { ...(await world({ settings: () => settings })()), desk, observe: async () => Object.fromEntries(did) };
  };

/** The rows of a statement; empty while the file or table does not exist. */
function rows(file: string, sql: string): Json {
  if (!existsSync(file)) return [];
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare(sql).all() as Json;
  } catch {
    return [];
  } finally {
    db.close();
  }
}

/** Names and contents of all files; locks of a moment and leftovers of faults are not state. */
export async function tree(folder: string): Promise<Json> {
  const names = await readdir(folder, { recursive: true });
  const shown: [string, Json][] = [];
  for (const name of names.sort()) {
    if (/(^|\/)\.[^/]*(\.tmp|lock)$/.test(name)) continue;
    const path = join(folder, name);
    shown.push([name, (await stat(path)).isFile() ? await readFile(path, "base64") : null]);
  }
  return Object.fromEntries(shown);
}

const SAME = `(module
  (memory (export "memory") 1 16)
  (global $next (mut i32) (i32.const 1024))
  (func (export "wf_alloc") (param $length i32) (result i32)
    global.get $next
    global.get $next local.get $length i32.add global.set $next)
  (func (export "same") (param $at i32) (param $length i32) (result i64)
    local.get $at i64.extend_i32_u i64.const 32 i64.shl
    local.get $length i64.extend_i32_u i64.or))`;

const SPIN = `(module (func (export "spin") (loop $again br $again)))`;
const SLEEP = [process.execPath, "-e", "setInterval(() => {}, 1000)"];
const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n";

const KEY = "canary-key-5e1d";

/** Programs of one call whose answer is their result. */
function one(adapter: string): (call: string) => { readonly source: string; readonly verb: string } {
  return (call) => ({ source: `L1:\n  R ${adapter}.${call} ->r\n  J r\n`, verb: call.split(" ")[0] ?? "" });
}

/** By adapter: the options of its suite. */
export const CONFORMANCE_OF: Readonly<Record<string, () => Promise<ConformanceOptions>>> = {
  agent: async () => ({
    start: world({
      places: (folder) => ({ agentRoot: folder }),
      files: { "results/t-1.json": '{"task_id": "t-1", "status": "completed"}' },
      observe: (folder) => tree(folder),
    }),
  }),
  approval: async () => ({ start: world({}), programs: ['ask "Pay?" {"timeout": 0}'].map(one("approval")) }),
  auth: async () => ({
    start: world({
      settings: () => ({
        provider: "static",
        keys: [{ sha256: createHash("sha256").update(KEY).digest("hex"), subject: "ci", scopes: ["read"] }],
      }),
    }),
    programs: [
      {
        source: `# frame: key\nL1:\n  R auth.verify key {"scopes": ["read"]} ->w\n  J w\n`,
        frame: { key: "unknown" },
        verb: "verify",
      },
    ],
  }),
  cache: async () => ({
    start: world({
      places: (folder) => ({ cachePath: join(folder, "cache.db") }),
      observe: (folder) => rows(join(folder, "cache.db"), "SELECT ns, k, v FROM cache ORDER BY ns, k"),
    }),
  }),
  calendar: async () => ({
    examplesOutside: "they name events of somebody's calendar",
    programs: CALENDAR_PROGRAMS,
    async start() {
      const calendar = await calendarFixture();
      const fixture = await world({
        settings: () => calendar.settings,
        secrets: calendar.secrets,
        observe: () => calendar.observe(),
      })();
      const stop = async (): Promise<void> => {
        await fixture.stop();
        await calendar.close();
      };
      return { ...fixture, stop };
    },
  }),
  db: async () => ({
    start: world({
      settings: (folder) => ({ path: join(folder, "app.db"), store: "documents", entities: { User: {} } }),
      observe: (folder) => rows(join(folder, "app.db"), "SELECT entity, id, body FROM records ORDER BY entity, id"),
    }),
    programs: [
      { source: 'L1:\n  R db.C User {"name": "ann"} ->u\n  J u\n', verb: "C" },
      {
        source:
          'L1:\n  R db.C User {"name": "ann"} ->u\n  R db.U User {"id": u.id, "name": "bob"} ->n\n  R db.D User u.id ->gone\n  J n\n',
      },
    ],
  }),
  social: async () => ({
    examplesOutside: "they name posts of somebody's account",
    programs: SOCIAL_PROGRAMS,
    async start() {
      const social = await socialFixture();
      const fixture = await world({
        settings: () => social.settings,
        secrets: social.secrets,
        observe: () => social.observe(),
      })();
      const stop = async (): Promise<void> => {
        await fixture.stop?.();
        await social.close();
      };
      return { ...fixture, stop };
    },
  }),
  llm: async () => ({
    examplesOutside: "they ask models of an operator",
    programs: MODEL_PROGRAMS,
    async start() {
      const models = await modelFixture();
      const fixture = await world({ settings: () => models.settings, secrets: models.secrets })();
      const stop = async (): Promise<void> => {
        await fixture.stop?.();
        await models.close();
      };
      return { ...fixture, stop };
    },
  }),
  email: async () => ({
    examplesOutside: "they name messages of somebody's mailbox",
    programs: MAIL_PROGRAMS,
    async start() {
      const mail = await mailFixture();
      const fixture = await world({
        settings: () => mail.settings,
        places: (folder) => ({ stateDir: folder }),
        secrets: mail.secrets,
        observe: () => mail.observe(),
      })();
      const stop = async (): Promise<void> => {
        await fixture.stop?.();
        await mail.close();
      };
      return { ...fixture, stop };
    },
  }),
  event: async () => ({
    start: ofJob({ emit: ["orders/*"] }),
    programs: ['emit "orders/created" {"n": 1}'].map(one("event")),
    without: { 4: "accept is about what starts jobs, which no call of a program does" },
  }),
  extras: async () => {
    const server = await webServer((_request, response) => response.end());
    onTestFinished(() => server.close());
    return {
      examplesOutside: "they name servers on the internet and a container engine",
      programs: [
        ...['file_exists "backup/a.bak"', 'newest_file "backup"', 'newest_backup_mtime "backup"', 'disk "."'].map(
          one("extras"),
        ),
        { source: "# frame: url\nL1:\n  R extras.http_status url ->r\n  J r\n", verb: "http_status" },
        one("extras")('metrics_write "daily" {"run_count": 3}'),
        {
          source:
            'L1:\n  R extras.metrics_write "daily" {"run_count": 3} ->w\n  R extras.metrics "daily.json" ->m\n  J m.run_count\n',
        },
      ],
      start: world({
        settings: (folder) => ({ probe_roots: [folder], allow_hosts: [`127.0.0.1:${server.port}`] }),
        places: (folder) => ({ summaryRoot: join(folder, "sum") }),
        files: { "backup/a.bak": "a" },
        frame: { url: server.base },
        observe: (folder) => tree(folder),
      }),
    };
  },
  fs: async () => ({
    start: world({
      settings: (folder) => ({ sandbox_root: join(folder, "root") }),
      files: {
        "root/notes.txt": "first\nsecond\n",
        "root/docs/a.md": "a",
        "root/docs/b.md": "b",
      },
      observe: (folder) => tree(folder),
    }),
    programs: [{ source: 'L1:\n  R fs.stat "notes.txt" {"sha256": true} ->s\n  J s.size\n' }],
  }),
  http: async () => {
    const respond: RequestListener = (request, response) => {
      if (request.url === "/never") return;
      if (request.url === "/missing") response.statusCode = 404;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ method: request.method }));
    };
    const server = await webServer(respond);
    onTestFinished(() => server.close());
    const programs = ["Get", "Head", "Options", "Post", "Put", "Patch", "Delete"].map((verb) => ({
      source: `# frame: url\nL1:\n  R http.${verb} url ->r\n  J r\n`,
      verb,
    }));
    return {
      examplesOutside: "they name a server on the internet",
      programs: [
        ...programs,
        {
          source:
            '# frame: url\nL1:\n  Set there (concat url "missing")\n  R http.Get there ->r\n  Err ->L2\n  J r\nL2:\n  J 404\n',
        },
      ],
      slow: [{ source: '# frame: url\nL1:\n  Set there (concat url "never")\n  R http.Get there ->r\n  J r\n' }],
      start: world({
        settings: () => ({ allow_hosts: [`127.0.0.1:${server.port}`] }),
        frame: { url: `http://127.0.0.1:${server.port}/` },
      }),
    };
  },
  job: async () => ({
    start: ofJob({ programs: ["report"] }),
    programs: [
      'run "report" {"n": 1}',
      'start "report" {"n": 2}',
      ...[`wait "${JOB}"`, `wait_any ["${JOB}"]`, `status "${JOB}"`, `cancel "${JOB}"`],
    ].map(one("job")),
  }),
  memory: async () => ({
    start: world({
      places: (folder) => ({ memoryDb: join(folder, "memory.db") }),
      observe: (folder) => [
        rows(
          join(folder, "memory.db"),
          "SELECT namespace, record_kind, record_id, payload_json FROM memory_records ORDER BY 1, 2, 3",
        ),
        rows(join(folder, "memory.db"), "SELECT record, seq, entry_json FROM memory_entries ORDER BY 1, 2"),
      ],
    }),
    programs: [
      {
        source:
          'L1:\n  R memory.put "ops" "k" "i" {"a": 1} ->p\n  R memory.patch "ops" "k" "i" {"a": null} ->m\n  J m.version\n',
      },
    ],
  }),
  queue: async () => ({
    start: world({
      settings: () => ({ allow_take: true }),
      places: (folder) => ({ stateDir: folder }),
      observe: (folder) => rows(join(folder, "queue.db"), "SELECT queue, body FROM messages ORDER BY id"),
    }),
    slow: [{ source: 'L1:\n  R queue.take "jobs" {"wait_s": 60} ->r\n  J r\n' }],
    programs: [
      {
        source:
          'L1:\n  R queue.Put "jobs" 1 ->p\n  R queue.take "jobs" ->ms\n  Set m ms[0]\n  R queue.nack "jobs" m.message_id m.lease ->n\n  R queue.take "jobs" ->ms\n  Set m ms[0]\n  R queue.ack "jobs" m.message_id m.lease ->a\n  J a.ok\n',
      },
    ],
  }),
  sqlite: async () => ({
    start: world({
      helpers: true,
      settings: (folder) => ({ db_path: join(folder, "app.db"), allow_write: true }),
      observe: (folder) => rows(join(folder, "app.db"), "SELECT name, sql FROM sqlite_schema ORDER BY name"),
    }),
    slow: [{ source: `L1:\n  R sqlite.query "${ENDLESS}" ->r\n  J r\n`, settings: { timeout_s: 60 } }],
    programs: [
      {
        source:
          'L1:\n  R sqlite.execute "CREATE TABLE n (v)" ->c\n  R sqlite.execute "INSERT INTO n VALUES (?)" [7] ->i\n  R sqlite.query "SELECT v FROM n" ->r\n  J r\n',
      },
    ],
  }),
  svc: async () => ({
    examplesOutside: "their services are those of another machine",
    programs: ['status "web"', "web", "list", 'wait "web"', 'start "web"', 'stop "web"', 'restart "web"'].map(
      one("svc"),
    ),
    start: world({
      settings: (folder) => {
        const action = { argv: ["/bin/sh", "-c", 'echo once >>"$0"', join(folder, "log")] };
        const probes = [{ process: { pid_file: join(folder, "web.pid") } }];
        const actions = { start: action, stop: action, restart: action };
        return { services: { web: { probes, actions, cooldown_s: 0 } } };
      },
      files: { "web.pid": String(process.pid) },
      observe: (folder) => tree(folder),
    }),
  }),
  tools: async () => ({
    start: world({ settings: () => ({ tools: { sleep: { kind: "process", argv: SLEEP, timeout_s: 60 } } }) }),
    slow: [{ source: "L1:\n  R tools.sleep ->r\n  J r\n" }],
    programs: [{ source: "L1:\n  R tools.list ->l\n  J l\n", verb: "list" }],
  }),
  txn: async () => ({
    start: world({
      helpers: true,
      beside: (folder) => [
        { definition: sqliteAdapter, settings: { allow_write: true, db_path: join(folder, "app.db") } },
      ],
    }),
    programs: [
      {
        source:
          'L1:\n  R txn.begin "pay" ->t\n  R sqlite.execute "CREATE TABLE n (v)" ->c\n  R txn.commit "pay" ->e\n  J e.ok\n',
      },
      { source: "L1:\n  R txn.begin ->t\n  R txn.rollback ->e\n  J e.ok\n" },
    ],
  }),
  signal: async () => ({ start: world({}), programs: ['wait "go" {"timeout": 0}'].map(one("signal")) }),
  timer: async () => ({
    start: world({}),
    programs: ["sleep 0", 'until "2020-01-01T00:00:00Z"', 'next "0 8 * * *"'].map(one("timer")),
  }),
  videomon: async () => {
    const server = await webServer((_request, response) => response.end(RSS));
    onTestFinished(() => server.close());
    return {
      examplesOutside: "they name a channel with videos of its own",
      programs: [
        'poll "main"',
        "F",
        'videos "main"',
        "recent 24",
        'video "v-1"',
        'profile "main"',
        'search "first"',
        "trending",
        'analytics "main"',
      ].map(one("videomon")),
      start: world({
        settings: (folder) => ({ channels: { main: { feed: server.base } }, db_path: join(folder, "videomon.db") }),
        observe: (folder) => rows(join(folder, "videomon.db"), "SELECT channel, id, title FROM videos ORDER BY id"),
      }),
    };
  },
  wasm: async () => {
    const same = await fromText(SAME);
    return {
      start: world({
        settings: (folder) => ({
          modules: { m: join(folder, "m.wasm"), text: join(folder, "text.wasm"), spin: join(folder, "spin.wasm") },
        }),
        files: { "m.wasm": SHARED.m, "text.wasm": same, "spin.wasm": await fromText(SPIN) },
      }),
      slow: [{ source: 'L1:\n  R wasm.CALL "spin" "spin" ->r\n  J r\n', settings: { timeout_ms: 60_000 } }],
      programs: [{ source: "L1:\n  R wasm.LIST ->l\n  J l[0].module\n" }],
    };
  },
};
