/**
 * What a user of the clients does, from the first run to the last clean-up, as the TypeScript client does it. Answers are without ids and
 * times, so that the Python client, which does the same in story.py, must come to the same document.
 */
import { WeftClient, WeftError } from "../../client.ts";

const DOUBLE = "# frame: n: number\nL1:\n  X m mul n 2\n  J m\n";
const ODD =
  "def main(n: int):\n    return [None, {'summary': True, 'error': 'no', 'message': 'no'}, {'ok': False, 'index': 7}][n]\n";
const FAILS = 'L1:\n  X m fail "no"\n  J m\n';
const SLEEPS = "L1:\n  R core.SLEEP 60000 ->none\n  J 1\n";
const WAITS = 'L1:\n  R signal.wait ["go", "stop"] {"timeout": "1d"} ->news\n  J news.data\n';
const WAITS_BY_KEY = (key: string) =>
  `L1:\n  R signal.wait "paid" {"key": "${key}", "timeout": "1d"} ->news\n  J news.data\n`;
const ASKS = 'L1:\n  R approval.ask "Pay?" {"timeout": "1d"} ->a\n  J [a.decision, a.comment]\n';
const NIGHTLY = '# frame: n: number\nCr L1 "0 3 * * *"\nL1:\n  X m add 40 2\n  J m\n';

/** `name`: of the job and the program; nothing else in the service has it. */
export async function story(server: string, name: string): Promise<unknown> {
  const weft = new WeftClient({ server });
  const told: Record<string, unknown> = {};

  told["run"] = (await weft.run({ code: DOUBLE, frame: { n: 21 } })).ok;
  told["value"] = await weft.value({ code: DOUBLE, frame: { n: 21 } });
  const failed = await weft.run({ code: FAILS });
  told["failed"] = failed.ok ? null : failed.error;
  told["failed value"] = await codeOf(weft.value({ code: FAILS }));
  told["bad program"] = await codeOf(weft.run({ code: "L1:\n  Nonsense\n" }));
  told["bad input"] = await codeOf(weft.run({ code: DOUBLE, frame: { n: "x" } }));

  const results: (number | string)[] = [];
  const frames = Array.from({ length: 1000 }, (_, n) => ({ n: n === 500 ? "x" : n }));
  for await (const line of weft.batch({ code: DOUBLE }, frames, { chunk: 300 }))
    results[line.index] = line.ok ? (line.out as number) : (line.error ?? "");
  told["batch"] = [results.length, results[0], results[500], results[999]];

  const values: unknown[] = [];
  for await (const value of weft.batch({ code: DOUBLE }, frames, { chunk: 300, rows: "out" })) values.push(value);
  told["values"] = [values.length, values[999], (values[500] as { index: number }).index];
  const lean: unknown[] = [];
  for await (const row of weft.batch({ code: DOUBLE }, frames, { chunk: 300, rows: "lean" })) lean.push(row);
  told["lean"] = [lean[301], (lean[500] as { error: string }).error];
  const odd: unknown[] = [];
  for await (const value of weft.batch({ code: ODD }, [{ n: 0 }, { n: 1 }, { n: 2 }], { rows: "out" })) odd.push(value);
  told["odd values"] = odd;
  const stopped: unknown[] = [];
  const stops = { code: DOUBLE, on_error: "stop" } as const;
  for await (const row of weft.batch(stops, frames, { chunk: 501, rows: "out" })) stopped.push(row);
  told["stopped"] = stopped.length;

  const job = await weft.enqueue({ code: DOUBLE, frame: { n: 4 }, name }, { key: name });
  const again = await weft.enqueue({ code: DOUBLE, frame: { n: 4 }, name }, { key: name });
  told["same job"] = job.job_id === again.job_id;
  const over = await weft.wait(job.job_id);
  told["job"] = [over.status, over.result?.ok === true ? over.result.out : null];
  const kinds: string[] = [];
  for await (const { event } of weft.events(job.job_id)) kinds.push(event);
  told["events"] = kinds.at(-1);
  told["found"] = (await weft.jobs({ name })).jobs.length;
  told["retry"] = await codeOf(weft.retry(job.job_id));

  const many = await weft.enqueueMany({ code: DOUBLE, frames: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  told["many"] = await Promise.all(
    many.job_ids.map(async (id) => {
      const { result } = await weft.wait(id ?? "");
      return result?.ok === true ? result.out : null;
    }),
  );

  const slow = await weft.enqueue({ code: SLEEPS });
  told["not over"] = await codeOf(weft.wait(slow.job_id, { timeoutMs: 50 }));
  await weft.cancel(slow.job_id);
  told["cancelled"] = (await weft.wait(slow.job_id)).status;
  told["unknown job"] = await codeOf(weft.job("none"));

  const waiting = await weft.enqueue({ code: WAITS, durable: true, lifetime_s: 600, on_unknown: "ask" });
  told["parked"] = (await weft.wait(waiting.job_id, { until: "parked" })).status;
  const { waits: open } = await weft.waits(waiting.job_id);
  told["waits"] = open.map(({ kind, names }) => [kind, names]);
  const { shown, frame } = await weft.frame(waiting.job_id);
  told["frame"] = [shown, frame];
  const state = await weft.state(waiting.job_id);
  told["state"] = [state.at, state.shown, state.state];
  told["journal"] = (await weft.journal(waiting.job_id, { after: 0, limit: 1 })).next_after;
  told["no values"] = await codeOf(weft.journal(waiting.job_id, { values: true }));
  told["not asked"] = await codeOf(weft.decideOutcome(waiting.job_id, { seq: 1, decision: "make" }));
  told["signal"] = (await weft.signal(waiting.job_id, "go", { data: { door: true } })).delivered;
  const signalled = (await weft.wait(waiting.job_id)).result;
  told["signalled"] = signalled?.ok === true ? signalled.out : null;
  told["late signal"] = await codeOf(weft.signal(waiting.job_id, "go"));
  const broken = await weft.wait((await weft.enqueue({ code: FAILS, durable: true })).job_id);
  const fixed = await weft.retry(broken.job_id, { from: { seq: 1 }, code: FAILS.replace('fail "no"', "add 1 2") });
  const whole = (await weft.wait(fixed.job_id)).result;
  told["fixed"] = [broken.status, whole?.ok === true ? whole.out : null];
  const keyed = await weft.enqueue({ code: WAITS_BY_KEY(name) });
  await waits(weft, keyed.job_id);
  told["signal by key"] = (await weft.signalKey("paid", { key: name, data: 7 })).jobs;
  const paid = (await weft.wait(keyed.job_id)).result;
  told["paid"] = paid?.ok === true ? paid.out : null;

  const asks = await weft.enqueue({ code: ASKS, adapters: { enable: ["approval"] } });
  await weft.wait(asks.job_id, { until: "parked" });
  const [question] = (await weft.approvals({ job: asks.job_id })).approvals;
  const asked = await weft.approval(question?.approval_id ?? "");
  told["asked"] = [asked.state, asked.choices];
  told["no link"] = await codeOf(weft.linkApproval(asked.approval_id, { for: "user:ann" }));
  told["decided"] = (await weft.decideApproval(asked.approval_id, { decision: "reject", comment: "late" })).decision;
  told["too late"] = await codeOf(weft.decideApproval(asked.approval_id, { decision: "approve" }));
  const decided = (await weft.wait(asks.job_id)).result;
  told["decision"] = decided?.ok === true ? decided.out : null;

  told["dry run"] = (await weft.deploy(name, { code: DOUBLE }, { dryRun: true })).version;
  told["deployed"] = (await weft.deploy(name, { code: DOUBLE })).version;
  told["next"] = (await weft.deploy(name, { code: NIGHTLY }, { ifVersion: 1 })).version;
  told["conflict"] = await codeOf(weft.deploy(name, { code: DOUBLE }, { ifVersion: 1 }));
  told["by name"] = await weft.value({ program: name });
  const [schedule] = (await weft.schedules({ program: name })).schedules;
  const id = schedule?.id ?? "";
  told["schedule"] = [id, (await weft.nextTimes(id, { count: 3 })).next.length];
  told["paused"] = (await weft.changeSchedule(id, { paused: true })).paused;
  const fired = await weft.runSchedule(id);
  const scheduled = await weft.wait(fired.job_id);
  told["scheduled"] = scheduled.result?.ok === true ? scheduled.result.out : null;
  told["rolled back"] = (await weft.rollback(name, 1)).version;
  told["staged"] = (await weft.deploy(name, { code: DOUBLE }, { next: true })).version;
  told["share"] = (await weft.setNext(name, { version: 2, weight: 10 })).next?.weight ?? null;
  told["ended"] = (await weft.abortNext(name)).next;
  await weft.setNext(name, { version: 2, weight: 20 });
  told["promoted"] = (await weft.promoteNext(name, 2)).version;
  await weft.rollback(name, 1);
  told["versions"] = (await weft.versions(name)).versions.map(({ version, current }) => [version, current]);
  told["by name again"] = await weft.value({ program: name, frame: { n: 8 } });
  told["disabled"] = (await weft.changeProgram(name, { enabled: false })).enabled;
  told["programs"] = (await weft.programs()).programs.map((one) => one.name);
  told["removed"] = (await weft.removeProgram(name)).name;
  told["gone"] = await codeOf(weft.program(name));
  told["adapters"] = Object.keys((await weft.capabilities()).adapters).includes("core");
  return told;
}

/** Until the job waits, as its events say. */
async function waits(weft: WeftClient, id: string): Promise<void> {
  for await (const { event } of weft.events(id)) if (event === "waiting") return;
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "no error";
  } catch (thrown) {
    if (thrown instanceof WeftError) return thrown.code;
    throw thrown;
  }
}
