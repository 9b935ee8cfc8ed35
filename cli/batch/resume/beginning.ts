/**
 * What a batch was started with, in a file next to its results while frames remain: `results.ndjson.resume`. `--resume` compares it, so
 * that results of two programs, of other frames or of other stores are not mixed in one file unnoticed. It contains no values.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, unlinkSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod/mini";
import type { Prepared } from "../../../vm/admission/prepare.ts";
import type { Rows } from "../../../vm/batch/rows/rows-part.ts";
import { LIMIT_KEYS, type Limits } from "../../../vm/run.ts";
import { writeAtomically } from "../../input/files.ts";
import { readDescriptor, readTextFile } from "../../input/input.ts";
import { kindOf } from "../../input/path-kind.ts";
import { CliFault, usageFault } from "../../session/faults.ts";
import type { FrameSource } from "../input.ts";
import { writtenByAnother } from "../output.ts";
import { otherPowers, Powers, powersOf } from "./powers.ts";
import { identityOf, ProcessIdentity } from "./process-identity.ts";
import { ViaRecord } from "./record.ts";

/** How many bytes of the frames are compared; only the beginning, because a file of frames may grow. */
const COMPARED_BYTES = 64 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;

const Beginning = z.object({
  program: z.string(),
  label: z.string(),
  dry_run: z.boolean(),
  /** Those of earlier versions are full. */
  rows: z._default(z.enum(["out", "lean", "full"]), "full"),
  limits: z.partialRecord(z.enum(LIMIT_KEYS), z.number()),
  /** The first bytes of the frames; null: they came from standard input or a pipe. */
  frames: z.nullable(z.object({ bytes: z.number(), sha256: z.string() })),
  /** Those of earlier versions have none, and nothing is compared then. */
  powers: z.optional(Powers),
  /** The process that writes the results; absent where it cannot be determined. */
  process: z.optional(ProcessIdentity),
  /** Of a batch on a service. */
  via: z.optional(ViaRecord),
});
type Recorded = z.output<typeof Beginning>;

export type Beginning = {
  /** Checksum of the IR. */
  readonly program: string;
  readonly label: string;
  readonly dryRun: boolean;
  readonly rows: Rows;
  readonly limits: Limits;
  /** With the adapters it may call, and what it was admitted under; null: a service decides that. */
  readonly prepared: Prepared | null;
  readonly source: FrameSource;
  readonly via?: ViaRecord;
};

/**
 * Compares with what is recorded next to `out`, and returns notes on harmless differences. Throws CliFault where
 * the results must not be mixed.
 */
export function compareBeginning(cwd: string, out: string, beginning: Beginning): readonly string[] {
  const before = recorded(cwd, out);
  if (before === null) return [`it is unknown which program made the results in ${out}; they are kept`];
  if (before.via?.server !== beginning.via?.server)
    throw usageFault(
      `${out} was started ${before.via === undefined ? "without --via" : `with --via ${before.via.server}`}`,
      ["its rows may be queued there: continue in the same way, or omit --resume to start again"],
    );
  const other =
    before.program !== beginning.program
      ? "another program"
      : before.label !== beginning.label
        ? "another label"
        : before.dry_run !== beginning.dryRun
          ? `${before.dry_run ? "" : "no "}--dry-run`
          : before.rows !== beginning.rows
            ? `--rows ${before.rows}`
            : before.frames !== null && !isSameStart(before.frames, cwd, beginning.source)
              ? "other frames"
              : before.powers === undefined || beginning.prepared === null
                ? null
                : otherPowers(before.powers, beginning.prepared);
  if (other !== null)
    throw usageFault(`${out} was started with ${other}`, [
      `omit --resume to start again, or remove ${nameOf(out)} to continue anyway`,
    ]);
  const changed = LIMIT_KEYS.filter((key) => before.limits[key] !== beginning.limits[key]);
  return changed.map((key) => `${out} was started with another ${key}; existing results are kept`);
}

/** Throws CliFault while another batch writes to `out`. A batch that was killed does not count. */
export function requireNoOther(cwd: string, out: string): void {
  const owner = recorded(cwd, out)?.process;
  if (owner === undefined || owner.pid === process.pid) return;
  if (identityOf(owner.pid)?.started === owner.started) throw writtenByAnother(out);
}

/** What is queued on a service and not written; null: nothing is known. */
export function recordedVia(cwd: string, out: string): ViaRecord | null {
  return recorded(cwd, out)?.via ?? null;
}

export function recordBeginning(cwd: string, out: string, beginning: Beginning): void {
  if (kindOf(resolve(cwd, out)) === "special") return;
  const { program, label, dryRun, rows, limits, prepared, source, via } = beginning;
  const frames = startOf(cwd, source, COMPARED_BYTES);
  const text: Recorded = {
    program,
    label,
    dry_run: dryRun,
    rows,
    limits,
    frames,
    ...(prepared === null ? {} : { powers: powersOf(prepared) }),
    process: identityOf(process.pid),
    ...(via === undefined ? {} : { via }),
  };
  const written = `${JSON.stringify(text)}\n`;
  // A record that could not be read again would be taken for none, and its rows would be queued a second time.
  if (Buffer.byteLength(written) > MAX_BYTES)
    throw usageFault(`${nameOf(out)} cannot hold all rows that are queued`, ["queue fewer rows ahead: --ahead N"]);
  try {
    writeAtomically(cwd, nameOf(out), written);
  } catch (cause) {
    // A file may be writable where its folder is not: then nothing is compared later, and it is said. Rows that are queued must be known.
    if (!(cause instanceof CliFault) || via !== undefined) throw cause;
  }
}

/** No frame is left. */
export function forgetBeginning(cwd: string, out: string): void {
  try {
    unlinkSync(resolve(cwd, nameOf(out)));
  } catch {
    // The file does not exist: the results go to a pipe or a device.
  }
}

const nameOf = (out: string): string => `${out}.resume`;

function recorded(cwd: string, out: string): Recorded | null {
  try {
    const read = Beginning.safeParse(JSON.parse(readTextFile(cwd, nameOf(out), MAX_BYTES)));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

function isSameStart(before: NonNullable<Recorded["frames"]>, cwd: string, source: FrameSource): boolean {
  const now = startOf(cwd, source, before.bytes);
  return now === null || (now.bytes === before.bytes && now.sha256 === before.sha256);
}

/** null: what cannot be read twice. */
function startOf(cwd: string, { file }: FrameSource, most: number): Recorded["frames"] {
  const path = resolve(cwd, file);
  if (file === "-" || kindOf(path) !== "file") return null;
  const descriptor = openSync(path, "r");
  try {
    const start = readDescriptor(descriptor, most).subarray(0, most);
    return { bytes: start.length, sha256: createHash("sha256").update(start).digest("hex") };
  } finally {
    closeSync(descriptor);
  }
}
