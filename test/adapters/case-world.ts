/** The world of one shared adapter case: a scratch folder, services on it, a clock that can be moved, and the adapter in it. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { createCoreAdapter } from "../../adapters/core/core-adapter.ts";
import { readHostConfig } from "../../adapters/host-config.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { createServices, type HostPlaces } from "../../adapters/services.ts";
import type { FunctionTools } from "../../adapters/tools/function-tool.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { AdapterSession } from "../../vm/adapter-session.ts";
import type { Clock, HostFacts } from "../../vm/run.ts";
import { type AdapterBench, NO_PLACES, openBench, realClock } from "../support/adapter-bench.ts";
import { type RecordingServer, recordingServer } from "./email/smtp-world.ts";
import { type CaseServer, openCaseServer } from "./http/case-server.ts";
import { storeVideosPublished } from "./videomon/stored-videos.ts";
import { SHARED } from "./wasm/modules.ts";

export type CaseCall = { readonly verb: string; readonly args: readonly Json[]; readonly adapter?: string };
export type Advance = { readonly advance_clock_s: number };
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
  /** A mail account at a server that records what it is sent. */
  readonly account?: { readonly from: string };
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

export async function openWorld(adapter: string, given: JsonObject, setup: Setup): Promise<CaseWorld> {
  const folder = await mkdtemp(join(tmpdir(), "weft-case-"));
  const server = adapter === "http" || adapter === "extras" ? await openCaseServer() : null;
  const filled = <T>(value: T): T => JSON.parse(filledText(JSON.stringify(value), folder, server)) as T;
  await writeFiles(folder, filled(setup));
  const clock = movableClock();
  const executed = new Map<string, number>();
  const env = filled(setup.env ?? {});
  const { services, close } = createServices({
    places: placesOf(folder, env),
    environment: {},
    tools: toolsOf(setup.tools ?? {}, executed),
  });
  const host = readHostConfig(env);
  if (!host.ok) throw new Error(`${host.variable} ${host.message}`);
  const { exposed } = host.config;
  const facts: HostFacts = { uuid: () => crypto.randomUUID(), env: (name) => exposed.get(name) };
  const mail = setup.account === undefined ? null : await recordingServer();
  const settings = { ...(await settingsOf(adapter, folder, setup)), ...accountsOf(setup, mail), ...filled(given) };
  const bench = adapter === "core" ? coreBench(clock, facts) : await definedBench(adapter, settings, clock, services);
  for (const prior of setup.prior_calls ?? []) {
    if ("advance_clock_s" in prior) clock.advance(prior.advance_clock_s * 1000);
    else await bench.call(prior.verb, ...filled(prior.args));
  }
  clock.advance((setup.advance_clock_s ?? 0) * 1000);
  return {
    folder,
    executed,
    recipients: () => mail?.mails.flatMap((one) => one.recipients) ?? [],
    requestsSeen: () => server?.seen ?? 0,
    filled,
    call: ({ verb, args }) => bench.call(verb, ...args),
    async close() {
      await bench.end();
      await mail?.close();
      await close();
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function filledText(text: string, folder: string, server: CaseServer | null): string {
  const inFolder = text.replaceAll("{TMP}", folder);
  if (server === null) return inFolder;
  return inFolder.replaceAll("{HTTP}", server.base).replaceAll("{PORT}", String(server.port));
}

async function definedBench(
  adapter: string,
  settings: JsonObject,
  clock: Clock,
  services: Parameters<typeof openBench>[1] extends { services?: infer S } | undefined ? S : never,
): Promise<Pick<AdapterBench, "call" | "end">> {
  const load = BUILTIN_LOADERS[adapter];
  if (load === undefined) throw new Error(`nothing provides ${adapter}`);
  return openBench(await load(), { settings, clock, ...(services === undefined ? {} : { services }) });
}

function coreBench(clock: Clock, facts: HostFacts): Pick<AdapterBench, "call" | "end"> {
  const adapters = new Map<string, Adapter>([["core", createCoreAdapter({ clock, facts })]]);
  const session = new AdapterSession({ adapters, clock, facts, traceId: "case", dryRun: false });
  return {
    async call(verb, ...args) {
      const place = { callId: "case/1/n1/1", attempt: 1, runEndsAt: Number.POSITIVE_INFINITY };
      const call = session.start("core", verb, args as readonly Json[], place);
      return session.taken(call, await call.answer);
    },
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

function placesOf(folder: string, env: Readonly<Record<string, string>>): HostPlaces {
  return {
    ...NO_PLACES,
    agentRoot: env["WF_AGENT_ROOT"] ?? null,
    memoryDb: env["WF_MEMORY_DB"] ?? join(folder, "memory.db"),
    summaryRoot: env["WF_SUMMARY_ROOT"] ?? null,
  };
}

/** What the setup says in words of a case, as settings of the adapter. */
async function settingsOf(adapter: string, folder: string, setup: Setup): Promise<JsonObject> {
  const settings: { [name: string]: Json } = {};
  if (setup.seed_sql !== undefined) {
    const path = join(folder, "seed.db");
    new Database(path).exec(setup.seed_sql).close();
    settings["db_path"] = path;
  }
  if (setup.entities !== undefined) {
    settings["store"] = "documents";
    settings["path"] = ":memory:";
    settings["entities"] = Object.fromEntries(
      Object.entries(setup.entities).map(([name, columns]) => [name, { columns }]),
    ) as JsonObject;
  }
  if (setup.modules !== undefined) {
    const modules: { [name: string]: Json } = {};
    for (const [name, file] of Object.entries(setup.modules)) {
      modules[name] = join(folder, file);
      await writeFile(join(folder, file), SHARED[name as keyof typeof SHARED]);
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

function accountsOf({ account }: Setup, mail: RecordingServer | null): JsonObject {
  if (account === undefined || mail === null) return {};
  return { accounts: { default: { from: account.from, smtp: mail.section } } };
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
