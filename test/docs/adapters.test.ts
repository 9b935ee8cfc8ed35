/** The tables in docs/adapters are those of the definitions, and what fills them keeps everything else on a page. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arg, defineAdapter, setting, verbsFor, z } from "../../adapters/definition/define.ts";
import { adapterPage, filledPage } from "../../adapters/describe/page.ts";
import { adapterSchemas } from "../../adapters/describe/schemas.ts";
import { type JsonSchema, schemaOf, shapeOf } from "../../adapters/describe/shape.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";

const pageOf = (name: string): URL => new URL(`../../docs/adapters/${name}.md`, import.meta.url);

const verb = verbsFor<typeof settings>();
const settings = {
  allow_rooms: setting.list().describe("rooms that may be used"),
  max_lamps: setting.most(4, 8).describe("lamps | of one room"),
  hub: setting.operator(z.url()),
};
const turning = {
  effect: "io-write",
  kind: "http",
  determinism: "external",
  idempotent: true,
  args: z.tuple([arg("room", z.string()), arg("on", z.boolean().optional())]),
  options: z.strictObject({
    level: z.number().int().min(0).max(100).default(100),
    until: z.string().optional(),
    unless: z.string().optional(),
    because: z.string().optional(),
    scene: z.string().optional(),
  }),
  result: z.object({ ok: z.boolean(), lamps: z.array(z.object({ id: z.string() })) }),
  errors: ["ADAPTER_LAMPS_STUCK"],
  maxTimeoutMs: 20_000,
  examples: [{ source: 'R lamps.turn "hall" ->done', result: { ok: true, lamps: [] } }],
  run: () => ({ ok: true, lamps: [] }),
} as const;
const lamps = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "lamps",
  version: "1.2.3",
  summary: "Lamps of a house.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  settings,
  secrets: { HUB_KEY: { summary: "Key of the hub", required: true } },
  verbs: {
    turn: verb({ ...turning, summary: "Turns lamps on, or off; lamps.<room> too." }),
    dim: verb({ ...turning, summary: "Turns lamps down." }),
  },
});

describe("docs/adapters", () => {
  it.each(Object.entries(BUILTIN_LOADERS))("%s.md has the tables of the definition", async (name, load) => {
    const page = existsSync(pageOf(name)) ? readFileSync(pageOf(name), "utf8") : "";
    // Out of date: node scripts/adapter-pages.mjs
    expect(filledPage(page, await load())).toEqual({ ok: true, text: page });
  });

  it.each(Object.entries(BUILTIN_LOADERS))("every setting of %s says what it means", async (_name, load) => {
    const { settings } = await load();
    expect(Object.keys(settings).filter((name) => settings[name]?.description === undefined)).toEqual([]);
  });
});

describe("a page", () => {
  const page = adapterPage(lamps);

  it("shows what a definition says", () => {
    for (const row of [
      "| `turn` | Turns lamps on, or off; lamps.\\<room> too. | room, on? {`level: 100`, `until`, `unless`, `because`, `scene`} | `{ok, lamps: [{id}]}` |",
      "| `dim` | Turns lamps down. | as `turn` | `{ok, lamps: [{id}]}` |",
      "| `max_lamps` | min | 4, at most 8 | lamps \\| of one room |",
      "| `allow_rooms` | intersect | all | rooms that may be used |",
      "| `timeout_s`, `max_result_bytes` | min | 5 s, at most 20 s | as for every adapter |",
      "| `turn`, `dim` | io-write, destructive | the same effect | 5 s, at most 20 s | 1 MiB | `ADAPTER_LAMPS_STUCK` |",
      "| `level` | option | whole number from 0 to 100; default 100 | all |",
      '| `done = lamps.turn("hall")` | `{"ok":true,"lamps":[]}` |',
      "| `HUB_KEY` | yes | Key of the hub |",
    ])
      expect(page).toContain(`\n${row}\n`);
  });

  it("is what filling it gives, and keeps the words of people", () => {
    expect(filledPage(page, lamps)).toEqual({ ok: true, text: page });
    const written = page.replace("## Verbs", "Prose with $& and $1.\n\n## Verbs");
    expect(filledPage(written.replace("| `turn`, `dim` | io-write", "| old"), lamps)).toEqual({
      ok: true,
      text: written,
    });
  });

  it.each([
    [
      "a table is missing",
      page.replace("<!-- generated: settings -->", ""),
      "no place for <!-- generated: settings -->",
    ],
    ["a table is unknown", page.replaceAll("settings -->", "colors -->"), "no table is called 'colors'"],
    ["a table ends as another", page.replace("<!-- end of verbs", "<!-- end of settings"), "ends as 'settings'"],
  ])("is refused when %s", (_what, text, problem) => {
    const filled = filledPage(text, lamps);
    expect(filled.ok ? "" : filled.problem).toContain(problem);
  });
});

describe("shapes", () => {
  it.each<[z.ZodType, string]>([
    [z.string().nullable(), "text or null"],
    [z.union([z.boolean(), z.any()]), "any value"],
    [z.number().int().positive(), "whole number above 0"],
    [z.number().max(9), "number up to 9"],
    [z.array(z.string()), "list of text"],
    [z.array(z.any()), "list"],
    [z.record(z.string(), z.any()), "object"],
    [z.object({ a: z.object({ b: z.object({ c: z.object({ d: z.string() }) }) }) }), "{a: {b: {c: {…}}}}"],
    [z.tuple([z.string(), z.number()]), "[text, number]"],
    [z.enum(["a", "b"]), '"a" or "b"'],
    [z.object({ a: z.string().optional() }), "{a?}"],
  ])("%#", (schema, words) => {
    expect(shapeOf(schemaOf(schema, "output"))).toBe(words);
  });

  it("ends at any depth", () => {
    let deep: JsonSchema = { type: "string" };
    for (let depth = 0; depth < 5000; depth++) deep = { type: "object", properties: { a: deep } };
    expect(shapeOf(deep)).toBe("{a?: {a?: {a?: {…}}}}");
  });
});

it("schemas are plain JSON with entry, settings, arguments and results", () => {
  const schemas = adapterSchemas(lamps);
  expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas);
  expect(schemas).toMatchObject({
    name: "lamps",
    manifest: { privilege_tier: "network", destructive: true, verbs: ["turn", "dim"] },
    settings: { properties: { max_lamps: { merge: "min", max: 8 }, timeout_s: {} }, required: ["hub"] },
    verbs: {
      turn: {
        effect_tier: "io-write",
        max_timeout_ms: 20_000,
        args: { prefixItems: [{ param: "room" }, { param: "on" }], minItems: 1 },
        options: { additionalProperties: false },
        result: { required: ["ok", "lamps"] },
      },
    },
  });
});

it.each(Object.entries(BUILTIN_LOADERS))("schemas of %s can be made", async (name, load) => {
  expect(adapterSchemas(await load())).toMatchObject({ name });
});
