/** Signatures of published schemes: each is accepted, and refused when the body, the time or the secret is another. */
import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Endpoint } from "../../../service/programs/endpoints/endpoint-settings.ts";
import type { Delivery } from "../../../service/programs/endpoints/verify/delivery.ts";
import { faultBy, isTooShort, signatureFault } from "../../../service/programs/endpoints/verify/signatures.ts";
import { servingJobs } from "../jobs/serving-jobs.ts";

const BODY = '{"n":1}';
const NOW = 1_900_000_000;
const KEY = "topsecret";
const hmac = (text: string, { algorithm = "sha256", key = KEY as string | Buffer } = {}) =>
  createHmac(algorithm, key).update(text, "utf8");
const hex = (text: string): string => hmac(text).digest("hex");
const base64 = (text: string): string => hmac(text).digest("base64");
const T = `${NOW}`;
const MS = `${NOW}000`;
const WHSEC = "whsec_plJ3nmyCDGBKInavdOK15jsl";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const PAIR_HEX = publicKey.export({ format: "der", type: "spki" }).subarray(12).toString("hex");
const OTHER_HEX = generateKeyPairSync("ed25519")
  .publicKey.export({ format: "der", type: "spki" })
  .subarray(12)
  .toString("hex");
const paired = (text: string): Buffer => sign(null, Buffer.from(text), privateKey);

type Scheme = {
  readonly verify: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly secret?: string;
  /** Seconds since 1970. */
  readonly at?: number;
};

const SCHEMES: Readonly<Record<string, Scheme>> = {
  GitHub: {
    verify: { kind: "github" },
    secret: "It's a Secret to Everybody",
    body: "Hello, World!",
    headers: { "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" },
  },
  Shopify: {
    verify: { kind: "hmac", header: "X-Shopify-Hmac-Sha256", encoding: "base64" },
    headers: { "x-shopify-hmac-sha256": base64(BODY) },
  },
  Typeform: {
    verify: { kind: "hmac", header: "Typeform-Signature", prefix: "sha256=", encoding: "base64" },
    headers: { "typeform-signature": `sha256=${base64(BODY)}` },
  },
  "Standard Webhooks": {
    verify: { kind: "standard" },
    secret: WHSEC,
    at: 1_731_705_121,
    body: '{"event_type":"ping","data":{"success":true}}',
    headers: {
      "webhook-id": "msg_loFOjxBNrRLzqYUf",
      "webhook-timestamp": "1731705121",
      "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
    },
  },
  Svix: {
    verify: { kind: "svix" },
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    at: 1_614_265_330,
    body: '{"test": 2432232314}',
    headers: {
      "svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "svix-timestamp": "1614265330",
      "svix-signature": "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
  },
  Stripe: {
    verify: { kind: "stripe" },
    headers: { "stripe-signature": `t=${T},v1=${"0".repeat(64)},v1=${hex(`${T}.${BODY}`)},v0=00` },
  },
  Slack: {
    verify: { kind: "slack" },
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    at: 1_531_420_618,
    body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    headers: {
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      "x-slack-request-timestamp": "1531420618",
    },
  },
  "Shopify by its name": {
    verify: { kind: "shopify" },
    headers: { "x-shopify-hmac-sha256": base64(BODY) },
  },
  Twitch: {
    verify: { kind: "twitch" },
    at: Date.parse("2022-08-01T12:00:00.123456789Z") / 1000,
    headers: {
      "twitch-eventsub-message-id": "e76c6bd4-55c9-4987-8304-da1588d8988b",
      "twitch-eventsub-message-timestamp": "2022-08-01T12:00:00.123456789Z",
      "twitch-eventsub-message-signature": `sha256=${hex(`e76c6bd4-55c9-4987-8304-da1588d8988b2022-08-01T12:00:00.123456789Z${BODY}`)}`,
    },
  },
  "HubSpot, with method and address": {
    verify: {
      kind: "hmac",
      header: "X-HubSpot-Signature-v3",
      encoding: "base64",
      timestamp_header: "X-HubSpot-Request-Timestamp",
      signed: "{method}{url}{body}{timestamp}",
    },
    headers: {
      "x-hubspot-signature-v3": base64(`POSThttps://weft.example/app/p/h?a=1${BODY}${MS}`),
      "x-hubspot-request-timestamp": MS,
    },
  },
  "method, path and body on lines": {
    verify: {
      kind: "hmac",
      header: "X-Sig",
      timestamp_header: "X-Ts",
      signed: "{method}\n{path}\n{query}\n{timestamp}\n{body}",
    },
    headers: { "x-sig": hex(`POST\n/app/p/h\na=1\n${T}\n${BODY}`), "x-ts": T },
  },
  "Ed25519 (RFC 8032, 7.1, test 2)": {
    verify: { kind: "ed25519", header: "X-Sig", signed: "{body}" },
    secret: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    body: "r",
    headers: {
      "x-sig":
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    },
  },
  Discord: {
    verify: {
      kind: "ed25519",
      header: "X-Signature-Ed25519",
      timestamp_header: "X-Signature-Timestamp",
      signed: "{timestamp}{body}",
    },
    secret: PAIR_HEX,
    headers: { "x-signature-ed25519": paired(`${T}${BODY}`).toString("hex"), "x-signature-timestamp": T },
  },
  "Standard Webhooks with a key pair": {
    verify: { kind: "standard" },
    secret: `whpk_${Buffer.from(PAIR_HEX, "hex").toString("base64")}`,
    headers: {
      "webhook-id": "m1",
      "webhook-timestamp": T,
      "webhook-signature": `v1,AAAA v1a,${paired(`m1.${T}.${BODY}`).toString("base64")}`,
    },
  },
  "Slack, by a template": {
    verify: {
      kind: "hmac",
      header: "X-Slack-Signature",
      prefix: "v0=",
      timestamp_header: "X-Slack-Request-Timestamp",
      signed: "v0:{timestamp}:{body}",
    },
    headers: { "x-slack-signature": `v0=${hex(`v0:${T}:${BODY}`)}`, "x-slack-request-timestamp": T },
  },
  Linear: {
    verify: { kind: "hmac", header: "Linear-Signature" },
    headers: { "linear-signature": hex(BODY) },
  },
  "PagerDuty with two signatures": {
    verify: { kind: "hmac", header: "X-PagerDuty-Signature", prefix: "v1=" },
    headers: { "x-pagerduty-signature": `v1=${"0".repeat(64)},v1=${hex(BODY)}` },
  },
  "Vercel, SHA-1": {
    verify: { kind: "hmac", header: "X-Vercel-Signature", algorithm: "sha1" },
    headers: { "x-vercel-signature": hmac(BODY, { algorithm: "sha1" }).digest("hex") },
  },
  "a time in milliseconds": {
    verify: { kind: "hmac", header: "X-Sig", timestamp_header: "X-Ts" },
    headers: { "x-sig": hex(`${MS}.${BODY}`), "x-ts": MS },
  },
};

/** Another secret of the same form. */
function otherThan(secret: string | undefined): string {
  if (secret?.startsWith("whpk_") === true) return `whpk_${Buffer.from(OTHER_HEX, "hex").toString("base64")}`;
  if (secret !== undefined && /^[0-9a-f]{64}$/.test(secret)) return OTHER_HEX;
  return secret?.startsWith("whsec_") === true ? `${secret}BBBB` : "topsecret2";
}

const at = (headers: Readonly<Record<string, string>>, body: string, now: number, more: object = {}): Delivery => ({
  method: "POST",
  path: "/app/p/h",
  query: "a=1",
  publicUrl: "https://weft.example",
  headers,
  body: Buffer.from(body),
  now: now * 1000,
  ...more,
});

async function faultOf({ verify, headers, body = BODY, secret = KEY, at: now = NOW }: Scheme): Promise<string | null> {
  const settings = Endpoint.parse({ verify: { secrets: "K", ...verify } }).verify;
  if (settings === undefined) throw new Error("no settings");
  return signatureFault(settings, at(headers, body, now), async () => secret);
}

describe.each(Object.entries(SCHEMES))("T.W: %s", (_name, scheme) => {
  it("is accepted", async () => {
    expect(await faultOf(scheme)).toBeNull();
  });

  it("is refused for another body and another secret", async () => {
    expect(await faultOf({ ...scheme, body: `${scheme.body ?? BODY} ` })).toBe("mismatch");
    expect(await faultOf({ ...scheme, secret: otherThan(scheme.secret) })).toBe("mismatch");
  });

  it("is refused without its headers, and too late where it has a time", async () => {
    expect(await faultOf({ ...scheme, headers: {} })).toBe("header_missing");
    const isTimed = Object.entries(scheme.headers).some(
      ([name, value]) => /timestamp|-ts$/.test(name) || value.startsWith("t="),
    );
    expect(await faultOf({ ...scheme, at: (scheme.at ?? NOW) + 301 })).toBe(isTimed ? "timestamp_off" : null);
  });
});

it("a shared token is accepted, after its prefix, and no other", async () => {
  const gitlab = { verify: { kind: "token", header: "X-Gitlab-Token" } };
  expect(await faultOf({ ...gitlab, headers: { "x-gitlab-token": KEY } })).toBeNull();
  expect(await faultOf({ ...gitlab, headers: { "x-gitlab-token": `${KEY}x` } })).toBe("mismatch");
  const bearer = { verify: { kind: "token", header: "Authorization", prefix: "Bearer " } };
  expect(await faultOf({ ...bearer, headers: { authorization: `Bearer ${KEY}` } })).toBeNull();
  expect(await faultOf({ ...bearer, headers: { authorization: KEY } })).toBe("header_format");
});

describe("T.W: Twilio", () => {
  // The examples of its documentation and of its libraries, whose secret is shorter than those that are accepted.
  const secrets = ["12345"];
  const form = "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
  const place = { path: "/myapp.php", query: "foo=1&bar=2", publicUrl: "https://mycompany.com" };
  const faultFor = (body: string, signature: string, more: object = {}): string | null =>
    faultBy(
      { kind: "twilio", secrets: "K" },
      secrets,
      at({ "x-twilio-signature": signature }, body, NOW, { ...place, ...more }),
    );

  it("is accepted by its published vectors, repeated fields among them", () => {
    expect(faultFor(form, "RSOYDt4T1cUTdK1PDd93/VVr8B8=")).toBeNull();
    expect(
      faultFor("Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234", "IK+Dwps556ElfBT0I3Rgjkr1wJU="),
    ).toBeNull();
  });

  it("is refused for another body, address or signature, and without the address of the service", () => {
    const signature = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
    expect(faultFor(`${form}&x=1`, signature)).toBe("mismatch");
    expect(faultFor(form, signature, { query: "foo=1" })).toBe("mismatch");
    expect(faultFor(form, "AAAA")).toBe("mismatch");
    expect(faultFor(form, signature, { publicUrl: null })).toBe("public_url_missing");
    expect(faultFor("a=%zz", signature)).toBe("body_format");
  });

  it("takes the address with and without the port of its scheme, and the hash of other bodies", () => {
    const sent = (url: string): string => createHmac("sha1", "12345").update(url).digest("base64");
    const url = "https://mycompany.com:443/myapp.php?foo=1&bar=2";
    expect(faultFor("", sent(url))).toBeNull();
    const body = '{"property": "value", "boolean": true}';
    const hash = "0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620";
    expect(createHash("sha256").update(body).digest("hex")).toBe(hash);
    const query = `bodySHA256=${hash}`;
    const signed = sent(`https://mycompany.com/myapp.php?${query}`);
    expect(faultFor(body, signed, { query })).toBeNull();
    expect(faultFor(`${body} `, signed, { query })).toBe("mismatch");
  });
});

it("T.W: words are compared whole: GitLab's, Bearer and Basic", async () => {
  const gitlab = { verify: { kind: "gitlab" } };
  expect(await faultOf({ ...gitlab, headers: { "x-gitlab-token": KEY } })).toBeNull();
  expect(await faultOf({ ...gitlab, headers: { "x-gitlab-token": `${KEY}x` } })).toBe("mismatch");
  const bearer = { verify: { kind: "bearer" } };
  expect(await faultOf({ ...bearer, headers: { authorization: `bearer ${KEY}` } })).toBeNull();
  expect(await faultOf({ ...bearer, headers: { authorization: `Bearer ${KEY}x` } })).toBe("mismatch");
  expect(await faultOf({ ...bearer, headers: { authorization: `Basic ${KEY}` } })).toBe("header_format");
  expect(await faultOf({ ...bearer, headers: {} })).toBe("header_missing");
  // RFC 7617, 2: the user-id "Aladdin" and the password "open sesame".
  const basic = { verify: { kind: "basic", user: "Aladdin" }, secret: "open sesame" };
  expect(await faultOf({ ...basic, headers: { authorization: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" } })).toBeNull();
  expect(await faultOf({ ...basic, headers: { authorization: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZ" } })).toBe("mismatch");
  // RFC 7617, 2.1: a password in UTF-8.
  const pound = { verify: { kind: "basic", user: "test" }, secret: "123\u00a3\u00a3\u00a3" };
  const sent = Buffer.from("test:123\u00a3\u00a3\u00a3", "utf8").toString("base64");
  expect(await faultOf({ ...pound, headers: { authorization: `Basic ${sent}` } })).toBeNull();
});

it.each([
  ["hmac", "1234567", true],
  ["hmac", "12345678", false],
  ["github", "", true],
  ["token", "ab", true],
  ["standard", `whsec_${Buffer.alloc(15, 1).toString("base64")}`, true],
  ["standard", `whsec_${Buffer.alloc(16, 1).toString("base64")}`, false],
  ["svix", "topsecret", false],
  ["ed25519", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", false],
  ["ed25519", "topsecret", true],
  ["standard", "whpk_AAAA", true],
] as const)("a secret for %s: %j is too short: %j", (kind, secret, isShort) => {
  expect(isTooShort(kind, secret)).toBe(isShort);
});

it("a secret that is too short verifies nothing, whatever it was when the program was deployed", async () => {
  const headers = { "linear-signature": hmac(BODY, { key: "short" }).digest("hex") };
  expect(await faultOf({ verify: { kind: "hmac", header: "Linear-Signature" }, headers, secret: "short" })).toBe(
    "secret_short",
  );
});

describe("a deployment", () => {
  const code = '@api("/h", method="POST")\ndef a(n=None):\n    return n\n';
  const withVerify = (verify: object, more: object = {}) => ({ code, endpoints: { "/h": { verify, ...more } } });

  it("T.W: says that it lacks the address of the service where that is signed", async () => {
    const service = await servingJobs({ variables: { WF_SECRET_K: KEY } });
    try {
      const body = withVerify({ kind: "twilio", secrets: "K" });
      const { status, body: answer } = await service.call("PUT", "/programs/p?dry_run=1", body);
      expect([status, answer.warnings.filter((one: string) => one.startsWith("public_url_missing"))]).toEqual([
        200,
        [expect.stringContaining("WF_PUBLIC_URL")],
      ]);
    } finally {
      await service.stop();
    }
  });

  it("is refused with a secret that is too short, and with a template that protects from nothing", async () => {
    const service = await servingJobs({ variables: { WF_SECRET_SHORT: "short", WF_SECRET_K: KEY } });
    const put = async (verify: object, more: object = {}) => {
      const { status, body } = await service.call("PUT", "/programs/p?dry_run=1", withVerify(verify, more));
      return [status, body.error ?? null];
    };
    const own = { kind: "hmac", secrets: "K", header: "X-Sig" };
    try {
      expect(await put({ kind: "github", secrets: "SHORT" })).toEqual([422, "endpoint_invalid"]);
      expect(await put({ kind: "github", secrets: "K" })).toEqual([200, null]);
      expect(await put({ ...own, signed: "v0:{body}" })).toEqual([422, "endpoint_invalid"]);
      expect(await put({ ...own, signed: "v0:{body}" }, { mode: "job", dedupe: "/id" })).toEqual([200, null]);
      expect(await put({ ...own, signed: "{timestamp}:{body}" })).toEqual([422, "endpoint_invalid"]);
      for (const signed of ["{timestamp}", "{host}{body}", "{body"])
        expect((await put({ ...own, timestamp_header: "X-Ts", signed }))[0]).toBe(400);
    } finally {
      await service.stop();
    }
  });
});
