/** Signatures of published schemes: each is accepted, and refused when the body, the time or the secret is another. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Endpoint } from "../../../service/programs/endpoints/endpoint-settings.ts";
import { isTooShort, signatureFault } from "../../../service/programs/endpoints/signatures.ts";
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
    headers: { "svix-id": "m1", "svix-timestamp": T, "svix-signature": `v1,AAAA v1,${base64(`m1.${T}.${BODY}`)}` },
  },
  Stripe: {
    verify: { kind: "stripe" },
    headers: { "stripe-signature": `t=${T},v1=${"0".repeat(64)},v1=${hex(`${T}.${BODY}`)},v0=00` },
  },
  Slack: {
    verify: { kind: "slack" },
    headers: { "x-slack-signature": `v0=${hex(`v0:${T}:${BODY}`)}`, "x-slack-request-timestamp": T },
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

async function faultOf({ verify, headers, body = BODY, secret = KEY, at = NOW }: Scheme): Promise<string | null> {
  const settings = Endpoint.parse({ verify: { secrets: "K", ...verify } }).verify;
  if (settings === undefined) throw new Error("no settings");
  const delivery = { headers, body: Buffer.from(body), now: at * 1000 };
  return signatureFault(settings, delivery, async () => secret);
}

describe.each(Object.entries(SCHEMES))("%s", (_name, scheme) => {
  it("is accepted", async () => {
    expect(await faultOf(scheme)).toBeNull();
  });

  it("is refused for another body and another secret", async () => {
    expect(await faultOf({ ...scheme, body: `${scheme.body ?? BODY} ` })).toBe("mismatch");
    expect(await faultOf({ ...scheme, secret: scheme.secret === WHSEC ? `${WHSEC}BBBB` : "topsecret2" })).toBe(
      "mismatch",
    );
  });

  it("is refused without its headers, and too late where it has a time", async () => {
    expect(await faultOf({ ...scheme, headers: {} })).toBe("header_missing");
    const isTimed = JSON.stringify(scheme.headers).includes(`${scheme.at ?? NOW}`);
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

it.each([
  ["hmac", "1234567", true],
  ["hmac", "12345678", false],
  ["github", "", true],
  ["token", "ab", true],
  ["standard", `whsec_${Buffer.alloc(15, 1).toString("base64")}`, true],
  ["standard", `whsec_${Buffer.alloc(16, 1).toString("base64")}`, false],
  ["svix", "topsecret", false],
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
      for (const signed of ["{timestamp}", "{url}{body}", "{body"])
        expect((await put({ ...own, timestamp_header: "X-Ts", signed }))[0]).toBe(400);
    } finally {
      await service.stop();
    }
  });
});
