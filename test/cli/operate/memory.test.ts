/** `wf memory`: what one store exports another one imports; nothing is lost or removed unasked. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { type ConsoleOptions, documentOf, wf as wfWith } from "../console.ts";
import { folderWith } from "../folders.ts";

const FILL = `L1:
  R memory.put "workflow" "job" "a" {"step": 1} ->none
  R memory.put "workflow" "job" "b" {"step": 2} 3600 {"tags": ["x"]} ->none
  R memory.put "long_term" "fact" "c" {"text": "tea"} ->none
  J "filled"
`;

const wf = (argv: readonly string[], options: ConsoleOptions) => wfWith(argv, { clock: realClock, ...options });

/** A folder with a filled store `one.db`. */
async function filled(): Promise<string> {
  const cwd = folderWith({ "fill.wf": FILL });
  expect(await wf(["run", "fill.wf", "--memory-db", "one.db"], { cwd })).toMatchObject({ stdout: "filled\n" });
  return cwd;
}

describe("wf memory", { timeout: 60_000 }, () => {
  it("exports records that another store imports, and keeps what is there", async () => {
    const cwd = await filled();
    const saved = await wf(["memory", "export", "--memory-db", "one.db", "--out", "all.ndjson"], { cwd });
    expect(saved).toMatchObject({ code: 0, stdout: "", stderr: "note 3 records exported\n" });
    const lines = readFileSync(join(cwd, "all.ndjson"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { namespace: "long_term", record_kind: "fact", record_id: "c", payload: { text: "tea" }, ttl_seconds: null },
      { namespace: "workflow", record_id: "a", payload: { step: 1 }, metadata: null },
      { namespace: "workflow", record_id: "b", payload: { step: 2 }, ttl_seconds: 3600, metadata: { tags: ["x"] } },
    ]);
    expect(statSync(join(cwd, "all.ndjson")).mode & 0o777).toBe(0o600);

    const two = ["--memory-db", "two.db", "--json"];
    const into = async (...flags: string[]) =>
      documentOf(await wf(["memory", "import", "all.ndjson", ...two, ...flags], { cwd }));
    expect(await into("--namespace", "long_term")).toEqual({ ok: true, imported: 1, kept: 0 });
    expect(await into()).toEqual({ ok: true, imported: 2, kept: 1 });
    expect(await into("--force", "--yes")).toEqual({ ok: true, imported: 3, kept: 0 });
    expect(documentOf(await wf(["memory", "report", ...two], { cwd }))).toMatchObject({
      kinds: [
        { namespace: "long_term", kind: "fact", records: 1 },
        { namespace: "workflow", kind: "job", records: 2 },
      ],
    });
    const exported = documentOf(await wf(["memory", "export", ...two, "--namespace", "workflow"], { cwd }));
    expect(exported["records"]).toHaveLength(2);
    const piped = await wf(["memory", "export", "--memory-db", "one.db"], { cwd });
    expect(piped.stdout).toBe(readFileSync(join(cwd, "all.ndjson"), "utf8"));
  });

  it("cuts the report to a terminal only, and imports from standard input", async () => {
    const kind = "k".repeat(90);
    const payload = { text: "x".repeat(200_000) };
    const lines = Array.from({ length: 45 }, (_, n) =>
      JSON.stringify({ namespace: "ops", record_kind: kind, record_id: String(n), payload }),
    );
    const given = { cwd: folderWith({}), stdin: lines.join("\n") };
    const imported = await wf(["memory", "import", "-", "--memory-db", "m.db", "--json"], given);
    expect(documentOf(imported)).toEqual({ ok: true, imported: 45, kept: 0 });
    const report = ["memory", "report", "--memory-db", "m.db"];
    expect((await wf(report, given)).stdout).toMatch(/last written\n.*\d{4}-\d{2}-\d{2}T[^…]*Z\n$/);
    expect((await wf(report, { ...given, terminal: true, columns: 80 })).stdout).toMatch(/…\n$/);
  });

  it("prunes expired records when --yes confirms it", async () => {
    const cwd = await filled();
    const prune = ["memory", "prune", "--memory-db", "one.db"];
    expect(await wf(prune, { cwd })).toMatchObject({
      code: 2,
      stderr: "pruning records cannot be undone; add --yes to confirm\n",
    });
    expect((await wf([...prune, "--yes"], { cwd })).stderr).toBe("note 0 records removed\n");
    const later = { ...realClock, wall: () => realClock.wall() + 7_200_000 };
    expect(documentOf(await wf([...prune, "--yes", "--json"], { cwd, clock: later }))).toEqual({ ok: true, pruned: 1 });
  });

  it("ends between two calls when it is interrupted, with what was written", async () => {
    const cwd = await filled();
    const at = ["--memory-db", "one.db"];
    const interrupted: ConsoleOptions = { cwd, onListen: (send) => send("SIGINT") };
    let interrupt = (): void => {};
    const some = await wf(["memory", "export", ...at], {
      cwd,
      onListen: (send) => {
        interrupt = () => send("SIGINT");
      },
      onWrite: () => interrupt(),
    });
    expect([some.code, some.stdout.split("\n").length - 1]).toEqual([130, 1]);
    const none = await wf(["memory", "export", ...at, "--out", "all.ndjson"], interrupted);
    expect([none.code, none.stderr, existsSync(join(cwd, "all.ndjson"))]).toEqual([130, "", false]);
    await wf(["memory", "export", ...at, "--out", "all.ndjson"], { cwd });
    const imported = await wf(["memory", "import", "all.ndjson", "--memory-db", "two.db"], interrupted);
    expect(imported).toMatchObject({
      code: 130,
      stderr: "note 0 records imported, 0 records already present\n",
    });
    expect(await wf(["memory", "report", ...at], interrupted)).toMatchObject({ code: 130, stdout: "", stderr: "" });
  });

  it.each([
    [["memory"], 2, "missing ACTION; use one of export, import, report, prune"],
    [["memory", "import"], 2, "missing FILE"],
    [["memory", "report", "x"], 2, "too many operands"],
    [["memory", "import", "bad.ndjson", "--force"], 2, "overwriting records cannot be undone; add --yes to confirm"],
    [["memory", "import", "bad.ndjson"], 2, "bad.ndjson:2 is not a record (/payload)"],
    [["memory", "import", "range.ndjson"], 2, "range.ndjson:2 is not a record (number out of range)"],
    [["memory", "import", "deep.ndjson"], 2, "deep.ndjson:2 is not a record (value nested too deeply)"],
    [["memory", "import", "other.ndjson"], 1, "other.ndjson:3: argument /0: expected one of session"],
    [["memory", "report", "--namespace", "nowhere"], 1, "expected one of session, long_term"],
    [["memory", "report", "--forbid-adapter", "memory"], 3, "POLICY_ADAPTER_FORBIDDEN"],
  ])("%j ends with %i", async (argv, code, message) => {
    const good = '{"namespace":"ops","record_kind":"k","record_id":"1","payload":{}}';
    const nested = "[".repeat(600) + "]".repeat(600);
    const cwd = folderWith({
      "bad.ndjson": `${good}\n{"namespace":"ops","record_kind":"k","record_id":"2","payload":3}\n`,
      "range.ndjson": `${good}\n${good.replace("{}", '{"n":1e999}')}\n`,
      "deep.ndjson": `${good}\n${good.replace("{}", `{"n":${nested}}`)}\n`,
      "other.ndjson": `\uFEFF${good}\n\n${good.replace("ops", "nowhere")}\n`,
    });
    const result = await wf([...argv, "--memory-db", "m.db"], { cwd });
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(message);
  });
});
