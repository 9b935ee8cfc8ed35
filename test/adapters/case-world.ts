/** The world of one shared adapter case: a scratch folder, services on it, a clock that can be moved, and the adapter in it. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { createCoreAdapter } from "../../adapters/builtin/core/core-adapter.ts";
import { emailSection } from "../../adapters/builtin/email/environment.ts";
import { sqliteAdapter } from "../../adapters/builtin/sqlite/definition.ts";
import type { FunctionTools } from "../../adapters/definition/function-tools.ts";
import { adapterError } from "../../adapters/errors.ts";
import { type HostConfig, readHostConfig, type Variables } from "../../adapters/operator/host-config.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { createServices } from "../../adapters/services.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { AdapterSession } from "../../vm/calls/session.ts";
import { normalizeGrant } from "../../vm/grant/normalize-grant.ts";
import type { Clock, HostFacts } from "../../vm/run.ts";
import { type AdapterBench, openBench, realClock } from "../support/adapter-bench.ts";
import { inProcessSqlite } from "../support/in-process-sqlite.ts";
import { testCatalog } from "../support/run-case.ts";
import { type RecordingServer, recordingServer } from "./builtin/email/smtp-world.ts";
import { type CaseServer, openCaseServer } from "./builtin/http/case-server.ts";
import { storeVideosPublished } from "./builtin/videomon/stored-videos.ts";
import { SHARED } from "./builtin/wasm/modules.ts";

export type CaseCall = { readonly verb: string; readonly args: readonly Json[]; readonly adapter?: string };
type Advance = { readonly advance_clock_s: number };
export type Setup = {
  readonly files?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly seed_sql?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly prior_calls?: readonly (CaseCall | Advance)[];
  readonly advance_clock_s?: number;
  readonly entities?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly tools?: Readonly<Record<string, string>>;
  readonly modules?: Readonly<Record<string, string>>;
  /** Of auth: the keys that are valid, as text or as the operator lists them. */
  readonly provider?: { readonly keys: readonly (string | JsonObject)[] };
  /** A mail account at a server that records what it is sent. */
  readonly account?: JsonObject;
  readonly videos_published_hours_ago?: readonly number[];
};

export type CaseWorld = {
  readonly folder: string;
  call(call: CaseCall): Promise<Json>;
  /** How often each tool ran. */
  readonly executed: ReadonlyMap<string, number>;
  /** How many requests reached the server of the case. */
  requestsSeen(): number;
  /** Whom mail was sent to. */
  recipients(): readonly string[];
  /** Text with the scratch folder in place of its placeholder, and members likewise. */
  filled<T>(value: T): T;
  close(): Promise<void>;
};

type CaseBench = Pick<AdapterBench, "call" | "callOther" | "end">;
type BenchOptions = NonNullable<Parameters<typeof openBench>[1]>;

export async function openWorld(adapter: string, given: JsonObject, setup: Setup): Promise<CaseWorld> {
  const folder = await mkdtemp(join(tmpdir(), "weft-case-"));
  const server = await openCaseServer();
  const filled = <T>(value: T): T => JSON.parse(filledText(JSON.stringify(value), folder, server)) as T;
  await writeFiles(folder, filled(setup));
  const clock = movableClock();
  const executed = new Map<string, number>();
  const env = filled(setup.env ?? {});
  const host = readHostConfig(env, { memoryDb: join(folder, "memory.db") });
  // A variable that is not valid stops a start; here the calls fail, as with settings that are refused.
  const config = host.ok ? host.config : hostConfigOf({});
  const made = createServices({
    places: config.places,
    environment: env,
    tools: toolsOf(setup.tools ?? {}, executed),
    http: { allowPrivate: config.httpAllowPrivate, propagateTrace: config.propagateTrace },
  });
  const sqlite = needsProcess(adapter, given) ? null : inProcessSqlite();
  const services = sqlite === null ? made.services : { ...made.services, sqlite };
  const { exposed } = config;
  const { allow_env: named } = given;
  const exposes = (name: string): boolean => !Array.isArray(named) || named.includes(name);
  const facts: HostFacts = {
    uuid: () => crypto.randomUUID(),
    env: (name) => (exposes(name) ? exposed.get(name) : undefined),
  };
  const mail = setup.account === undefined ? null : await recordingServer();
  const settings = { ...(await settingsOf(adapter, folder, setup)), ...accountsOf(setup, mail), ...filled(given) };
  // A transaction is one of a database that the run has, too.
  const seeded = { definition: sqliteAdapter, settings: { db_path: seedOf(folder), allow_write: true } };
  const others = adapter === "txn" && setup.seed_sql !== undefined ? [seeded] : [];
  // Settings that are refused fail the calls, as they fail a run.
  let opened: Promise<CaseBench> | undefined;
  const bench = (): Promise<CaseBench> => {
    if (!host.ok) throw adapterError("ADAPTER_BAD_SETTINGS", `${host.variable} ${host.message}`);
    if (adapter === "core") opened ??= coreBench(clock, facts);
    const said = adapter === "email" ? sectionOf(env) : {};
    opened ??= definedBench(adapter, { ...said, ...settings }, { clock, services, others, config });
    return opened;
  };
  const call = async ({ adapter: named = adapter, verb, args }: CaseCall): Promise<Json> => {
    const { call, callOther } = await bench();
    return named === adapter ? call(verb, ...args) : callOther(named, verb, ...args);
  };
  for (const prior of setup.prior_calls ?? []) {
    if ("advance_clock_s" in prior) clock.advance(prior.advance_clock_s * 1000);
    else await call(filled(prior));
  }
  clock.advance((setup.advance_clock_s ?? 0) * 1000);
  return {
    folder,
    executed,
    recipients: () => mail?.mails.flatMap((one) => one.recipients) ?? [],
    requestsSeen: () => server.seen,
    filled,
    call,
    async close() {
      await opened?.then(
        (one) => one.end(),
        () => {},
      );
      await mail?.close();
      await sqlite?.close();
      await made.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Transactions and time limits are those of a helper process; all else is the same in this one, without the time that it takes to start. */
function needsProcess(adapter: string, settings: JsonObject): boolean {
  return adapter === "txn" || settings["timeout_s"] !== undefined;
}

function filledText(text: string, folder: string, server: CaseServer): string {
  return text.replaceAll("{TMP}", folder).replaceAll("{HTTP}", server.base).replaceAll("{PORT}", String(server.port));
}

type Surroundings = Required<Pick<BenchOptions, "clock" | "services" | "others">> & { readonly config: HostConfig };

async function definedBench(
  adapter: string,
  settings: JsonObject,
  { config, ...around }: Surroundings,
): Promise<CaseBench> {
  const load = BUILTIN_LOADERS[adapter];
  if (load === undefined) throw new Error(`nothing provides ${adapter}`);
  const secrets = Object.fromEntries(config.secrets);
  return openBench(await load(), {
    settings: normalized(adapter, settings),
    secrets,
    dryRun: config.dryRun,
    ...around,
  });
}

function hostConfigOf(variables: Variables): HostConfig {
  const host = readHostConfig(variables);
  if (!host.ok) throw new Error(`${host.variable} ${host.message}`);
  return host.config;
}

/** The account that the variables EMAIL_… name. */
function sectionOf(variables: Variables): JsonObject {
  const read = emailSection(variables);
  if (!read.ok) throw adapterError("ADAPTER_BAD_SETTINGS", `${read.variable} ${read.message}`);
  return read.section ?? {};
}

/** In the spelling that the adapter gets them in. */
function normalized(adapter: string, settings: JsonObject): JsonObject {
  const read = normalizeGrant({ adapter_constraints: { [adapter]: settings } }, "operator", { catalog: testCatalog });
  if (read.ok) return read.grant.adapter_constraints[adapter] as JsonObject;
  throw adapterError("ADAPTER_BAD_SETTINGS", read.issues.map((issue) => issue.message).join("; "));
}

async function coreBench(clock: Clock, facts: HostFacts): Promise<CaseBench> {
  const adapters = new Map<string, Adapter>([["core", createCoreAdapter({ clock, facts })]]);
  const session = new AdapterSession({ adapters, clock, facts, traceId: "case", dryRun: false });
  const make = async (adapter: string, verb: string, args: readonly unknown[]): Promise<Json> => {
    const place = { callId: "case/1/n1/1", attempt: 1, runEndsAt: Number.POSITIVE_INFINITY };
    const call = session.start(adapter, verb, args as readonly Json[], place);
    return session.taken(call, await call.answer);
  };
  return {
    call: (verb, ...args) => make("core", verb, args),
    callOther: (adapter, verb, ...args) => make(adapter, verb, args),
    async end() {
      await session.close();
      return session.warnings;
    },
  };
}

async function writeFiles(folder: string, { files = {}, symlinks = {} }: Setup): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  for (const [name, target] of Object.entries(symlinks)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await symlink(target, join(folder, name));
  }
}

/** What the setup says in words of a case, as settings of the adapter. */
async function settingsOf(adapter: string, folder: string, setup: Setup): Promise<JsonObject> {
  const settings: { [name: string]: Json } = {};
  if (setup.seed_sql !== undefined) {
    const path = seedOf(folder);
    new Database(path).exec(setup.seed_sql).close();
    if (adapter === "sqlite") settings["db_path"] = path;
  }
  if (setup.entities !== undefined) {
    settings["store"] = "documents";
    settings["path"] = ":memory:";
    settings["entities"] = Object.fromEntries(
      Object.entries(setup.entities).map(([name, columns]) => [name, { columns }]),
    ) as JsonObject;
  }
  if (setup.provider !== undefined) {
    settings["provider"] = "static";
    settings["keys"] = setup.provider.keys.map((key) => (typeof key === "string" ? keyEntry(key) : key));
  }
  if (setup.modules !== undefined) {
    const modules: { [name: string]: Json } = {};
    for (const [name, file] of Object.entries(setup.modules)) {
      modules[name] = join(folder, file);
      const shared = Object.entries(SHARED).find(([known]) => `${known}.wasm` === file);
      if (shared !== undefined) await writeFile(join(folder, file), shared[1]);
    }
    settings["modules"] = modules;
  }
  if (setup.videos_published_hours_ago !== undefined) {
    const path = join(folder, "videomon.db");
    storeVideosPublished(path, setup.videos_published_hours_ago, realClock.wall());
    settings["db_path"] = path;
  }
  if (adapter === "fs") await mkdir(join(folder, "root"), { recursive: true });
  return settings;
}

function seedOf(folder: string): string {
  return join(folder, "seed.db");
}

function keyEntry(key: string): JsonObject {
  return { sha256: createHash("sha256").update(key).digest("hex"), subject: "case" };
}

function accountsOf({ account }: Setup, mail: RecordingServer | null): JsonObject {
  if (account === undefined || mail === null) return {};
  return { accounts: { default: { ...account, smtp: mail.section } } };
}

/** The tools that the cases describe in words. */
function toolsOf(named: Readonly<Record<string, string>>, executed: Map<string, number>): FunctionTools {
  const two: JsonObject = { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 };
  const all: FunctionTools = {
    add: { argsSchema: two, run: ([a, b]) => Number(a) + Number(b) },
    dbl: { run: ([a]) => Number(a) * 2 },
    boom: {
      run: () => {
        throw new Error("boom");
      },
    },
    inner: {
      run: () => {
        executed.set("inner", (executed.get("inner") ?? 0) + 1);
        throw new TypeError("inner");
      },
    },
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(named, name)));
}

function movableClock(): Clock & { advance(ms: number): void } {
  let ahead = 0;
  return {
    now: () => realClock.now() + ahead,
    wall: () => realClock.wall() + ahead,
    wait: realClock.wait,
    advance(ms) {
      ahead += ms;
    },
  };
}

/** The lines of the mailbox's task file. */
export async function mailboxLines(folder: string): Promise<readonly Json[]> {
  const text = await readFile(join(folder, "agents", "tasks", "agent_tasks.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Json);
}
