/** `wf cache import`: all entries of a file or none, under the rules of `cache.set`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { startPostgres } from "../../support/postgres.ts";
import { verifies } from "../../support/requirements.ts";
import { type ConsoleOptions, documentOf, wf as wfWith } from "../console.ts";
import { folderWith } from "../folders.ts";

/** As a file of the predecessor's cache. */
const FILE = '\uFEFF{"default": {"rate": 7, "a/b": null}, "users": {"u1": {"__proto__": [1]}, "1": ""}}';
const BAD = JSON.stringify({
  default: { ok: 1, "": 2, long: "x".repeat(300) },
  users: [1],
  "a/b": { "~": "x".repeat(300) },
});
const READ = `L1:
  R cache.get "rate" ->rate
  R cache.has "a/b" ->kept
  R cache.get "users" "u1" ->user
  R cache.get "users" "1" {"meta": true} ->one
  J {"rate": rate, "kept": kept, "user": user, "one": one.found, "expires": one.expires_at}
`;
const EXPECTED =
  '{\n  "rate": 7,\n  "kept": true,\n  "user": {\n    "__proto__": [\n      1\n    ]\n  },\n  "one": true,\n  "expires": null\n}\n';

const wf = (argv: string, options: ConsoleOptions) => wfWith(argv.split(" "), { clock: realClock, ...options });
const folder = () =>
  folderWith({
    "cache.json": FILE,
    "bad.json": BAD,
    "read.wf": READ,
    "list.json": "[]",
    "no.json": "{",
    "range.json": '{"n": {"a": 1, "k": 1e999}}',
  });

describe("wf cache import", { timeout: 60_000 }, () => {
  it("sets missing entries, and overwrites the others only with --force and --yes", async () => {
    const cwd = folder();
    const at = (argv: string, more: Partial<ConsoleOptions> = {}) =>
      wf(`${argv} --cache-path own.db`, { cwd, ...more });
    expect(await at("cache import cache.json")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "note 4 entries imported, 0 entries already present\n",
    });
    expect((await at("run read.wf")).stdout).toBe(EXPECTED);
    const newer = { stdin: '{"default": {"rate": 8, "new": 1}}' };
    expect(documentOf(await at("cache import - --json", newer))).toEqual({ ok: true, imported: 1, kept: 1 });
    expect((await at("run read.wf")).stdout).toBe(EXPECTED);
    expect(await at("cache import - --force", newer)).toMatchObject({
      code: 2,
      stderr: "overwriting entries cannot be undone; add --yes to confirm\n",
    });
    expect(documentOf(await at("cache import - --force --yes --json", newer))).toMatchObject({ imported: 2, kept: 0 });
    expect((await at("run read.wf")).stdout).toBe(EXPECTED.replace("7", "8"));
  });

  it("tells every entry that cannot be set, and sets none", async () => {
    const cwd = folder();
    const result = await wf("cache import bad.json --cache-path own.db --set cache.max_value_bytes=100", { cwd });
    expect(result).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `error invalid_entry  bad.json cannot be imported: /default/: a name is 1 to 512 bytes of text without U+0000
/default/long: the value is larger than 100 bytes (cache.max_value_bytes)
/users: a namespace is an object of keys and values
/a~1b/~0: the value is larger than 100 bytes (cache.max_value_bytes)
`,
    });
    expect(existsSync(join(cwd, "own.db"))).toBe(false);
  });

  it.each([
    ["cache", 2, "missing ACTION; use one of import"],
    ["cache export", 2, "ACTION needs one of import, found 'export'"],
    ["cache import", 2, "missing FILE; use - for standard input"],
    ["cache import none.json", 2, "none.json does not exist"],
    ["cache import no.json", 2, "error invalid_json  no.json is not JSON"],
    ["cache import range.json", 2, "/n/k: number out of range"],
    ["cache import list.json", 2, "list.json cannot be imported: expected an object of namespaces"],
    ["cache import cache.json --set cache.max_entries=1", 2, "/default: 2 entries are more than max_entries (1)"],
    [
      'cache import cache.json --set cache.allow_namespaces=["users"]',
      2,
      "/default: the name is not on allow_namespaces",
    ],
    ["cache import cache.json --set cache.allow_write=false", 2, "/default: writing is not allowed"],
    ["cache import cache.json --forbid-adapter cache", 3, "POLICY_ADAPTER_FORBIDDEN"],
  ])("%s ends with %i", async (argv, code, message) => {
    const cwd = folder();
    const result = await wf(argv, { cwd, environment: { WF_CACHE_PATH: join(cwd, "own.db") } });
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(message);
    expect(existsSync(join(cwd, "own.db"))).toBe(false);
  });

  it("says when nothing would be kept", async () => {
    const nowhere = await wf("cache import cache.json --json", { cwd: folder() });
    expect([nowhere.code, documentOf(nowhere)]).toMatchObject([2, { ok: false, error: "cache_error" }]);
  });

  it("ends between two entries when it is interrupted", async () => {
    const cwd = folder();
    const stopped = await wf("cache import cache.json --cache-path own.db", {
      cwd,
      onListen: (send) => send("SIGINT"),
    });
    expect(stopped).toMatchObject({
      code: 130,
      stderr: "note 0 entries imported, 0 entries already present\n",
    });
  });
});

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

describe.skipIf(postgres === null)("wf cache import on PostgreSQL", { timeout: 60_000 }, () => {
  it("fills the cache that replicas share", async () => {
    verifies("env.WF_DATABASE_URL");
    const options = { cwd: folder(), environment: { WF_DATABASE_URL: (await postgres?.createDatabase()) ?? "" } };
    expect(documentOf(await wf("cache import cache.json --json", options))).toEqual({ ok: true, imported: 4, kept: 0 });
    expect((await wf("run read.wf", options)).stdout).toBe(EXPECTED);
    expect(documentOf(await wf("cache import cache.json --json", options))).toEqual({ ok: true, imported: 0, kept: 4 });
  });
});
