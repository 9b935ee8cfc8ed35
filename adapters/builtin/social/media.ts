/**
 * Files that go with a post: given inline, or as files of the run's fs adapter under that adapter's own rules. Each has at most 8 MiB.
 */

import type { RunScope } from "../../../vm/adapter.ts";
import { z } from "../../definition/define.ts";
import { singleLine } from "../../definition/one-line.ts";
import { loadAttachments } from "../email/message/attachments.ts";

export const MAX_MEDIA_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 4;

const facts = {
  filename: singleLine(255)
    .refine((name) => name !== "" && !/[/\\]/.test(name), "a name of a file")
    .optional(),
  content_type: z
    .string()
    .regex(/^[A-Za-z0-9!#$&^_.+-]{1,100}\/[A-Za-z0-9!#$&^_.+-]{1,100}$/, "a content type")
    .optional(),
  /** For those who do not see it. */
  description: z.string().max(1_500).optional(),
};

export const mediaList = z
  .array(
    z.union(
      [
        z.strictObject({ content: z.union([z.base64(), z.strictObject({ $base64: z.base64() })], "base64"), ...facts }),
        z.strictObject({ path: z.string(), ...facts }),
      ],
      "{content, content_type, description} or {path}",
    ),
  )
  .max(MAX_FILES);
export type MediaList = z.output<typeof mediaList>;

export type LoadedMedia = {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  readonly description: string | null;
};

/** Throws ADAPTER_TOO_LARGE, ADAPTER_PATH_ESCAPE and what reading files throws. */
export async function loadMedia(
  given: MediaList,
  call: { readonly run: RunScope; readonly signal: AbortSignal },
): Promise<readonly LoadedMedia[]> {
  const loaded: LoadedMedia[] = [];
  for (const { description, ...file } of given) {
    const attachment = "path" in file ? file : { ...file, filename: file.filename ?? "media" };
    for (const { filename, contentType, content } of await loadAttachments([attachment], MAX_MEDIA_BYTES, call)) {
      const type = contentType ?? "application/octet-stream";
      loaded.push({ filename, contentType: type, content, description: description ?? null });
    }
  }
  return loaded;
}
