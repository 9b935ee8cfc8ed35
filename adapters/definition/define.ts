/**
 * How an adapter is written down: one declaration of names, facts, schemas and functions. Argument checks, settings, catalog entry,
 * JSON Schemas, documentation and mocks are all derived from it (`bind.ts`, `link.ts`, `catalog-entry.ts`). Knows no
 * concrete adapter.
 */
import { z } from "zod";
import type { ElementKind, MergeKind } from "../../compiler/catalog/settings.ts";
import type { ParameterRole, PrivilegeTier, TextForm } from "../../compiler/catalog.ts";
import type { Json } from "../../compiler/json.ts";
import type { CallContext, RunScope } from "../../vm/adapter.ts";
import type { AdapterLog, Effect } from "./effect.ts";
import type { HostServices, ServiceName } from "./host-services.ts";

export { z } from "zod";

type Determinism = "pure" | "state" | "clock" | "random" | "external";

export type SettingSchemas = Readonly<Record<string, z.ZodType>>;
/** The settings an adapter receives: merged, checked, complete and frozen. */
export type SettingsOf<S extends SettingSchemas> = { readonly [K in keyof S]: z.output<S[K]> };
/** What `open` is given. */
export type OpenCall<S> = {
  readonly settings: S;
  readonly host: HostServices;
  /** Text of a declared secret; undefined when the host has none of that name. */
  secret(name: string): Promise<string | undefined>;
  readonly log: AdapterLog;
  readonly run: RunScope;
  /** Wall time in milliseconds since 1970. */
  now(): number;
};

/** What a verb may use besides its arguments. */
export type VerbContext = CallContext & {
  /** Of keyed verbs: option `idempotency_key`, else the call id. */
  readonly idempotencyKey: string;
  secret(name: string): Promise<string | undefined>;
  readonly log: AdapterLog;
  readonly host: HostServices;
};

/** What a verb's `run` is given. */
export type VerbCall<A, O, S, I> = {
  readonly args: A;
  readonly options: O;
  readonly settings: S;
  readonly instance: I;
  readonly ctx: VerbContext;
};

/** A step that calls the verb, and what it gives. */
export type Example = {
  readonly source: string;
  readonly settings?: { readonly [name: string]: Json };
  readonly result: Json;
};

type VerbFacts = {
  /** One sentence. */
  readonly summary: string;
  readonly effect: Effect;
  /** A kind of the IR (docs/ir.md); default: compute for pure verbs, control for control verbs. */
  readonly kind?: string;
  /** Default: true for io-write. */
  readonly destructive?: boolean;
  /** Default: true for verbs that do not write. `keyed`: repeating with the same key has one effect. */
  readonly idempotent?: boolean | "keyed";
  readonly determinism: Determinism;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** Ceiling of what option and setting may ask for; default 60,000. */
  readonly maxTimeoutMs?: number;
  /** Default 1 MiB of JSON. */
  readonly maxResultBytes?: number;
  /** How a record holds the arguments; default full. */
  readonly record?: "full" | "hash";
  /** Other spellings of the arguments in the one that the schemas describe; what it does not know it hands back. */
  readonly respell?: (args: readonly Json[]) => readonly Json[];
  /**
   * Values of any kind that say more than JavaScript's keep their texts (`vm/inputs/exact-text.ts`), which `run` writes. `equal`: only people or models
   * read them, and 5 serves as 5.0. Absent: such values are refused, because another one would be written.
   */
  readonly exact?: true | "equal";
  /** Codes besides the common ones. */
  readonly errors?: readonly string[];
  readonly examples?: readonly Example[];
};

type HarmlessCall<C extends VerbCall<unknown, unknown, unknown, unknown>> = Pick<C, "args" | "settings"> & {
  readonly host: HostServices;
};

export type ArgsSchema = z.ZodTuple<readonly z.ZodType[], z.ZodType | null>;
export type OptionsSchema = z.ZodObject;
type NoOptions = Readonly<Record<string, never>>;

type TypedVerb<A extends ArgsSchema, O extends OptionsSchema | undefined, S, I> = VerbFacts & {
  /** Positional arguments, optional ones last; members are made with `arg`. */
  readonly args: A;
  /** Further positional forms, tried in order after `args`. */
  readonly forms?: readonly ArgsSchema[];
  /** A strict object. */
  readonly options?: O;
  /** Checked in tests, assumed otherwise. */
  readonly result: z.ZodType;
  /** Of a verb whose calls differ: whether this one may be made again although it writes and the verb is not idempotent. */
  repeats?(call: Pick<VerbCall<z.output<A>, NoOptions, S, I>, "args" | "settings">): boolean;
  /**
   * Of a verb whose calls differ: whether this one changes nothing although the verb writes, so that a dry run makes it. Only the operator's
   * settings and the host may say so: arguments choose among what these declare.
   */
  harmless?(call: HarmlessCall<VerbCall<z.output<A>, NoOptions, S, I>>): boolean;
  run(call: VerbCall<z.output<A>, O extends OptionsSchema ? z.output<O> : NoOptions, S, I>): unknown;
};

/** A verb of any adapter: what its arguments are, only its own `run` knows. */
export type VerbDefinition = VerbFacts & {
  readonly args: ArgsSchema;
  readonly forms?: readonly ArgsSchema[];
  readonly options?: OptionsSchema | undefined;
  readonly result: z.ZodType;
  repeats?(call: Pick<VerbCall<never, never, never, never>, "args" | "settings">): boolean;
  harmless?(call: HarmlessCall<VerbCall<never, never, never, never>>): boolean;
  run(call: VerbCall<never, never, never, never>): unknown;
};

/** The maker of verbs for an adapter with these settings and instances: `const verb = verbsFor<typeof settings, Instance>()`. */
export function verbsFor<S extends SettingSchemas, I = undefined>() {
  return <A extends ArgsSchema, O extends OptionsSchema | undefined = undefined>(
    definition: TypedVerb<A, O, SettingsOf<S>, I>,
  ): VerbDefinition => definition;
}

type AdapterFacts = {
  readonly apiVersion: 1;
  readonly name: string;
  readonly version: string;
  /** One sentence. */
  readonly summary: string;
  readonly support: "core" | "compatibility" | "extension_ecosystem";
  readonly lane: "canonical" | "noncanonical";
  readonly privilege: PrivilegeTier;
  readonly sandboxSafe: boolean;
  readonly networkFacing: boolean;
  /** Published flag; default: whether any verb is destructive. */
  readonly destructive?: boolean;
  /** Keeps state after the run. */
  readonly durable: boolean;
  readonly maturity: "experimental" | "beta" | "stable";
  /** What a reader should know besides; a plugin that does input and output of its own says here why. */
  readonly notes?: string;
  readonly secrets?: Readonly<Record<string, { readonly summary: string; readonly required: boolean }>>;
  /** The guarded services it may use. */
  readonly needs?: readonly ServiceName[];
  readonly verbs: Readonly<Record<string, VerbDefinition>>;
  /** Alias → canonical verb: accepted everywhere, published nowhere. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Old names of settings → their name. That of an object that only the operator gives may stand for the list that narrows it. */
  readonly settingAliases?: Readonly<Record<string, string>>;
  /** Branches of one run may have calls to it at the same time; default: they take turns. */
  readonly concurrent?: boolean;
  /** An unknown verb V means this verb with V as its first argument. */
  readonly verbFallback?: string;
};

type TypedAdapter<S extends SettingSchemas, I> = AdapterFacts & {
  readonly settings: S;
  /** Once per run, at the first call. */
  open?(call: OpenCall<SettingsOf<S>>): I | Promise<I>;
  /** Health test; throws when something is wrong. */
  check?(call: { readonly instance: I; readonly settings: SettingsOf<S>; readonly signal: AbortSignal }): Promise<void>;
  close?(instance: I): void | Promise<void>;
};

/** A definition of any adapter: what its settings and instances are, only its own functions know. */
export type AdapterDefinition = AdapterFacts & {
  readonly settings: SettingSchemas;
  open?(call: OpenCall<never>): unknown;
  check?(call: { readonly instance: never; readonly settings: never; readonly signal: AbortSignal }): Promise<void>;
  close?(instance: never): void | Promise<void>;
};

/** A definition, typed within itself. It is checked when it is loaded (`check-definition.ts`). */
export function defineAdapter<S extends SettingSchemas, I = undefined>(
  definition: TypedAdapter<S, I>,
): AdapterDefinition {
  return definition;
}

type ArgFacts = {
  readonly class?: "key" | "word";
  readonly role?: ParameterRole;
  readonly form?: TextForm;
  readonly sensitive?: true;
};

/** A positional argument: its name in catalog and docs, and what a literal there names. */
export function arg<T extends z.ZodType>(name: string, schema: T, facts: ArgFacts = {}): T {
  return schema.meta({ param: name, ...facts });
}

/** Text, or a whole number that becomes text: names and keys. */
export function id(): z.ZodType<string, string | number> {
  return z.union([z.string(), z.number().int()], "text or a whole number").transform(String) as z.ZodType<
    string,
    string | number
  >;
}

/** Any JSON value. Only plain values reach an adapter, so nothing is left to check. */
export function anyJson(): z.ZodType<Json> {
  return z.any().refine((value) => value !== undefined, "a value") as z.ZodType<Json>;
}

/** Settings by the way two sides are merged (docs/policy.md): always to the more restrictive of both. */
export const setting = {
  /** List of what is allowed; absent restricts nothing, `[]` allows nothing. `admits`: what literals in places of these roles name. */
  list: (fold: ElementKind = "exact", admits: readonly ParameterRole[] = []) =>
    z.array(z.string()).readonly().optional().meta({ merge: "intersect", fold, admits }),
  /** A bound that callers can only lower, with default and ceiling. */
  most: (fallback: number, ceiling?: number) =>
    z
      .number()
      .nonnegative()
      .default(fallback)
      .meta({ merge: "min", ...(ceiling === undefined ? {} : { max: ceiling }) }),
  /** A bound without default. */
  bound: (ceiling?: number) =>
    z
      .number()
      .nonnegative()
      .optional()
      .meta({ merge: "min", ...(ceiling === undefined ? {} : { max: ceiling }) }),
  /** A permission that callers can only take away. */
  allow: (fallback: boolean) => z.boolean().default(fallback).meta({ merge: "and" }),
  /** A permission that only the operator gives; callers can only take it away. Default: not given. */
  grant: () => z.boolean().default(false).meta({ merge: "and", operatorGrants: true }),
  /** An absolute path; the deeper of two sides. */
  place: () => z.string().optional().meta({ merge: "within" }),
  /** Paths by name, merged one by one. */
  places: () => z.record(z.string(), z.string()).default({}).meta({ merge: "within", map: true }),
  /** The operator's alone. */
  operator: <T extends z.ZodType>(schema: T): T => schema.meta({ merge: "server" }),
  /** The operator's too, and what the adapter works with: as long as none of these says anything, it is not configured. */
  configures: <T extends z.ZodType>(schema: T): T => schema.meta({ merge: "server", configures: true }),
} as const;

/** What the meta of a setting says. */
export type SettingFacts = {
  readonly merge: MergeKind;
  readonly max?: number;
  readonly fold?: ElementKind;
  readonly map?: true;
  /** Of a map: the setting that names members, too, and so closes it (compiler/catalog/settings.ts). */
  readonly closedBy?: string;
  /** Of a permission: true counts only when the operator said it. */
  readonly operatorGrants?: true;
  /** Of a bound: the most that a request gets where the operator says nothing. */
  readonly callerMax?: number;
  readonly admits?: readonly ParameterRole[];
  /** Calls fail as ADAPTER_NOT_CONFIGURED unless one of the settings that say so is given and not empty. */
  readonly configures?: true;
};
