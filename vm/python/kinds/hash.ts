/** Hashes in the making, of hashlib and hmac. What was fed to one is kept, so that it can be copied and stored. */
import { PyObject, PyType } from "../object.ts";

/** Bytes of a digest by algorithm. */
export const DIGEST_SIZES: { readonly [algorithm: string]: number } = {
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};

export const HASH_TYPE = new PyType("_hashlib.HASH");
export const HMAC_TYPE = new PyType("HMAC", [], {}, "hmac.HMAC");

export class PyHash extends PyObject {
  readonly type: PyType;
  readonly algorithm: string;
  /** Of an HMAC. */
  readonly key: Uint8Array | null;
  readonly parts: Uint8Array[];
  constructor(type: PyType, algorithm: string, key: Uint8Array | null, parts: Uint8Array[]) {
    super();
    this.type = type;
    this.algorithm = algorithm;
    this.key = key;
    this.parts = parts;
  }

  copy(): PyHash {
    return new PyHash(this.type, this.algorithm, this.key, [...this.parts]);
  }
}
