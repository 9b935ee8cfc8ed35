/**
 * The shared cases of adapters: each is set up in a scratch folder and called as a program would call it. Cases of adapters that
 * nothing provides yet are named, so that providing one turns this red until its cases run.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readHostConfig } from "../../adapters/operator/host-config.ts";
import { PROVIDED_ADAPTERS } from "../../adapters/registry.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { normalizeGrant } from "../../vm/grant/normalize-grant.ts";
import { createHost, type RunAnswer } from "../../vm/host.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";
import { type CaseCall, mailboxLines, openWorld, type Setup } from "./case-world.ts";

type Expected = {
  readonly result?: Json;
  readonly result_includes?: JsonObject;
  readonly result_matches?: string;
  readonly item_ids?: readonly string[];
  readonly error_code?: string;
  readonly error?: true;
  readonly run_error_code?: string;
  readonly retryable?: boolean;
  readonly error_data_includes?: JsonObject;
  readonly error_message_includes?: string;
  readonly error_message_excludes?: string;
  /** Measured in `test/measured/adapter-times.test.ts`. */
  readonly within_ms?: number;
  readonly requests_seen?: number;
  readonly times_executed?: number;
  readonly then?: readonly (CaseCall & Omit<Expected, "then">)[];
  readonly mailbox_lines?: readonly JsonObject[];
  readonly record_includes?: readonly JsonObject[];
  readonly no_file?: string;
  readonly smtp_recipients?: readonly string[];
};
type AdapterCase = {
  readonly name: string;
  readonly adapter: string;
  readonly settings: JsonObject;
  readonly setup?: Setup;
  readonly call: CaseCall;
  readonly expect: Expected;
};

/** The given cases, and neighbours of them that were derived from the contract. */
const CASES = ["adapters.json", "adapters-more.json"].flatMap(
  (file) => JSON.parse(readFileSync(new URL(`../cases/${file}`, import.meta.url), "utf8")) as readonly AdapterCase[],
);

/** Adapters of cases that this build does not provide. */
const NOT_PROVIDED: readonly string[] = [];

describe("shared cases of adapters", () => {
  it("name the adapters that are missing", () => {
    const named = new Set(CASES.map((one) => one.adapter).filter((name) => name !== "dispatch"));
    expect([...named].filter((name) => !PROVIDED_ADAPTERS.includes(name)).sort()).toEqual(NOT_PROVIDED);
  });

  const direct = CASES.filter(({ adapter }) => adapter !== "dispatch" && !NOT_PROVIDED.includes(adapter));
  it.each(direct.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    const world = await openWorld(one.adapter, one.settings, one.setup ?? {});
    try {
      const expected = world.filled(one.expect);
      check(await outcomeOf(world.call(world.filled(one.call))), expected);
      if (expected.requests_seen !== undefined) expect(world.requestsSeen()).toBe(expected.requests_seen);
      for (const next of expected.then ?? []) check(await outcomeOf(world.call(next)), next);
      if (expected.times_executed !== undefined)
        expect([...world.executed.values()]).toEqual([expected.times_executed]);
      if (expected.mailbox_lines !== undefined)
        expect(await mailboxLines(world.folder)).toMatchObject(expected.mailbox_lines);
      if (expected.smtp_recipients !== undefined) expect(world.recipients()).toEqual(expected.smtp_recipients);
      if (expected.no_file !== undefined) expect(existsSync(join(world.folder, expected.no_file))).toBe(false);
    } finally {
      await world.close();
    }
    if (one.expect.run_error_code !== undefined) {
      const answer = await runOf(one.adapter, one.call, null, undefined);
      expect(answer).toMatchObject({ ok: false, error: { code: one.expect.run_error_code } });
    }
  });

  const dispatched = CASES.filter(({ adapter }) => adapter === "dispatch");
  it.each(dispatched.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    const { allowed = ["core"], replay } = one.settings as { allowed?: readonly string[]; replay?: Json };
    const host = readHostConfig(one.setup?.env ?? {});
    const answer = await runOf(one.call.adapter ?? "", one.call, allowed, replay, host.ok && host.config.dryRun);
    const { run_error_code: code, result, error_message_excludes: excluded, record_includes: record } = one.expect;
    const { error_code: adapterCode, retryable, error_data_includes: details, result_includes: included } = one.expect;
    const failing = (error: object): void => expect(answer).toMatchObject({ ok: false, error });
    if (one.expect.error === true) failing({});
    if (code !== undefined) failing({ code });
    if (adapterCode !== undefined) failing({ data: { adapter_code: adapterCode } });
    if (retryable !== undefined) failing({ data: { retryable } });
    if (details !== undefined) failing({ data: { details } });
    if (result !== undefined) expect(answer).toMatchObject({ ok: true, out: result });
    if (included !== undefined) expect(answer).toMatchObject({ ok: true, out: withTimes(included) });
    if (excluded !== undefined) expect(JSON.stringify(answer)).not.toContain(excluded);
    for (const [at, entry] of (record ?? []).entries()) {
      const { target, ...members } = entry;
      expect(answer.record?.calls[at]).toMatchObject({ ...members, verb: target });
    }
  });
});

type CallEnd = { readonly result: Json } | { readonly error: unknown };

async function outcomeOf(call: Promise<Json>): Promise<CallEnd> {
  try {
    return { result: await call };
  } catch (error) {
    return { error };
  }
}

function check(outcome: CallEnd, expected: Expected): void {
  const fails = expected.error_code !== undefined || expected.error === true;
  if (!fails) {
    if ("error" in outcome) throw outcome.error;
    const { result } = outcome;
    if (expected.result !== undefined) expect(result).toEqual(expected.result);
    if (expected.result_includes !== undefined) expect(result).toMatchObject(withTimes(expected.result_includes));
    if (expected.result_matches !== undefined) expect(String(result)).toMatch(new RegExp(expected.result_matches));
    if (expected.item_ids !== undefined) {
      const { items } = result as { readonly items: readonly { readonly record_id: string }[] };
      expect(items.map((item) => item.record_id)).toEqual(expected.item_ids);
    }
    return;
  }
  if ("result" in outcome) throw new Error(`expected a failure, got ${JSON.stringify(outcome.result)}`);
  const { error } = outcome;
  if (!(error instanceof AdapterError)) throw error;
  if (expected.error_code !== undefined) expect(error.code).toBe(expected.error_code);
  if (expected.retryable !== undefined) expect(error.retryable).toBe(expected.retryable);
  if (expected.error_data_includes !== undefined) expect(error.data).toMatchObject(expected.error_data_includes);
  if (expected.error_message_includes !== undefined) expect(error.message).toContain(expected.error_message_includes);
  if (expected.error_message_excludes !== undefined)
    expect(error.message).not.toContain(expected.error_message_excludes);
}

/** `<ts>` stands for any time of RFC 3339 in UTC. */
function withTimes(value: Json): object {
  const replaced = (part: Json): unknown => {
    if (part === "<ts>") return expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/);
    if (Array.isArray(part)) return part.map(replaced);
    if (part === null || typeof part !== "object") return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, replaced(member as Json)]));
  };
  return replaced(value) as object;
}

/** The call as the one step of a program. */
function runOf(
  adapter: string,
  { verb, args }: CaseCall,
  allowed: readonly string[] | null,
  replay: Json | undefined,
  dryRun = false,
): Promise<RunAnswer> {
  const names = args.map((_arg, at) => `a${at}`);
  const source = `L1:\n  R ${adapter}.${verb} ${names.join(" ")} ->out\n  J out\n`;
  const ir: Ir = compileForTest(source, false, names);
  const clock = fakeClock();
  const grant = normalizeGrant({ allowed_adapters: allowed }, "operator", { catalog: testCatalog });
  if (!grant.ok) throw new Error(JSON.stringify(grant.issues));
  const host = createHost({
    clock,
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: mockAdapters(clock),
    traceId: () => "case",
  });
  return host.run({
    ir,
    frame: Object.fromEntries(args.map((arg, at) => [`a${at}`, arg])),
    allowedAdapters: grant.grant.allowed_adapters,
    record: true,
    dryRun,
    ...(replay === undefined ? {} : { replay }),
  });
}
