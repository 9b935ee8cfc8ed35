/** Points 5, 7, 11 and 12: aborts and deadlines, what must not leak, services that fail, and arguments of every kind. */
import type { Json } from "../../compiler/json.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { Bench } from "./bench.ts";
import { isListed } from "./call-points.ts";
import { chanceOf, drawArguments } from "./samples.ts";
import { codeOf, type Point, type Suite, same, type WorkingProgram, within } from "./suite.ts";

export const SAFETY_POINTS: readonly Point[] = [
  { number: 5, title: "an abort or a deadline ends a call, and nothing stays open", check: endsInTime },
  { number: 7, title: "nothing secret leaves the adapter", check: keepsSecrets },
  { number: 11, title: "a service that fails leaves no half-written state", check: survivesFaults },
  { number: 12, title: "arguments of every kind are answered with a result or a listed code", check: standsAnything },
];

/** Nothing that obeys its signal needs as long, however busy the machine is. */
const HANGING_MS = 10_000;
/** Long enough for a call to be under way, most of the time. */
const LATE_MS = 100;
const RANDOM_CALLS = 200;

async function endsInTime(suite: Suite) {
  const findings: string[] = [];
  for (const program of suite.slow)
    await suite.with(async (bench) => findings.push(...(await abortedRun(bench, program, "late"))));
  for (const program of suite.programs) {
    for (const moment of ["before", "during", "after"] as const)
      await suite.with(async (bench) => findings.push(...(await abortedRun(bench, program, moment))));
    await suite.with(async (bench) => {
      const settings = { ...program.settings, timeout_s: 0.000_001 };
      const answer = await within(HANGING_MS, bench.run({ ...program, settings }));
      const code = answer === null ? "hangs" : codeOf(answer);
      const isEnd = code === null || code === "hangs" || isListed(suite.definition, code);
      if (code === "hangs" || !isEnd) findings.push(`${program.title} at its deadline: ${code}`);
      await settled(bench, findings, `${program.title} at its deadline`);
    });
  }
  return { findings };
}

async function abortedRun(
  bench: Bench,
  program: WorkingProgram,
  moment: "before" | "during" | "late" | "after",
): Promise<string[]> {
  const findings: string[] = [];
  const controller = new AbortController();
  if (moment === "before") controller.abort();
  if (moment === "during") {
    bench.watch.onCall(() => {
      controller.abort();
      return null;
    });
  }
  const running = bench.run(program, { signal: controller.signal });
  // Without services to watch: as soon as the first call is under way.
  if (moment === "during") setImmediate(() => controller.abort());
  if (moment === "late") setTimeout(() => controller.abort(), LATE_MS);
  const answer = await within(HANGING_MS, running);
  if (moment === "after") controller.abort();
  const code = answer === null ? "hangs" : codeOf(answer);
  const cancelled = code === "RUNTIME_CANCELLED";
  const ended = cancelled || (code === null && moment !== "before" && moment !== "late");
  if (!ended) findings.push(`${program.title} aborted ${moment} the call: ${code}`);
  if (moment === "before" && bench.tally.ran > 0) findings.push(`${program.title}: ran after its abort`);
  await settled(bench, findings, `${program.title} aborted ${moment} the call`);
  return findings;
}

/** Calls obey their signal, and instances are closed at the latest when what they were doing is over. */
async function settled(bench: Bench, findings: string[], what: string): Promise<void> {
  const closed = (async () => {
    while (bench.tally.live + bench.tally.running !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return true;
  })();
  if ((await within(HANGING_MS, closed)) === null) findings.push(`${what}: a call continues or an instance stays open`);
}

const CANARY = "canary-0b6f";

/** Texts of arguments stay out of messages and log; secrets and paths of the host stay out of answers, log and records. */
async function keepsSecrets(suite: Suite) {
  return suite.with(async (bench) => {
    const findings: string[] = [];
    const hidden = [...Object.values(bench.fixture.secrets ?? {}), ...(bench.fixture.hidden ?? [])];
    const looked = (title: string, answer: RunAnswer): void => {
      const everything = JSON.stringify(answer) + bench.logged.join("");
      for (const text of hidden) if (everything.includes(text)) findings.push(`${title}: shows a secret or a path`);
      const messages = (answer.ok ? "" : answer.error.message) + bench.logged.join("");
      if (messages.includes(CANARY)) findings.push(`${title}: tells an argument`);
    };
    for (const program of suite.programs)
      looked(program.title, await bench.run(program, { record: true, trace: true }));
    for (const verb of Object.keys(suite.definition.verbs)) {
      for (const args of canaries()) looked(verb, await bench.call(verb, args, { record: true }));
    }
    return { findings };
  });
}

function* canaries(): Generator<readonly Json[]> {
  const path = `${CANARY}/../x`;
  for (const one of [CANARY, path, [CANARY], { [CANARY]: CANARY }] as Json[])
    for (let count = 1; count <= 4; count++) yield Array.from({ length: count }, () => one);
}

/** Each call of a service fails once, in turn. What an outsider sees then is the state before or the one after, never between. */
async function survivesFaults(suite: Suite) {
  const findings: string[] = [];
  let injected = 0;
  for (const program of suite.programs) {
    const { calls, before, after } = await suite.with(async (bench) => {
      const state = await bench.observed();
      await bench.run(program);
      return { calls: [...bench.watch.calls], before: state, after: await bench.observed() };
    });
    for (const [index, kind] of calls.entries()) {
      const fault = index + 1;
      if (kind === "value") continue;
      injected += 1;
      await suite.with(async (bench) => {
        bench.watch.onCall((call) => (call === fault ? kind : null));
        const answer = await within(HANGING_MS, bench.run(program));
        bench.watch.onCall(null);
        const code = answer === null ? "hangs" : codeOf(answer);
        if (code !== null && !isListed(suite.definition, code))
          findings.push(`${program.title}, fault ${fault}: ${code}`);
        const state = await bench.observed();
        // A program of several calls may well have made some of them.
        if (program.verb !== null && !same(state, before) && !same(state, after))
          findings.push(`${program.title}, fault ${fault}: half-written`);
        await settled(bench, findings, `${program.title}, fault ${fault}`);
      });
    }
  }
  return injected > 0 ? { findings } : { findings, skipped: "no service of the host is asked for anything" };
}

async function standsAnything(suite: Suite) {
  return suite.with(async (bench) => {
    const findings: string[] = [];
    const verbs = Object.entries(suite.definition.verbs);
    const chance = chanceOf(20_300_101);
    for (let call = 0; call < RANDOM_CALLS; call++) {
      const [name, verb] = verbs[call % verbs.length] as (typeof verbs)[number];
      const args = drawArguments(verb, chance);
      const answer = await within(HANGING_MS, bench.call(name, args, { limits: { max_time_ms: 100 } }));
      const code = answer === null ? "hangs" : codeOf(answer);
      // Some calls wait as long as they are asked to.
      if (code === "RUNTIME_MAX_TIME") continue;
      if (code !== null && !isListed(suite.definition, code)) findings.push(`${name} ${JSON.stringify(args)}: ${code}`);
    }
    if (({} as { polluted?: unknown }).polluted !== undefined) findings.push("a prototype was changed");
    return { findings };
  });
}
