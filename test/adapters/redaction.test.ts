/** What redaction takes out of a text, and that it looks at a text of any length once. */
import { describe, expect, it } from "vitest";
import { createRedaction } from "../../adapters/redaction.ts";

const { text } = createRedaction((given) => given);

describe("redaction", () => {
  it.each([
    ["postgres://user:pw@db/x", "postgres://[REDACTED]@db/x"],
    ["at 1https://u:p@h and ftp://a@b", "at 1https://[REDACTED]@h and ftp://[REDACTED]@b"],
    ["https://example.com/a@b", "https://example.com/a@b"],
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
