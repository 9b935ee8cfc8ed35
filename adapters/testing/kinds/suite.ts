/**
 * The suite of a kind over one adapter: whether its roles are mapped, and every check of the kind in its own fixture. A check whose roles
 * no verb plays does not apply, for the reason that the author gives.
 */
import type { Json } from "../../../compiler/json.ts";
import { callProgram } from "../../definition/check-definition.ts";
import type { AdapterDefinition } from "../../definition/define.ts";
import { type Bench, type Fixture, openBench } from "../bench.ts";
import { codeOf, type PointResult } from "../suite.ts";
import { calendar } from "./calendar.ts";
import { httpClient } from "./http-client.ts";
import { keyValue } from "./key-value.ts";
import type { Kind, KindCheck, Role, RoleAnswer, RoleInput, RoleMapping, World } from "./kind.ts";
import { mail } from "./mail.ts";
import { probe } from "./probe.ts";
import { queue } from "./queue.ts";
import { recordStore } from "./record-store.ts";
import { sql } from "./sql.ts";

export const KINDS = {
  key_value: keyValue,
  record_store: recordStore,
  queue,
  sql,
  mail,
  calendar,
  probe,
  http_client: httpClient,
} as const satisfies Readonly<Record<string, Kind>>;
/** What an adapter may be a kind of. */
export type KindName = keyof typeof KINDS;

/** Which verbs play the roles of the kind. */
export type KindOptions = {
  readonly name: KindName;
  /** By role. */
  readonly verbs: Readonly<Record<string, RoleMapping>>;
  /** Roles that no verb plays, each with the reason. */
  readonly lacks?: Readonly<Record<string, string>>;
  /** Of http_client: the JSON of an answer that the adapter can read; `{"ok": true}` without it. */
  readonly answer?: Json;
  /** Of mail: the messages that went out, by what `observe` says. */
  sent?(observed: Json): Json;
};

/** One check of the suite, made when it is asked for. */
export type KindReport = { readonly title: string; check(): Promise<PointResult> };

export function kindReports(
  definition: AdapterDefinition,
  options: KindOptions,
  start: () => Promise<Fixture>,
): readonly KindReport[] {
  const kind: Kind = KINDS[options.name];
  const untold = [...mappingFindings(definition, kind, options)];
  return [
    {
      title: `${options.name}: every role is played by a verb or said to be lacking`,
      check: async () => ({ findings: untold }),
    },
    ...kind.checks.map((one) => ({
      title: `${options.name}: ${one.title}`,
      check: () => checked(definition, one, options, start),
    })),
  ];
}

function* mappingFindings(
  definition: AdapterDefinition,
  kind: Kind,
  { name, verbs, lacks = {} }: KindOptions,
): Generator<string> {
  const isRole = (role: string) => Object.hasOwn(kind.roles, role);
  for (const [role, { needed }] of Object.entries(kind.roles)) {
    if (Object.hasOwn(verbs, role)) continue;
    if (needed === true) yield `${name} needs a verb for ${role}`;
    else if (!Object.hasOwn(lacks, role)) yield `${role} has neither a verb nor, in lacks, a reason`;
  }
  for (const role of [...Object.keys(verbs), ...Object.keys(lacks)])
    if (!isRole(role)) yield `${name} has no role ${role}; its roles: ${Object.keys(kind.roles).join(", ")}`;
  for (const [role, mapping] of Object.entries(verbs)) {
    const verb = verbOf(mapping);
    if (!Object.hasOwn(definition.verbs, verb)) yield `${role}: ${definition.name} has no verb ${verb}`;
  }
}

/** A role failed that a check depends on. */
class RoleFailure extends Error {}

async function checked(
  definition: AdapterDefinition,
  { roles, check }: KindCheck,
  options: KindOptions,
  start: () => Promise<Fixture>,
): Promise<PointResult> {
  const missing = roles.find((role) => !Object.hasOwn(options.verbs, role));
  if (missing !== undefined) {
    const reason = options.lacks?.[missing];
    return { findings: [], skipped: `no ${missing}${reason === undefined ? "" : `: ${reason}`}` };
  }
  const bench = await openBench(definition, start);
  const findings: string[] = [];
  try {
    for await (const finding of check(worldOf(definition, options, bench))) findings.push(finding);
  } catch (thrown) {
    if (!(thrown instanceof RoleFailure)) throw thrown;
    findings.push(thrown.message);
  } finally {
    await bench.stop();
  }
  return { findings };
}

function worldOf(definition: AdapterDefinition, options: KindOptions, bench: Bench): World {
  const { roles }: Kind = KINDS[options.name];
  const ask = async (role: string, given: Partial<RoleInput>) => {
    // A mapping reads the inputs of its own role.
    const input = given as RoleInput;
    const mapping = options.verbs[role] as RoleMapping;
    const written = typeof mapping === "string" ? { verb: mapping } : mapping;
    const args = written.args?.(input) ?? positional(roles[role] as Role, input);
    const settings = typeof written.settings === "function" ? written.settings(input) : written.settings;
    const program = callProgram(definition.name, written.verb, args);
    const answer = await bench.run({ ...program, ...(settings === undefined ? {} : { settings }) });
    if (answer.ok)
      return {
        ok: true,
        value: written.result === undefined ? answer.out : written.result(answer.out, input),
      } as const;
    return { ok: false, code: codeOf(answer) ?? answer.error.code, message: answer.error.message } as const;
  };
  return {
    async call(role, input = {}): Promise<RoleAnswer> {
      return ask(role, input);
    },
    async give(role, input = {}) {
      const answer = await ask(role, input);
      if (answer.ok) return answer.value;
      throw new RoleFailure(`${role} fails with ${answer.code}: ${answer.message}`);
    },
    advance: (ms) => bench.advance(ms),
    observed: () => bench.observed(),
    sent: async () => options.sent?.(await bench.observed()) ?? null,
    answer: options.answer ?? { ok: true },
  };
}

/** The inputs in their order, up to the first that the check leaves out. */
function positional({ inputs }: Role, input: Partial<RoleInput>): readonly Json[] {
  const given: Json[] = [];
  for (const name of inputs) {
    const value = input[name];
    if (value === undefined) break;
    given.push(value);
  }
  return given;
}

function verbOf(mapping: RoleMapping): string {
  return typeof mapping === "string" ? mapping : mapping.verb;
}
