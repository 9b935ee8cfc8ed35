/** Attestations next to the files of `wf serve PATH`, with and without trusted keys (T.A-4). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { servedFiles, watchServed } from "../../../cli/serve/served-files.ts";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import { jobTimes } from "../../../service/jobs/times.ts";
import { createJobsPart } from "../../../service/jobs-part.ts";
import { deployFiles, type FileOutcome } from "../../../service/programs/files/deploy-files.ts";
import { servingJobs } from "../jobs/serving-jobs.ts";
import { realClock, serving } from "../serving.ts";
import { attestationOf, newSigner, trust } from "./signers.ts";

const DOUBLE = "def main(a: int = 3):\n    return a * 2\n";
const ann = newSigner("ann");

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Serves a folder; `next` resolves with the outcome that follows. */
async function served(isTrusting: boolean, files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "weft-signed-"));
  closing.push(() => rmSync(root, { recursive: true, force: true }));
  const [folder, keys] = [join(root, "flows"), join(root, "keys")];
  for (const one of [folder, keys]) mkdirSync(one);
  trust(keys, ann);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const owner = `o${Math.random()}`;
  const store = await openJobStore({ stateDir: null, databaseUrl: null, clock: realClock, owner, silentMs: 30_000 });
  const part = createJobsPart(store, realClock, jobTimes(30_000));
  const service = await serving({ variables: isTrusting ? { WF_TRUSTED_KEYS: keys } : {}, part });
  closing.push(() => service.stop());
  const outcomes: FileOutcome[] = [];
  const waiting: ((outcome: FileOutcome) => void)[] = [];
  const stop = await deployFiles(
    { services: service.services, store: store.programs, now: store.now },
    {
      read: () => servedFiles(folder, ["."], realClock),
      watch: (changed) => watchServed(folder, ["."], realClock, changed),
      report(outcome) {
        outcomes.push(outcome);
        waiting.shift()?.(outcome);
      },
    },
    false,
  );
  closing.push(stop);
  const next = () => new Promise<FileOutcome>((resolve) => waiting.push(resolve));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  return { service, outcomes, next, write };
}

async function signature(code: string): Promise<string> {
  const service = await servingJobs();
  closing.push(() => service.stop());
  return JSON.stringify(await attestationOf(service, "double", { code }, ann));
}

describe("files of a service with trusted keys", () => {
  it("are deployed with the attestation next to them, and refused without, until it comes", async () => {
    const [first, second] = [await signature(DOUBLE), await signature(DOUBLE.replace("2", "3"))];
    const files = { "double.py": `from weft import core\n${DOUBLE}`, "plain.py": `import weft\n${DOUBLE}` };
    const code = files["double.py"];
    const { service, outcomes, next, write } = await served(true, files);
    expect(outcomes).toMatchObject([
      { name: "double", state: "refused", kept: null, message: expect.stringContaining("is not signed") },
      { name: "plain", state: "refused" },
    ]);
    write("double.attestation.json", first);
    expect(await next()).toMatchObject({ state: "refused", message: expect.stringContaining("something else") });
    write("double.attestation.json", await signature(code));
    expect(await next()).toMatchObject({ name: "double", state: "deployed", version: 1 });
    expect((await service.run({ program: "double" })).body.out).toBe(6);
    write("double.py", code.replace("2", "3"));
    expect(await next()).toMatchObject({ state: "refused", kept: 1 });
    expect((await service.run({ program: "double" })).body.out).toBe(6);
    write("double.attestation.json", second.slice(1));
    expect(await next()).toMatchObject({ state: "refused", message: expect.stringContaining("is not an attestation") });
    write("double.attestation.json", await signature(code.replace("2", "3")));
    expect(await next()).toMatchObject({ state: "deployed", version: 2 });
    expect((await service.run({ program: "double" })).body.out).toBe(9);
  });
});

describe("files of a service without keys", () => {
  it("may be edited after they were signed: the attestation is ignored with a warning", async () => {
    const code = `import weft\n${DOUBLE}`;
    const signed = await signature(code);
    const files = { "double.py": code, "double.attestation.json": signed };
    const { service, outcomes, next, write } = await served(false, files);
    expect(outcomes).toMatchObject([{ state: "deployed", version: 1, warnings: [] }]);
    expect((await service.call("GET", "/programs/double")).body.signed).toMatchObject({ by: "ann", trusted: false });
    write("double.py", code.replace("2", "3"));
    expect(await next()).toMatchObject({
      state: "deployed",
      version: 2,
      warnings: [expect.stringContaining("attestation_ignored: ")],
    });
    expect((await service.call("GET", "/programs/double")).body.signed).toBeNull();
  });
});
