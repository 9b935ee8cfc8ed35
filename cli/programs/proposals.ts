/** Proposals of a runner service, as `wf propose` and `wf proposals` talk to it and print them. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod/mini";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { emitsLines } from "../output/deployment.ts";
import type { Paint } from "../output/terminal/colour.ts";
import { visible } from "../output/terminal/columns.ts";
import { asking } from "../session/asking.ts";
import { type GoldenCase, readGoldenFile } from "../test/test-case.ts";
import { Emits } from "./client.ts";

const facts = {
  id: z.string(),
  name: z.string(),
  state: z.string(),
  base: z.nullable(z.number()),
  current: z.nullable(z.number()),
  stale: z.boolean(),
  checksum: z.string(),
  proposed_by: z.nullable(z.string()),
  comment: z.nullable(z.string()),
  proposed_at: z.string(),
  version: z.nullable(z.number()),
};
const power = z.looseObject({ kind: z.string(), value: z.string() });
const Proposal = z.looseObject({
  ...facts,
  newly_reaches: z.nullable(z.array(power)),
  settings_changes: z.array(z.object({ name: z.string(), before: z.json(), after: z.json() })),
  source_difference: z.string(),
  report: z.custom<JsonObject>(),
  tests: z.object({
    total: z.number(),
    passed: z.number(),
    fault: z.nullable(z.string()),
    results: z.array(z.object({ name: z.string(), ok: z.boolean(), problems: z.array(z.string()) })),
  }),
  emits: z.optional(Emits),
  warnings: z.array(z.string()),
  signed: z.optional(z.nullable(z.looseObject({ by: z.string(), at: z.string(), trusted: z.boolean() }))),
  code: z.optional(z.string()),
  files: z.optional(z.record(z.string(), z.string())),
  main: z.optional(z.string()),
  // As they were read, with the digits of their numbers.
  settings: z.custom<JsonObject>(),
});
const Page = z.looseObject({ proposals: z.array(z.looseObject(facts)), next_cursor: z.nullable(z.string()) });

export type RemoteProposal = z.output<typeof Proposal>;
export type RemoteProposals = z.output<typeof Page>;

export interface ProposalService {
  propose(name: string, body: object): Promise<RemoteProposal>;
  list(filter: Readonly<Record<string, string | undefined>>): Promise<RemoteProposals>;
  get(id: string): Promise<RemoteProposal>;
  /** `attestation`: null: as it was proposed. */
  accept(
    proposal: RemoteProposal,
    comment: string,
    more: { readonly attestation: JsonObject | null; readonly next?: boolean },
  ): Promise<RemoteProposal>;
  decline(id: string, comment: string): Promise<RemoteProposal>;
}

/** Throws CliFault for an invalid address. */
export function proposalService(server: string, signal: AbortSignal): ProposalService {
  const ask = asking(server, signal);
  const at = (id: string): string => `/proposals/${encodeURIComponent(id)}`;
  return {
    propose: (name, body) => ask(Proposal, "PUT", `/programs/${encodeURIComponent(name)}?propose=1`, { body }),
    list(filter) {
      const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return ask(Page, "GET", `/proposals?${new URLSearchParams(given)}`);
    },
    get: (id) => ask(Proposal, "GET", at(id)),
    accept: ({ id, checksum, base }, comment, more) =>
      ask(Proposal, "POST", `${at(id)}/accept`, { body: { checksum, base, comment, ...more } }),
    decline: (id, comment) => ask(Proposal, "POST", `${at(id)}/decline`, { body: { comment } }),
  };
}

/** Tests of the file next to a program that a service can run: they need no other file, and look at the outcome alone. */
export function proposedTests(
  cwd: string,
  file: string,
): { readonly tests: readonly Json[]; readonly leftOut: number } {
  const golden = file.replace(/\.[^./]*$/, ".expected.json");
  if (!existsSync(resolve(cwd, golden))) return { tests: [], leftOut: 0 };
  const { cases } = readGoldenFile(cwd, golden);
  const tests = cases.filter(isSelfContained).map(asTest);
  return { tests, leftOut: cases.length - tests.length };
}

function isSelfContained({ frame, replay, policy, adapters, strict, expect }: GoldenCase): boolean {
  const { diagnostics, policy_errors, calls, usage, trace } = expect;
  const others = [replay, policy, adapters, strict, diagnostics, policy_errors, calls, usage, trace];
  return typeof frame !== "string" && others.every((one) => one === undefined);
}

function asTest({ name, label, frame, limits, mocks, clock, random_seed, expect }: GoldenCase): Json {
  const { ok, result, error } = expect;
  const test = { name, label, frame, limits, mocks, clock, random_seed, expect: { ok, result, error } };
  // Members that were not given are absent.
  return JSON.parse(JSON.stringify(test)) as Json;
}

/** For the person who decides: what it newly reaches first, then settings, source and tests. */
export function proposalText(proposal: RemoteProposal, reached: readonly string[], paint: Paint): string {
  const { id, name, state, base, current, stale, proposed_by, proposed_at, comment, version } = proposal;
  const who = proposed_by === null ? "" : ` by ${visible(proposed_by)}`;
  const against = base === null ? "a first version" : `against version ${base}`;
  const lines = [
    `${paint.ok("proposal")}  ${id}  ${visible(name)}  ${state}${version === null ? "" : ` as version ${version}`}`,
    `  ${against}${who}, ${proposed_at}`,
    ...(comment === null ? [] : [`  ${visible(comment)}`]),
    ...(proposal.signed == null
      ? []
      : [`  signed by ${visible(proposal.signed.by)}${proposal.signed.trusted ? "" : ", which is not verified"}`]),
    ...(stale ? [`${paint.error("stale")}  version ${current ?? "none"} is current now: propose it again`] : []),
    ...reached.map((one) => `${paint.warning(base === null ? "reaches" : "newly reaches")}  ${one}`),
    ...emitsLines(proposal.emits, paint),
    ...proposal.settings_changes.map(({ name: one, before, after }) => settingLine(one, before, after, paint)),
    ...(base === null ? [] : proposal.source_difference.trimEnd().split("\n").map(visible)),
    ...testLines(proposal.tests, paint),
    ...proposal.warnings.map((one) => `${paint.warning("warning")}  ${visible(one)}`),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

function settingLine(name: string, before: Json, after: Json, paint: Paint): string {
  return `${paint.warning("setting")}  ${name}: ${visible(JSON.stringify(before))} → ${visible(JSON.stringify(after))}`;
}

function testLines({ total, passed, fault, results }: RemoteProposal["tests"], paint: Paint): readonly string[] {
  if (total === 0) return [`${paint.warning("tests")}  none`];
  if (fault !== null) return [`${paint.error("tests")}  ${visible(fault)}`];
  const failed = results.filter(({ ok }) => !ok);
  const head = `${failed.length === 0 ? paint.ok("tests") : paint.error("tests")}  ${passed} of ${total} passed`;
  return [
    head,
    ...failed.flatMap(({ name, problems }) => problems.map((one) => `  ${visible(name)}: ${visible(one)}`)),
  ];
}
