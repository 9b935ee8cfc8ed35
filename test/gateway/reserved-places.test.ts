/**
 * Files that the operator names belong to the adapter they are named for. With a data root around them, no caller reaches one by another
 * adapter, whatever path, link or hard link leads there, and whether it exists yet or not.
 */
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRuntime, type Runtime } from "../../adapters/runtime.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { realClock } from "../support/adapter-bench.ts";
import { configOf, folder } from "./folder.ts";
import { program } from "./requests.ts";

type World = { readonly data: string; readonly runtime: Runtime };

/** Files that the operator names inside of settings: certificates, probes, commands, tools. */
const NESTED = ["ca.pem", "s.pid", "beat", "start.sh", "start.conf", "tool.js", "module.mjs"];

/** A service whose data root holds every file that its operator names. */
function world(prepare: (data: string) => void = () => {}): World {
  const { path, file } = folder();
  const data = join(path, "data");
  for (const name of ["", "metrics", "modules", "mail", "secrets", "dbs"]) mkdirSync(join(data, name));
  for (const name of ["queue.db", "doc.db", "video.db", "tables.db", "memory.db", "cache.db"]) {
    const database = new Database(join(data, name));
    database.exec("CREATE TABLE kept (word TEXT); INSERT INTO kept VALUES ('canary')");
    database.close();
  }
  for (const name of ["metrics/m.json", "modules/m.wasm", "mail/t.jsonl", "secrets/KEY", "free.txt", ...NESTED])
    writeFileSync(join(data, name), "canary");
  prepare(data);
  const operator = {
    db: { path: join(data, "doc.db"), store: "documents", entities: { "*": {} } },
    queue: { path: join(data, "queue.db") },
    videomon: { db_path: join(data, "video.db") },
    memory: { db_path: join(data, "memory.db") },
    cache: { path: join(data, "cache.db") },
    agent: { root: join(data, "mail") },
    extras: { summary_root: join(data, "metrics") },
    wasm: { modules_dir: join(data, "modules") },
    email: {
      accounts: { a: { from: "a@example.com", smtp: { host: "mail.example.com", ca_file: join(data, "ca.pem") } } },
    },
    svc: {
      services: {
        s: {
          probes: [
            { process: { pid_file: join(data, "s.pid") } },
            { heartbeat: { file: join(data, "beat"), max_age_s: 9 } },
          ],
          actions: { start: { argv: [join(data, "start.sh"), join(data, "start.conf"), join(data, "dbs")] } },
        },
      },
    },
    tools: {
      tools: {
        t: { kind: "process", argv: [process.execPath, join(data, "tool.js")], cwd: data },
        m: { kind: "module", file: join(data, "module.mjs") },
      },
    },
  };
  const adapters = file("data/adapters.json", operator);
  const runtime = openRuntime({
    config: configOf({ WF_DATA_ROOT: data, WF_ADAPTERS_CONFIG: adapters, WF_SECRETS_DIR: join(data, "secrets") }),
    clock: realClock,
    uuid: () => crypto.randomUUID(),
    log: () => {},
  });
  onTestFinished(() => runtime.close());
  return { data, runtime };
}

/** What a program comes to: its value, or the code of the error. */
async function outcome({ runtime }: World, adapters: JsonObject, ...steps: string[]): Promise<unknown> {
  const { ir, diagnostics } = runtime.gateway.host.compile(program(...steps), { strict: false });
  const admission = runtime.gateway.admit({ adapters });
  if (!admission.ok || ir === null) throw new Error(JSON.stringify([admission, diagnostics]));
  const prepared = await runtime.gateway.prepare(ir, admission);
  if (!prepared.ok) return prepared;
  const answer = await runtime.gateway.run(prepared, {});
  return answer.ok ? answer.out : (answer.error.data as JsonObject)["adapter_code"];
}

const FS = { enable: ["fs"], fs: { allow_delete: true } };
const DATABASES = ["queue.db", "doc.db", "video.db", "memory.db", "cache.db"];
const FILES = [
  ...DATABASES,
  "adapters.json",
  "modules/m.wasm",
  "metrics/m.json",
  "mail/t.jsonl",
  "secrets/KEY",
  ...NESTED,
];

describe("a file of the operator below the data root", () => {
  it.each(FILES)("%s is not read, copied, moved, written or deleted by fs", async (name) => {
    const place = world();
    for (const step of [
      `R fs.read "${name}" ->r`,
      `R fs.read "${name}" {"encoding": "base64"} ->r`,
      `R fs.stat "${name}" {"sha256": true} ->r`,
      `R fs.copy "${name}" "mine" ->r`,
      `R fs.move "${name}" "mine" ->r`,
      `R fs.write "${name}" "x" ->r`,
      `R fs.copy "free.txt" "${name}" ->r`,
      `R fs.delete "${name}" ->r`,
    ])
      expect([step, await outcome(place, FS, step, "J r")]).toEqual([step, "ADAPTER_NOT_ALLOWED"]);
    expect(await outcome(place, FS, 'R fs.read "free.txt" ->r', "J r")).toBe("canary");
  });

  it.each(["modules", "metrics", "mail", "secrets"])("%s, a folder, is not moved, emptied or filled", async (name) => {
    const place = world();
    for (const step of [
      `R fs.list "${name}" ->r`,
      `R fs.move "${name}" "mine" ->r`,
      `R fs.delete "${name}" {"recursive": true} ->r`,
      `R fs.write "${name}/new" "x" ->r`,
      `R fs.mkdir "${name}/new" ->r`,
    ])
      expect([step, await outcome(place, FS, step, "J r")]).toEqual([step, "ADAPTER_NOT_ALLOWED"]);
    const root = { enable: ["fs"], fs: { sandbox_root: name } };
    expect(await outcome(place, root, 'R fs.list "." ->r', "J r")).toBe("ADAPTER_BAD_SETTINGS");
    const below = { enable: ["fs"], fs: { sandbox_root: `${name}/deeper` } };
    expect(await outcome(place, below, 'R fs.list "." ->r', "J r")).toBe("ADAPTER_BAD_SETTINGS");
  });

  it.each(DATABASES)("%s is not usable as a database of sqlite", async (name) => {
    const place = world((data) => {
      symlinkSync(join(data, name), join(data, "link.db"));
      linkSync(join(data, name), join(data, "hard.db"));
    });
    for (const path of [name, "link.db", "hard.db", `dbs/../${name}`, `${name}-wal`]) {
      const asked = { enable: ["sqlite"], sqlite: { db_path: path } };
      const got = await outcome(place, asked, 'R sqlite.query "SELECT word FROM kept" ->r', "J r");
      expect([path, got]).toEqual([path, "ADAPTER_BAD_SETTINGS"]);
    }
    for (const path of ["link.db", "hard.db"])
      expect(await outcome(place, FS, `R fs.read "${path}" ->r`, "J r")).toBe("ADAPTER_NOT_ALLOWED");
  });

  it("is not usable before it exists, either", async () => {
    const { path, file } = folder();
    const data = join(path, "data");
    mkdirSync(data);
    const runtime = openRuntime({
      config: configOf({
        WF_DATA_ROOT: data,
        WF_ADAPTERS_CONFIG: file("adapters.json", { queue: { path: join(data, "q/queue.db") } }),
      }),
      clock: realClock,
      uuid: () => crypto.randomUUID(),
      log: () => {},
    });
    onTestFinished(() => runtime.close());
    const place = { data, runtime };
    const asked = { enable: ["sqlite"], sqlite: { db_path: "q/queue.db" } };
    expect(await outcome(place, asked, 'R sqlite.query "SELECT 1" ->r', "J r")).toBe("ADAPTER_BAD_SETTINGS");
    for (const name of ["q/queue.db", "q/queue.db-wal", "q/queue.db-journal"])
      expect(await outcome(place, FS, `R fs.write "${name}" "x" ->r`, "J r")).toBe("ADAPTER_NOT_ALLOWED");
    expect(await outcome(place, FS, 'R fs.write "q/other" "x" ->r', "J r")).toMatchObject({ bytes: 1 });
    expect(await outcome(place, FS, 'R fs.move "q" "r" ->r', "J r")).toBe("ADAPTER_NOT_ALLOWED");
  });

  it("is not reserved where it is only a folder that a command is given or works in", async () => {
    expect(await outcome(world(), FS, 'R fs.write "dbs/new" "x" ->r', "J r")).toMatchObject({ bytes: 1 });
  });

  it("is still what the adapter that it is named for works with", async () => {
    const place = world();
    const none = { enable: ["memory", "queue"] };
    expect(await outcome(place, none, 'QueuePut jobs {"a": 1}', 'J "put"')).toBe("put");
    const same = { enable: ["cache"], cache: { path: "cache.db" } };
    expect(await outcome(place, same, 'R cache.set "a" 1 ->ok', 'R cache.get "a" ->r', "J r")).not.toBe(
      "ADAPTER_BAD_SETTINGS",
    );
  });

  it("is left out of what fs lists below it", async () => {
    const place = world();
    for (const step of ['R fs.glob "**/*" ->r', 'R fs.list "." {"recursive": true} ->r']) {
      const got = JSON.stringify(await outcome(place, FS, step, "J r"));
      expect(got).toContain("free.txt");
      expect(got).not.toMatch(/m\.json|t\.jsonl|m\.wasm|KEY/);
    }
  });
});

it("a caller's cache does not get its tables into a file of the operator's", async () => {
  const { path, file } = folder();
  const database = new Database(join(path, "tables.db"));
  database.exec("CREATE TABLE kept (word TEXT)");
  database.close();
  const runtime = openRuntime({
    config: configOf({
      WF_DATA_ROOT: path,
      WF_ADAPTERS_CONFIG: file("adapters.json", { sqlite: { db_path: join(path, "tables.db") } }),
    }),
    clock: realClock,
    uuid: () => crypto.randomUUID(),
    log: () => {},
  });
  onTestFinished(() => runtime.close());
  const place = { data: path, runtime };
  const asked = { enable: ["cache"], cache: { path: "tables.db" } };
  expect(await outcome(place, asked, 'R cache.set "a" 1 ->r', "J r")).toBe("ADAPTER_BAD_SETTINGS");
  const own = { enable: ["sqlite"] };
  expect(await outcome(place, own, 'R sqlite.query "SELECT name FROM sqlite_master" ->r', "J r")).toEqual([
    { name: "kept" },
  ]);
});

it("a caller narrows a folder of the operator's, and no link leads out of it", async () => {
  const { path, file } = folder();
  for (const name of ["data", "srv", "srv/a", "out"]) mkdirSync(join(path, name));
  writeFileSync(join(path, "srv/a/x"), "inside");
  writeFileSync(join(path, "out/x"), "canary");
  symlinkSync(join(path, "out"), join(path, "srv/link"));
  const runtime = openRuntime({
    config: configOf({
      WF_DATA_ROOT: join(path, "data"),
      WF_ADAPTERS_CONFIG: file("adapters.json", { fs: { sandbox_root: join(path, "srv") } }),
    }),
    clock: realClock,
    uuid: () => crypto.randomUUID(),
    log: () => {},
  });
  onTestFinished(() => runtime.close());
  const read = (root: string) =>
    outcome({ data: path, runtime }, { enable: ["fs"], fs: { sandbox_root: root } }, 'R fs.read "x" ->r', "J r");
  expect(await read(join(path, "srv/a"))).toBe("inside");
  expect(await read(join(path, "srv/link"))).toBe("ADAPTER_BAD_SETTINGS");
  expect(await read(join(path, "out"))).toMatchObject({ ok: false });
});
