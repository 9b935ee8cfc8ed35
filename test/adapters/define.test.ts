/** The rules that a definition is held to when it is loaded, each with a definition that breaks it. */
import { describe, expect, it } from "vitest";
import { adapterSettingsOf, catalogEntryOf } from "../../adapters/definition/catalog-entry.ts";
import { definitionIssues } from "../../adapters/definition/check-definition.ts";
import {
  type AdapterDefinition,
  arg,
  defineAdapter,
  id,
  setting,
  verbsFor,
  z,
} from "../../adapters/definition/define.ts";

const settings = { allow_cities: setting.list("folded", ["host"]), timeout_s: setting.most(5, 60) };
const verb = verbsFor<typeof settings>();

const current = verb({
  summary: "Weather now",
  effect: "io-read",
  kind: "http",
  determinism: "external",
  args: z.tuple([arg("city", z.string(), { role: "host" }), arg("day", z.string().optional())]),
  options: z.strictObject({ units: z.enum(["si", "us"]).default("si") }),
  result: z.strictObject({ degrees: z.number() }),
  errors: ["ADAPTER_NOT_FOUND", "ADAPTER_WEATHER_CLOSED"],
  examples: [{ source: 'R weather.current "Oslo" ->w', result: { degrees: 3 } }],
  run: () => ({ degrees: 3 }),
});
const report = verb({
  summary: "Reports the weather",
  effect: "io-write",
  kind: "http",
  idempotent: "keyed",
  determinism: "external",
  args: z.tuple([arg("city", id(), { class: "word" })], arg("readings", z.number())),
  options: z.strictObject({ idempotency_key: z.string().optional() }),
  result: z.null(),
  run: () => null,
});

const WEATHER: AdapterDefinition = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "weather",
  version: "1.2.0",
  summary: "Weather of places",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  settings,
  settingAliases: { cities: "allow_cities" },
  verbs: { current, report },
  aliases: { now: "current" },
});

const broken = (change: object): readonly string[] =>
  definitionIssues({ ...WEATHER, ...change }).map(({ path, message }) => `${path} ${message}`);
const brokenVerb = (change: object): readonly string[] => broken({ verbs: { current: { ...current, ...change } } });

describe("a definition", () => {
  it("that keeps the rules passes", () => {
    expect(definitionIssues(WEATHER)).toEqual([]);
  });

  it("is data for the compiler", () => {
    expect(catalogEntryOf(WEATHER)).toEqual({
      name: "weather",
      support_tier: "extension_ecosystem",
      effect_default: "io",
      recommended_lane: "noncanonical",
      privilege_tier: "network",
      destructive: true,
      network_facing: true,
      sandbox_safe: false,
      durable: false,
      open_verbs: false,
      verbs: [
        {
          name: "current",
          effect_tier: "io-read",
          kind: "http",
          destructive: false,
          idempotent: true,
          parameters: [
            { name: "city", class: "operand", optional: false, repeat: false, role: "host", types: ["text"] },
            { name: "day", class: "operand", optional: true, repeat: false, types: ["text"] },
            { name: "options", class: "operand", optional: true, repeat: false, types: ["object"] },
          ],
          options: '{units?:"si"|"us"|null}',
          result: "{degrees:number}",
        },
        {
          name: "report",
          effect_tier: "io-write",
          kind: "http",
          destructive: true,
          idempotent: "keyed",
          parameters: [
            { name: "city", class: "word", optional: false, repeat: false },
            { name: "readings", class: "operand", optional: true, repeat: true },
            { name: "options", class: "operand", optional: true, repeat: false },
          ],
          options: "{idempotency_key?:text|null}",
          result: "null",
        },
      ],
      aliases: { NOW: "current" },
    });
    expect(adapterSettingsOf(WEATHER)).toEqual({
      settings: {
        timeout_s: { kind: "min" },
        max_result_bytes: { kind: "min" },
        allow_cities: { kind: "intersect", elements: "folded" },
      },
      aliases: { cities: "allow_cities" },
      admits: { host: "allow_cities" },
    });
  });

  it("without any effect is pure by default, and a form with fewer places makes the others optional", () => {
    const pure = verb({
      summary: "Nothing",
      effect: "pure",
      determinism: "pure",
      args: z.tuple([arg("a", z.number()), arg("b", z.number())]),
      forms: [z.tuple([arg("a", z.number())])],
      result: z.null(),
      run: () => null,
    });
    const entry = catalogEntryOf({ ...WEATHER, verbs: { pure }, verbFallback: "pure" });
    expect(entry).toMatchObject({ effect_default: "pure", destructive: false, open_verbs: true });
    expect(entry.verbs[0]).toMatchObject({ kind: "compute", idempotent: true });
    expect(entry.verbs[0]?.parameters?.map(({ optional }) => optional)).toEqual([false, true]);
  });

  it.each([
    ["null", null],
    ["a list", []],
    ["a text", "weather"],
    ["an empty object", {}],
  ])("that is %s is refused", (_what, value) => {
    expect(definitionIssues(value).length).toBeGreaterThan(0);
  });

  it.each([
    ["another version of the shape", { apiVersion: 2 }, "/apiVersion"],
    ["an unknown member", { netwrokFacing: true }, "/ "],
    ["a name with a capital letter", { name: "Weather" }, "/name"],
    ["an invalid version", { version: "1.2" }, "/version"],
    ["an unknown service", { needs: ["shell"] }, "/needs/0"],
    ["a secret in lower case", { secrets: { key: { summary: "key", required: true } } }, "/secrets/key"],
    ["a verb with an unknown member", { verbs: { current: { ...current, efect: "pure" } } }, "/verbs/current"],
    ["a verb without result", { verbs: { current: { ...current, result: undefined } } }, "/verbs/current/result"],
    ["a verb name with a point", { verbs: { "a.b": current } }, "/verbs/a.b"],
    ["a verb name that moves the cursor", { verbs: { "a\u001b[2J": current } }, "/verbs/a\\x1b[2J"],
    ["a summary of two lines", { summary: "one\ntwo" }, "/summary has line breaks"],
    ["a summary that moves the cursor", { summary: "\u001b[2J" }, "/summary has line breaks"],
    [
      "an argument whose name turns the line",
      { verbs: { current: { ...current, args: z.tuple([arg("\u202ecity", z.string())]) } }, aliases: {} },
      "/verbs/current/args/0 its name or description",
    ],
    [
      "an option that tells a second line",
      {
        verbs: { current: { ...current, options: z.strictObject({ units: z.string().optional().describe("a\nb") }) } },
        aliases: {},
      },
      "/verbs/current/options/units its name or description",
    ],
    [
      "a setting that tells a second line",
      { settings: { timeout_s: setting.most(3).describe("a\rb") }, settingAliases: {} },
      "/settings/timeout_s its name or description",
    ],
    ["no verb", { verbs: {}, aliases: {} }, "/verbs "],
    ["two verbs of one spelling", { verbs: { current, CURRENT: current } }, "/verbs/CURRENT reads like"],
    ["an alias that shadows a verb", { aliases: { Report: "current" } }, "/aliases/Report shadows"],
    ["an alias of nothing", { aliases: { now: "later" } }, "/aliases/now means no verb"],
    ["a fallback to nothing", { verbFallback: "later" }, "/verbFallback"],
    ["a privilege below its verbs", { privilege: "pure" }, "/privilege is weaker than a verb"],
    ["a privilege below the network", { privilege: "local_state" }, "/privilege is weaker than networkFacing"],
    ["a network that is denied", { networkFacing: false }, "/networkFacing"],
    ["a destruction that is denied", { destructive: false }, "/destructive"],
    ["a setting without merge", { settings: { region: z.string().optional() } }, "/settings/region does not say"],
    ["a permission that is a number", { settings: { allow_n: setting.most(3) } }, "/settings/allow_n permits"],
    [
      "a list that may not be empty",
      { settings: { allow_x: z.array(z.string()).min(1).optional().meta({ merge: "intersect" }) } },
      "/settings/allow_x does not accept []",
    ],
    [
      "a bound that must be given",
      { settings: { most: z.number().meta({ merge: "min" }) } },
      "/settings/most has neither",
    ],
    ["an alias of no setting", { settingAliases: { towns: "allow_towns" } }, "/settingAliases/towns means"],
    ["an alias over a setting", { settingAliases: { timeout_s: "allow_cities" } }, "/settingAliases/timeout_s shadows"],
    [
      "an alias over a list of the operator's",
      {
        settings: { ...settings, towns: setting.operator(z.array(z.string())) },
        settingAliases: { towns: "allow_cities" },
      },
      "/settingAliases/towns shadows",
    ],
  ])("with %s is refused", (_what, change, expected) => {
    const found = broken(change);
    expect(found.filter((one) => one.startsWith(expected))).not.toEqual([]);
  });

  it.each([
    ["a write that is deterministic", { effect: "io-write", determinism: "pure" }, "/verbs/current writes"],
    ["a read of no kind", { kind: undefined }, "/verbs/current reads or writes"],
    ["something pure that destroys", { effect: "pure", destructive: true }, "/verbs/current is pure"],
    ["a timeout above its ceiling", { timeoutMs: 9, maxTimeoutMs: 8 }, "/verbs/current/timeoutMs"],
    ["a key that cannot be given", { idempotent: "keyed" }, "/verbs/current/options a keyed verb"],
    ["a code of another adapter", { errors: ["ADAPTER_OTHER_CLOSED"] }, "/verbs/current/errors"],
    ["an argument without name", { args: z.tuple([z.string()]) }, "/verbs/current/args/0 has no name"],
    [
      "an optional argument before a required one",
      { args: z.tuple([arg("a", z.string().optional()), arg("b", z.string())]) },
      "/verbs/current/args/0 is optional",
    ],
    [
      "options after any number of objects",
      { args: z.tuple([arg("a", z.string())], arg("all", z.record(z.string(), z.number()))) },
      "/verbs/current/options cannot be distinguished",
    ],
    ["options that take anything", { options: z.looseObject({}) }, "/verbs/current/options must be a strict object"],
    [
      "an example that is not Weft",
      { examples: [{ source: "R weather.current ((", result: { degrees: 1 } }] },
      "/verbs/current/examples/0 is not Weft",
    ],
    [
      "an example with another result",
      { examples: [{ source: 'R weather.current "Oslo" ->w', result: "3 degrees" }] },
      "/verbs/current/examples/0/result",
    ],
  ])("with %s in a verb is refused", (_what, change, expected) => {
    expect(brokenVerb(change).filter((one) => one.startsWith(expected))).not.toEqual([]);
  });
});
