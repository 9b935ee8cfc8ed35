/** The programs of docs/adapters/db.md, run. */
import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { dbAdapter } from "../../../../adapters/builtin/db/definition.ts";
import type { HostServices } from "../../../../adapters/definition/host-services.ts";
import { linkAdapter } from "../../../../adapters/definition/link.ts";
import { createSqliteService } from "../../../../adapters/engine/sqlite/service.ts";
import { builtinCatalog } from "../../../../compiler/catalog/builtin.ts";
import { createHost } from "../../../../vm/host.ts";
import { NO_PLACES, realClock } from "../../../support/adapter-bench.ts";

const sqlite = createSqliteService();
afterAll(() => sqlite.close());

const text = readFileSync(new URL("../../../../docs/adapters/db.md", import.meta.url), "utf8");
const programs = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map((match) => match[1] ?? "");

it.each([
  [programs[0] ?? "", [{ id: 1, name: "Ann", age: 32 }]],
  [programs[1] ?? "", "somebody else was faster"],
])("%s", async (source, out) => {
  const linked = linkAdapter(
    dbAdapter,
    { path: ":memory:", store: "documents", entities: { User: {} } },
    {
      services: { places: NO_PLACES, sqlite } as HostServices,
      secret: async () => undefined,
      log: () => {},
      now: Date.now,
    },
  );
  if (!linked.ok) throw new Error(JSON.stringify(linked.issues));
  const host = createHost({
    clock: realClock,
    facts: { uuid: () => crypto.randomUUID(), env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map([["db", linked.adapter]]),
    traceId: () => "t",
  });
  const { ir, diagnostics } = host.compile(source, { strict: true });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  expect(await host.run({ ir })).toMatchObject({ ok: true, out });
});
