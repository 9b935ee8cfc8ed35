/**
 * The public keys of WF_TRUSTED_KEYS: a JSON file, or a folder of such files, with a name and an end for each key. Whose signatures count is
 * decided here and nowhere else, so what is not exactly as documented is a fault (docs/signed-versions.md).
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { type PublicKey, publicKeyOf } from "../../../vm/attestation/keys.ts";

type TrustedKey = PublicKey & {
  /** What the operator calls the signer. */
  readonly name: string;
  /** Milliseconds since 1970 from which on it counts no more. */
  readonly endsMs: number;
  /** Why it is revoked; null: it is not. */
  readonly revoked: string | null;
};
/** By id. */
export type TrustedKeys = ReadonlyMap<string, TrustedKey>;

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_KEYS = 1000;
const DAY_MS = 86_400_000;

/** A day counts to its end. */
const End = z
  .union([z.iso.date(), z.iso.datetime()], "must be a day such as 2027-12-31, or a time in UTC")
  .transform((text) => (text.length === 10 ? Date.parse(text) + DAY_MS : Date.parse(text)));
const Document = z.strictObject({
  keys: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(200),
        public_key: z.string().max(100),
        until: End,
        /** Why. */
        revoked: z.string().min(1).max(500).optional(),
      }),
    )
    .max(MAX_KEYS),
});

/** Throws StartFault. */
export function readTrustedKeys(path: string): TrustedKeys {
  const keys = new Map<string, TrustedKey>();
  for (const file of filesOf(path)) {
    for (const [at, { name, public_key, until, revoked = null }] of documentIn(file).keys.entries()) {
      const key = publicKeyOf(public_key);
      const place = `${file} at /keys/${at}/public_key`;
      if (key === null) throw fault(place, "is not a public key of Ed25519: 32 bytes in base64");
      // Which of two entries counts must not depend on the order of files.
      if (keys.has(key.id)) throw fault(place, "is there a second time");
      keys.set(key.id, { ...key, name, endsMs: until, revoked });
      if (keys.size > MAX_KEYS) throw fault(path, `has more than ${MAX_KEYS} keys`);
    }
  }
  return keys;
}

/** Differs whenever a file may have changed; null: something cannot be looked at. */
export function trustedKeysState(path: string): string | null {
  try {
    return filesOf(path)
      .map((file) => {
        const { mtimeMs, size, ino } = statSync(file);
        return `${file} ${mtimeMs} ${size} ${ino}`;
      })
      .join("\n");
  } catch {
    return null;
  }
}

function filesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith(".json") && !name.startsWith("."));
    return names.sort().map((name) => join(path, name));
  } catch (cause) {
    throw fault(path, `cannot be read (${codeOf(cause)})`);
  }
}

function documentIn(file: string): z.output<typeof Document> {
  let text: string;
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw fault(file, "is larger than 1 MiB");
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw cause instanceof StartFault ? cause : fault(file, `cannot be read (${codeOf(cause)})`);
  }
  const read = Document.safeParse(jsonOf(text, file));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw fault(file, `is not valid at /${(issue?.path ?? []).join("/")}: ${issue?.message ?? "not valid"}`);
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fault(file, "is not JSON");
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "error";
}

function fault(place: string, what: string): StartFault {
  return new StartFault(`WF_TRUSTED_KEYS: ${place} ${what}`);
}
