/** What redaction takes out of a text, and that it looks at a text of any length once. */
import { describe, expect, it } from "vitest";
import { createHostRedaction, createRedaction } from "../../adapters/run-log/redaction.ts";

const { text } = createRedaction((given) => given);

describe("the redaction of a host", () => {
  const variables = { GITHUB_TOKEN: "canary-token-1", TOKEN: "on", PATH: "/canary/bin" };
  const { text, data } = createHostRedaction(
    { scrubbed: (given) => given },
    { exposed: new Map([["MODE", "canary-mode"]]), variables, databaseUrl: "postgres://u:canary%2Fpw@h/x" },
  );

  it("knows what its environment holds under the name of a credential, and the password of its database", () => {
    expect(text("canary-token-1 on /canary/bin canary/pw canary%2Fpw")).toBe(
      "[REDACTED] on /canary/bin [REDACTED] [REDACTED]",
    );
  });

  it("takes values out of names of members, too", () => {
    expect(data({ "a canary-mode": { "canary-mode": 1 } })).toEqual({ "a [REDACTED]": { "[REDACTED]": 1 } });
  });
});

describe("redaction", () => {
  it.each([
    ["postgres://user:pw@db/x", "postgres://[REDACTED]@db/x"],
    ["at 1https://u:p@h and ftp://a@b", "at 1https://[REDACTED]@h and ftp://[REDACTED]@b"],
    ["https://example.com/a@b", "https://example.com/a@b"],
    ["postgres://user:p@ss@db/x", "postgres://[REDACTED]@db/x"],
    ["DB_PASSWORD=hunter2 AWS_SECRET_ACCESS_KEY='a b' x", "DB_PASSWORD=[REDACTED] AWS_SECRET_ACCESS_KEY=[REDACTED] x"],
    ["https://h/?access_token=abc&x=1", "https://h/?access_token=[REDACTED]&x=1"],
    ["SECRET_KEY_BASE=abc max_tokens=5", "SECRET_KEY_BASE=[REDACTED] max_tokens=5"],
    ['sent {"password": "a, b", "n":1}', 'sent {"password": "[REDACTED]", "n":1}'],
    ["auth_secret: the secret is missing", "auth_secret: the secret is missing"],
    ["password=hunter2; Bearer abcdef123", "password=[REDACTED]; Bearer [REDACTED]"],
    ["token 0123456789012345678901234567890123456789", "token [REDACTED]"],
    ["-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- rest", "[REDACTED] rest"],
  ])("%j becomes %j", (given, clean) => {
    expect(text(given)).toBe(clean);
  });

  it.each([
    "a",
    "a.",
    "://",
    "_token_",
    'token"  ',
    "password ",
    'token="',
    "Bearer ",
    "-----BEGIN ",
    "-----BEGIN A-----",
    " \t",
    "secret:'",
    "@",
    "/",
  ])("does not look at %j again and again", (part) => {
    expect(text(`${part.repeat(1_000_000 / part.length)} db://u:hunter2@h`)).not.toContain("hunter2");
  });
});
