/** A file that others shorten while it is read: what is read ends where the file ends now. */
import { truncateSync } from "node:fs";
import { open } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { chunksOf, type OpenFile, WHOLE } from "../../../../adapters/guard/files/read.ts";
import { scratch } from "./scratch.ts";

it.each([
  ["before it is read", 0],
  ["after a first chunk", 65_536],
])("a file that becomes shorter %s", async (_when, left) => {
  const files = scratch();
  onTestFinished(() => files.remove());
  const path = files.put("root/long", Buffer.alloc(200_000, 1));
  const handle = await open(path);
  onTestFinished(() => handle.close());
  const file: OpenFile = { handle, facts: await handle.stat() };
  if (left === 0) truncateSync(path, 0);
  let read = 0;
  for await (const chunk of chunksOf(file, WHOLE, new AbortController().signal)) {
    read += chunk.length;
    truncateSync(path, left);
  }
  expect(read).toBe(left);
});
