/** `node:crypto` for the compiler in a browser: SHA-256 from a package without dependencies, in the shape the compiler uses. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

export type Hash = ReturnType<typeof createHash>;

export function createHash(_name: "sha256") {
  const hash = sha256.create();
  const own = {
    update(part: string | Uint8Array) {
      hash.update(typeof part === "string" ? utf8ToBytes(part) : part);
      return own;
    },
    digest: ((encoding?: "hex") => (encoding === "hex" ? bytesToHex(hash.digest()) : hash.digest())) as {
      (): Uint8Array;
      (encoding: "hex"): string;
    },
  };
  return own;
}
