/** `wf audit verify`: a log as the service writes it is whole; whatever is changed in it is found. */
import { describe, expect, it } from "vitest";
import { createEvents } from "../../../service/telemetry/events.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const USAGE = { steps: 3, depth: 1, adapter_calls: 2, time_ms: 0, frame_bytes: null, loop_iters: 0 };
const LIMITS = { max_steps: 10 };

/** The log of two runs with two calls each, and a request that was refused, as lines. */
function serviceLog(hashKey: string | null): string[] {
  const lines: string[] = [];
  let wall = Date.UTC(2030, 0, 1);
  const output = {
    write: (line: string) => void lines.push(line.trimEnd()),
    dropped: 0,
    onRelief: () => undefined,
    flush: async () => undefined,
  };
  const clock = { wall: () => (wall += 1) };
  const events = createEvents({
    output,
    clock,
    level: "info",
    format: "json",
    hashKey,
    redact: (text) => text,
  });
  const call = { label: "1", node: "n1", attempt: 1, branch: "", status: "ok", duration_ms: 1, code: null } as const;
  for (const trace_id of ["a1", "b2"]) {
    const run = {
      limits: LIMITS,
      policyPresent: false,
      label: "L1",
      checksum: "sha256:0",
      sourceHash: null,
      allowed: null,
      replay: false,
    };
    events.runStart({ trace_id }, run as Parameters<typeof events.runStart>[1]);
    for (const seq of [1, 2])
      events.adapterCall({ trace_id }, seq, {
        ...call,
        adapter: "core",
        verb: "ADD",
        args: [seq, 1],
        result: seq + 1,
      } as Parameters<typeof events.adapterCall>[2]);
    events.runComplete({ trace_id }, { label: "L1", duration_ms: 1, usage: USAGE });
  }
  events.runFailed({ trace_id: "c3" }, { error: "compile_error", message: "no", duration_ms: 1 });
  events.note("info", "server_stop", { exit_code: 0 });
  return lines;
}

const KEY = { WF_AUDIT_HASH_KEY: "0123456789abcdef" };
const WHOLE = serviceLog(null);

async function verified(
  lines: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  ...flags: string[]
) {
  const cwd = folderWith({ "service.log": `${lines.join("\n")}\n`, "run.json": JSON.stringify(RECORD) });
  return wf(["audit", "verify", "service.log", ...flags], { cwd, environment });
}

const recorded = (seq: number, a: number) => ({
  seq,
  label_id: "1",
  node_id: "n1",
  attempt: 1,
  branch: "",
  adapter: "core",
  verb: "ADD",
  args: [a, 1],
  ok: true,
  result: a + 1,
});
const RECORD = {
  format: "weft-record",
  version: 1,
  program_checksum: "sha256:0",
  label: "1",
  complete: true,
  calls: [recorded(1, 1), recorded(2, 2)],
};

describe("wf audit verify", () => {
  it("finds nothing in a complete log", async () => {
    expect(await verified(WHOLE)).toEqual({
      code: 0,
      stdout: "10 lines, 2 runs, 4 calls, 0 issues\n",
      stderr: "",
      left: [],
    });
    expect(documentOf(await verified(serviceLog(KEY.WF_AUDIT_HASH_KEY), KEY, "--json"))).toEqual({
      ok: true,
      lines: 10,
      runs: 2,
      calls: 4,
      dropped: 0,
      issues: [],
    });
  });

  it("reads standard input up to the same size as a file", async () => {
    const padded = [...WHOLE, " ".repeat(9 * 1024 * 1024)].join("\n");
    expect((await wf(["audit", "verify", "-"], { stdin: padded })).stdout).toBe(
      "10 lines, 2 runs, 4 calls, 0 issues\n",
    );
    const more = await wf(["audit", "verify", "-"], { stdin: new Uint8Array(256 * 1024 * 1024 + 1) });
    expect(more).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error source_too_large  <stdin> is larger than 256 MiB\n",
    });
  });

  const without = (...places: number[]): string[] => WHOLE.filter((_, place) => !places.includes(place));
  const changed = (place: number, from: string | RegExp, to: string): string[] =>
    WHOLE.map((line, at) => (at === place ? line.replace(from, to) : line));

  it.each([2, null])(
    "takes a batch, whose frames are counted beforehand or, in a batch of lines, not: %j",
    async (frames) => {
      const batch = { ...(JSON.parse(WHOLE[0] ?? "") as object), frames };
      // Calls come as they end.
      const lines = [JSON.stringify(batch), changed(1, '"seq":1', '"seq":2')[1], changed(2, '"seq":2', '"seq":1')[2]];
      expect(await verified([...lines.map((line) => line ?? ""), ...WHOLE.slice(3)])).toMatchObject({
        code: 0,
        stdout: "10 lines, 2 runs, 4 calls, 0 issues\n",
      });
    },
  );

  it.each([
    ["a call was taken out", without(1), "service.log:2 call 1 is missing before call 2"],
    [
      "the beginning was taken out",
      without(0),
      "service.log:1 adapter_call of a run that has not started or has ended",
    ],
    ["the end was taken out", without(3), "service.log:1 the run that starts here has no end"],
    [
      "calls were moved",
      [WHOLE[0], WHOLE[2], WHOLE[1], ...WHOLE.slice(3)],
      "is older than the event before it of the same run",
    ],
    ["a run was added", [...WHOLE, WHOLE[3]], "run_complete of a run that has not started"],
    [
      "a hash was cut",
      changed(1, /"args_hash":"sha256:../, '"args_hash":"sha256:'),
      "adapter_call: /args_hash is missing",
    ],
    ["a line is not JSON", changed(9, "{", ""), "service.log:10 is not an event: it must be a JSON object"],
    ["a member is gone", changed(9, '"level":"info",', ""), "service.log:10 is not an event: /level is missing"],
    ["a run has no id", changed(0, '"trace_id":"a1",', ""), "run_start names no run"],
  ])("finds that %s", async (_, lines, message) => {
    const result = await verified(lines.filter((line) => line !== undefined));
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(message);
  });

  it("accepts gaps that the service itself reports", async () => {
    const lines = without(1).map((line, at) => (at === 0 ? line.replace(/}$/, ',"dropped_logs":1}') : line));
    const result = await verified(lines);
    expect(result).toMatchObject({
      code: 0,
      stderr: "note the service dropped 1 line, so gaps are not reported as issues\n",
    });
  });

  it("requires keyed hashes exactly when a key is set", async () => {
    expect((await verified(WHOLE, KEY)).stdout).toContain("service.log:2 its hashes are not keyed");
    expect((await verified(serviceLog(KEY.WF_AUDIT_HASH_KEY))).stdout).toContain(
      "its hashes are keyed; set WF_AUDIT_HASH_KEY",
    );
  });

  it("computes the hashes of a recorded run again, with the key", async () => {
    const keyed = serviceLog(KEY.WF_AUDIT_HASH_KEY);
    const against = ["--record", "run.json", "--trace-id", "b2"];
    expect((await verified(keyed, KEY, ...against)).code).toBe(0);
    expect((await verified(keyed, { WF_AUDIT_HASH_KEY: "another key, as long" }, ...against)).stdout).toContain(
      "service.log:6 core.ADD: the hash of the arguments differs from the record",
    );
    expect((await verified(keyed, KEY, "--record", "run.json", "--trace-id", "zz")).stdout).toContain(
      "service.log 0 of the 2 recorded calls are in the log",
    );
  });

  it.each([
    [["audit"], "missing ACTION; use one of verify"],
    [["audit", "verify"], "missing FILE"],
    [["audit", "verify", "a", "--record", "b"], "--record and --trace-id go together"],
    [["audit", "verify", "none.log"], "none.log does not exist"],
  ])("%j is wrong usage", async (argv, message) => {
    const result = await wf(argv, { cwd: folderWith({}) });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
  });
});
