/** The tests that come with a proposal: those in the comments of the program, and those of the request. They run in a thread of their own. */
import { helperPath } from "../../../adapters/engine/helpers.ts";
import { WaitingLine } from "../../../adapters/engine/waiting-line.ts";
import { WorkerLane } from "../../../adapters/engine/wasm/lane.ts";
import type { AdapterCatalog } from "../../../compiler/catalog.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { commentCase } from "../../../vm/testing/comment-case.ts";
import { TestInvalid } from "../../../vm/testing/test-setup.ts";
import type { DeployMembers } from "../../schemas/programs.ts";
import { faults } from "../../wire/errors.ts";
import type { ProgramSource } from "../deployment-settings.ts";
import type { ProposalTest, TestRequest, TestResult } from "./run-tests.ts";

export type TestReport = {
  readonly total: number;
  readonly passed: number;
  /** Why they have no results; null: they have. */
  readonly fault: string | null;
  readonly results: readonly TestResult[];
};

/** Tests of one proposal together. */
const TIMEOUT_MS = 20_000;
const HEAP_MB = 256;
const WAITING = 16;

export class ProposalTests {
  readonly #lane = new WorkerLane<TestRequest, readonly TestResult[]>({
    path: helperPath("proposal-tests"),
    heapMb: HEAP_MB,
    late: () => new TestsEnded("the tests take longer than 20 s together"),
    lost: () => new TestsEnded("the tests need more memory than there is for them, or ended their thread"),
  });
  readonly #line = new WaitingLine([this.#lane], { waiting: WAITING, busy });

  /** Rejects with ServiceFault server_busy when too many proposals wait. `ir`: as JSON. */
  async run(
    ir: string,
    label: string | undefined,
    tests: readonly ProposalTest[],
    catalog: AdapterCatalog,
  ): Promise<TestReport> {
    const none = { total: tests.length, passed: 0, results: [] };
    if (tests.length === 0) return { ...none, fault: null };
    const entries = catalog.names().flatMap((name) => catalog.adapter(name) ?? []);
    const lane = await this.#line.take();
    try {
      const limits = { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
      const results = await lane.run({ ir, label, tests, entries }, limits);
      return { ...none, passed: results.filter(({ ok }) => ok).length, fault: null, results };
    } catch (cause) {
      if (!(cause instanceof TestsEnded)) throw cause;
      return { ...none, fault: cause.message };
    } finally {
      this.#line.give(lane);
    }
  }

  async close(): Promise<void> {
    this.#line.close();
    await this.#lane.close();
  }
}

class TestsEnded extends Error {}

const busy = (): Error => faults.busy("the tests of too many proposals wait");

/** Throws ServiceFault invalid_request for a comment that looks like a test and cannot be read as one. */
export function testsOf(source: ProgramSource, given: DeployMembers["tests"]): readonly ProposalTest[] {
  const text = source.code ?? source.files?.[source.main ?? ""];
  const asked = (given ?? []).map(({ name, label, frame, limits, mocks, clock, random_seed, expect }, at) => ({
    name: name ?? `test ${at + 1}`,
    label,
    frame: (frame ?? {}) as JsonObject,
    limits,
    mocks,
    clock,
    random_seed,
    expect,
  })) as readonly ProposalTest[];
  try {
    const own = text === undefined ? null : commentCase(text);
    if (own === null || own.expect.diagnostics !== undefined) return asked;
    const { name, frame, limits, expect } = own;
    return [{ name, frame, limits, expect }, ...asked];
  } catch (cause) {
    if (!(cause instanceof TestInvalid)) throw cause;
    throw faults.invalidRequest([{ path: "/code", code: "value", message: cause.message }]);
  }
}
