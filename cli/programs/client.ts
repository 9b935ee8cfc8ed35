/** A runner service as `wf deploy`, `wf programs` and `wf run --program` talk to it. What it refuses is a fault with its own word and sentence. */

import * as z from "zod/mini";
import type { JsonObject } from "../../compiler/json.ts";
import type { Difference } from "../output/deployment.ts";
import { asking } from "../session/asking.ts";

const Endpoint = z.looseObject({ method: z.string(), path: z.string(), url: z.string(), mode: z.string() });
const Schedule = z.looseObject({ id: z.string(), cron: z.string(), tz: z.string(), next: z.array(z.string()) });
export const Emits = z.nullable(
  z.looseObject({
    names: z.array(z.string()),
    subscribers: z.array(
      z.looseObject({
        event: z.string(),
        program: z.string(),
        version: z.number(),
        adapters: z.record(z.string(), z.looseObject({ verbs: z.array(z.string()) })),
      }),
    ),
    more: z.number(),
  }),
);
const Deployed = z.looseObject({
  name: z.string(),
  version: z.number(),
  checksum: z.string(),
  unchanged: z.boolean(),
  difference: z.nullable(z.custom<Difference>()),
  endpoints: z.array(Endpoint),
  schedules: z.array(Schedule),
  report: z.custom<JsonObject>(),
  emits: z.optional(Emits),
  warnings: z.array(z.string()),
});
const Next = z.looseObject({ version: z.number(), weight: z.number() });
const Listed = z.looseObject({
  name: z.string(),
  version: z.number(),
  enabled: z.boolean(),
  source: z.string(),
  deployed_at: z.string(),
  description: z.nullable(z.string()),
  // Services of before have none.
  next: z.optional(z.nullable(Next)),
});
const Program = z.looseObject({ ...Listed.shape, endpoints: z.array(Endpoint), schedules: z.array(Schedule) });
const Listing = z.looseObject({ programs: z.array(Listed), next_cursor: z.nullable(z.string()) });
const Version = z.looseObject({
  version: z.number(),
  current: z.boolean(),
  checksum: z.string(),
  created_at: z.string(),
});
const Versions = z.looseObject({ versions: z.array(Version) });
const Removed = z.looseObject({ ok: z.boolean(), name: z.string() });
const Ran = z.looseObject({ ok: z.boolean() });

export type DeployedAnswer = z.output<typeof Deployed>;
type ProgramAnswer = z.output<typeof Program>;
type RanAnswer = z.output<typeof Ran>;

export interface ProgramService {
  deploy(
    name: string,
    body: object,
    options: { readonly dryRun: boolean; readonly asNext?: boolean; readonly base?: number },
  ): Promise<DeployedAnswer>;
  list(): Promise<z.output<typeof Listing>["programs"]>;
  show(name: string): Promise<ProgramAnswer>;
  versions(name: string): Promise<z.output<typeof Versions>["versions"]>;
  rollback(name: string, version: number): Promise<ProgramAnswer>;
  /** `body`: as PUT /programs/{name}/next takes it. */
  setNext(name: string, body: object): Promise<ProgramAnswer>;
  promoteNext(name: string, version: number): Promise<ProgramAnswer>;
  abortNext(name: string): Promise<ProgramAnswer>;
  change(name: string, body: object): Promise<ProgramAnswer>;
  remove(name: string): Promise<z.output<typeof Removed>>;
  /** The answer of the run, whatever came of it. */
  run(body: object): Promise<RanAnswer>;
}

/** Throws CliFault for an invalid address. */
export function programService(server: string, signal: AbortSignal): ProgramService {
  const ask = asking(server, signal);
  const at = (name: string): string => `/programs/${encodeURIComponent(name)}`;
  return {
    deploy: (name, body, { dryRun, asNext = false, base: known }) =>
      ask(Deployed, "PUT", `${at(name)}${dryRun ? "?dry_run=1" : asNext ? "?next=1" : ""}`, {
        body,
        headers: known === undefined ? {} : { "if-match": `"${known}"` },
      }),
    async list() {
      const programs: z.output<typeof Listing>["programs"] = [];
      let cursor: string | null = null;
      do {
        const page: z.output<typeof Listing> = await ask(
          Listing,
          "GET",
          `/programs?limit=200${cursor === null ? "" : `&cursor=${cursor}`}`,
        );
        programs.push(...page.programs);
        cursor = page.next_cursor;
      } while (cursor !== null);
      return programs;
    },
    show: (name) => ask(Program, "GET", at(name)),
    versions: async (name) => (await ask(Versions, "GET", `${at(name)}/versions?limit=200`)).versions,
    rollback: (name, version) => ask(Program, "POST", `${at(name)}/rollback`, { body: { version } }),
    setNext: (name, body) => ask(Program, "PUT", `${at(name)}/next`, { body }),
    promoteNext: (name, version) => ask(Program, "POST", `${at(name)}/next/promote`, { body: { version } }),
    abortNext: (name) => ask(Program, "DELETE", `${at(name)}/next`),
    change: (name, body) => ask(Program, "PATCH", at(name), { body }),
    remove: (name) => ask(Removed, "DELETE", at(name)),
    run: (body) => ask(Ran, "POST", "/run", { body }),
  };
}
