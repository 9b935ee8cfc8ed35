/** Grants for tests: written short, and generated with overlapping names so that merges have something to decide. */
import fc from "fast-check";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { EMPTY_GRANT, type Grant } from "../../vm/grant/grant.ts";
import { type GrantResult, normalizeGrant, type Origin } from "../../vm/grant/normalize-grant.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";

export function read(value: unknown, origin: Origin = "operator"): GrantResult {
  return normalizeGrant(value, origin, { catalog: builtinCatalog });
}

/** A grant that must be valid. */
export function grant(value: object): Grant {
  const result = read(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.grant;
}

const names = (...words: string[]) => fc.uniqueArray(fc.constantFrom(...words), { maxLength: 5 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const hosts = names(
  "example.com",
  "*.example.com",
  "a.example.com",
  "*.a.example.com",
  "a.example.com:443",
  "10.0.0.0/8",
  "10.1.0.0/16",
  "10.1.2.3",
  "[fd00::]/8",
  "[fd00::1]:80",
);
const paths = fc.constantFrom("/", "/data", "/data/a", "/data/ab", "/data/a/../a/b", "/other");
const figure = fc.integer({ min: 0, max: 9 });

const constraints = fc.record(
  {
    http: fc.record(
      { allow_hosts: hosts, timeout_s: figure, allow_private: fc.boolean(), allow_ports: fc.uniqueArray(figure) },
      { requiredKeys: [] },
    ),
    fs: fc.record(
      { sandbox_root: paths, allow_extensions: names(".txt", "md", ".MD", ""), allow_delete: fc.boolean() },
      { requiredKeys: [] },
    ),
    wasm: fc.record({ modules: fc.dictionary(fc.constantFrom("m", "n"), paths) }, { requiredKeys: [] }),
    tools: fc.record({ tools: fc.constantFrom<unknown>({ a: 1 }, { a: 2 }, null) }, { requiredKeys: [] }),
    // An unknown plugin: merged by type.
    plugin: fc.record(
      { x: fc.oneof(figure, fc.boolean(), fc.constantFrom<unknown>("t", "u", null, [1, "a"], ["a", 10, 9], [9, 10])) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const written = fc.record(
  {
    allowed_adapters: fc.option(names("core", "http", "fs", "cache", "tools")),
    forbidden_adapters: names("http", "fs", "db"),
    forbidden_effects: names("io", "io-write", "network"),
    forbidden_effect_tiers: names("io-read", "control"),
    forbidden_privilege_tiers: names("local_state", "network"),
    forbidden_destructive: fc.boolean(),
    limits: fc.record(Object.fromEntries(LIMIT_KEYS.map((key) => [key, optional(fc.integer({ min: 1, max: 99 }))])), {
      requiredKeys: [],
    }),
    adapter_constraints: constraints,
  },
  { requiredKeys: [] },
);

export const grants: fc.Arbitrary<Grant> = written.map((value) => grant(withoutUndefined(value)));

function withoutUndefined(value: object): object {
  return JSON.parse(JSON.stringify(value));
}

export const empty = EMPTY_GRANT;
