/** Keys and attestations (docs/signed-versions.md): the vectors of RFC 8032, and what changes a signature. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type Attestation,
  attest,
  attestedContent,
  hashOf,
  isSignedBy,
  signedBytes,
  signedSettings,
} from "../../../vm/attestation/attestation.ts";
import { generatedKey, isSignatureOf, publicKeyOf, signatureOf, signingKeyOf } from "../../../vm/attestation/keys.ts";
import { exactJson, readExactly } from "../../../vm/inputs/exact-text.ts";

/** RFC 8032, 7.1: TEST 1 to 3 and TEST SHA(abc). */
const VECTORS = [
  {
    secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    message: "",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  },
  {
    secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    message: "72",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  },
  {
    secret: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    message: "af82",
    signature:
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
  },
  {
    secret: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
    key: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
    message:
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    signature:
      "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
  },
];
const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");
const pemOf = (secret: string): string =>
  `-----BEGIN PRIVATE KEY-----\n${base64(`302e020100300506032b657004220420${secret}`)}\n-----END PRIVATE KEY-----\n`;
const published = (hex: string) => publicKeyOf(base64(hex)) ?? expect.unreachable();
const signing = (pem: string) => signingKeyOf(pem) ?? expect.unreachable();

describe("keys", () => {
  it("signs and verifies the published vectors of Ed25519", () => {
    for (const { secret, key, message, signature } of VECTORS) {
      const bytes = Buffer.from(message, "hex");
      expect(signatureOf(signing(pemOf(secret)), bytes)).toBe(base64(signature));
      expect(signing(pemOf(secret)).id).toBe(published(key).id);
      expect(isSignatureOf(published(key), bytes, base64(signature))).toBe(true);
      for (let at = 0; at < 64; at += 7) {
        const changed = Buffer.from(signature, "hex");
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(isSignatureOf(published(key), bytes, changed.toString("base64"))).toBe(false);
      }
      expect(isSignatureOf(published(key), Buffer.from(`${message}00`, "hex"), base64(signature))).toBe(false);
    }
  });

  it("refuses a second text of a signature, which another S or other base64 gives", () => {
    const [{ key, message, signature }] = VECTORS as [(typeof VECTORS)[0]];
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const bytes = Buffer.from(signature, "hex");
    let s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + order;
    for (let at = 32; at < 64; at++, s >>= 8n) bytes[at] = Number(s & 255n);
    expect(isSignatureOf(published(key), Buffer.from(message, "hex"), bytes.toString("base64"))).toBe(false);
    for (const text of [base64(signature).replace("==", ""), `${base64(signature)}\n`, base64(`${signature}00`), ""])
      expect(isSignatureOf(published(key), Buffer.from(message, "hex"), text)).toBe(false);
  });

  it("refuses public keys under which a signature needs no private key", () => {
    const small = [
      "00".repeat(32),
      `01${"00".repeat(31)}`,
      `01${"00".repeat(30)}80`,
      `ec${"ff".repeat(30)}7f`,
      `ed${"ff".repeat(31)}`,
      `ee${"ff".repeat(30)}7f`,
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    ];
    for (const hex of small) expect(publicKeyOf(base64(hex))).toBeNull();
    for (const text of ["", "AAAA", base64("11".repeat(31)), base64("11".repeat(33)), "not base64 at all", "__proto__"])
      expect(publicKeyOf(text)).toBeNull();
  });

  it("refuses private keys of another kind, with a passphrase, or none at all", () => {
    const format = { format: "pem", type: "pkcs8" } as const;
    const of = (privateKey: { export(options: typeof format): string | Buffer }) =>
      privateKey.export(format).toString();
    for (const pem of [
      of(generateKeyPairSync("x25519").privateKey),
      of(generateKeyPairSync("ed448").privateKey),
      of(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey),
      of(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
      generateKeyPairSync("ed25519")
        .privateKey.export({ ...format, cipher: "aes-256-cbc", passphrase: "secret" })
        .toString(),
      generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" }).toString(),
      "",
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    ])
      expect(signingKeyOf(pem)).toBeNull();
  });
});

const VERSION = {
  name: "double",
  source: '{"code":"def main(a: int):\\n    return a * 2\\n"}',
  checksum: "sha256:11",
  settings: '{"limits":{"max_steps":10},"frame":{"a":5}}',
  report: '{"adapters":{}}',
  compiler: "1.0.0",
  irHash: null,
};
const [{ secret, key: publicHex }] = VECTORS as [(typeof VECTORS)[0]];
const KEY = signing(pemOf(secret));
const made = (version: Partial<typeof VERSION> = {}): Attestation =>
  attest(attestedContent({ ...VERSION, ...version }), KEY, "ann", 0);

describe("an attestation", () => {
  it("is signed over the bytes that the documentation gives", () => {
    const { signature, ...statement } = made();
    const bytes = signedBytes(statement).toString("utf8");
    expect(bytes.split("\n")).toHaveLength(2);
    expect(bytes).toMatch(/^weft\.attestation\/1\n\{"checksum":"sha256:11","compiler":"1\.0\.0","key":"ed25519:/);
    expect(bytes).toContain('"kind":"source","name":"double","report":"sha256:');
    expect(bytes).toMatch(/"type":"weft\.attestation\/1","when":"1970-01-01T00:00:00\.000Z","who":"ann"\}$/);
    expect(statement.settings).toBe(hashOf('{"frame":{"a":5},"limits":{"max_steps":10}}'));
    expect(isSignatureOf(published(publicHex), Buffer.from(bytes), signature)).toBe(true);
  });

  it("is not valid any more when a member changes", () => {
    const signed = made();
    expect(isSignedBy(signed, published(publicHex))).toBe(true);
    for (const name of Object.keys(signed) as (keyof Attestation)[]) {
      const other = name === "signature" ? base64("00".repeat(64)) : `${signed[name]}x`;
      expect(isSignedBy({ ...signed, [name]: other } as Attestation, published(publicHex)), name).toBe(false);
    }
    expect(isSignedBy({ ...signed, alg: "none" } as Attestation, published(publicHex))).toBe(false);
    expect(isSignedBy(signed, generatedKey().key)).toBe(false);
  });

  it("has other hashes for other content, and the same ones for another order of members", () => {
    const base = attestedContent(VERSION);
    const settings = (text: string) => attestedContent({ ...VERSION, settings: text }).settings;
    expect(settings('{"frame":{"a":5},"limits":{"max_steps":10}}')).toBe(base.settings);
    for (const other of [
      '{"limits":{"max_steps":11},"frame":{"a":5}}',
      '{"limits":{"max_steps":10},"frame":{"a":5.0}}',
      '{"limits":{"max_steps":10},"frame":{"a":50000000000000000000}}',
      '{"limits":{"max_steps":10},"frame":{"a":50000000000000000001}}',
      '{"limits":{"max_steps":10},"frame":{"a":5},"__proto__":{"x":1}}',
      '{"limits":{"max_steps":10},"frame":{"a":5,"__proto__":1}}',
    ])
      expect(settings(other), other).not.toBe(base.settings);
    expect(settings('{"frame":{"a":50000000000000000000}}')).not.toBe(settings('{"frame":{"a":50000000000000000001}}'));
    expect(settings('{"frame":{"a":1,"__proto__":1}}')).not.toBe(settings('{"frame":{"a":1,"__proto__":2}}'));
    const source = (text: string) => attestedContent({ ...VERSION, source: text }).source;
    expect(source('{"files":{"__proto__":"a","m":"b"},"main":"m"}')).not.toBe(
      source('{"files":{"__proto__":"c","m":"b"},"main":"m"}'),
    );
  });

  it("of IR is of its own kind", () => {
    const ir = attestedContent({ ...VERSION, source: "{}", irHash: hashOf("{}") });
    expect([ir.kind, ir.source, ir.compiler]).toEqual(["ir", hashOf("{}"), null]);
    expect(attestedContent({ ...VERSION, source: "{}" }).kind).toBe("source");
  });
});

describe("the settings in a body", () => {
  it("are all members but the program, its labels and what only a proposal has", () => {
    const body = readExactly(
      '{"code":"x","tags":{},"description":"d","comment":"c","tests":[],"attestation":{},"limits":{"max_steps":5.0},"tz":null,"__proto__":{"a":1}}',
    ) as Record<string, never>;
    const settings = signedSettings(body);
    expect(Object.keys(settings)).toEqual(["limits", "__proto__"]);
    expect(Object.getPrototypeOf(settings)).toBe(Object.prototype);
    expect(exactJson(settings)).toContain('"__proto__":{"a":1}');
  });
});
