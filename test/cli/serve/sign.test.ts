/** `wf sign`, and signed versions on their way from the command line to services that trust keys (T.A-4). */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { documentOf, wf } from "../console.ts";

const DIGEST = `from helper import twice


def main(a: int = 3):
    """Doubles."""
    return twice(a)
`;
const FILES = {
  "digest.py": DIGEST,
  "helper.py": "def twice(n):\n    return n * 2\n",
  "fetch.py": 'def main():\n    return http.get("https://api.example.com/x")["status"]\n',
  "wf.config.json": JSON.stringify({
    programs: {
      digest: { frame: { a: 21 }, limits: { max_steps: 500 } },
      fetch: { adapters: { enable: ["http"], http: { allow_hosts: ["api.example.com"] } } },
    },
  }),
};

const cwd = mkdtempSync(join(tmpdir(), "weft-sign-"));
let trusting: JobServing;
let open: JobServing;
beforeAll(async () => {
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(cwd, file), text);
  const made = await run("sign", "keygen", "--out", "ann.pem", "--who", "ann", "--until", "2099-12-31");
  expect(made.code).toBe(0);
  mkdirSync(join(cwd, "keys"));
  renameSync(join(cwd, "ann.pub.json"), join(cwd, "keys/ann.pub.json"));
  trusting = await servingJobs({ variables: { WF_TRUSTED_KEYS: join(cwd, "keys") } });
  open = await servingJobs();
});
afterAll(async () => {
  await Promise.all([trusting, open].map((one) => one.stop()));
  rmSync(cwd, { recursive: true, force: true });
});

const address = ({ port }: JobServing): string => `http://127.0.0.1:${port}`;
const run = (...argv: readonly string[]) =>
  wf([...argv, "--no-color"], { cwd, environment: {}, clock: realClock, stdin: "" });
const to = (service: JobServing) => ["--to", address(service)];

describe("wf sign keygen", () => {
  it("writes the private key for its owner alone, and never over another file", async () => {
    expect(statSync(join(cwd, "ann.pem")).mode & 0o777).toBe(0o600);
    const before = readFileSync(join(cwd, "ann.pem"), "utf8");
    const again = await run("sign", "keygen", "--out", "ann.pem", "--who", "eve", "--until", "2099-12-31");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("file_exists")]);
    expect(readFileSync(join(cwd, "ann.pem"), "utf8")).toBe(before);
    const { keys } = JSON.parse(readFileSync(join(cwd, "keys/ann.pub.json"), "utf8"));
    expect(keys).toEqual([{ name: "ann", public_key: expect.stringMatching(/^.{43}=$/), until: "2099-12-31" }]);
  });

  it("refuses flags that are missing or wrong, and writes nothing", async () => {
    const keygen = (...argv: readonly string[]) => run("sign", "keygen", ...argv);
    for (const [argv, words] of [
      [["--out", "x.pem"], "keygen needs --out FILE, --who NAME and --until DAY"],
      [["--out", "x.pem", "--who", "x", "--until", "2027-02-30"], "option --until needs a day"],
      [["--out", "x.pem", "--who", "x", "--until", "soon"], "option --until needs a day"],
      [["--out", "x.pem", "--who", " ", "--until", "2027-02-28"], "option --who needs 1 to 200 characters"],
      [["--out", "no/x.pem", "--who", "x", "--until", "2027-02-28"], "cannot be written (ENOENT)"],
      [["x.py", "--out", "x.pem", "--who", "x", "--until", "2027-02-28"], "keygen takes no FILE"],
    ] as const) {
      const { code, stderr } = await keygen(...argv);
      expect([code, stderr], words).toEqual([2, expect.stringContaining(words)]);
    }
    expect((await run("sign")).stderr).toContain("missing ACTION; use one of keygen, program");
    expect((await run("sign", "digest.py")).stderr).toContain("ACTION needs one of keygen, program");
  });
});

describe("wf sign program", () => {
  it("signs what the service makes of the same files and settings", async () => {
    const signed = await run("sign", "program", "digest.py", "--key", "ann.pem");
    expect([signed.code, signed.stdout]).toEqual([0, "signed  digest  digest.attestation.json\n"]);
    expect(JSON.parse(readFileSync(join(cwd, "digest.attestation.json"), "utf8"))).toMatchObject({
      type: "weft.attestation/1",
      ...{ kind: "source", name: "digest", who: "ann" },
    });
    const refused = await run("deploy", "digest.py", "--yes", ...to(trusting));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("attestation_missing")]);
    const sent = ["--attestation", "digest.attestation.json", ...to(trusting)];
    expect((await run("deploy", "digest.py", "--yes", ...sent)).stdout).toBe("deployed  digest 1\n");
    expect((await trusting.run({ program: "digest" })).body.out).toBe(42);
    const other = await run("deploy", "fetch.py", "--yes", ...sent);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("attestation_differs")]);
  });

  it("signs IR for what takes IR", async () => {
    writeFileSync(join(cwd, "plain.py"), "def main(a: int = 3):\n    return a\n");
    expect((await run("compile", "plain.py", "-o", "plain.json")).code).toBe(0);
    const signed = documentOf(await run("sign", "program", "plain.json", "--key", "ann.pem", "--json"));
    expect(signed).toMatchObject({ attestation: { kind: "ir", name: "plain", compiler: null } });
    const ir = JSON.parse(readFileSync(join(cwd, "plain.json"), "utf8"));
    const { attestation } = signed as { attestation: object };
    expect((await trusting.call("PUT", "/programs/plain", { ir, attestation })).status).toBe(201);
  });

  it("refuses keys that are not one, and programs that do not compile", async () => {
    writeFileSync(join(cwd, "other.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    writeFileSync(join(cwd, "huge.pem"), "x".repeat(1024 * 1024));
    writeFileSync(join(cwd, "broken.py"), "def main(:\n");
    const of = async (...argv: readonly string[]) => {
      const { code, stderr } = await run("sign", "program", ...argv);
      return `${code} ${stderr}`;
    };
    expect(await of("digest.py")).toContain("2 program needs --key FILE");
    expect(await of("digest.py", "--key", "other.pem")).toContain("is not a private key of Ed25519");
    expect(await of("digest.py", "--key", "huge.pem")).toContain("huge.pem");
    expect(await of("digest.py", "--key", "none.pem")).toContain("none.pem");
    expect(await of("broken.py", "--key", "ann.pem")).toMatch(/^[12] .*error/s);
    expect(await of("--key", "ann.pem")).toContain("missing FILE");
    const two = await of("digest.py", "fetch.py", "--key", "ann.pem", "--out", "one.json");
    expect(two).toContain("--out is for one FILE");
  });
});

describe("signed versions", () => {
  it("keep their version where another key signs them, before or after the first one is revoked", async () => {
    writeFileSync(join(cwd, "plus.py"), "def main(a: int = 3):\n    return a + 1\n");
    expect((await run("sign", "keygen", "--out", "eve.pem", "--who", "eve", "--until", "2099-12-31")).code).toBe(0);
    expect((await run("deploy", "plus.py", "--yes", "--sign", "ann.pem", ...to(open))).code).toBe(0);
    const signed = async () => (await open.call("GET", "/programs/plus/versions/1")).body.attestation.who;
    expect(await signed()).toBe("ann");
    const again = await run("deploy", "plus.py", "--yes", "--sign", "eve.pem", ...to(open));
    expect([again.code, again.stdout]).toEqual([0, "unchanged  plus 1\n"]);
    expect(again.stderr).toContain("plus: version 1 is kept, with this signature");
    expect(await signed()).toBe("eve");
    await run("deploy", "plus.py", "--dry-run", "--sign", "ann.pem", ...to(open));
    expect(await signed()).toBe("eve");
  });

  it("are deployed with --sign, under the name that the signer gives", async () => {
    const done = await run("deploy", "fetch.py", "--yes", "--sign", "ann.pem", "--who", "Ann B", ...to(trusting));
    expect([done.code, done.stdout]).toEqual([0, "deployed  fetch 1\n"]);
    const { body } = await trusting.call("GET", "/programs/fetch/versions/1");
    expect([body.signed.by, body.attestation.who]).toEqual(["ann", "Ann B"]);
    const both = await run("deploy", "fetch.py", "--sign", "ann.pem", "--attestation", "x.json", ...to(trusting));
    expect(both.stderr).toContain("--sign and --attestation exclude each other");
    expect((await run("deploy", "fetch.py", "--who", "x", ...to(trusting))).stderr).toContain("--who goes with --sign");
    writeFileSync(join(cwd, "bad.json"), "[]");
    const bad = await run("deploy", "fetch.py", "--attestation", "bad.json", ...to(trusting));
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("bad.json is not an attestation")]);
  });

  it("go from one service to another with their attestation", async () => {
    await run("deploy", "digest.py", "--name", "moved", "--yes", "--sign", "ann.pem", ...to(open));
    await run("deploy", "digest.py", "--name", "unsigned", "--yes", ...to(open));
    const promote = (name: string) => run("promote", name, "--from", address(open), "--to", address(trusting), "--yes");
    expect((await promote("moved")).stdout).toBe("deployed  moved 1\n");
    expect((await trusting.call("GET", "/programs/moved")).body.signed).toMatchObject({ by: "ann", trusted: true });
    expect((await promote("unsigned")).stderr).toContain("attestation_missing");
  });

  it("come of a proposal that the person who accepts it signs", async () => {
    const proposed = documentOf(await run("propose", "digest.py", "--name", "asked", "--json", ...to(trusting)));
    const { id } = proposed as { id: string };
    const accept = (...argv: readonly string[]) =>
      run("proposals", "accept", id, "--comment", "right", "--yes", "--server", address(trusting), ...argv);
    expect((await accept()).stderr).toContain("attestation_missing");
    const done = await accept("--sign", "ann.pem");
    expect([done.code, done.stdout]).toEqual([0, "asked  accepted  version 1 is current\n"]);
    expect((await trusting.call("GET", "/programs/asked")).body.signed.by).toBe("ann");
    const list = await run("proposals", "list", "--sign", "ann.pem", "--server", address(trusting));
    expect(list.stderr).toContain("--sign and --attestation go with accept");
  });
});
