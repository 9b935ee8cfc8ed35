/** Keys of Ed25519 (RFC 8032), the only ones that sign versions: an attestation names no algorithm, so none can be chosen for it. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

export type PublicKey = {
  /** `ed25519:` and the SHA-256 of the 32 bytes, in hexadecimal digits. */
  readonly id: string;
  readonly key: KeyObject;
};
export type SigningKey = {
  readonly id: string;
  readonly key: KeyObject;
  /** 32 bytes in base64. */
  readonly publicKey: string;
};

/** What stands before the 32 bytes of a public key in its DER form (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

/**
 * Points of small order, without the sign bit: a signature under such a key needs no private key. A key of zeros is the first one.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

/** `text`: 32 bytes in base64. Null: that is not a key under which only its owner signs. */
export function publicKeyOf(text: string): PublicKey | null {
  const bytes = bytesOf(text, 32);
  if (bytes === null || isSmallOrder(bytes)) return null;
  try {
    return {
      id: idOf(bytes),
      key: createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: "der", type: "spki" }),
    };
  } catch {
    return null;
  }
}

/** A private key in PEM. Null: it is of another kind, has a passphrase, or is not a key. */
export function signingKeyOf(pem: string): SigningKey | null {
  try {
    const key = createPrivateKey({ key: pem, format: "pem" });
    return key.asymmetricKeyType === "ed25519" ? signingKey(key) : null;
  } catch {
    return null;
  }
}

/** `pem`: the private key. */
export function generatedKey(): { readonly pem: string; readonly key: SigningKey } {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { pem: privateKey.export({ format: "pem", type: "pkcs8" }).toString(), key: signingKey(privateKey) };
}

/** 64 bytes in base64. */
export function signatureOf({ key }: SigningKey, bytes: Buffer): string {
  return sign(null, bytes, key).toString("base64");
}

/** `signature`: 64 bytes in base64; any other text is not a signature. */
export function isSignatureOf({ key }: PublicKey, bytes: Buffer, signature: string): boolean {
  const given = bytesOf(signature, 64);
  return given !== null && verify(null, bytes, key, given);
}

function signingKey(key: KeyObject): SigningKey {
  const bytes = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(SPKI.length);
  return { id: idOf(bytes), key, publicKey: bytes.toString("base64") };
}

function idOf(bytes: Buffer): string {
  return `ed25519:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** One text stands for one value: what decodes to the same bytes is refused unless it is their base64. */
function bytesOf(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === length && bytes.toString("base64") === text ? bytes : null;
}

function isSmallOrder(bytes: Buffer): boolean {
  const point = Buffer.from(bytes);
  point[31] = (point[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(point.toString("hex"));
}
