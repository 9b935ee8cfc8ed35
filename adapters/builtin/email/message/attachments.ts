/**
 * Attachments of a message to be sent: given inline, or as files of the run's fs adapter, under that adapter's own rules. A run without fs
 * has no root, so every path leads out of it.
 */
import type { RunScope } from "../../../../vm/adapter.ts";
import { z } from "../../../definition/define.ts";
import { singleLine } from "../../../definition/one-line.ts";
import { adapterError } from "../../../errors.ts";
import { parsePath } from "../../../guard/files/path.ts";
import { readFile } from "../../../guard/files/read.ts";
import { admitExtension, type FsInstance } from "../../fs/settings.ts";

const base64 = z.string().refine((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text), "base64");
const filename = singleLine(255).refine((name) => name !== "" && !/[/\\]/.test(name), "a name of a file");
const contentType = z.string().regex(/^[A-Za-z0-9!#$&^_.+-]{1,100}\/[A-Za-z0-9!#$&^_.+-]{1,100}$/, "a content type");

export const attachmentList = z
  .array(
    z.union(
      [
        z.strictObject({
          filename,
          content: z.union([base64, z.strictObject({ $base64: base64 })], "base64"),
          content_type: contentType.optional(),
        }),
        z.strictObject({ path: z.string(), filename: filename.optional(), content_type: contentType.optional() }),
      ],
      "{filename, content, content_type} or {path}",
    ),
  )
  .max(100);
export type AttachmentList = z.output<typeof attachmentList>;

export type LoadedAttachment = {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly content: Buffer;
};

/** Their bytes, at most `maxBytes` in all. Throws ADAPTER_TOO_LARGE, ADAPTER_PATH_ESCAPE and what reading files throws. */
export async function loadAttachments(
  given: AttachmentList,
  maxBytes: number,
  { run, signal }: { readonly run: RunScope; readonly signal: AbortSignal },
): Promise<readonly LoadedAttachment[]> {
  const loaded: LoadedAttachment[] = [];
  let left = maxBytes;
  for (const one of given) {
    const content = "path" in one ? await fileContent(one.path, left, run, signal) : inlineContent(one.content);
    left -= content.length;
    if (left < 0) throw adapterError("ADAPTER_TOO_LARGE", "the attachments are larger than a message may be");
    const name = "path" in one ? (one.filename ?? parsePath(one.path).at(-1) ?? "file") : one.filename;
    loaded.push({ filename: name, contentType: one.content_type, content });
  }
  return loaded;
}

function inlineContent(content: string | { readonly $base64: string }): Buffer {
  return Buffer.from(typeof content === "string" ? content : content.$base64, "base64");
}

async function fileContent(path: string, maxBytes: number, run: RunScope, signal: AbortSignal): Promise<Buffer> {
  // The instance of the adapter `fs` is what its own `open` returns.
  const fs = (await run.instanceOf("fs")) as FsInstance | undefined;
  if (fs === undefined)
    throw adapterError("ADAPTER_PATH_ESCAPE", "files can be attached where the adapter fs is enabled");
  admitExtension(fs.settings, parsePath(path));
  return readFile(fs.root, path, Math.min(maxBytes, fs.settings.max_read_bytes), signal);
}
