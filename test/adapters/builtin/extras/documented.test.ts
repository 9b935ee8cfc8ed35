/** The programs of the documents of extras, svc and videomon give what they say, and the tables name everything. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extrasAdapter } from "../../../../adapters/builtin/extras/definition.ts";
import { svcAdapter } from "../../../../adapters/builtin/svc/definition.ts";
import { videomonAdapter } from "../../../../adapters/builtin/videomon/definition.ts";
import type { AdapterDefinition } from "../../../../adapters/definition/define.ts";
import type { HostServices } from "../../../../adapters/definition/host-services.ts";
import { linkAdapter } from "../../../../adapters/definition/link.ts";
import { builtinCatalog } from "../../../../compiler/catalog/builtin.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { createHost } from "../../../../vm/host.ts";
import { NO_PLACES, realClock } from "../../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../../support/in-process-sqlite.ts";
import { irOf } from "../../../support/world.ts";
import { storeVideosPublished } from "../videomon/stored-videos.ts";

const sqlite = inProcessSqlite();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-documented-"));
  await writeFile(join(folder, "web.pid"), String(process.pid));
  storeVideosPublished(join(folder, "videomon.db"), [1, 100], realClock.wall());
});
afterAll(async () => {
  await sqlite.close();
  await rm(folder, { recursive: true });
});

const DOCUMENTED: readonly (readonly [AdapterDefinition, () => JsonObject])[] = [
  [extrasAdapter, () => ({ summary_root: join(folder, "sum") })],
  [svcAdapter, () => ({ services: { web: { probes: [{ process: { pid_file: join(folder, "web.pid") } }] } } })],
  [videomonAdapter, () => ({ db_path: join(folder, "videomon.db") })],
];

describe.each(DOCUMENTED.map(([definition, settings]) => [definition.name, definition, settings] as const))(
  "%s",
  (name, definition, settings) => {
    const text = readFileSync(new URL(`../../../../docs/adapters/${name}.md`, import.meta.url), "utf8");
    const programs = [...text.matchAll(/^```python\n# gives: ([^\n]+)\n(.*?)^```$/gms)];

    it("gives what it says", async () => {
      const deps = {
        services: { places: NO_PLACES, sqlite } as HostServices,
        secret: async () => undefined,
        log: () => {},
      };
      const linked = linkAdapter(definition, settings(), { ...deps, now: () => realClock.wall() });
      if (!linked.ok) throw new Error(JSON.stringify(linked.issues));
      const host = createHost({
        clock: realClock,
        facts: { uuid: () => crypto.randomUUID(), env: () => undefined },
        catalog: builtinCatalog,
        adapters: new Map([[name, linked.adapter]]),
        traceId: () => "documented",
      });
      expect(programs.length).toBeGreaterThan(0);
      for (const [, gives = "", source = ""] of programs) {
        const answer = await host.run({ ir: irOf(source) });
        expect(answer.ok ? answer.out : answer.error).toEqual(JSON.parse(gives));
      }
    });

    it("names every verb, setting and code", () => {
      const { verbs } = definition;
      for (const word of [...Object.keys(verbs), ...Object.keys(definition.settings)])
        expect(text).toMatch(new RegExp(`\\| \`${word}\`(?: \\(also [^|]*\\))? \\|`));
      for (const code of Object.values(verbs).flatMap(({ errors = [] }) => errors)) expect(text).toContain(code);
    });
  },
);
