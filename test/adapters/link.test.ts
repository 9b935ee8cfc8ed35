/** From a definition and constraints to an adapter: complete frozen settings, verbs by any spelling, bounds of a call. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AdapterDefinition,
  anyJson,
  arg,
  defineAdapter,
  setting,
  verbsFor,
  z,
} from "../../adapters/definition/define.ts";
import { type LinkDeps, linkAdapter, settingsOf } from "../../adapters/definition/link.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { Adapter, BoundCall, CallContext, RunScope } from "../../vm/adapter.ts";
import { CONFLICT } from "../../vm/grant/grant.ts";
import { NO_PLACES, PROBE } from "../support/adapter-bench.ts";
import { verifies } from "../support/requirements.ts";

const settings = {
  allow_names: setting.list(),
  allow_write: setting.allow(false),
  max_rows: setting.most(100, 1000),
  timeout_s: setting.bound(20),
  root: setting.place(),
  modules: setting.places(),
  declared: setting.operator(z.record(z.string(), z.strictObject({ argv: z.array(z.string()) })).default({})),
};
const verb = verbsFor<typeof settings, string>();
const facts = { summary: "s", kind: "fs", determinism: "state", result: anyJson() } as const;
const options = z.strictObject({ timeout_s: z.number().positive().optional(), idempotency_key: z.string().optional() });

const definition: AdapterDefinition = defineAdapter<typeof settings, string>({
  ...PROBE,
  settings,
  aliases: { FETCH: "read_all" },
  verbFallback: "read_all",
  open: ({ settings, secret, now, run }) => `${settings.max_rows} ${typeof secret} ${now()} ${run.traceId}`,
  close: () => {},
  verbs: {
    read_all: verb({
      ...facts,
      effect: "io-read",
      timeoutMs: 2_000,
      maxTimeoutMs: 10_000,
      maxResultBytes: 500,
      args: z.tuple([arg("first", z.string().optional())], arg("value", z.string())),
      options,
      run: ({ args, settings, instance }) => ({ args: [...args], rows: settings.max_rows, instance }),
    }),
    Put: verb({
      ...facts,
      effect: "io-write",
      idempotent: "keyed",
      args: z.tuple([arg("value", z.string())]),
      options,
      run: ({ ctx }) => ctx.idempotencyKey,
    }),
    drop: verb({ ...facts, effect: "io-write", args: z.tuple([]), options, run: () => null }),
    touch: verb({ ...facts, effect: "io-write", idempotent: true, args: z.tuple([]), run: () => null }),
  },
});

const deps: LinkDeps = {
  services: { places: NO_PLACES } as LinkDeps["services"],
  secret: async (name) => `${name}!`,
  log: () => {},
  now: () => 7,
};

function linked(constraints: JsonObject = {}): Adapter {
  const read = linkAdapter(definition, constraints, deps);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.adapter;
}
const bound = (word: string, constraints: JsonObject = {}, ...args: JsonObject[]): BoundCall => {
  const found = linked(constraints).verb(word);
  if (found === undefined) throw new Error("no such verb");
  return found.bind(args);
};
const context = { callId: "c1" } as CallContext;
const scope = { traceId: "t1" } as RunScope;

describe("settings", () => {
  it("are complete, frozen through and through, and clamped to their ceilings", () => {
    const read = settingsOf(definition, { max_rows: 5000, declared: { a: { argv: ["x"] } }, allow_names: ["n"] });
    expect(read).toEqual({
      ok: true,
      settings: {
        allow_names: ["n"],
        allow_write: false,
        max_rows: 1000,
        timeout_s: undefined,
        max_result_bytes: undefined,
        root: undefined,
        modules: {},
        declared: { a: { argv: ["x"] } },
      },
      warnings: ["setting_clamped: probe.max_rows is at most 1000"],
    });
    if (!read.ok) throw new Error("valid");
    const every = (value: unknown): boolean =>
      typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(every));
    expect(every(read.settings)).toBe(true);
  });

  it("absent and [] are not the same", () => {
    verifies("grant.empty-list");
    for (const given of [{}, { allow_names: [] }])
      expect(settingsOf(definition, given)).toMatchObject({ ok: true, settings: given });
    expect(settingsOf(definition, {})).not.toMatchObject({ settings: { allow_names: [] } });
  });

  it.each<[string, JsonObject, string, string]>([
    ["an unknown name", { max_row: 1 }, "/adapters/probe/max_row", "unknown_setting"],
    ["a wrong type", { max_rows: "many" }, "/adapters/probe/max_rows", "type"],
    ["a value below its range", { max_result_bytes: 0 }, "/adapters/probe/max_result_bytes", "type"],
    ["sides that exclude each other", { root: CONFLICT }, "/adapters/probe/root", "conflict"],
    ["a place that two sides exclude", { modules: { m: CONFLICT } }, "/adapters/probe/modules", "conflict"],
    ["an inner member of another type", { declared: { a: { argv: "rm" } } }, "/adapters/probe/declared/a/argv", "type"],
  ])("with %s are refused without the value", (_what, given, path, code) => {
    const read = settingsOf(definition, given);
    expect(read).toMatchObject({ ok: false, issues: [{ path, code }] });
    expect(JSON.stringify(read)).not.toMatch(/many|rm"/);
  });

  it("that are needed and missing are named without the words of a schema", () => {
    const needy = { ...definition, settings: { ...definition.settings, home: setting.operator(z.string()) } };
    expect(settingsOf(needy as unknown as AdapterDefinition, {})).toMatchObject({
      issues: [{ path: "/adapters/probe/home", message: "probe.home: it must be given" }],
    });
  });

  it("of any JSON are read without throwing", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(settings), "__proto__", "x"), fc.jsonValue()),
        (given) => {
          const read = settingsOf(definition, given as JsonObject);
          if (read.ok) expect(read.settings["max_rows"]).toBeLessThanOrEqual(1000);
          else expect(read.issues.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("verbs", () => {
  it.each(["read_all", "READ_ALL", "Read.All", "fetch", "Fetch"])("%s is found", (word) => {
    expect(linked().verb(word)?.name).toBe("read_all");
    expect(bound(word).run("i", context)).toMatchObject({ args: [], instance: "i" });
  });

  it("an unknown one is the first argument of the fallback, as it is written", () => {
    expect(bound("Resize.It").run("i", context)).toMatchObject({ args: ["Resize.It"] });
    const { verbFallback, ...closed } = definition;
    const read = linkAdapter(closed, {}, deps);
    expect(verbFallback).toBe("read_all");
    expect(read.ok && read.adapter.verb("Resize")).toBe(undefined);
    expect(read.ok && read.adapter.verb("__proto__")).toBe(undefined);
  });

  it("open is given settings, secrets and the run", () => {
    expect(linked({ max_rows: 3 }).open?.(scope)).toBe("3 function 7 t1");
  });

  it("keyed ones have the option as key, else the call id", () => {
    const put = linked().verb("put");
    expect(put?.bind(["x"]).run("i", context)).toBe("c1");
    expect(put?.bind(["x", { idempotency_key: "k" }]).run("i", context)).toBe("k");
  });

  it("writes may be repeated when they are idempotent or keyed", () => {
    const repeatable = (word: string, ...args: readonly (string | JsonObject)[]): boolean | undefined =>
      linked().verb(word)?.bind(args).repeatable;
    expect([repeatable("read_all"), repeatable("Put", "x"), repeatable("drop"), repeatable("touch")]).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

describe("what an adapter works with", () => {
  const settings = {
    url: setting.configures(z.string().optional()),
    accounts: setting.configures(z.record(z.string(), z.string()).default({})),
  };
  const needing = (constraints: JsonObject): string | undefined => {
    const verbs = {
      act: verbsFor<typeof settings>()({ ...facts, effect: "io-read", args: z.tuple([]), run: () => null }),
    };
    const read = linkAdapter(defineAdapter<typeof settings>({ ...PROBE, settings, verbs }), constraints, deps);
    if (!read.ok) throw new Error(JSON.stringify(read.issues));
    return read.adapter.lacks;
  };

  it("is missing as long as no setting of that kind says anything", () => {
    const lacks = `${PROBE.name} is not configured: the operator must set ${PROBE.name}.url or ${PROBE.name}.accounts`;
    expect(needing({})).toBe(lacks);
    expect(needing({ accounts: {} })).toBe(lacks);
    expect(needing({ accounts: { a: "x" } })).toBe(undefined);
    expect(needing({ url: "x" })).toBe(undefined);
  });

  it("is nothing for those without such settings", () => {
    expect(linked().lacks).toBe(undefined);
  });
});

describe("the time of a call", () => {
  it.each<[string, number | null, number | null, number]>([
    ["is the verb's own", null, null, 2_000],
    ["is the option", 3, null, 3_000],
    ["is the setting", null, 4, 4_000],
    ["is the smaller of both: the option", 3, 4, 3_000],
    ["is the smaller of both: the setting", 5, 4, 4_000],
    ["is at most the verb's ceiling", 15, null, 10_000],
    ["is at most the verb's ceiling, whatever the setting", 30, 18, 10_000],
    ["may be a fraction of a second", 0.25, null, 250],
  ])("%s", (_what, option, given, expected) => {
    const args = option === null ? [] : [{ timeout_s: option }];
    expect(bound("read_all", given === null ? {} : { timeout_s: given }, ...args).timeoutMs).toBe(expected);
  });

  it("has defaults", () => {
    expect(bound("drop")).toMatchObject({ timeoutMs: 5_000, maxResultBytes: 1_048_576 });
    expect(bound("drop", {}, { timeout_s: 1e6 }).timeoutMs).toBe(60_000);
  });

  it("bounds of answers are the verb's, lowered by the setting only", () => {
    expect(bound("read_all").maxResultBytes).toBe(500);
    expect(bound("read_all", { max_result_bytes: 20 }).maxResultBytes).toBe(20);
    expect(bound("read_all", { max_result_bytes: 5000 }).maxResultBytes).toBe(500);
  });
});
