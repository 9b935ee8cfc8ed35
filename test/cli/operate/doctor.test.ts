/** `wf doctor`: every check says ok, warn or fail with a fix, and no value of the environment is ever shown. */
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

type Check = { name: string; state: string; message: string; fix: string | null };

async function doctor(cwd: string, environment: Record<string, string>, ...flags: string[]) {
  const result = await wf(["doctor", "--json", ...flags], { cwd, environment, clock: realClock });
  const document = documentOf(result);
  const checks = new Map((document["checks"] as Check[]).map(({ name, ...check }) => [name, check]));
  return { code: result.code, stdout: result.stdout, ok: document["ok"], of: (name: string) => checks.get(name) };
}

/** An environment in which nothing is to be complained of. */
function healthy(cwd: string): Record<string, string> {
  return {
    WF_PORT: "0",
    WF_STATE_DIR: join(cwd, "state"),
    WF_AGENT_ROOT: join(cwd, "agents"),
    WF_MEMORY_DB: join(cwd, "memory.db"),
  };
}

describe("wf doctor", { timeout: 60_000 }, () => {
  it("creates missing folders, and then finds nothing", async () => {
    const cwd = folderWith({});
    const before = await doctor(cwd, healthy(cwd));
    expect(before.of("state folder")).toEqual({
      state: "warn",
      message: "the folder of WF_STATE_DIR does not exist yet",
      fix: "run wf doctor --fix to create it",
    });
    expect(existsSync(join(cwd, "state"))).toBe(false);
    const result = await wf(["doctor", "--fix"], { cwd, environment: healthy(cwd), clock: realClock });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout.split("\n").map((line) => line.slice(0, 20).trim())).toEqual(
      [
        "ok    node           ",
        "ok    sqlite         ",
        "ok    environment    ",
        "ok    configuration  ",
        "ok    state folder   ",
        "ok    state lock     ",
        "ok    state jobs     ",
        "ok    places         ",
        "ok    port           ",
        "ok    threads        ",
        "ok    clock          ",
        "ok    terminal       ",
        "ok    packages       ",
        "ok    database       ",
        "ok    mcp            ",
        "ok    run            ",
        "16 checks, 0 failed,",
        "",
      ].map((line) => line.trim()),
    );
    expect(existsSync(join(cwd, "agents"))).toBe(true);
  });

  it("fails where something does not work, and suggests a fix", async () => {
    const cwd = folderWith({ state: "a file", "wf.config.json": '{"strict": 1}' });
    const { code, ok, of } = await doctor(cwd, {
      ...healthy(cwd),
      WF_STATE: "x",
      WF_PROFILES_FILE: join(cwd, "none.json"),
    });
    expect([code, ok]).toEqual([1, false]);
    expect(of("state folder")).toMatchObject({ state: "fail", message: "WF_STATE_DIR is not a folder" });
    expect(of("configuration")).toMatchObject({
      state: "fail",
      message: "wf.config.json: /strict: expected true or false",
    });
    expect(of("environment")).toMatchObject({ state: "warn", message: "unknown environment variable WF_STATE" });
    expect(of("mcp")).toMatchObject({ state: "fail", message: "the file of WF_PROFILES_FILE cannot be read (ENOENT)" });
  });

  it.each([
    [["WF_STATE_DIRR"], "WF_STATE_DIRR", "did you mean WF_STATE_DIR?"],
    [["WF_QQQ"], "WF_QQQ", "check the spelling, or unset it"],
    [
      ["WF_PROT", "WF_QQQ", "WF_SECURTY_PROFILE"],
      "WF_PROT, WF_QQQ, WF_SECURTY_PROFILE",
      "did you mean WF_PORT for WF_PROT, WF_SECURITY_PROFILE for WF_SECURTY_PROFILE?",
    ],
  ])("suggests the nearest name for each unknown variable: %j", async (names, listed, fix) => {
    const cwd = folderWith({});
    const { of } = await doctor(cwd, { ...healthy(cwd), ...Object.fromEntries(names.map((name) => [name, "x"])) });
    expect(of("environment")).toMatchObject({ state: "warn", fix, message: expect.stringContaining(listed) });
  });

  it("warns about shared places", async () => {
    const { of } = await doctor(folderWith({}), { WF_PORT: "0" });
    expect(of("state folder")).toMatchObject({ state: "warn", fix: "set WF_STATE_DIR to a folder" });
    expect(of("places")).toMatchObject({ state: "warn", fix: "set WF_AGENT_ROOT and WF_MEMORY_DB" });
  });

  it("sees a port that is taken and a state folder in use", async () => {
    const cwd = folderWith({});
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    mkdirSync(join(cwd, "state"));
    const { default: Database } = await import("better-sqlite3");
    writeFileSync(join(cwd, "state/lock"), "");
    const lock = new Database(join(cwd, "state/lock"));
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
    onTestFinished(() => void lock.close());
    const { of } = await doctor(cwd, { ...healthy(cwd), WF_PORT: String(port) });
    expect(of("port")).toMatchObject({ state: "warn", message: expect.stringContaining(`${port} is taken`) });
    expect(of("state lock")).toEqual({ state: "ok", message: "held by a running service", fix: null });
  });

  it("sees a running service whose lock file was deleted", async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, "state"));
    const { default: Database } = await import("better-sqlite3");
    const database = new Database(join(cwd, "state/weft.db"));
    database.pragma("journal_mode = WAL");
    database.exec("CREATE TABLE jobs (id TEXT PRIMARY KEY)");
    const lock = async () => (await doctor(cwd, healthy(cwd))).of("state lock");
    expect(await lock()).toMatchObject({ message: "held by a running service" });
    database.close();
    expect(await lock()).toMatchObject({ message: "free" });
  });

  it("detects an invalid or damaged file of jobs", async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, "state"));
    const file = join(cwd, "state/weft.db");
    const jobs = async () => (await doctor(cwd, healthy(cwd))).of("state jobs");
    const { default: Database } = await import("better-sqlite3");
    const database = new Database(file);
    database.pragma("journal_mode = WAL");
    database.exec("CREATE TABLE jobs (id TEXT PRIMARY KEY, text TEXT)");
    const insert = database.prepare("INSERT INTO jobs VALUES (?, ?)");
    for (let at = 0; at < 200; at++) insert.run(`job ${at}`, "x".repeat(200));
    database.close();
    expect(await jobs()).toEqual({ state: "ok", message: "the file is intact", fix: null });
    expect(readdirSync(join(cwd, "state"))).toEqual(["weft.db"]);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(7, 5000, 30_000));
    expect(await jobs()).toMatchObject({ state: "fail", fix: expect.stringContaining("wf doctor --recover") });
    writeFileSync(file, "no database at all".repeat(100));
    expect(await jobs()).toMatchObject({ state: "fail", message: expect.stringContaining("SQLITE_NOTADB") });
    // What only cannot be opened may be whole.
    rmSync(file);
    mkdirSync(file);
    expect(await jobs()).toMatchObject({
      state: "fail",
      fix: expect.stringContaining("make it readable and writable"),
    });
  });

  it("asks for no folders where a database holds jobs, mailboxes and memory", async () => {
    const WF_DATABASE_URL = "postgres://weft@127.0.0.1:1/weft";
    const { of } = await doctor(folderWith({}), { WF_PORT: "0", WF_DATABASE_URL });
    expect(of("state folder")).toMatchObject({
      state: "ok",
      message: "not used: WF_DATABASE_URL holds jobs and queues",
    });
    expect(of("places")).toMatchObject({ state: "ok" });
  });

  it("shows no secret", async () => {
    const cwd = folderWith({});
    const { stdout, of } = await doctor(cwd, {
      ...healthy(cwd),
      WF_DATABASE_URL: "postgres://weft:open-sesame@127.0.0.1:1/weft",
      WF_SECRET_TOKEN: "open-sesame",
      WF_AUDIT_HASH_KEY: "open-sesame-open-sesame",
    });
    expect(of("database")).toMatchObject({
      state: "fail",
      fix: "check WF_DATABASE_URL, and that the server is running",
    });
    expect(stdout).not.toContain("sesame");
  });
});
