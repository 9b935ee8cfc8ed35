/**
 * Verbs that add or change: write, mkdir, copy. Each of them happens wholly or not at all, and what a run has written is counted.
 * Verbs that take something away stand in `removing.ts`.
 */

import { lstat } from "node:fs/promises";
import { isObject, type Json } from "../../../compiler/json.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { adapterError } from "../../errors.ts";
import { ifPresent, notAFile } from "../../guard/files/errors.ts";
import { parsePath } from "../../guard/files/path.ts";
import { chunksOf, sha256Of, tooLarge, WHOLE, withFile } from "../../guard/files/read.ts";
import { atPlace, makeFolder, type Place } from "../../guard/files/walk.ts";
import { appendFile, inTurn, portionsOf, replaceFile } from "../../guard/files/write.ts";
import { withAdmitted } from "./reading.ts";
import { admitExtension, conflict, type FsCall, requireWrite, spending } from "./settings.ts";

export type WriteOptions = {
  readonly mode: "replace" | "create" | "append";
  readonly encoding: "utf8" | "base64";
  readonly if_match?: string | undefined;
};
export type Written = { readonly ok: true; readonly bytes: number };

export async function write(
  path: string,
  content: Json | undefined,
  options: WriteOptions,
  call: FsCall,
): Promise<Written> {
  const segments = parsePath(path);
  const { instance, settings, ctx } = call;
  requireWrite(settings);
  admitExtension(settings, segments);
  const bytes = bytesOf(content ?? "", options.encoding);
  if (bytes.length > settings.max_write_bytes) throw tooLarge(settings.max_write_bytes);
  return spending(bytes.length, call, () =>
    atPlace(instance.root, segments, { purpose: "write", make: true }, async (place) => {
      if (place.facts?.isDirectory() === true) throw notAFile();
      admitExtension(settings, place.path);
      const expected = options.if_match?.toLowerCase();
      const compare = (): Promise<void> => requireContent(place, expected, ctx.signal);
      if (options.mode === "append") {
        await inTurn(place, async () => {
          await compare();
          ctx.signal.throwIfAborted();
          await appendFile(place, bytes, settings.max_write_bytes);
        });
      } else {
        const create = options.mode === "create" || expected === "";
        await replaceFile(place, portionsOf(bytes), ctx, { create, beforeSwap: compare });
      }
      return { ok: true, bytes: bytes.length };
    }),
  );
}

/** Throws ADAPTER_CONFLICT unless the file has this sha256; `""`: unless it does not exist. Checks again, because it may have been created since the walk. */
async function requireContent(place: Place, expected: string | undefined, signal: AbortSignal): Promise<void> {
  if (expected === undefined) return;
  const facts = await ifPresent(lstat(place.folder.at(place.name)));
  const present =
    facts === undefined ? undefined : await ifPresent(withFile({ ...place, facts }, (file) => sha256Of(file, signal)));
  if ((present ?? "") === expected) return;
  throw adapterError("ADAPTER_CONFLICT", "the file has another content than expected", {
    data: { sha256: present ?? "" },
  });
}

/** Text as it is, bytes decoded, anything else as compact JSON. */
function bytesOf(content: Json, encoding: WriteOptions["encoding"]): Uint8Array {
  if (typeof content === "string" && encoding === "utf8") {
    if (!content.isWellFormed()) throw adapterError("ADAPTER_ENCODING", "the content is not valid Unicode");
    return Buffer.from(content);
  }
  const base64 = isObject(content) && Object.keys(content).length === 1 ? content["$base64"] : content;
  if (typeof base64 === "string") return decodedBase64(base64);
  if (encoding === "base64") throw notBase64();
  return Buffer.from(exactJson(content));
}

function decodedBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw notBase64();
  return bytes;
}

function notBase64() {
  return adapterError("ADAPTER_BAD_ARGS", "the content is not base64");
}

export async function mkdir(path: string, { instance, settings }: FsCall): Promise<{ readonly ok: true }> {
  const segments = parsePath(path);
  requireWrite(settings);
  return atPlace(instance.root, segments, { purpose: "write", make: true }, async ({ folder, name, facts }) => {
    if (facts === undefined) await makeFolder(folder, name);
    else if (!facts.isDirectory()) throw conflict("a file has this name");
    return { ok: true };
  });
}

export async function copy(from: string, to: string, overwrite: boolean, call: FsCall): Promise<Written> {
  const target = parsePath(to);
  const { instance, settings, ctx } = call;
  requireWrite(settings);
  admitExtension(settings, target);
  const most = Math.min(settings.max_read_bytes, settings.max_write_bytes);
  return withAdmitted(from, call, (file) => {
    if (file.facts.size > most) throw tooLarge(most);
    return spending(file.facts.size, call, () =>
      atPlace(instance.root, target, { purpose: "write", make: true }, async (place) => {
        if (place.facts?.isDirectory() !== true) admitExtension(settings, place.path);
        const bytes = await replaceFile(place, chunksOf(file, WHOLE, ctx.signal), ctx, { create: !overwrite });
        return { ok: true, bytes };
      }),
    );
  });
}
