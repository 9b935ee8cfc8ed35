/** The frames of a request as the machine takes them: lines as they are, and frames that were read already. */
import type { JsonObject } from "../../compiler/json.ts";
import type { BatchItem } from "../../vm/batch/result.ts";
import { cutLines, EVERY_LINE } from "../../vm/batch/rows/cut-lines.ts";
import { itemsOf } from "../../vm/batch/rows/frame-lines.ts";
import type { BodyShare } from "../http/body/room.ts";
import { withDefaults } from "../programs/run-program.ts";
import type { RowChunks } from "./row-batch.ts";

export type RowLines = {
  readonly blocks: AsyncGenerator<Buffer, void>;
  readonly firstLine: number;
  readonly maxLineBytes: number;
  /** Of the memory for bodies. */
  readonly share: BodyShare;
};

/** What is known of the frames once the program is. `defaults`: of the deployment. */
export type ChunkRules = {
  readonly strict: boolean;
  readonly keepsDigits: boolean;
  readonly defaults: JsonObject | undefined;
};

export async function* lineChunks(
  { blocks, firstLine, maxLineBytes, share }: RowLines,
  rules: ChunkRules,
): AsyncGenerator<RowChunk, void> {
  const { defaults } = rules;
  const selection = { ...EVERY_LINE, maxLineBytes, firstLine, held: share.hold };
  try {
    for await (const piece of cutLines(blocks, selection))
      yield defaults === undefined || "fault" in piece
        ? piece
        : itemsOf(piece, rules).map((item) =>
            "frame" in item ? { ...item, frame: withDefaults(defaults, item.frame) } : item,
          );
  } finally {
    share.release();
  }
}

export async function* documentChunks(frames: readonly JsonObject[]): AsyncGenerator<readonly BatchItem[], void> {
  yield frames.map((frame, index) => ({ index, frame }));
}

type RowChunk = RowChunks extends AsyncIterable<infer Chunk> ? Chunk : never;
