/** Gateways for tests: a linker that writes down what it is asked for, and requests of every shape. */
import fc from "fast-check";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { type Admission, OPEN_SERVER, type ServerSide } from "../../vm/admission/admit.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import type { AdapterLinker } from "../../vm/admission/prepare.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { createGateway, type Gateway } from "../../vm/gateway.ts";
import type { Constraints } from "../../vm/grant/grant.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { irOf, type World, world } from "../support/world.ts";

type Asked = { readonly name: string; readonly constraints: Constraints };

export type TestGateway = {
  readonly gateway: Gateway;
  readonly place: World;
  /** Adapters that were linked, with their settings. */
  readonly linked: readonly Asked[];
  /** Calls that were really made, as `adapter.verb`. */
  readonly called: readonly string[];
  run(source: string, request?: CallerRequest): Promise<RunAnswer | { readonly refused: unknown }>;
};

/** Every adapter of the catalog answers every verb with its arguments. */
export function testGateway(server: Partial<ServerSide> = {}): TestGateway {
  const place = world();
  const linked: Asked[] = [];
  const called: string[] = [];
  const linker: AdapterLinker = {
    settings: builtinSettings,
    async link(name, constraints) {
      linked.push({ name, constraints });
      if (name === "core" || name === "svc") return { ok: true, adapter: null, warnings: [] };
      const fallback = (verb: string) => (args: readonly Json[]) => {
        called.push(`${name}.${verb}`);
        return [...args];
      };
      return { ok: true, adapter: plainAdapter(name, {}, { fallback }), warnings: [] };
    },
  };
  const gateway = createGateway(place.host, linker, { ...OPEN_SERVER, ...server });
  return {
    gateway,
    place,
    linked,
    called,
    async run(source, request = {}) {
      const admission = gateway.admit(request);
      if (!admission.ok) return { refused: admission };
      const prepared = await gateway.prepare(irOf(source, { strict: false }), admission);
      return prepared.ok ? gateway.run(prepared) : { refused: prepared };
    },
  };
}

/** An admission that must be granted. */
export function admitted({ gateway }: Pick<TestGateway, "gateway">, request: CallerRequest): Admission {
  const admission = gateway.admit(request);
  if (!admission.ok) throw new Error(JSON.stringify(admission.issues));
  return admission;
}

/** The warnings of a program before it runs. */
export async function prepared(bench: TestGateway, source: string, request: CallerRequest = {}) {
  return bench.gateway.prepare(irOf(source, { strict: false }), admitted(bench, request));
}

export function program(...steps: readonly string[]): string {
  return `L1:\n${steps.map((step) => `  ${step}\n`).join("")}`;
}

/** Values that an attacker might put in any place. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(0, -1, 1, 1e9, 2 ** 53, -(2 ** 53), 1.5, "9", "", true, false, null, [], {}),
  fc.constantFrom<unknown>("*", "/", "/etc", "../..", ["*"], [["core"]], [null], ["http", "HTTP "], {
    $conflict: true,
  }),
  fc.constant(JSON.parse('{"__proto__": {"max_steps": 1000000000}}')),
  fc.jsonValue({ maxDepth: 2 }),
);
const names = fc.constantFrom("core", "http", "fs", "sqlite", "cache", "db", "tools", "svc", "nosuch", "__proto__");
const lists = fc.oneof(fc.array(names, { maxLength: 4 }), odd);
const limitKeys = fc.constantFrom(
  "max_steps",
  "max_depth",
  "max_adapter_calls",
  "max_time_ms",
  "max_frame_bytes",
  "max_loop_iters",
  "max_stps",
  "__proto__",
);
const settingNames = fc.constantFrom(
  "allow_hosts",
  "allow_private",
  "allow_write",
  "timeout_s",
  "sandbox_root",
  "root",
  "db_path",
  "tools",
  "modules",
  "allow_env",
  "max_rows",
  "__proto__",
  "constructor",
);
const objects = <T>(keys: fc.Arbitrary<string>, values: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.tuple(keys, values), { maxLength: 4 }).map(ownMembers) },
    { weight: 1, arbitrary: odd },
  );

/** `__proto__` as a member of its own, as JSON gives it. */
function ownMembers(entries: readonly (readonly [string, unknown])[]): unknown {
  return JSON.parse(
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value ?? null)}`).join(",")}}`,
  );
}

const positive = fc.oneof(fc.integer({ min: 1, max: 2_000_000 }), odd);
const policyKeys = fc.constantFrom("forbidden_adapters", "forbidden_effects", "forbidden_privilege_tiers", "allow");

/** Requests: nearly valid ones, and any JSON in any place. */
export const requests: fc.Arbitrary<CallerRequest> = fc.record(
  {
    allowed_adapters: lists,
    policy: objects(policyKeys, lists),
    limits: objects(limitKeys, positive),
    adapters: objects(fc.oneof(names, fc.constant("enable")), fc.oneof(objects(settingNames, odd), lists)),
  },
  { requiredKeys: [] },
);

export const irs = {
  pure: irOf(program("R core.ADD 1 2 ->a", "J a")),
  http: irOf(program('R http.Get "https://example.com/" ->a', "J a"), { strict: false }),
  write: irOf(program('R fs.write "a.txt" "x" ->a', "J a"), { strict: false }),
} satisfies Record<string, Ir>;
