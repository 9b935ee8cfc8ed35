/** Files that the host keeps for a plugin process: those of one folder of its own in the state directory, never those of others. */
import { randomUUID } from "node:crypto";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { OpenCall } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { type FileRoot, openRoot, parsePath } from "../../guard/files/path.ts";
import { readFile, tooLarge } from "../../guard/files/read.ts";
import { atPlace, inFolder } from "../../guard/files/walk.ts";
import { entriesOf, isTemporary, portionsOf, replaceFile } from "../../guard/files/write.ts";
import { badRequest, bytesOf, content, contentOf } from "./host-request.ts";

const path = z.string();
const requestShape = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("read"), path }),
  z.strictObject({ op: z.literal("write"), path, content }),
  z.strictObject({ op: z.literal("list"), path: path.optional() }),
  z.strictObject({ op: z.literal("remove"), path }),
]);

/** Base64 of the largest file leaves room in a line for everything else. */
const MAX_FILE_BYTES = 5_000_000;
const MAX_ENTRIES = 10_000;

export class HostFiles {
  readonly #name: string;
  readonly #call: OpenCall<unknown>;
  #root: Promise<FileRoot> | null = null;

  constructor(name: string, call: OpenCall<unknown>) {
    this.#name = name;
    this.#call = call;
  }

  async request(given: JsonObject, signal: AbortSignal): Promise<Json> {
    const read = requestShape.safeParse(given);
    if (!read.success) throw badRequest(read.error);
    const root = await this.#opened();
    const asked = read.data;
    switch (asked.op) {
      case "read":
        return { content: contentOf(await readFile(root, asked.path, MAX_FILE_BYTES, signal)) };
      case "write":
        return { bytes: await this.#write(root, asked.path, bytesOf(asked.content), signal) };
      case "list":
        return { entries: await namesIn(root, asked.path ?? ".", signal) };
      case "remove":
        return { removed: await removed(root, asked.path) };
    }
  }

  #opened(): Promise<FileRoot> {
    const { stateDir } = this.#call.host.places;
    if (stateDir === null)
      throw adapterError("ADAPTER_NOT_CONFIGURED", "files of a plugin need a state directory, and none is configured");
    this.#root ??= openRoot(join(stateDir, "plugins", this.#name), {
      setting: "the plugin's folder",
      stateDir,
      create: true,
    });
    return this.#root;
  }

  #write(root: FileRoot, at: string, bytes: Buffer, signal: AbortSignal): Promise<number> {
    if (bytes.length > MAX_FILE_BYTES) throw tooLarge(MAX_FILE_BYTES);
    const call = { signal, uuid: randomUUID, now: () => this.#call.now() };
    return atPlace(root, parsePath(at), { purpose: "write", make: true }, (place) =>
      replaceFile(place, portionsOf(bytes), call, { create: false }),
    );
  }
}

function namesIn(root: FileRoot, at: string, signal: AbortSignal): Promise<Json> {
  return inFolder(root, parsePath(at), { purpose: "read", links: "none" }, async (folder) => {
    const entries: Json[] = [];
    for await (const entry of entriesOf(folder)) {
      signal.throwIfAborted();
      if (isTemporary(entry.name)) continue;
      if (entries.length === MAX_ENTRIES) throw adapterError("ADAPTER_TOO_LARGE", "the folder has too many entries");
      entries.push({ name: entry.name, folder: entry.isDirectory() });
    }
    return entries;
  });
}

async function removed(root: FileRoot, at: string): Promise<boolean> {
  return atPlace(root, parsePath(at), { purpose: "write", links: "keep" }, async ({ folder, name, facts }) => {
    if (facts === undefined || !facts.isFile()) return false;
    await unlink(folder.at(name));
    await folder.handle.sync();
    return true;
  });
}
