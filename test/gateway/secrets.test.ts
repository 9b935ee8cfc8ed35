/** Secrets come from files, then from the environment, and do not come out again. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSecrets, HiddenValues } from "../../adapters/operator/secrets.ts";
import { verifies } from "../support/requirements.ts";
import { folder } from "./folder.ts";

describe("a secret", () => {
  it("is a file before it is a variable, without its line break", async () => {
    verifies("auth.secrets-from-host");
    const { path, file } = folder();
    file("KEY", "from a file\n");
    file("WINDOWS", "two\r\nlines\r\n");
    file("EMPTY", "");
    const secrets = createSecrets({
      secretsDir: path,
      secrets: new Map([
        ["KEY", "from a variable"],
        ["OTHER", "variable"],
        ["EMPTY", "variable"],
      ]),
    });
    expect(await Promise.all(["KEY", "WINDOWS", "OTHER", "NONE", "EMPTY"].map((name) => secrets.get(name)))).toEqual([
      "from a file",
      "two\r\nlines",
      "variable",
      undefined,
      "",
    ]);
  });

  it("is read anew each time: a file may be replaced", async () => {
    const { path, file } = folder();
    const secrets = createSecrets({ secretsDir: path, secrets: new Map() });
    expect(await secrets.get("KEY")).toBeUndefined();
    file("KEY", "first");
    expect(await secrets.get("KEY")).toBe("first");
    file("KEY", "second");
    expect(await secrets.get("KEY")).toBe("second");
  });

  it.each(["../KEY", "KEY/../KEY", "key", "", "9KEY", "KEY ", "/etc/passwd", "A\0B", "__proto__"])(
    "is never called %j",
    async (name) => {
      const { path, file } = folder();
      file("KEY", "value");
      const secrets = createSecrets({ secretsDir: `${path}/`, secrets: new Map([[name, "value"]]) });
      expect(await secrets.get(name)).toBeUndefined();
    },
  );

  it("that cannot be read is the variable, or none", async () => {
    const { path } = folder();
    mkdirSync(join(path, "KEY"));
    mkdirSync(join(path, "OTHER"));
    const secrets = createSecrets({ secretsDir: path, secrets: new Map([["KEY", "variable"]]) });
    expect([await secrets.get("KEY"), await secrets.get("OTHER")]).toEqual(["variable", undefined]);
  });
});

describe("texts that leave the process", () => {
  it("contain no known value, including those from files", async () => {
    const { path, file } = folder();
    file("FILE", "file-canary");
    const known = new Map([
      ["A", "canary"],
      ["LONGER", "canary-with-a-tail"],
      ["SHORT", "abc"],
    ]);
    const secrets = createSecrets({ secretsDir: path, secrets: known });
    expect(secrets.scrubbed("x canary-with-a-tail y canary z abc")).toBe("x [secret] y [secret] z abc");
    await secrets.get("FILE");
    expect(secrets.scrubbed("file-canaryfile-canary")).toBe("[secret][secret]");
    file("FILE", "another");
    await secrets.get("FILE");
    expect(secrets.scrubbed("file-canary another")).toBe("[secret] [secret]");
  });

  it("contain no encoded form of a value", () => {
    const value = 'can"ary\\ é/+\n';
    const hidden = new HiddenValues([value]);
    const { length } = Buffer.from(value).toString("base64");
    for (const spelt of [
      value,
      JSON.stringify({ a: [value] }),
      new URLSearchParams({ q: value }).toString().replaceAll("+", "%20"),
      Buffer.from(value).toString("base64"),
      Buffer.from(value).toString("base64url"),
    ]) {
      const clean = hidden.scrubbed(spelt);
      expect(clean).toContain("[secret]");
      expect(clean).not.toContain("ary");
      expect(clean.length).toBeLessThan(length);
    }
  });

  it("contain no single line of a multi-line value", () => {
    const lines = ["-----BEGIN KEY-----", "canary-canary-canary", "-----END KEY-----"];
    const hidden = new HiddenValues([lines.join("\n")]);
    expect(lines.map((line) => hidden.scrubbed(`> ${line}`))).toEqual(lines.map(() => "> [secret]"));
  });
});
