/**
 * From a definition and the settings of one grant to an adapter that runs can use: settings are checked, completed with defaults,
 * clamped to their ceilings and frozen; verbs are found by any spelling. Nothing is opened here, so linking has no effect
 * outside the process and its result can be kept for all runs under the same grant.
 */
import type { JsonObject } from "../../compiler/json.ts";
import type { InputIssue } from "../../compiler/policy/policy.ts";
import { listed } from "../../grammar/text/english.ts";
import { type Adapter, type AdapterVerb, type CallContext, foldVerb, type RunScope } from "../../vm/adapter.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { hasConflict } from "../../vm/grant/merge.ts";
import type { Charge } from "../../vm/usage.ts";
import { runAdapterLog } from "./adapter-log.ts";
import { binderOf, COMMON_SETTINGS, type CommonSettings, type Completed } from "./bind.ts";
import type { AdapterDefinition, OpenCall, SettingFacts, VerbContext, z } from "./define.ts";
import type { AdapterLog } from "./effect.ts";
import type { HostServices } from "./host-services.ts";

/** What linked adapters share. */
export type LinkDeps = {
  readonly services: HostServices;
  secret(name: string): Promise<string | undefined>;
  readonly log: AdapterLog;
  /** Wall time in milliseconds since 1970. */
  now(): number;
};

export type LinkedAdapter =
  | { readonly ok: true; readonly adapter: Adapter; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

export type SettingsResult =
  | { readonly ok: true; readonly settings: Readonly<Record<string, unknown>>; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** The complete settings of an adapter under what a grant constrains it to. */
export function settingsOf(definition: AdapterDefinition, constraints: JsonObject): SettingsResult {
  const schemas = { ...COMMON_SETTINGS, ...definition.settings };
  const issues: InputIssue[] = [];
  const warnings: string[] = [];
  const settings: Record<string, unknown> = {};
  const path = (name: string): string => `/adapters/${definition.name}/${name}`;
  for (const name of Object.keys(constraints)) {
    if (Object.hasOwn(schemas, name)) continue;
    issues.push({ path: path(name), code: "unknown_setting", message: `${definition.name} has no setting ${name}` });
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const given = Object.hasOwn(constraints, name) ? constraints[name] : undefined;
    if (given !== undefined && hasConflict(given)) {
      const message = `the values of ${definition.name}.${name} exclude each other`;
      issues.push({ path: path(name), code: "conflict", message });
      continue;
    }
    const facts = (schema.meta() ?? {}) as Partial<SettingFacts>;
    const clamped = facts.max !== undefined && typeof given === "number" && given > facts.max;
    if (clamped) warnings.push(`setting_clamped: ${definition.name}.${name} is at most ${facts.max}`);
    const read = readSetting(schema, clamped ? facts.max : given);
    if (read.ok) settings[name] = frozen(read.value);
    else {
      const said = given === undefined ? "it must be given" : read.said;
      const message = `${definition.name}.${name}${read.inside}: ${said}`;
      issues.push({ path: `${path(name)}${read.inside}`, code: "type", message });
    }
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, settings: Object.freeze(settings), warnings };
}

type ReadSetting =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly inside: string; readonly said: string };

function readSetting(schema: z.ZodType, given: unknown): ReadSetting {
  try {
    const read = schema.safeParse(given);
    if (read.success) return { ok: true, value: read.data };
    const [first] = read.error.issues;
    const inside = first === undefined ? "" : first.path.map((step) => `/${String(step)}`).join("");
    return { ok: false, inside, said: first?.message ?? "not valid" };
  } catch (thrown) {
    // A text that takes too long to compare with the pattern of a plugin.
    if (thrown instanceof AdapterError) return { ok: false, inside: "", said: thrown.message };
    throw thrown;
  }
}

/** An adapter ready for runs under these constraints, or what is wrong with them. */
export function linkAdapter(definition: AdapterDefinition, constraints: JsonObject, deps: LinkDeps): LinkedAdapter {
  const read = settingsOf(definition, constraints);
  if (!read.ok) return read;
  const { settings, warnings } = read;
  return { ok: true, adapter: adapterOf(definition, settings, deps), warnings };
}

function adapterOf(
  definition: AdapterDefinition,
  settings: Readonly<Record<string, unknown>>,
  deps: LinkDeps,
): Adapter {
  const { name, verbFallback } = definition;
  const completed: Completed = (call, idempotencyKey) => new CompleteContext(call, idempotencyKey, deps);
  const verbs = new Map<string, AdapterVerb>();
  for (const [written, verb] of Object.entries(definition.verbs)) {
    const bind = binderOf(verb, settings as CommonSettings, completed, deps.services);
    verbs.set(foldVerb(written), { name: written, effectTier: verb.effect, exact: true, bind });
  }
  for (const [alias, written] of Object.entries(definition.aliases ?? {})) {
    const verb = verbs.get(foldVerb(written));
    if (verb !== undefined) verbs.set(foldVerb(alias), verb);
  }
  const fallback = verbFallback === undefined ? undefined : verbs.get(foldVerb(verbFallback));
  const lacks = lackOf(definition, settings);
  return {
    name,
    ...(lacks === null ? {} : { lacks }),
    concurrent: definition.concurrent === true,
    verb(word) {
      const known = verbs.get(foldVerb(word));
      if (known !== undefined || fallback === undefined) return known;
      return { ...fallback, bind: (args) => fallback.bind([word, ...args]) };
    },
    open: (run) => {
      // `settings` were checked against the definition's own schemas, which is what its functions are typed by.
      const call: OpenCall<unknown> = { settings, host: deps.services, ...shared(deps), run };
      return definition.open?.(call as OpenCall<never>);
    },
    close: (instance) => definition.close?.(instance as never),
    check: async (instance, signal) =>
      definition.check?.({ instance: instance as never, settings: settings as never, signal }),
  };
}

/** Which settings an adapter waits for that it cannot work without; null: none. */
function lackOf({ name, settings }: AdapterDefinition, given: Readonly<Record<string, unknown>>): string | null {
  const configuring = Object.keys(settings).filter((one) => settings[one]?.meta()?.["configures"] === true);
  if (configuring.length === 0 || configuring.some((one) => says(given[one]))) return null;
  return `${name} is not configured: the operator must set ${listed(
    configuring.map((one) => `${name}.${one}`),
    "or",
  )}`;
}

/** Whether a setting has an effect: it is given, and is not an empty list or map. */
function says(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function shared(deps: LinkDeps): Pick<OpenCall<unknown>, "secret" | "log" | "now"> {
  return { secret: (name) => deps.secret(name), log: deps.log, now: () => deps.now() };
}

/** The context of a call with what a definition may use besides. The signal is made only when somebody asks for it. */
class CompleteContext implements VerbContext {
  readonly idempotencyKey: string;
  readonly #call: CallContext;
  readonly #deps: LinkDeps;

  constructor(call: CallContext, idempotencyKey: string, deps: LinkDeps) {
    this.#call = call;
    this.idempotencyKey = idempotencyKey;
    this.#deps = deps;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
  get deadlineMs(): number {
    return this.#call.deadlineMs;
  }
  get callId(): string {
    return this.#call.callId;
  }
  get attempt(): number {
    return this.#call.attempt;
  }
  get traceId(): string {
    return this.#call.traceId;
  }
  get run(): RunScope {
    return this.#call.run;
  }
  get budget(): CallContext["budget"] {
    return this.#call.budget;
  }
  charge(used: Charge): void {
    this.#call.charge?.(used);
  }
  get host(): HostServices {
    return this.#deps.services;
  }
  get log(): AdapterLog {
    return runAdapterLog(this.#deps.log, this.#call.run);
  }
  remainingMs(): number {
    return this.#call.remainingMs();
  }
  extend(ms: number): void {
    this.#call.extend?.(ms);
  }
  now(): number {
    return this.#call.now();
  }
  uuid(): string {
    return this.#call.uuid();
  }
  random(): number {
    return this.#call.random();
  }
  secret(name: string): Promise<string | undefined> {
    return this.#deps.secret(name);
  }
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}
