/** Hashes in the making, of hashlib and hmac. What was fed to one is kept, so that it can be copied and stored. */
import type { Blake2Parameters } from "../bytes/blake2.ts";
import { PyObject, PyType } from "../object.ts";

type Algorithm = {
  /** The name that the engine has for it; "": it is computed here. */
  readonly engine: string;
  /** Bytes of a digest; 0: as many as are asked for. */
  readonly size: number;
  readonly block: number;
};

export const ALGORITHMS: { readonly [name: string]: Algorithm } = {
  md5: { engine: "md5", size: 16, block: 64 },
  sha1: { engine: "sha1", size: 20, block: 64 },
  sha224: { engine: "sha224", size: 28, block: 64 },
  sha256: { engine: "sha256", size: 32, block: 64 },
  sha384: { engine: "sha384", size: 48, block: 128 },
  sha512: { engine: "sha512", size: 64, block: 128 },
  sha3_224: { engine: "sha3-224", size: 28, block: 144 },
  sha3_256: { engine: "sha3-256", size: 32, block: 136 },
  sha3_384: { engine: "sha3-384", size: 48, block: 104 },
  sha3_512: { engine: "sha3-512", size: 64, block: 72 },
  shake_128: { engine: "shake128", size: 0, block: 168 },
  shake_256: { engine: "shake256", size: 0, block: 136 },
  blake2b: { engine: "", size: 64, block: 128 },
  blake2s: { engine: "", size: 32, block: 64 },
};

export const HASH_TYPE = new PyType("_hashlib.HASH");
export const XOF_TYPE = new PyType("_hashlib.HASHXOF", [HASH_TYPE]);
export const HMAC_TYPE = new PyType("HMAC", [], {}, "hmac.HMAC");
export const BLAKE2_TYPES = {
  blake2b: new PyType("_blake2.blake2b"),
  blake2s: new PyType("_blake2.blake2s"),
} as const;

/** Of an HMAC its key. */
type More = { readonly key?: Uint8Array; readonly blake2?: Blake2Parameters };

export class PyHash extends PyObject {
  readonly type: PyType;
  readonly algorithm: string;
  readonly more: More;
  readonly parts: Uint8Array[];
  constructor(type: PyType, algorithm: string, parts: Uint8Array[], more: More = {}) {
    super();
    this.type = type;
    this.algorithm = algorithm;
    this.parts = parts;
    this.more = more;
  }

  copy(): PyHash {
    return new PyHash(this.type, this.algorithm, [...this.parts], this.more);
  }
}
