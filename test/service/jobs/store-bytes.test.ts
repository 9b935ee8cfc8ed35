/** T.S-6: metrics say how large the store is, and how much of it belongs to deleted rows. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

const CODE = "def main(n: int):\n    return 'x' * n\n";
const PLACES: Readonly<Record<string, () => Promise<JobServingOptions>>> = {
  durable: async () => ({ stateDir: folder.path }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};
const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

async function gauge(service: JobServing, name: string): Promise<number> {
  const { text } = await service.call("GET", "/metrics", undefined, { accept: "text/plain" });
  return Number(new RegExp(`^${name}(?:{[^}]*})? (\\d+)$`, "m").exec(text)?.[1]);
}

describe.each(KINDS)("T.S-6: the size of a %s store", (kind) => {
  it("is in metrics", async () => {
    const service = await servingJobs((await PLACES[kind]?.()) ?? {});
    await service.over(await service.queued({ code: CODE, frame: { n: 1 } }));
    expect(await gauge(service, "wf_store_bytes")).toBeGreaterThan(100_000);
    expect(await gauge(service, "wf_store_free_bytes")).toBeGreaterThanOrEqual(0);
    await service.stop();
  });
});

it("T.S-6: pages of deleted rows are free", async () => {
  const stateDir = join(folder.path, "freed");
  const first = await servingJobs({ stateDir });
  for (let at = 0; at < 20; at++) await first.over(await first.queued({ code: CODE, frame: { n: 20_000 } }));
  const before = await gauge(first, "wf_store_free_bytes");
  await first.stop();
  const db = new Database(join(stateDir, "weft.db"));
  db.exec("DELETE FROM results");
  db.close();
  const second = await servingJobs({ stateDir });
  expect(await gauge(second, "wf_store_free_bytes")).toBeGreaterThan(before + 20 * 16_384);
  await second.stop();
});
