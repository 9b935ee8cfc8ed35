/** Credentials of every provider: what counts as valid, why not, and what happens when the provider cannot be asked. */
import { createHash } from "node:crypto";
import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authAdapter } from "../../../../adapters/builtin/auth/definition.ts";
import type { HttpService } from "../../../../adapters/guard/http/http.ts";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import type { Clock } from "../../../../vm/run.ts";
import { type BenchOptions, openBench, realClock } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type SigningKey, signed, signingKey, type TokenServer, tokenServer } from "./token-server.ts";

const NOW_S = 1_800_000_000;
const SECRET = "a shared secret that is long enough";

let now = NOW_S * 1000;
const clock: Clock = { ...realClock, wall: () => now };
let server: TokenServer;
/** A client of its own, so that nothing is remembered from one test to the next. */
let http: HttpService;
beforeEach(async () => {
  now = NOW_S * 1000;
  server = await tokenServer();
  http = createHttpService();
});
afterEach(async () => {
  await http.close();
  await server.close();
});

function open(settings: JsonObject, more: Partial<BenchOptions> & { readonly http?: HttpService | null } = {}) {
  const services = { http: more.http === undefined ? http : (more.http ?? undefined) } as BenchOptions["services"] &
    object;
  return openBench(authAdapter, {
    clock,
    secrets: { KEY: SECRET, CLIENT: "client:secret" },
    ...more,
    settings,
    services,
  });
}

function shared(payload: JsonObject, secret = SECRET, alg = "HS256"): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}

const REJECTED = { valid: false, subject: null, scopes: [], expires_at: null };
const JWT = { provider: "jwt", key_secret: "KEY" };

describe("no credential", () => {
  it.each([
    "",
    "  \n",
    "invalid",
    "None",
    "NULL",
    " null ",
    "x".repeat(16_385),
    "ü".repeat(8_193),
    "x".repeat(10_000_000),
  ])("is not valid, whether or not there is a provider (%#)", async (token) => {
    verifies("adapter.auth.validate");
    for (const settings of [{}, JWT, { provider: "static", keys: [] }]) {
      const bench = await open(settings, { http: null });
      expect(await bench.call("Validate", token)).toBe(false);
      expect(await bench.call("verify", token)).toEqual({ ...REJECTED, reason: "malformed" });
    }
  });

  it.each([[[]], [[null]], [[1]], [["t", { scope: [] }]], [["t", {}, 1]]])(
    "%j are not valid arguments",
    async (args) => {
      expect(await (await open({})).code("Validate", ...args)).toBe("ADAPTER_BAD_ARGS");
    },
  );

  it("a real one needs a provider", async () => {
    expect(await (await open({})).code("Validate", "token")).toBe("ADAPTER_NOT_CONFIGURED");
  });
});

describe("static keys", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const keys = [
    { sha256: sha256("key-one"), subject: "ci", scopes: ["read", "write"] },
    { sha256: sha256("key-two"), subject: "ops" },
  ];

  it.each<readonly [string, JsonObject, JsonObject]>([
    ["key-one", {}, { valid: true, subject: "ci", scopes: ["read", "write"], expires_at: null, reason: null }],
    ["key-one", { scopes: ["read"] }, { valid: true, subject: "ci" }],
    ["key-two", {}, { valid: true, subject: "ops", scopes: [] }],
    ["key-two", { scopes: ["read"] }, { ...REJECTED, reason: "insufficient_scope" }],
    ["key-one", { audience: "api" }, { ...REJECTED, reason: "audience" }],
    ["key-three", {}, { ...REJECTED, reason: "signature" }],
    ["key-one ", {}, { ...REJECTED, reason: "signature" }],
  ])("%s %j", async (token, options, expected) => {
    const bench = await open({ provider: "static", keys, audience: "elsewhere" });
    expect(await bench.call("verify", token, options)).toMatchObject(expected);
    expect(await bench.call("Validate", token, options)).toBe(expected["valid"] ?? false);
  });
});

describe("a JWT with a shared secret", () => {
  it.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
    ["plain", { sub: "ann", scope: "a b" }, {}, { valid: true, subject: "ann", scopes: ["a", "b"], expires_at: null }],
    ["list of scopes", { scp: ["a", "b"] }, { scopes: ["b"] }, { valid: true, scopes: ["a", "b"] }],
    ["a scope too few", { scope: "a" }, { scopes: ["a", "b"] }, { valid: false, reason: "insufficient_scope" }],
    ["in time", { exp: NOW_S + 60 }, {}, { valid: true, expires_at: "2027-01-15T08:01:00.000Z" }],
    ["expired within the skew", { exp: NOW_S - 59 }, {}, { valid: true }],
    ["expired", { exp: NOW_S - 60, sub: "ann" }, {}, { ...REJECTED, reason: "expired" }],
    ["early within the skew", { nbf: NOW_S + 60 }, {}, { valid: true }],
    ["early", { nbf: NOW_S + 61 }, {}, { valid: false, reason: "not_yet_valid" }],
    ["asked audience", { aud: ["x", "api"] }, { audience: "api" }, { valid: true }],
    ["other audience", { aud: "x" }, { audience: "api" }, { valid: false, reason: "audience" }],
    ["a time that is not a number", { exp: "never" }, {}, { valid: false, reason: "malformed" }],
    ["a time beyond all bounds", { exp: 1e300 }, {}, { valid: false, reason: "malformed" }],
  ])("%s", async (_, payload, options, expected) => {
    expect(await (await open(JWT)).call("verify", await shared(payload), options)).toMatchObject(expected);
  });

  it("meets the operator's issuer and audience", async () => {
    const bench = await open({ ...JWT, issuer: "me", audience: ["one", "two"] });
    const reason = async (payload: JsonObject) => bench.call("verify", await shared(payload));
    expect(await reason({ iss: "me", aud: "two" })).toMatchObject({ valid: true });
    expect(await reason({ iss: "you", aud: "two" })).toMatchObject({ reason: "issuer" });
    expect(await reason({ aud: "two" })).toMatchObject({ reason: "issuer" });
    expect(await reason({ iss: "me", aud: "three" })).toMatchObject({ reason: "audience" });
    expect(await reason({ iss: "me" })).toMatchObject({ reason: "audience" });
  });

  it.each<readonly [string, () => string | Promise<string>, string]>([
    ["another secret", () => shared({}, "another secret that is long enough"), "signature"],
    ["another algorithm", () => shared({}, SECRET, "HS512"), "signature"],
    ["no signature", () => new UnsecuredJWT({ sub: "root" }).encode(), "signature"],
    ["a cut signature", async () => (await shared({})).slice(0, -4), "signature"],
    ["no token at all", () => "token", "malformed"],
    ["too many parts", () => "a.b.c.d.e", "malformed"],
    ["no JSON", () => "!!.!!.!!", "malformed"],
  ])("%s", async (_, token, reason) => {
    expect(await (await open(JWT)).call("verify", await token())).toEqual({ ...REJECTED, reason });
  });

  it("whose secret is missing is not configured", async () => {
    const bench = await open({ ...JWT, key_secret: "OTHER" });
    expect(await bench.code("Validate", await shared({}))).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("may be signed with a key whose public half is the secret", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const pem = await exportSPKI(publicKey);
    const bench = await open({ ...JWT, algorithms: ["ES256"] }, { secrets: { KEY: pem } });
    const token = await new SignJWT({}).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    expect(await bench.call("Validate", token)).toBe(true);
    // The public key must not serve as a shared secret.
    expect(await bench.call("Validate", await shared({}, pem))).toBe(false);
    const wrong = await open({ ...JWT, algorithms: ["ES256"] });
    expect(await wrong.code("Validate", token)).toBe("ADAPTER_BAD_SETTINGS");
  });
});

describe("a JWT with a key set", () => {
  let first: SigningKey;
  let second: SigningKey;
  beforeEach(async () => {
    [first, second] = await Promise.all([signingKey("one"), signingKey("two")]);
    server.show(first);
  });
  const settings = () => ({ provider: "jwt", jwks_url: server.keysUrl });

  it("is checked with keys that all runs share", async () => {
    const token = await signed(first, { sub: "ann" });
    const answers = Array.from({ length: 5 }, async () => (await open(settings())).call("Validate", token));
    expect(await Promise.all(answers)).toEqual([true, true, true, true, true]);
    expect(server.asked).toEqual(["/keys"]);
    now += 10 * 60_000;
    expect(await (await open(settings())).call("Validate", token)).toBe(true);
    expect(server.asked).toEqual(["/keys", "/keys"]);
  });

  it("follows a rotation, and asks for unknown keys at most every thirty seconds", async () => {
    const bench = await open(settings());
    expect(await bench.call("Validate", await signed(first, {}))).toBe(true);
    server.show(second);
    expect(await bench.call("Validate", await signed(second, {}))).toBe(true);
    expect(await bench.call("verify", await signed(first, {}))).toMatchObject({ reason: "signature" });
    expect(server.asked).toHaveLength(2);
    now += 30_000;
    expect(await bench.call("Validate", await signed(first, {}))).toBe(false);
    expect(await bench.call("Validate", await signed(first, {}))).toBe(false);
    expect(server.asked).toHaveLength(3);
  });

  it("of a new key waits for the fetch that another one began", async () => {
    const bench = await open(settings());
    expect(await bench.call("Validate", await signed(first, {}))).toBe(true);
    server.show(second);
    const tokens = await Promise.all(Array.from({ length: 5 }, (_, i) => signed(second, { sub: String(i) })));
    expect(await Promise.all(tokens.map((token) => bench.call("Validate", token)))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(server.asked).toHaveLength(2);
  });

  it("without a key id is tried with all keys", async () => {
    server.show(first, second);
    const bench = await open(settings());
    expect(await bench.call("Validate", await signed(second, {}, false))).toBe(true);
    expect(await bench.call("Validate", await signed(await signingKey("three"), {}, false))).toBe(false);
  });

  it("of a wrong algorithm is not valid", async () => {
    const bench = await open({ ...settings(), algorithms: ["RS256"] });
    expect(await bench.call("verify", await signed(first, {}))).toMatchObject({ reason: "signature" });
    const other = await open(settings());
    expect(await other.call("Validate", new UnsecuredJWT({}).encode())).toBe(false);
    expect(await other.call("Validate", await shared({}, JSON.stringify(first.jwk)))).toBe(false);
  });

  it.each(["RS256", "ES384", "Ed25519", "EdDSA", "PS256"])("may be of %s", async (alg) => {
    const key = await signingKey("k", alg);
    server.show(key);
    expect(await (await open({ ...settings(), algorithms: [alg] })).call("Validate", await signed(key, {}))).toBe(true);
  });

  it.each([0, 503, 404])(
    "is never valid while the provider answers with %i, and is again afterwards",
    async (status) => {
      server.status = status;
      const bench = await open(settings());
      const token = await signed(first, {});
      await expect(bench.call("Validate", token)).rejects.toMatchObject({
        code: "ADAPTER_UNAVAILABLE",
        retryable: true,
      });
      server.status = 200;
      expect(await bench.call("Validate", token)).toBe(true);
      now += 10 * 60_000;
      server.status = status;
      expect(await bench.code("Validate", token)).toBe("ADAPTER_UNAVAILABLE");
    },
  );

  it("of a malformed key set is bad data", async () => {
    const bench = await open({ ...settings(), jwks_url: server.keysUrl.replace("keys", "nonsense") });
    expect(await bench.code("Validate", await signed(first, {}))).toBe("ADAPTER_BAD_DATA");
  });

  it("needs the host's HTTP", async () => {
    const bench = await open(settings(), { http: null });
    await expect(bench.call("Validate", "a.b.c")).rejects.toMatchObject({
      code: "ADAPTER_NOT_CONFIGURED",
      data: { service: "http" },
    });
  });
});

describe("introspection", () => {
  const settings = (more: JsonObject = {}) => {
    const url = server.introspectionUrl;
    return { provider: "introspection", url, client_id: "weft client", client_secret_name: "CLIENT", ...more };
  };

  it("asks the provider once in cache_s, as the client", async () => {
    server.say("good", { active: true, username: "ann", scope: "a", exp: NOW_S + 100 });
    const bench = await open(settings());
    const valid = { valid: true, subject: "ann", scopes: ["a"], expires_at: "2027-01-15T08:01:40.000Z", reason: null };
    expect(await bench.call("verify", "good")).toEqual(valid);
    expect(await (await open(settings())).call("verify", "good", { scopes: ["a"] })).toEqual(valid);
    const basic = Buffer.from("weft%20client:client%3Asecret").toString("base64");
    expect(server.asked).toEqual([`/introspect Basic ${basic}`]);
    now += 30_000;
    await bench.call("verify", "good");
    expect(server.asked).toHaveLength(2);
  });

  it("does not keep an answer for longer when the clock is set back", async () => {
    server.say("revoked", { active: true });
    const bench = await open(settings());
    expect(await bench.call("Validate", "revoked")).toBe(true);
    now -= 5 * 3_600_000;
    server.say("revoked", { active: false });
    expect(await bench.call("verify", "revoked")).toMatchObject({ reason: "revoked" });
  });

  it("does not keep what is kept beyond its own end", async () => {
    server.say("short", { active: true, exp: NOW_S + 10 });
    const bench = await open(settings({ clock_skew_s: 0, cache_s: 3600 }));
    expect(await bench.call("Validate", "short")).toBe(true);
    now += 10_000;
    expect(await bench.call("verify", "short")).toMatchObject({ reason: "expired" });
    expect(server.asked).toHaveLength(1);
  });

  it.each<readonly [string, JsonObject, string]>([
    ["unknown", {}, "revoked"],
    ["text", {}, "revoked"],
    ["issued elsewhere", { issuer: "me" }, "issuer"],
    ["for others", { audience: "api" }, "audience"],
  ])("%s", async (token, more, reason) => {
    server.say("text", { active: "true" });
    for (const known of ["issued elsewhere", "for others"]) server.say(known, { active: true, iss: "you", aud: "x" });
    expect(await (await open(settings(more))).call("verify", token)).toMatchObject({ valid: false, reason });
  });

  it.each([
    [0, "ADAPTER_UNAVAILABLE"],
    [500, "ADAPTER_UNAVAILABLE"],
    [401, "ADAPTER_NOT_CONFIGURED"],
  ])("with status %i fails with %s and remembers nothing", async (status, code) => {
    server.say("good", { active: true });
    server.status = status;
    const bench = await open(settings());
    expect(await bench.code("Validate", "good")).toBe(code);
    server.status = 200;
    expect(await bench.call("Validate", "good")).toBe(true);
  });

  it("with an answer that is not an object is bad data", async () => {
    server.say("list", []);
    expect(await (await open(settings())).code("Validate", "list")).toBe("ADAPTER_BAD_DATA");
  });
});

describe("settings that do not fit", () => {
  it.each<readonly [string, JsonObject]>([
    ["no key at all", { provider: "jwt" }],
    ["two sources of keys", { provider: "jwt", jwks_url: "https://example.com/", key_secret: "KEY" }],
    ["a shared secret with public keys", { provider: "jwt", jwks_url: "https://example.com/", algorithms: ["HS256"] }],
    ["both kinds of algorithms", { provider: "jwt", key_secret: "KEY", algorithms: ["HS256", "ES256"] }],
    ["the algorithm none", { provider: "jwt", key_secret: "KEY", algorithms: ["none"] }],
    ["no algorithm", { provider: "jwt", key_secret: "KEY", algorithms: [] }],
    ["another scheme", { provider: "jwt", jwks_url: "file:///etc/keys" }],
    ["no static keys", { provider: "static" }],
    ["an invalid hash", { provider: "static", keys: [{ sha256: "x", subject: "a" }] }],
    ["no client", { provider: "introspection", url: "https://example.com/" }],
    ["an unknown provider", { provider: "ldap" }],
  ])("%s", async (_, settings) => {
    const code = open(settings).then(
      (bench) => bench.code("Validate", "token"),
      (thrown: { readonly code: string }) => thrown.code,
    );
    expect(await code).toBe("ADAPTER_BAD_SETTINGS");
  });
});

describe("enforce", () => {
  it("needs no provider", async () => {
    const bench = await open({}, { http: null });
    expect(await bench.call("enforce", "p", { auth: true, role: "admin" }, { auth_present: true, role: "admin" })).toBe(
      true,
    );
    await expect(bench.call("enforce", "p", { auth: "yes" }, {})).rejects.toMatchObject({
      code: "ADAPTER_POLICY_VIOLATION",
      message: "POLICY_VIOLATION[p]: auth required",
    });
    await expect(bench.call("enforce", "p", { role: "admin" }, { role: "user" })).rejects.toMatchObject({
      message: "POLICY_VIOLATION[p]: role mismatch",
    });
  });
});
