/** The programs of docs/adapters give what they say, and the examples of the definitions compile. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { cacheAdapter } from "../../../adapters/builtin/cache/definition.ts";
import { memoryAdapter } from "../../../adapters/builtin/memory/definition.ts";
import { queueAdapter } from "../../../adapters/builtin/queue/definition.ts";
import type { AdapterDefinition } from "../../../adapters/definition/define.ts";
import type { HostServices } from "../../../adapters/definition/host-services.ts";
import { linkAdapter } from "../../../adapters/definition/link.ts";
import { NO_PLACES } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { compiled, irOf, world } from "../../support/world.ts";

const sqlite = inProcessSqlite();
afterAll(() => sqlite.close());

const definitions: readonly AdapterDefinition[] = [cacheAdapter, memoryAdapter, queueAdapter];

function linked(definition: AdapterDefinition) {
  const services = { places: NO_PLACES, sqlite } as HostServices;
  const result = linkAdapter(definition, {}, { services, secret: async () => undefined, log: () => {}, now: () => 0 });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.adapter;
}

describe.each(definitions.map((definition) => [definition.name, definition] as const))("%s", (name, definition) => {
  const text = readFileSync(new URL(`../../../docs/adapters/${name}.md`, import.meta.url), "utf8");
  const programs = [...text.matchAll(/^```python\n# gives: ([^\n]+)\n(.*?)^```$/gms)];

  test.each(programs.map(([, gives = "", source = ""]) => [gives, source]))("gives %s", async (gives, source) => {
    const { host } = world();
    const answer = await host.run({ ir: irOf(source), adapters: new Map([[name, linked(definition)]]) });
    expect(answer.ok ? answer.out : answer.error).toEqual(JSON.parse(gives));
  });

  test("has a program, and names every verb and setting", () => {
    expect(programs.length).toBeGreaterThan(0);
    for (const word of [...Object.keys(definition.verbs), ...Object.keys(definition.settings)]) {
      expect(text).toContain(`| \`${word}\` |`);
    }
  });

  test("examples compile", () => {
    for (const verb of Object.values(definition.verbs)) {
      for (const { source } of verb.examples ?? []) {
        const { diagnostics } = compiled(`L1:\n  ${source}\n  J null\n`, { inputs: ["id"] });
        expect(diagnostics.filter((one) => one.severity === "error")).toEqual([]);
      }
    }
  });
});
