/** The example of docs/embedding.md with blocks, word for word after this comment. */

import { once } from "node:events";
import { createReadStream, type WriteStream } from "node:fs";
import { type Host, type Ir, runBatch } from "../../index.ts";

/** How many lines of a file have failed. */
export async function throughFile(host: Host, ir: Ir, path: string, out: WriteStream): Promise<number> {
  let failures = 0;
  for await (const { bytes, failed } of runBatch(ir, createReadStream(path), { host, rows: "lean" })) {
    failures += failed;
    if (!out.write(bytes)) await once(out, "drain");
  }
  return failures;
}
