/**
 * What a batch was begun with, in a file beside its results while frames are left: `results.ndjson.resume`. `--resume` compares it, so
 * that results of two programs, of other frames or from other places do not come to stand in one file unnoticed. Nothing of a value is in it.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, unlinkSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod/mini";
import type { Prepared } from "../../vm/preparation.ts";
import { LIMIT_KEYS, type Limits } from "../../vm/run.ts";
import { CliFault, usageFault } from "../faults.ts";
import { writeAtomically } from "../files.ts";
import { readDescriptor, readTextFile } from "../input.ts";
import { kindOf } from "../path-kind.ts";
import type { FrameSource } from "./input.ts";
import { writtenByAnother } from "./output.ts";
import { otherPowers, Powers, powersOf } from "./powers.ts";
import { identityOf, ProcessIdentity } from "./process-identity.ts";

/** So many bytes of the frames are compared: files of frames may grow. */
const COMPARED_BYTES = 64 * 1024;
const MOST_BYTES = 64 * 1024;

const Beginning = z.object({
  program: z.string(),
  label: z.string(),
  dry_run: z.boolean(),
  limits: z.partialRecord(z.enum(LIMIT_KEYS), z.number()),
  /** The first bytes of the frames; null: they came from standard input or a pipe. */
  frames: z.nullable(z.object({ bytes: z.number(), sha256: z.string() })),
  /** Those of earlier versions have none, and nothing is compared then. */
  powers: z.optional(Powers),
  /** Who works on it; where that cannot be told, nobody is named. */
  process: z.optional(ProcessIdentity),
});
type Recorded = z.output<typeof Beginning>;

export type Beginning = {
  /** Checksum of the IR. */
  readonly program: string;
  readonly label: string;
  readonly dryRun: boolean;
  readonly limits: Limits;
  /** With the adapters it may call, and what it was admitted under. */
  readonly prepared: Prepared;
  readonly source: FrameSource;
};

/**
 * Compares with what is recorded beside `out`, and says in words what is known to be different and does no harm. Throws CliFault where
 * the results would not belong together.
 */
export function compareBeginning(cwd: string, out: string, beginning: Beginning): readonly string[] {
  const before = recorded(cwd, out);
  if (before === null) return [`nothing says which program made the results in ${out}; they are kept as they are`];
  const other =
    before.program !== beginning.program
      ? "another program"
      : before.label !== beginning.label
        ? "another label"
        : before.dry_run !== beginning.dryRun
          ? `${before.dry_run ? "" : "no "}--dry-run`
          : before.frames !== null && !isSameStart(before.frames, cwd, beginning.source)
            ? "other frames"
            : before.powers === undefined
              ? null
              : otherPowers(before.powers, beginning.prepared);
  if (other !== null)
    throw usageFault(`${out} was begun with ${other}`, [
      `without --resume it is begun anew; to go on all the same, remove ${nameOf(out)}`,
    ]);
  const changed = LIMIT_KEYS.filter((key) => before.limits[key] !== beginning.limits[key]);
  return changed.map((key) => `${out} was begun with another ${key}; the results that are there are kept`);
}

/** Throws CliFault while another batch writes to `out`. One that was killed is none. */
export function requireNoOther(cwd: string, out: string): void {
  const owner = recorded(cwd, out)?.process;
  if (owner === undefined || owner.pid === process.pid) return;
  if (identityOf(owner.pid)?.started === owner.started) throw writtenByAnother(out);
}

export function recordBeginning(cwd: string, out: string, beginning: Beginning): void {
  if (kindOf(resolve(cwd, out)) === "special") return;
  const { program, label, dryRun, limits, prepared, source } = beginning;
  const frames = startOf(cwd, source, COMPARED_BYTES);
  const text: Recorded = {
    program,
    label,
    dry_run: dryRun,
    limits,
    frames,
    powers: powersOf(prepared),
    process: identityOf(process.pid),
  };
  try {
    writeAtomically(cwd, nameOf(out), `${JSON.stringify(text)}\n`);
  } catch (cause) {
    // A file may be writable where its folder is not: then nothing is compared later, and it is said.
    if (!(cause instanceof CliFault)) throw cause;
  }
}

/** No frame is left. */
export function forgetBeginning(cwd: string, out: string): void {
  try {
    unlinkSync(resolve(cwd, nameOf(out)));
  } catch {
    // There is none: the results go to a pipe or a device.
  }
}

const nameOf = (out: string): string => `${out}.resume`;

function recorded(cwd: string, out: string): Recorded | null {
  try {
    const read = Beginning.safeParse(JSON.parse(readTextFile(cwd, nameOf(out), MOST_BYTES)));
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
