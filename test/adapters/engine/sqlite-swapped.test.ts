/** Database files whose folder is swapped for a link after their place was judged. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sqliteAdapter } from "../../../adapters/builtin/sqlite/definition.ts";
import { NO_PLACES, openBench } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "weft-swapped-")));
  for (const name of ["data", "data/own", "outside"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("are not opened, and nothing is made where the link leads", async () => {
  const own = join(folder, "data/own");
  const service = inProcessSqlite();
  const moving = {
    ...service,
    open: (place: Parameters<typeof service.open>[0]) => {
      renameSync(own, `${own}-before`);
      symlinkSync(join(folder, "outside"), own);
      return service.open(place);
    },
  };
  const services = { sqlite: moving, places: { ...NO_PLACES, dataRoot: join(folder, "data") } };
  const settings = { db_path: join(own, "x.db"), allow_write: true };
  const bench = await openBench(sqliteAdapter, { settings, services });
  expect(await bench.code("execute", "CREATE TABLE t(a)")).toBe("ADAPTER_BAD_SETTINGS");
  expect(readdirSync(join(folder, "outside"))).toEqual([]);
  rmSync(own);
  renameSync(`${own}-before`, own);
  expect(await bench.code("execute", "CREATE TABLE t(a)")).toBe("no error");
  expect(readdirSync(own)).toContain("x.db");
  await bench.end();
  await service.close();
});
