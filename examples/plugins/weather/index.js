/**
 * Weather of a service over HTTP, as an example of a plugin. Here stands what the adapter promises to programs and operators; how the
 * service is asked stands in client.js. It imports nothing but `weft-runner/adapter`.
 */
import { AdapterError, adapterError, arg, defineAdapter, setting, verbsFor, z } from "weft-runner/adapter";
import { openClient } from "./client.js";

const verb = verbsFor();
const reading = { effect: "io-read", kind: "http", determinism: "external", timeoutMs: 5_000, maxTimeoutMs: 30_000 };

const city = arg("city", z.string().trim().min(1).max(100).describe("name of a city"));
const units = z.enum(["si", "us"]).default("si").describe("degrees Celsius or Fahrenheit");

export default defineAdapter({
  apiVersion: 1,
  name: "weather",
  version: "1.0.0",
  summary: "Weather of cities, from a service over HTTP.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  settings: {
    allow_cities: setting.list().describe("cities that programs may ask about"),
    max_days: setting.most(5, 14).describe("days of one forecast"),
    base_url: setting.operator(z.url()).describe("address of the service"),
  },
  secrets: { WEATHER_KEY: { summary: "Key for the service", required: true } },
  needs: ["http"],

  async open({ settings, host, secret }) {
    return openClient(host.http, settings.base_url, await secret("WEATHER_KEY"));
  },
  async check({ instance, signal }) {
    await instance.ask("health", {}, signal);
  },
  close: (instance) => instance.close(),

  verbs: {
    current: verb({
      ...reading,
      summary: "The weather of a city now.",
      args: z.tuple([city]),
      options: z.strictObject({ units }),
      result: z.object({ city: z.string(), degrees: z.number(), sky: z.string() }),
      examples: [
        { source: 'R weather.current "Oslo" ->w', result: { city: "Oslo", degrees: 3, sky: "rain" } },
        {
          source: 'R weather.current "Oslo" {"units": "us"} ->w',
          result: { city: "Oslo", degrees: 37.4, sky: "rain" },
        },
      ],
      async run({ args: [name], options, settings, instance, ctx }) {
        admit(settings, name);
        const { temp, sky } = await instance.ask("now", { city: name }, ctx.signal);
        return { city: name, degrees: degrees(temp, options.units), sky: String(sky) };
      },
    }),
    forecast: verb({
      ...reading,
      summary: "The weather of a city on the days to come, today first.",
      args: z.tuple([city, arg("days", z.number().int().min(1).optional())]),
      options: z.strictObject({ units }),
      result: z.array(z.object({ date: z.string(), degrees: z.number() })),
      errors: ["ADAPTER_WEATHER_TOO_FAR"],
      examples: [
        {
          source: 'R weather.forecast "Oslo" 2 ->days',
          result: [
            { date: "2030-01-01", degrees: 3 },
            { date: "2030-01-02", degrees: -1 },
          ],
        },
      ],
      async run({ args: [name, days = 3], options, settings, instance, ctx }) {
        admit(settings, name);
        if (days > settings.max_days) {
          const data = { max_days: settings.max_days };
          throw new AdapterError("ADAPTER_WEATHER_TOO_FAR", "longer than max_days", { retryable: false, data });
        }
        const { list } = await instance.ask("days", { city: name, days }, ctx.signal);
        return list.slice(0, days).map(({ date, temp }) => ({ date, degrees: degrees(temp, options.units) }));
      },
    }),
  },
});

function admit({ allow_cities }, name) {
  if (allow_cities !== undefined && !allow_cities.includes(name))
    throw adapterError("ADAPTER_NOT_ALLOWED", "the city is not on allow_cities");
}

/** The service speaks Celsius, in tenths at most. */
function degrees(celsius, unit) {
  if (typeof celsius !== "number") throw adapterError("ADAPTER_BAD_DATA", "the service did not answer with degrees");
  return Math.round((unit === "us" ? celsius * 1.8 + 32 : celsius) * 10) / 10;
}
