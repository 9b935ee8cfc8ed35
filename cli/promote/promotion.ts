/** A version of one service for another: its source and settings as the other one deploys them, and what both say about it. */
import * as z from "zod/mini";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { type AskService, asking } from "../session/asking.ts";
import { CliFault, EXIT } from "../session/faults.ts";

const Program = z.looseObject({
  version: z.number(),
  tags: z.record(z.string(), z.string()),
  description: z.nullable(z.string()),
});
const Version = z.looseObject({
  version: z.number(),
  checksum: z.string(),
  compiler: z.string(),
  semantics: z.number(),
  accepted: z.optional(z.nullable(z.looseObject({ by: z.nullable(z.string()), at: z.string() }))),
  code: z.optional(z.string()),
  files: z.optional(z.record(z.string(), z.string())),
  main: z.optional(z.string()),
  attestation: z.optional(z.nullable(z.custom<JsonObject>())),
  // As they were read, with the digits of their numbers.
  settings: z.custom<JsonObject>(),
  ir: z.custom<JsonObject>(),
});
type VersionAnswer = z.output<typeof Version>;

export type Promoted = {
  readonly version: VersionAnswer;
  /** As PUT /programs/{name} takes it. */
  readonly body: JsonObject;
};
export type SettingDifference = { readonly name: string; readonly there: Json; readonly here: Json };

/** `version`: undefined: the current one. Rejects with CliFault. */
export async function promotedFrom(
  server: string,
  name: string,
  version: number | undefined,
  signal: AbortSignal,
): Promise<Promoted> {
  const ask = asking(server, signal);
  const at = `/programs/${encodeURIComponent(name)}`;
  const program = await ask(Program, "GET", at);
  const found = await ask(Version, "GET", `${at}/versions/${version ?? program.version}`);
  const { code, files, main, ir, settings, attestation } = found;
  const source = code !== undefined ? { code } : files !== undefined && main !== undefined ? { files, main } : { ir };
  const { tags, description } = program;
  const signed = attestation == null ? {} : { attestation };
  return { version: found, body: { ...settings, ...source, tags, description, ...signed } as JsonObject };
}

/** Settings that differ from those of the current version there; null: nothing of this name is deployed there. */
export async function settingsThere(
  server: string,
  name: string,
  settings: JsonObject,
  signal: AbortSignal,
): Promise<readonly SettingDifference[] | null> {
  const ask = asking(server, signal);
  const there = await currentSettings(ask, name);
  if (there === null) return null;
  const names = [...new Set([...Object.keys(there), ...Object.keys(settings)])].sort();
  const of = (given: JsonObject, one: string): Json => (Object.hasOwn(given, one) ? (given[one] ?? null) : null);
  return names
    .filter((one) => JSON.stringify(of(there, one)) !== JSON.stringify(of(settings, one)))
    .map((one) => ({ name: one, there: of(there, one), here: of(settings, one) }));
}

async function currentSettings(ask: AskService, name: string): Promise<JsonObject | null> {
  const at = `/programs/${encodeURIComponent(name)}`;
  try {
    const { version } = await ask(Program, "GET", at);
    return (await ask(Version, "GET", `${at}/versions/${version}`)).settings;
  } catch (cause) {
    if (cause instanceof CliFault && cause.error === "program_not_found") return null;
    throw cause;
  }
}

/** Throws CliFault: what runs there would be another program than runs here. */
export function expectSame(name: string, from: VersionAnswer, checksum: string): void {
  if (from.checksum === checksum) return;
  throw new CliFault(`${name} would be another program there: its checksum is ${checksum}, and not ${from.checksum}`, {
    error: "checksum_differs",
    exitCode: EXIT.failed,
    notes: [`it was made by compiler ${from.compiler}; bring both services to one version`],
  });
}

/** Warnings about what the program needs and the service does not have: secrets by name, adapters, addresses. */
export function missingThere(warnings: readonly string[]): readonly string[] {
  const needs = /^(secret_missing|adapter_not_enabled|public_url_missing|notice_target_missing): /;
  return warnings.filter((one) => needs.test(one));
}
