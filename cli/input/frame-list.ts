/**
 * Frames that are sent together, from a file or standard input, one JSON object per line as for `wf batch`. One invalid
 * line makes the whole list invalid.
 */
import type { JsonObject } from "../../compiler/json.ts";
import { itemsOf } from "../../vm/batch/rows/frame-lines.ts";
import { usageFault } from "../session/faults.ts";
import type { CliIo } from "../session/io.ts";
import { readNamed } from "./input.ts";

/** The largest body that a service may be set up to take (WF_MAX_BODY_BYTES). */
const MAX_BYTES = 256 * 1024 * 1024;

/** Throws CliFault for a file that cannot be read, is empty, or has a line that is not a frame. */
export async function readFrameList(
  io: CliIo,
  cwd: string,
  file: string,
): Promise<{ readonly frames: readonly JsonObject[]; readonly warnings: readonly string[] }> {
  const { name, bytes } = await readNamed(io, cwd, file, MAX_BYTES);
  const items = itemsOf({ bytes: new Uint8Array(bytes), index: 0, line: 1 }, { strict: false });
  if (items.length === 0) throw usageFault(`${name} contains no frames`);
  const warnings: string[] = [];
  const frames = items.map((item) => {
    if ("fault" in item) throw usageFault(`${name}: ${item.fault.message}`, ["nothing was queued"]);
    warnings.push(...(item.warnings ?? []));
    return item.frame;
  });
  return { frames, warnings };
}

/** Names of the variables that some frame has. */
export function namesIn(frames: readonly JsonObject[]): readonly string[] {
  return [...new Set(frames.flatMap((frame) => Object.keys(frame)))];
}
