/**
 * What a kind of adapters is to the suite: roles that verbs of it play, and checks of what all adapters of the kind do alike. An author maps
 * verbs to roles; a role that no verb plays is listed with the reason, and the checks that need it do not apply. Knows what the inputs
 * of all roles are called, and no check.
 */
import type { Json, JsonObject } from "../../../compiler/json.ts";

/** Of stores, records, queues, SQL, mail, calendars, HTTP. */
type InputName =
  | ("key" | "value" | "ttl_s" | "namespace")
  | ("id" | "record" | "changes" | "version" | "group")
  | ("queue" | "payload" | "lease_s" | "receipt")
  | ("sql" | "params")
  | ("to" | "subject" | "body" | "cc" | "bcc" | "name")
  | ("from" | "event" | "etag")
  | ("origin" | "host" | "url" | "other");

/** What a check says to a role, by name: the inputs of that role, and no others. */
export type RoleInput = Readonly<Record<InputName, Json>>;

export type Role = {
  /** The arguments of a verb that is named alone, in order; those after the first omitted one are omitted as well. */
  readonly inputs: readonly InputName[];
  /** No adapter is of the kind without it. */
  readonly needed?: true;
};

/** The name of a verb that takes the inputs of the role and gives its result, or how one is called and its answer is read. */
export type RoleMapping =
  | string
  | {
      readonly verb: string;
      args?(input: RoleInput): readonly Json[];
      result?(answer: Json, input: RoleInput): Json;
      /** On top of those of the fixture. */
      readonly settings?: JsonObject | ((input: RoleInput) => JsonObject);
    };

/** What a role gave, or the code it failed with. */
export type RoleAnswer = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly code: string };

/** An adapter in a fresh fixture, asked through its roles; every call is a run of its own. */
export type World<R extends string = string> = {
  call(role: R, input?: Partial<RoleInput>): Promise<RoleAnswer>;
  /** What the role gives; its failure ends the check. */
  give(role: R, input?: Partial<RoleInput>): Promise<Json>;
  /** Advances the time of programs and adapters. */
  advance(ms: number): void;
  observed(): Promise<Json>;
  /** What was sent, by the author's reading of what an outsider sees; null: the author does not say. */
  sent(): Promise<Json>;
  /** The body of a server's answer that the adapter can read. */
  readonly answer: Json;
};

export type KindCheck<R extends string = string> = {
  readonly title: string;
  readonly roles: readonly R[];
  /** Gives what it finds. */
  check(world: World<R>): AsyncGenerator<string, void>;
};

export type Kind<R extends string = string> = {
  readonly roles: Readonly<Record<R, Role>>;
  readonly checks: readonly KindCheck<R>[];
};

/** A kind whose checks name its own roles only. */
export function defineKind<R extends string>(kind: Kind<R>): Kind {
  // A check asks for roles of its own kind, which are the only ones a world of it knows.
  return kind as unknown as Kind;
}

const REFUSALS: ReadonlySet<string> = new Set(
  ["BAD_ARGS", "NOT_ALLOWED", "TOO_LARGE", "BAD_DATA", "ENCODING", "NOT_FOUND"].map((word) => `ADAPTER_${word}`),
);

/** Whether an argument was refused, rather than that something broke over it. */
export function isRefused(answer: RoleAnswer): boolean {
  return !answer.ok && REFUSALS.has(answer.code);
}

/** Whether there is nothing: null, or the code that says so. */
export function isNone(answer: RoleAnswer): boolean {
  return answer.ok ? answer.value === null : answer.code === "ADAPTER_NOT_FOUND";
}

/** Whether settings forbade it. */
export function isForbidden(answer: RoleAnswer): boolean {
  return !answer.ok && (answer.code === "ADAPTER_WRITE_FORBIDDEN" || answer.code === "ADAPTER_NOT_ALLOWED");
}

export function shown(answer: RoleAnswer): string {
  return answer.ok ? JSON.stringify(answer.value) : answer.code;
}

/** A member of what may be an object. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return (value as JsonObject)[name];
}

/** What may be a list. */
export function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
