/**
 * Plugins for tests, written to a temporary folder as an operator would have them: plain JavaScript that Node loads by itself, with its
 * own copy of everything but zod.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";

const ZOD = pathToFileURL(join(import.meta.dirname, "../../../node_modules/zod/index.js")).href;

/** What every module below begins with; `weather` makes a definition whose members a test replaces. */
const HEAD = `
import { z } from ${JSON.stringify(ZOD)};
class AdapterError extends Error {
  constructor(code, message, facts = {}) {
    super(message);
    Object.assign(this, { name: "AdapterError", code, retryable: false, retryAfterMs: null, data: null }, facts);
  }
}
const arg = (name, schema) => schema.meta({ param: name });
const weather = (changed = {}, verb = {}) => ({
  apiVersion: 1,
  name: "weather",
  version: "1.2.0",
  summary: "Current weather",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  settings: {
    allow_cities: z.array(z.string()).readonly().optional().meta({ merge: "intersect" }),
    base_url: z.string().optional().meta({ merge: "server" }),
  },
  secrets: { WEATHER_KEY: { summary: "API key", required: false } },
  needs: ["http"],
  async open({ settings, secret }) {
    return { settings, key: await secret("WEATHER_KEY"), calls: 0 };
  },
  async check() {},
  async close() {},
  verbs: {
    current: {
      summary: "Weather now",
      effect: "io-read",
      kind: "http",
      determinism: "external",
      timeoutMs: 15_000,
      args: z.tuple([arg("city", z.string().min(1).max(100))]),
      options: z.strictObject({ units: z.enum(["si", "us"]).default("si") }),
      result: z.object({ city: z.string(), degrees: z.number(), units: z.string() }),
      examples: [{ source: 'R weather.current "Oslo" ->w', result: { city: "Oslo", degrees: 3, units: "si" } }],
      async run({ args: [city], options, settings }) {
        if (settings.allow_cities && !settings.allow_cities.includes(city))
          throw new AdapterError("ADAPTER_NOT_ALLOWED", "the city is not on the list");
        return { city, degrees: 3, units: options.units };
      },
      ...verb,
    },
  },
  ...changed,
});
`;

/** A module of a plugin. */
export function pluginModule(text: string): string {
  return `${HEAD}\n${text}\n`;
}

export const WEATHER = pluginModule("export default weather();");

/** A folder with these files, gone after the test, or when `gone` says. */
export function folderWith(
  files: Readonly<Record<string, string>>,
  gone: (remove: () => void) => void = onTestFinished,
): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "weft-plugins-")));
  gone(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
