/** What is queued on a service is recorded so that it can be read again, or the batch ends. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Beginning, recordBeginning, recordedVia } from "../../../../cli/batch/resume/beginning.ts";
import type { QueuedBlock } from "../../../../cli/batch/resume/record.ts";

const rows = (count: number): string[] => Array.from({ length: count }, () => crypto.randomUUID());

function beginningWith(blocks: readonly QueuedBlock[]): Beginning {
  const about = { program: "sha256:a", label: "", dryRun: false, rows: "lean", limits: {}, prepared: null } as const;
  const via = { server: "http://localhost:8770", batch: "b", blocks: [...blocks] };
  return { ...about, source: { file: "-", format: "ndjson" }, via };
}

it("more rows are queued than a record holds that can be read again, and are queued twice by --resume", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const most = beginningWith([{ from: 0, count: 100_000, at: 1, rows: rows(100_000) }]);
  recordBeginning(folder, "out", most);
  expect(recordedVia(folder, "out")).toEqual(most.via);
  const more = beginningWith([{ from: 0, count: 500_000, at: 1, rows: rows(500_000) }]);
  expect(() => recordBeginning(folder, "out", more)).toThrow(/cannot hold all rows that are queued/);
  expect(existsSync(join(folder, "out"))).toBe(false);
  expect(recordedVia(folder, "out")).toEqual(most.via);
});
