/** Two batches on one file of results: one of them is refused, and no line is lost or written twice. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openOutputFile } from "../../../cli/batch/output.ts";
import { identityOf } from "../../../cli/batch/resume/process-identity.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const PROGRAM = "# frame: n\nL1:\n  J n\n";
const LINE = '{"index":0,"ok":true,"out":1}\n';
const BUSY = "out.ndjson is being written by another process";

/** A batch that was begun and not ended, by `owner`. */
async function begun(owner: object | undefined): Promise<string> {
  const cwd = folderWith({ "p.wf": PROGRAM, "in.ndjson": '{"n":1}\n{"n":2}\n' });
  await wf("batch p.wf --in in.ndjson --out out.ndjson --max-frames 1".split(" "), { cwd });
  const path = join(cwd, "out.ndjson.resume");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), process: owner }));
  return cwd;
}

describe("a file of results", () => {
  it.each(["", " --resume"])("is left to the process that writes it, with '%s'", async (flag) => {
    const other = identityOf(process.ppid);
    const cwd = await begun(other);
    const before = readFileSync(join(cwd, "out.ndjson"), "utf8");
    const { code, stderr } = await wf(`batch p.wf --in in.ndjson --out out.ndjson${flag}`.split(" "), { cwd });
    // Where processes cannot be identified, the writes are checked.
    if (other === undefined) expect(code).toBe(0);
    else
      expect([code, stderr.includes(BUSY), readFileSync(join(cwd, "out.ndjson"), "utf8")]).toEqual([2, true, before]);
  });

  it.each([
    ["has ended", { pid: 2 ** 30, started: "1" }],
    ["had the number of another", { pid: process.ppid, started: "-1" }],
    ["had the number of this one", { pid: process.pid, started: "-1" }],
    ["was of an earlier version", undefined],
  ])("is continued when the process that wrote it %s", async (_name, owner) => {
    const cwd = await begun(owner);
    const { code } = await wf("batch p.wf --in in.ndjson --out out.ndjson --resume".split(" "), { cwd });
    expect([code, readFileSync(join(cwd, "out.ndjson"), "utf8").split("\n").length]).toEqual([0, 3]);
  });

  it.each([
    ["grows", true, LINE.repeat(2)],
    ["grows", false, LINE.repeat(2)],
    ["is emptied", false, ""],
  ])("that %s while a batch writes to it is given up (continued: %s)", async (_name, goesOn, other) => {
    const cwd = folderWith({ "out.ndjson": LINE });
    const output = await openOutputFile(cwd, "out.ndjson", goesOn, goesOn ? LINE.length : 0);
    await output.write(Buffer.from(LINE));
    truncateSync(join(cwd, "out.ndjson"));
    appendFileSync(join(cwd, "out.ndjson"), other === "" ? "" : LINE + other);
    await expect(output.write(Buffer.from(LINE))).rejects.toMatchObject({ error: "output_error", message: BUSY });
    await output.close();
  });

  it("that grew before it was continued is given up", async () => {
    const cwd = folderWith({ "out.ndjson": LINE.repeat(2) });
    const output = await openOutputFile(cwd, "out.ndjson", true, LINE.length);
    await expect(output.write(Buffer.from(LINE))).rejects.toMatchObject({ error: "output_error" });
    await output.close();
  });

  it("that is continued may be truncated by a reader of its lines", async () => {
    const cwd = folderWith({ "out.ndjson": LINE });
    const output = await openOutputFile(cwd, "out.ndjson", true, LINE.length);
    truncateSync(join(cwd, "out.ndjson"));
    await output.write(Buffer.from(LINE));
    await output.write(Buffer.from(LINE));
    await output.close();
    expect(readFileSync(join(cwd, "out.ndjson"), "utf8")).toBe(LINE.repeat(2));
  });
});

describe("a process", () => {
  it("is identified by its start time, or not at all when it is gone", () => {
    expect(identityOf(process.pid)).toEqual(identityOf(process.pid));
    expect(identityOf(2 ** 30)).toBeUndefined();
  });
});
