/**
 * Frames that are sent together, from a file or standard input, one JSON object a line as for `wf batch`. All of them count: where one
 * line is no frame there is no list.
 */
import type { JsonObject } from "../compiler/json.ts";
import { itemsOf } from "../vm/batch/frame-lines.ts";
import { usageFault } from "./faults.ts";
import { readNamed } from "./input.ts";
import type { CliIo } from "./io.ts";

/** The largest body that a service may be set up to take (WF_MAX_BODY_BYTES). */
const MOST_BYTES = 256 * 1024 * 1024;

/** Throws CliFault for a file that cannot be read, is empty, or has a line that is no frame. */
export async function readFrameList(io: CliIo, cwd: string, file: string): Promise<readonly JsonObject[]> {
  const { name, bytes } = await readNamed(io, cwd, file, MOST_BYTES);
  const items = itemsOf({ bytes: new Uint8Array(bytes), index: 0, line: 1 });
  if (items.length === 0) throw usageFault(`${name} holds no frames`);
  return items.map((item) => {
    if ("fault" in item) throw usageFault(`${name}: ${item.fault.message}`, ["nothing was queued"]);
    return item.frame;
  });
}

/** Names of the variables that some frame has. */
export function namesIn(frames: readonly JsonObject[]): readonly string[] {
  return [...new Set(frames.flatMap((frame) => Object.keys(frame)))];
}
