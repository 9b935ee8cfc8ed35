/** The batch example of docs/embedding.md, word for word after this comment. */
import { type Host, type Ir, type JsonObject, runBatch } from "../../index.ts";

export async function failedOf(host: Host, ir: Ir, frames: AsyncIterable<JsonObject>): Promise<number[]> {
  const failed: number[] = [];
  for await (const result of runBatch(ir, frames, { host, limits: { max_steps: 1000 }, concurrency: 8 }))
    if (!result.ok) failed.push(result.index);
  return failed;
}
