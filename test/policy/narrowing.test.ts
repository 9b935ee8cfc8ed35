/**
 * No setting of any adapter can be widened by a caller. Each kind of setting has a test here of its own, written from what the setting
 * admits and not from how it merges, and every setting of every adapter is tried: a new kind fails until it is added.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adapterSettingsOf } from "../../adapters/definition/catalog-entry.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { type AdapterSettings, builtinSettings, type SettingDefinition } from "../../compiler/catalog/settings.ts";
import { admitsEvent } from "../../compiler/events.ts";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { admit, OPEN_SERVER } from "../../vm/admission/admit.ts";
import type { Grant } from "../../vm/grant/grant.ts";
import { admitsHost } from "../../vm/grant/host-patterns.ts";
import { hasConflict, mergeGrants } from "../../vm/grant/merge.ts";
import { constraintsOf, normalizeGrant } from "../../vm/grant/normalize-grant.ts";
import { ANY_PLACE } from "../../vm/grant/places.ts";

const HOSTS = [
  "example.com",
  "*.example.com",
  "a.example.com:443",
  "10.0.0.0/8",
  "10.1.2.3",
  "[fd00::]/8",
  "localhost",
];
const TRIED_HOSTS: readonly (readonly [string, number])[] = HOSTS.flatMap((pattern) => {
  const host = pattern
    .replace(/^\*/, "b")
    .replace(/\/\d+$/, "")
    .replace(/:443$/, "");
  return [80, 443].map((port) => [host.replace(/^\[|\]$/g, ""), port] as const);
});
const EVENTS = ["a", "a/b", "a/*", "a/b*", "*", "b", "", "/a"];
const TEXTS = ["a", "A", ".txt", "txt", "", "*@b.example"];
const PATHS = ["/", "/srv", "/srv/a", "/srv/a/b.wasm", "/srv/a/../c", "/srvx", ":memory:"];
const HASHES = ["a".repeat(64), "b".repeat(64)];

/** Values that somebody may write for a setting: valid ones, and those of other types. */
function valuesOf({ kind, elements, map }: SettingDefinition): fc.Arbitrary<Json> {
  const path = fc.constantFrom(...PATHS);
  const pinned = fc.record({ file: path, sha256: fc.constantFrom(...HASHES) });
  const written: Record<SettingDefinition["kind"], fc.Arbitrary<Json>> = {
    intersect:
      elements === "number"
        ? fc.uniqueArray(fc.integer({ min: 0, max: 9 }))
        : fc.uniqueArray(fc.constantFrom(...(elements === "host" ? HOSTS : elements === "event" ? EVENTS : TEXTS))),
    min: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0.5, 1e18, 0)),
    and: fc.boolean(),
    within: map === true ? fc.dictionary(fc.constantFrom("m", "n", "o"), fc.oneof(path, pinned)) : path,
    server: fc.constantFrom<Json>("x", "y", 1, true, null, {}, { a: 1 }, []),
  };
  const odd = fc.constantFrom<Json>(null, true, -1, "x", [], {}, { $conflict: true }, [null]);
  return fc.oneof({ arbitrary: written[kind], weight: 9 }, { arbitrary: odd, weight: 1 });
}

const contains = (outer: string, inner: string): boolean =>
  outer === inner || (inner.startsWith("/") && inner.startsWith(outer === "/" ? "/" : `${outer}/`));

/** Whether what `value` admits is admitted by `granted`, too. A conflict admits nothing. */
function isNoWider(value: Json | undefined, granted: Json, definition: SettingDefinition): boolean {
  if (value === undefined) return false;
  if (isObject(value) && Object.hasOwn(value, "$conflict")) return true;
  switch (definition.kind) {
    case "min":
      return Number(value) <= Number(granted);
    case "and":
      return value === false || granted === true;
    case "server":
      return JSON.stringify(value) === JSON.stringify(granted);
    case "intersect":
      return isNoLongerList(value as readonly Json[], granted as readonly Json[], definition);
    case "within":
      return definition.map === true
        ? areNoWiderMembers(value as JsonObject, granted as JsonObject)
        : contains(String(granted), String(value));
  }
}

function isNoLongerList(value: readonly Json[], granted: readonly Json[], { elements }: SettingDefinition): boolean {
  if (elements === "event")
    return value.every((one) => granted.some((pattern) => admitsEvent(String(pattern), String(one))));
  if (elements !== "host") return value.every((one) => granted.includes(one));
  const admits = (list: readonly Json[], [host, port]: readonly [string, number]): boolean =>
    list.some((pattern) => admitsHost(String(pattern), host, port));
  return TRIED_HOSTS.every((tried) => !admits(value, tried) || admits(granted, tried));
}

/** Every member is one that was granted: the same file or one in the folder, and with the hash that was asked for. */
function areNoWiderMembers(value: JsonObject, granted: JsonObject): boolean {
  return Object.entries(value).every(([name, member]) => {
    const given = Object.hasOwn(granted, name) ? granted[name] : undefined;
    if (given === undefined) return false;
    if (hasConflict(member)) return true;
    const [got, had] = [member, given].map((one) => (isObject(one) ? one : { file: one, sha256: null }));
    const pin = had?.["sha256"] ?? null;
    return contains(String(had?.["file"]), String(got?.["file"])) && (pin === null || got?.["sha256"] === pin);
  });
}

const SETTINGS = [...builtinSettings].flatMap(([adapter, known]) =>
  Object.entries(known.settings).map(([name, definition]) => ({ adapter, name, definition, known })),
);

function section({ settings }: AdapterSettings, name: string): fc.Arbitrary<JsonObject> {
  const all = Object.fromEntries(Object.entries(settings).map(([one, definition]) => [one, valuesOf(definition)]));
  // The setting that is tried is there more often than the others, which may change what it means.
  return fc.record(all, { requiredKeys: [name] }) as fc.Arbitrary<JsonObject>;
}

function operatorGrant(adapter: string, settings: JsonObject): Grant | null {
  const read = normalizeGrant({ adapter_constraints: { [adapter]: settings } }, "operator", {
    catalog: builtinCatalog,
  });
  return read.ok ? read.grant : null;
}

describe("a caller's settings", () => {
  it.each(SETTINGS)("never widen $adapter, $name", ({ adapter, name, definition, known }) => {
    let tried = 0;
    fc.assert(
      fc.property(valuesOf(definition), section(known, name), (granted, asked) => {
        const server = operatorGrant(adapter, { [name]: granted });
        if (server === null) return;
        const admission = admit(
          { adapters: { enable: [adapter], [adapter]: asked } },
          {
            catalog: builtinCatalog,
            settings: builtinSettings,
            server: { ...OPEN_SERVER, sides: [{ source: "server", grant: server }], places: ANY_PLACE },
            merged: server,
          },
        );
        if (!admission.ok) return;
        const had = constraintsOf(server, adapter)[name];
        // A list under the name of an object that the operator declares means another setting.
        if (had === undefined) return;
        const got = constraintsOf(admission.grant, adapter)[name];
        tried += 1;
        if (!isNoWider(got, had, definition)) throw new Error(JSON.stringify({ had, asked: asked[name], got }));
      }),
      { numRuns: 100 },
    );
    expect(tried).toBeGreaterThan(20);
  });

  it.each(SETTINGS.filter(({ definition }) => definition.kind === "server"))(
    "cannot give $adapter, $name, which is the operator's",
    ({ adapter, name }) => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 2 }), (value) => {
          const read = normalizeGrant({ adapter_constraints: { [adapter]: { [name]: value } } }, "caller", {
            catalog: builtinCatalog,
          });
          const { aliases } = builtinSettings.get(adapter) as AdapterSettings;
          // A list under the name of an object that the operator declares means the list that narrows it.
          const means = Array.isArray(value) && Object.hasOwn(aliases, name);
          expect(read.ok && Object.hasOwn(constraintsOf(read.grant, adapter), name)).toBe(false);
          if (!means) expect(read).toMatchObject({ ok: false, issues: [{ code: "not_yours" }] });
        }),
        { numRuns: 30 },
      );
    },
  );

  it.each(SETTINGS.filter(({ definition }) => definition.operatorGrants === true))(
    "cannot set $adapter, $name to true where the operator said nothing or false",
    ({ adapter, name }) => {
      for (const granted of [null, false, true]) {
        const server = operatorGrant(adapter, granted === null ? {} : { [name]: granted }) as Grant;
        const admission = admit(
          { adapters: { enable: [adapter], [adapter]: { [name]: true } } },
          {
            catalog: builtinCatalog,
            settings: builtinSettings,
            server: { ...OPEN_SERVER, sides: [{ source: "server", grant: server }] },
            merged: server,
          },
        );
        if (!admission.ok) throw new Error(JSON.stringify(admission));
        expect(constraintsOf(admission.grant, adapter)[name]).toBe(granted ?? undefined);
        const told = [`setting_clamped: only the operator can set ${adapter}.${name} to true`];
        expect(admission.warnings).toEqual(granted === true ? [] : told);
      }
    },
  );

  it("cannot add a module to a folder of the operator's", () => {
    const server = operatorGrant("wasm", { modules_dir: "/srv/modules" }) as Grant;
    const caller = normalizeGrant({ adapter_constraints: { wasm: { modules: { m: "/data/m.wasm" } } } }, "caller", {
      catalog: builtinCatalog,
    });
    if (!caller.ok) throw new Error("valid");
    expect(constraintsOf(mergeGrants(server, caller.grant), "wasm")["modules"]).toEqual({});
  });

  it("are those of the definitions, so that none is left out here", async () => {
    const defined = await Promise.all(
      Object.entries(BUILTIN_LOADERS).map(async ([adapter, load]) =>
        Object.keys(adapterSettingsOf(await load()).settings).map((name) => `${adapter}.${name}`),
      ),
    );
    const tried = SETTINGS.map(({ adapter, name }) => `${adapter}.${name}`);
    expect(tried).toEqual(expect.arrayContaining(defined.flat()));
  });
});
