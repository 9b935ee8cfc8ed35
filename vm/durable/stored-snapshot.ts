/**
 * Snapshots of a durable run: they replace a part of its replay, and may be dropped at any time. One is used only where it fits in every respect; the
 * journal alone decides what the run is.
 */
import { createHash } from "node:crypto";
import { layoutOf } from "../../compiler/bytecode/encode.ts";
import type { Program } from "../../compiler/bytecode/program.ts";
import type { Machine } from "../machine/machine.ts";
import { type Snapshot, snapshot, stateBytes } from "../offload/snapshot.ts";
import { SEMANTICS } from "../version.ts";

/** The state of a run as it is stored. `seq`: of the last record that it contains; `crc`: of the text of `state`. */
export type StoredSnapshot = {
  readonly format: "weft-durable-snapshot";
  readonly version: 1;
  readonly layout: string;
  readonly semantics: number;
  readonly seq: number;
  readonly crc: string;
  /** JSON of a Snapshot. */
  readonly state: string;
};

/** When one is considered: steps, records or active milliseconds since the last. */
export type SnapshotRules = {
  readonly steps: number;
  readonly records: number;
  readonly activeMs: number;
  /** Bytes; larger states are not stored. */
  readonly maxBytes: number;
};
export const SNAPSHOT_RULES: SnapshotRules = {
  steps: 5_000_000,
  records: 512,
  activeMs: 5000,
  maxBytes: 16 * 1024 * 1024,
};

/** What a snapshot may have besides what a replay of what came since the last would cost. */
const FREE_BYTES = 64 * 1024;
const BYTES_PER_JOURNAL_BYTE = 4;

type Mark = { readonly steps: number; readonly seq: number; readonly activeMs: number; readonly journalBytes: number };

export function markAt(m: Machine, seq: number, journalBytes: number): Mark {
  return { steps: m.steps(), seq, activeMs: m.elapsed(), journalBytes };
}

/** Whether a snapshot pays now: it costs less than the replay that it saves. */
export function isWorthIt(m: Machine, now: Mark, last: Mark, rules: SnapshotRules): boolean {
  const steps = now.steps - last.steps;
  if (steps < rules.steps && now.seq - last.seq < rules.records && now.activeMs - last.activeMs < rules.activeMs)
    return false;
  const bytes = stateBytes(m);
  const allowed = FREE_BYTES + BYTES_PER_JOURNAL_BYTE * (now.journalBytes - last.journalBytes) + steps;
  return bytes <= Math.min(allowed, rules.maxBytes);
}

/**
 * Whether the machine can be stored where it stands: not with a trace, not outside of the loop, not while branches are under way, and not in the wait of a host
 * function.
 */
export function isStorable({ kind, pending, executor }: Machine): boolean {
  if (executor !== null) return false;
  return kind !== "traced" && pending?.kind !== "fork" && !(pending?.kind === "wait" && pending.then === "host");
}

export function storedSnapshot(m: Machine, seq: number): StoredSnapshot {
  const state = JSON.stringify(snapshot(m));
  return {
    format: "weft-durable-snapshot",
    version: 1,
    layout: layoutOf(m.program),
    semantics: SEMANTICS,
    seq,
    crc: crcOf(state),
    state,
  };
}

export type ReadSnapshot =
  | { readonly ok: true; readonly seq: number; readonly state: Snapshot }
  | { readonly ok: false; readonly reason: string };

/** What a store gave back, as far as it can be used for `program`. Whether its state fits is the answer of `restore`. */
export function readSnapshot(stored: unknown, program: Program, lastSeq: number): ReadSnapshot {
  const no = (reason: string): ReadSnapshot => ({ ok: false, reason });
  if (typeof stored !== "object" || stored === null) return no("not a snapshot");
  const { format, version, layout, semantics, seq, crc, state } = stored as Partial<
    Record<keyof StoredSnapshot, unknown>
  >;
  if (format !== "weft-durable-snapshot" || version !== 1) return no("of another version");
  if (typeof state !== "string" || crcOf(state) !== crc) return no("damaged");
  if (semantics !== SEMANTICS) return no("of other semantics");
  if (layout !== layoutOf(program)) return no("of another layout");
  if (typeof seq !== "number" || !Number.isInteger(seq) || seq < 0 || seq > lastSeq) return no("ahead of the journal");
  try {
    return { ok: true, seq, state: JSON.parse(state) as Snapshot };
  } catch {
    return no("damaged");
  }
}

/** Enough to find damage; it keeps out no forgery. */
function crcOf(state: string): string {
  return createHash("sha256").update(state, "utf8").digest("hex").slice(0, 16);
}
