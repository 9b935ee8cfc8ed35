/** A runner service as `wf deploy`, `wf programs` and `wf run --program` talk to it. What it refuses is a fault with its own word and sentence. */

import * as z from "zod/mini";
import type { JsonObject } from "../../compiler/json.ts";
import { isObject } from "../../compiler/json.ts";
import { copyText, exactJson } from "../../vm/inputs/exact-text.ts";
import { baseOf, json, MAX_OTHER_BYTES, refusal, unreachable } from "../jobs/client.ts";
import type { Difference } from "../output/deployment.ts";
import { CliFault, EXIT } from "../session/faults.ts";

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

type DeployedAnswer = z.output<typeof Deployed>;
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

type Sent = { readonly body?: object; readonly headers?: Readonly<Record<string, string>> };
export type AskService = <S extends z.ZodMiniType>(
  schema: S,
  method: string,
  path: string,
  sent?: Sent,
) => Promise<z.output<S>>;

/** Throws CliFault for an invalid address. What the service refuses rejects with CliFault. */
export function asking(server: string, signal: AbortSignal): AskService {
  const base = baseOf(server);
  return async (schema, method, path, { body, headers = {} } = {}) => {
    const sent = body === undefined ? {} : { body: exactJson(body) };
    const type: Readonly<Record<string, string>> = body === undefined ? {} : { "content-type": "application/json" };
    let status: number;
    let answer: unknown;
    try {
      const response = await fetch(`${base}${path}`, { method, signal, ...sent, headers: { ...type, ...headers } });
      status = response.status;
      answer = await json(base, response, MAX_OTHER_BYTES);
    } catch (cause) {
      if (signal.aborted || cause instanceof CliFault) throw cause;
      throw unreachable(base);
    }
    const read = schema.safeParse(answer);
    if (status < 300 && read.success) {
      if (isObject(answer)) copyText(answer, read.data as object);
      return read.data;
    }
    throw compileFaultOf(answer) ?? refusal(base, status, answer);
  };
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

const Diagnostics = z.looseObject({
  error: z.literal("compile_error"),
  message: z.string(),
  diagnostics: z.array(
    z.looseObject({ severity: z.string(), code: z.string(), message: z.string(), line: z.nullable(z.number()) }),
  ),
});

/** The findings of the service's compiler, a line each; null: it says something else. */
function compileFaultOf(answer: unknown): CliFault | null {
  const read = Diagnostics.safeParse(answer);
  if (!read.success) return null;
  const errors = read.data.diagnostics.filter(({ severity }) => severity === "error");
  const notes = errors.map(({ line, code, message }) => `${line === null ? "" : `line ${line}: `}${code} ${message}`);
  return new CliFault(read.data.message, { error: "compile_error", exitCode: EXIT.usage, notes: notes.slice(0, 20) });
}
