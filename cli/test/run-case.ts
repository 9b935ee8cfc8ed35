/** One run of a program as a test sets it up, and what could be seen of it. Nothing outside the process is touched. */
import { type AdapterCatalog, findAdapter, findVerb } from "../../compiler/catalog.ts";
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { RunScope } from "../../vm/adapter.ts";
import { inputCheckOf } from "../../vm/inputs/check-inputs.ts";
import type { RecordLog } from "../../vm/recording/record-log.ts";
import type { RunError, Usage } from "../../vm/run.ts";
import { mockedHost } from "../../vm/testing/mocked-host.ts";
import { type EffectiveGrant, effectiveGrant, type GrantFlags } from "../grant/effective-grant.ts";
import type { ProgramInput } from "../input/input.ts";
import type { LogFile } from "../input/replay-log-file.ts";
import { checkSource } from "../run/load-program.ts";
import { withStandIns } from "../run/stand-ins.ts";
import { CliFault, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { type Trace, traceOf } from "../trace/trace-events.ts";
import { asTest, type TestSetup } from "./test-case.ts";

/** `http.Get` in the catalog's spelling. */
type ObservedCall = { readonly call: string; readonly args: readonly Json[] };
export type Observed = {
  readonly ok: boolean;
  readonly result: Json;
  /** Of a run; null when it succeeded or never began. */
  readonly error: RunError | null;
  /** Why nothing was run, in the word that every surface uses. */
  readonly refused: string | null;
  /** Errors and warnings of the compiler, in order. */
  readonly diagnostics: readonly {
    readonly code: string;
    readonly line: number | null;
    readonly column: number | null;
  }[];
  readonly policyErrors: readonly string[];
  /** In order; those of core are left out. */
  readonly calls: readonly ObservedCall[];
  readonly surprises: readonly string[];
  readonly usage: Usage | null;
  readonly trace: Trace | null;
  readonly ir: Ir | null;
  readonly record: RecordLog | null;
};

export type CaseRun = {
  /** Of the test, for faults. */
  readonly file: string;
  readonly program: ProgramInput;
  readonly setup: TestSetup;
  readonly frame: JsonObject;
  readonly replay: LogFile | null;
  /** The flags of the command line: they tighten every case. */
  readonly grant: GrantFlags;
  /** Run against the real adapters, and record their answers. */
  readonly live: boolean;
  /** The events are wanted, which makes a run several times slower. */
  readonly traced: boolean;
  readonly includeRoots: readonly string[];
  readonly signal: AbortSignal;
};

/** A trace of a test is for counting and comparing, so it holds the run as a whole, and values only as far as one would write down. */
const TRACE = { max_events: 200_000, max_value_bytes: 2048 };

const NOTHING: Omit<Observed, "diagnostics"> = {
  ok: false,
  result: null,
  error: null,
  refused: null,
  policyErrors: [],
  calls: [],
  surprises: [],
  usage: null,
  trace: null,
  ir: null,
  record: null,
};

export async function runCase(asked: Session, run: CaseRun): Promise<Observed> {
  const { program, setup, frame } = run;
  const mocked = Object.keys(setup.mocks ?? {}).map((target) => target.slice(0, target.indexOf(".") + 1).slice(0, -1));
  const session = run.live ? asked : withStandIns(asked, [...mocked, ...(run.replay?.adapters ?? [])]);
  if (program.content.kind !== "source")
    throw usageFault(`${program.name} is not a source program; tests belong to source programs`);
  const compiled = checkSource(session, program, program.content.text, {
    strict: setup.strict ?? true,
    inputs: Object.keys(frame),
    includeRoots: run.includeRoots,
  });
  const diagnostics = compiled.diagnostics
    .filter(({ severity }) => severity !== "hint")
    .map(diagnosticDocument)
    .map(({ code, line, column }) => ({ code, line, column }));
  const { ir } = compiled;
  if (ir === null) return { ...NOTHING, refused: "compile_error", diagnostics };
  const world = asTest(run.file, () => mockedHost(setup, session.host.catalog));
  const grant = effectiveGrant(run.live ? session : mockedSession(session, world), run.grant);
  try {
    const observed = await runUnder(session, grant, run, ir, run.live ? undefined : world.wait);
    return { ...observed, diagnostics, ir, surprises: world.surprises };
  } finally {
    await grant.close();
  }
}

/** The session of a command line whose host knows no adapter but the mocked ones, and no time but the test's. */
function mockedSession(session: Session, { host, clock, uuid }: ReturnType<typeof mockedHost>): Session {
  return { ...session, host, io: { ...session.io, clock, uuid, host } };
}

async function runUnder(
  { host }: Session,
  grant: EffectiveGrant,
  run: CaseRun,
  ir: Ir,
  wait: RunScope["wait"],
): Promise<Omit<Observed, "diagnostics">> {
  const { setup, frame, replay } = run;
  const { gateway } = grant;
  const admission = gateway.admit({ policy: setup.policy, limits: setup.limits, adapters: setup.adapters });
  if (!admission.ok) throw refusedSetup(run.file, admission.issues);
  const prepared = await gateway.prepare(ir, admission);
  if (!prepared.ok && prepared.error === "policy_violation") {
    return { ...NOTHING, refused: prepared.error, policyErrors: prepared.policy_errors.map(({ code }) => code) };
  }
  if (!prepared.ok) throw refusedSetup(run.file, prepared.issues);
  const entry = host.resolveLabel(ir, setup.label).id;
  // A program whose inputs are tested is strict, as everywhere but with `"strict": false`.
  const about = inputCheckOf(ir, entry)?.(frame) ?? null;
  if ((setup.strict ?? true) && about !== null && about.problems.length > 0)
    return { ...NOTHING, refused: "input_invalid" };
  const calls: ObservedCall[] = [];
  const answer = await gateway.run(prepared, {
    frame,
    inputs: "checked",
    observer: ({ adapter, verb, args }) => {
      if (adapter !== "core") calls.push({ call: `${adapter}.${spelled(host.catalog, adapter, verb)}`, args });
    },
    trace: run.traced ? TRACE : false,
    record: run.live,
    ...(setup.label === undefined ? {} : { label: setup.label }),
    ...(replay === null || run.live ? {} : { replay: replay.log }),
    signal: run.signal,
    ...(wait === undefined ? {} : { wait }),
  });
  const trace = answer.trace === undefined ? null : traceOf({ trace: answer.trace });
  const facts = { ...NOTHING, calls, usage: answer.usage, trace, record: answer.record ?? null };
  return answer.ok ? { ...facts, ok: true, result: answer.out } : { ...facts, error: answer.error };
}

function spelled(catalog: AdapterCatalog, adapter: string, verb: string): string {
  const entry = findAdapter(catalog, adapter);
  return (entry === undefined ? undefined : findVerb(entry, verb))?.name ?? verb;
}

function refusedSetup(file: string, issues: readonly { readonly path: string; readonly message: string }[]): CliFault {
  const [issue] = issues;
  return new CliFault(`${file}: ${issue?.path ?? ""}: ${issue?.message ?? "not valid"}`, {
    error: "invalid_test",
    exitCode: 2,
  });
}
