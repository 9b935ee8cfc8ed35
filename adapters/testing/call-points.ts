/** Points 2, 6, 8, 9 and 10: examples, answers, instances, replay, and calls that are made twice or not at all. */
import type { Json } from "../../compiler/json.ts";
import { counted } from "../../grammar/text/english.ts";
import type { CallEvent } from "../../vm/run.ts";
import { jsonBytes } from "../../vm/values/json-size.ts";
import type { AdapterDefinition, VerbDefinition } from "../definition/define.ts";
import { ADAPTER_CODES } from "../errors.ts";
import { codeOf, type Point, type Suite, same, type WorkingProgram } from "./suite.ts";

export const CALL_POINTS: readonly Point[] = [
  { number: 2, title: "every example works and gives what it says", check: examplesWork },
  { number: 6, title: "results are bounded JSON, and errors have listed codes", check: answersFit },
  { number: 8, title: "runs share no instance, and every instance is closed", check: instancesApart },
  { number: 9, title: "a replay makes no live call", check: replaysAlone },
  { number: 10, title: "repeated calls have one effect, dry runs none", check: effectsOnce },
];

const WRITES = "io-write";

async function examplesWork(suite: Suite) {
  const findings: string[] = [];
  for (const program of suite.programs) {
    await suite.with(async (bench) => {
      const answer = await bench.run(program);
      if (!answer.ok) {
        findings.push(`${program.title}: ${codeOf(answer)} ${answer.error.message}`);
        return;
      }
      const schema = program.verb === null ? undefined : suite.definition.verbs[program.verb]?.result;
      if (schema?.safeParse(answer.out).success === false) findings.push(`${program.title}: does not fit its schema`);
      if (program.expected !== undefined && !alike(program.expected, answer.out))
        findings.push(`${program.title}: gave ${JSON.stringify(answer.out)}`);
    });
  }
  return { findings };
}

const VOLATILE = [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/];

/** Equal but for times and ids, which only have to be some. */
function alike(expected: Json, given: Json): boolean {
  if (typeof expected === "string" && typeof given === "string")
    return expected === given || VOLATILE.some((form) => form.test(expected) && form.test(given));
  if (typeof expected !== "object" || typeof given !== "object" || expected === null || given === null)
    return expected === given;
  const names = Object.keys(expected);
  if (Array.isArray(expected) !== Array.isArray(given) || names.length !== Object.keys(given).length) return false;
  return names.every((name) => {
    const [one, other] = [expected, given].map((value) => (value as { readonly [name: string]: Json })[name]);
    return one !== undefined && other !== undefined && alike(one, other);
  });
}

async function answersFit(suite: Suite) {
  const findings: string[] = [];
  for (const program of suite.programs) {
    await suite.with(async (bench) => {
      const events: CallEvent[] = [];
      await bench.run(program, { observer: (event) => events.push(event) });
      for (const { adapter, verb, result, code } of events) {
        if (adapter !== suite.definition.name) continue;
        if (!same(JSON.parse(JSON.stringify(result)), result)) findings.push(`${verb}: the result is not plain JSON`);
        const most = verbNamed(suite.definition, verb)?.maxResultBytes ?? 1_048_576;
        if (jsonBytes(result) > most) findings.push(`${verb}: the result is larger than ${most} bytes`);
        if (code !== null && !isListed(suite.definition, code))
          findings.push(`${verb}: fails with the unlisted ${code}`);
      }
    });
  }
  return { findings };
}

/** Codes that any verb may fail with. */
const COMMON_CODES: ReadonlySet<string> = new Set(
  "NOT_ALLOWED NOT_CONFIGURED BAD_SETTINGS UNKNOWN_VERB BAD_ARGS NOT_FOUND CONFLICT TIMEOUT TRANSPORT BUSY RATE_LIMITED UNAVAILABLE CANCELLED TOO_LARGE QUOTA BAD_DATA ENCODING FAILED WRITE_FORBIDDEN"
    .split(" ")
    .map((word) => `ADAPTER_${word}`),
);

/** Whether a code is common or one of the adapter's own. */
export function isListed({ verbs }: AdapterDefinition, code: string): boolean {
  if (COMMON_CODES.has(code)) return true;
  const own = Object.values(verbs).some(({ errors = [] }) => errors.includes(code));
  return own && (Object.hasOwn(ADAPTER_CODES, code) || code.startsWith("ADAPTER_"));
}

function verbNamed({ verbs }: AdapterDefinition, word: string): VerbDefinition | undefined {
  const name = Object.keys(verbs).find((one) => one.toUpperCase() === word.toUpperCase());
  return name === undefined ? undefined : verbs[name];
}

async function instancesApart(suite: Suite) {
  const findings: string[] = [];
  for (const program of suite.programs) {
    await suite.with(async (bench) => {
      const both = await Promise.all([bench.run(program), bench.run(program)]);
      if (bench.tally.opened > 0 && bench.tally.opened !== both.length)
        findings.push(`${program.title}: ${counted(bench.tally.opened, "instance")} for two runs`);
      if (bench.tally.live !== 0) findings.push(`${program.title}: ${counted(bench.tally.live, "instance")} left open`);
    });
  }
  return { findings };
}

/** Recorded, then answered from the log: successes, failures and attempts of Retry. */
async function replaysAlone(suite: Suite) {
  const findings: string[] = [];
  for (const program of [...suite.programs, ...failing(suite)]) {
    const recorded = await suite.with((bench) => bench.run(program, { record: true, traceId: "t" }));
    await suite.with(async (bench) => {
      const replayed = await bench.run(program, { replay: recorded.record, traceId: "t" });
      const [was, is] = [recorded, replayed].map((answer) => (answer.ok ? answer.out : codeOf(answer)));
      if (!same(was ?? null, is ?? null)) findings.push(`${program.title}: replayed differently`);
      if (bench.tally.opened + bench.tally.ran + bench.watch.calls.length > 0)
        findings.push(`${program.title}: the replay opened, ran or asked for something`);
    });
  }
  return { findings };
}

/** The same programs under Retry, with arguments that are refused. */
function failing({ definition }: Suite): WorkingProgram[] {
  return Object.entries(definition.verbs)
    .filter(([, { effect, determinism }]) => effect !== "pure" && determinism !== "pure")
    .map(([verb]) => {
      const source = `L1:\n  R ${definition.name}.${verb} null null null null null null null null null ->r\n  Retry 2 1\n  J r\n`;
      return { title: `${verb} under Retry`, verb, source };
    });
}

async function effectsOnce(suite: Suite) {
  const findings: string[] = [];
  for (const program of suite.programs) {
    const verb = program.verb === null ? undefined : suite.definition.verbs[program.verb];
    if (verb === undefined || verb.effect !== WRITES) continue;
    await suite.with(async (bench) => {
      const before = await bench.observed();
      const dry = await bench.run(program, { dryRun: true });
      if (!dry.ok) findings.push(`${program.title}: fails in a dry run (${codeOf(dry)})`);
      if (!same(before, await bench.observed())) findings.push(`${program.title}: a dry run has an effect`);
      if ((verb.idempotent ?? false) === false) return;
      // The same trace gives the same call id, which is the key of keyed verbs.
      await bench.run(program, { traceId: "once" });
      const once = await bench.observed();
      const again = await bench.run(program, { traceId: "once" });
      if (!again.ok) findings.push(`${program.title}: fails when repeated (${codeOf(again)})`);
      if (!same(once, await bench.observed())) findings.push(`${program.title}: has another effect when repeated`);
    });
  }
  const writes = Object.values(suite.definition.verbs).some(({ effect }) => effect === WRITES);
  return writes ? { findings } : { findings, skipped: "no verb writes" };
}
