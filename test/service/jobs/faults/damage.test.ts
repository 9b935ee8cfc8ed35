/**
 * A job store whose file is damaged at random places (D2.Q-3): no answer is wrong, and nothing stands still without a word. Each place is tried
 * in a copy of one store with jobs that are over, that wait, and that are in line; then the copy is recovered and tried again.
 * `WEFT_DAMAGED_PLACES` makes it another number of places.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { StartFault } from "../../../../adapters/operator/start-fault.ts";
import { recoverStore } from "../../../../service/jobs/sqlite/recovery/recover-store.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../serving-jobs.ts";
import { seededRandom } from "./job-load.ts";

const PLACES = Number(process.env["WEFT_DAMAGED_PLACES"] ?? 4);
const folder = await temporaryFolder();
afterAll(() => folder.remove());

const DONE = 'L1:\n  J (repeat (join "" ["<", n, ">"]) len)\n';
const WAITS = 'L1:\n  R ext.Echo n ->x\n  R signal.wait "go" ->s\n  J [x, (repeat (join "" ["<", n, ">"]) len)]\n';
const EXT = { adapters: { enable: ["ext"] } };

type Expected = { readonly done: Map<string, unknown>; readonly parked: Map<string, unknown> };
type Found = { readonly wrong: readonly string[]; readonly missing: readonly string[] };

const text = (n: number, length: number): string => `<${n}>`.repeat(length);

/** A store with jobs in all states, as a process leaves it that ended or was killed. */
async function template(): Promise<Expected & { readonly clean: string; readonly killed: string }> {
  const [clean, killed] = [join(folder.path, "clean"), join(folder.path, "killed")];
  const service = await servingJobs({ stateDir: clean });
  const expected = { done: new Map<string, unknown>(), parked: new Map<string, unknown>() };
  for (let n = 0; n < 12; n++) {
    const len = n % 6 === 0 ? 20_000 : 1 + 23 * n;
    const done = await service.queued({ code: DONE, frame: { n, len }, strict: false });
    expected.done.set(done, text(n, len));
    const parked = await service.queued({ code: WAITS, frame: { n, len }, strict: false, ...EXT });
    expected.parked.set(parked, [n, text(n, len)]);
  }
  for (const id of expected.done.keys()) await service.over(id);
  for (const id of expected.parked.keys()) await service.until(id, "waiting");
  await cp(clean, killed, { recursive: true });
  await service.stop();
  return { ...expected, clean, killed };
}

/** Overwrites some bytes somewhere. */
function damage(stateDir: string, random: () => number): string {
  const handle = openSync(join(stateDir, "weft.db"), "r+");
  const { size } = fstatSync(handle);
  const length = [1, 8, 64, 512, 8192][Math.floor(random() * 5)] as number;
  const isPage = length === 8192;
  const at = Math.floor(random() * (size / (isPage ? 8192 : 1))) * (isPage ? 8192 : 1);
  const bytes = Buffer.alloc(Math.min(length, size - at));
  readSync(handle, bytes, 0, bytes.length, at);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = length === 1 ? (bytes[i] ?? 0) ^ (1 << Math.floor(random() * 8)) : random() * 256;
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
  return `${bytes.length} bytes at ${at} of ${size}`;
}

async function started(stateDir: string): Promise<JobServing | null> {
  try {
    return await servingJobs({ stateDir, variables: { WF_DRAIN_MS: "50" } });
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(StartFault);
    expect(String(thrown)).toMatch(/wf doctor --recover/);
    return null;
  }
}

/** What the service says of each job. A signal wakes those that wait. */
async function lookedAt(service: JobServing, { done, parked }: Expected): Promise<Found> {
  const wrong: string[] = [];
  const missing: string[] = [];
  for (const [id, out] of done) {
    const { status, body } = await service.call("GET", `/result/${id}`);
    if (status !== 200 || body.status !== "succeeded" || body.result === undefined) missing.push(id);
    else if (JSON.stringify(body.result.out) !== JSON.stringify(out)) wrong.push(id);
  }
  for (const [id, out] of parked) {
    const sent = await service.call("POST", `/result/${id}/signals/go`, {});
    if (sent.status !== 202) {
      missing.push(id);
      continue;
    }
    const { status, body } = await service.call("GET", `/result/${id}?wait=3`);
    if (status !== 200 || body.status !== "succeeded") missing.push(id);
    else if (JSON.stringify(body.result.out) !== JSON.stringify(out)) wrong.push(id);
    if (missing.length > 0 && (await service.call("GET", "/ready")).status !== 200) break;
  }
  return { wrong, missing };
}

describe("a job store that is damaged", () => {
  it("gives no wrong answer, says so, and is recovered without one", {
    timeout: 120_000 + PLACES * 20_000,
  }, async () => {
    const random = seededRandom("damaged places");
    const { clean, killed, ...expected } = await template();
    const counted = { unnoticed: 0, refused: 0, degraded: 0, losses: 0 };
    for (let place = 0; place < PLACES; place++) {
      const stateDir = join(folder.path, `place-${place}`);
      await cp(random() < 0.5 ? clean : killed, stateDir, { recursive: true });
      const where = damage(stateDir, random);
      const service = await started(stateDir);
      if (service === null) counted.refused += 1;
      else {
        const { wrong, missing } = await lookedAt(service, expected);
        expect(wrong, where).toEqual([]);
        const ready = async () => (await service.call("GET", "/ready")).body;
        if (missing.length > 0) {
          await expect
            .poll(async () => (await ready()).reason, { message: where, timeout: 40_000 })
            .toMatch(/^store_corrupt: .*wf doctor --recover/);
          const refused = await service.call("POST", "/enqueue", { code: "L1:\n  J 1\n" });
          expect([refused.status, refused.body.error]).toEqual([503, "store_unavailable"]);
          expect(refused.body.message).toContain("wf doctor --recover");
          counted.degraded += 1;
        } else counted.unnoticed += 1;
        await service.stop();
      }
      const lost = recovered(stateDir);
      if (lost === null) continue;
      counted.losses += lost.length;
      const second = await started(stateDir);
      if (second === null) throw new Error(`a recovered store does not open: ${where}`);
      expect((await second.call("GET", "/ready")).body.reason, where).toBeUndefined();
      const { wrong } = await lookedAt(second, expected);
      expect(wrong, where).toEqual([]);
      expect((await second.over(await second.queued({ code: "L1:\n  J 1\n" }))).body.result.out).toBe(1);
      await second.stop();
    }
    console.info(JSON.stringify(counted));
  });
});

/** What was lost; null: nothing of the file can be read. */
function recovered(stateDir: string): readonly string[] | null {
  try {
    return recoverStore(stateDir, { stamp: "now", now: Date.now() }).lost;
  } catch (thrown) {
    expect(String(thrown)).toMatch(/the beginning of weft\.db is damaged/);
    return null;
  }
}
