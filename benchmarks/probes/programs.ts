/**
 * Programs that live in the service: what a call of an endpoint costs next to POST /run of the same IR, and how late schedules fire. The
 * service runs in this process, in memory, and the client is a bare socket, so that most of the time is the service's.
 */
import { connect, type Socket } from "node:net";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { createApp } from "../../service/app.ts";
import { readServiceStart } from "../../service/config.ts";
import { openJobStore } from "../../service/jobs/open-store.ts";
import { jobTimes } from "../../service/jobs/times.ts";
import { createJobsPart } from "../../service/jobs-part.ts";
import { portOf } from "../../service/main.ts";
import { openServices } from "../../service/open-services.ts";
import { drain } from "../../service/shutdown.ts";
import type { Clock } from "../../vm/run.ts";
import { type Figure, timed } from "../figure.ts";
import { compiledOn, LIMITS, openHost } from "../peers/weft.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const STEPS = Array.from({ length: 9 }, (_, at) => `  X a add a ${at}\n`).join("");
const CODE = `# frame: a: number\nE /ten P ->L1\nL1:\n${STEPS}  J a\n`;
const MINUTE = 60_000;
const SILENT_MS = 30_000;
const LATE = "Lateness of schedules";

type Timed = ReturnType<typeof timed>;

export async function measurePrograms(scope: ProbeScope): Promise<readonly Figure[]> {
  return [...(await measureInputs(scope)), ...(await measureEndpoint(scope)), ...(await measureLateness(scope))];
}

/** The same ten steps on the same frame, with three declared scalars and with none. */
async function measureInputs({ pace }: ProbeScope): Promise<readonly Figure[]> {
  const host = openHost();
  // All three are variables of the program in both, and loaded.
  const steps = `L1:\n${STEPS.split("\n").slice(0, 7).join("\n")}\n  Set d b\n  Set e c\n  J a\n`;
  const [declared, bare] = ["# frame: a: number, b: text, c: boolean\n", ""].map((head) =>
    compiledOn(host, "inputs", head + steps),
  ) as [Ir, Ir];
  const frame = { a: 1, b: "x", c: true };
  const works = [declared, bare].map((ir) => () => host.run({ ir, frame, limits: LIMITS }));
  const [checked, plain] = (await timeInTurn(works, pace)).map((time) => timed(time, "ns")) as [Timed, Timed];
  const group = "Declared inputs (ten steps)";
  return [
    { group, name: "none declared", ...plain },
    {
      group,
      name: "three scalars, more than none",
      value: (checked.value / plain.value - 1) * 100,
      unit: "%",
      target: { at_most: 2 },
    },
  ];
}

async function measureEndpoint({ pace }: ProbeScope): Promise<readonly Figure[]> {
  const service = await served(systemClock);
  await service.ask("PUT", "/programs/ten", { code: CODE });
  const ir = compiledOn(openHost(), "ten", CODE);
  const works = [
    () => service.ask("POST", "/run", { ir, frame: { a: 1 } }),
    () => service.ask("POST", "/app/ten/ten", { a: 1 }),
    () => service.ask("POST", "/run", { program: "ten", frame: { a: 1 } }),
  ];
  for (const work of works) await work();
  const [run, endpoint, named] = (await timeInTurn(works, pace)).map((time) => timed(time, "µs")) as [
    Timed,
    Timed,
    Timed,
  ];
  await service.stop();
  const group = "An endpoint of a deployed program (ten steps)";
  return [
    { group, name: "POST /run with the IR", ...run },
    { group, name: "POST /run by name", ...named },
    { group, name: "the endpoint", ...endpoint },
    {
      group,
      name: "the endpoint, more than POST /run with the IR",
      value: (endpoint.value / run.value - 1) * 100,
      unit: "%",
      target: { at_most: 10 },
    },
  ];
}

async function measureLateness({ quick }: ProbeScope): Promise<readonly Figure[]> {
  const count = quick ? 40 : 1000;
  const spread = await latenessOf(count, quick ? 1 : 20);
  const together = await latenessOf(count, 0);
  return [
    {
      group: LATE,
      name: `${count} schedules, spread by jitter, p99`,
      value: p99(spread),
      unit: "ms",
      target: { at_most: 1000 },
    },
    {
      group: LATE,
      name: `${count} schedules due at one moment, the last`,
      value: Math.max(...together),
      unit: "ms",
      target: { at_most: 10_000 },
    },
  ];
}

/** Milliseconds by which the first jobs of `count` schedules of every minute were queued late. */
async function latenessOf(count: number, jitter_s: number): Promise<readonly number[]> {
  // A minute that is over soon, but not before all are deployed.
  const offset = MINUTE - 2000 - (systemClock.wall() % MINUTE);
  const service = await served({ ...systemClock, wall: () => systemClock.wall() + offset });
  const late: number[] = [];
  const done = new Promise<void>((resolve) => {
    const { schedules } = service.metrics;
    const fired = schedules.fired.bind(schedules);
    schedules.fired = (seconds) => {
      fired(seconds);
      late.push(seconds * 1000);
      if (late.length === count) resolve();
    };
  });
  const schedules = Array.from({ length: count }, () => ({ cron: "* * * * *", overlap: "allow", jitter_s }));
  await service.ask("PUT", "/programs/many", { code: "L1:\n  J 1\n", schedules });
  await done;
  await service.stop();
  return late;
}

async function served(clock: Clock) {
  const variables = { WF_PORT: "0", WF_LOG_LEVEL: "error", WF_WORKER_THREADS: "0", WF_QUEUE_MAX: "10000" };
  const start = readServiceStart(variables);
  const store = await openJobStore({ stateDir: null, databaseUrl: null, clock, owner: "probe", silentMs: SILENT_MS });
  const part = createJobsPart(store, clock, jobTimes(SILENT_MS));
  const { services, runtime } = openServices({
    start,
    clock,
    uuid: () => crypto.randomUUID(),
    output: { write: () => {}, dropped: 0, onRelief: () => {}, flush: async () => {} },
    lag: { p99: () => 0, takeLongest: () => 0 },
    ...part.keeps,
  });
  const app = await createApp(services, { part });
  await part.start();
  await app.listen({ host: "127.0.0.1", port: 0 });
  services.readiness.open();
  const port = portOf(app);
  const socket = connect(port, "127.0.0.1");
  return {
    metrics: services.metrics,
    /** Rejects for an answer that is not in 200 to 299. */
    ask: (method: string, path: string, body: object) => ask(socket, port, method, path, JSON.stringify(body)),
    async stop() {
      socket.destroy();
      await drain(app, services, part, "done");
      await runtime.close();
    },
  };
}

function ask(socket: Socket, port: number, method: string, path: string, body: string): Promise<void> {
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  return new Promise((resolve, reject) => {
    let answer = "";
    const read = (part: Buffer): void => {
      answer += part.toString("latin1");
      const end = answer.indexOf("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(answer)?.[1];
      if (end < 0 || length === undefined || answer.length < end + 4 + Number(length)) return;
      socket.off("data", read);
      if (answer.startsWith("HTTP/1.1 2")) resolve();
      else reject(new Error(answer));
    };
    socket.on("data", read);
    socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(0.99 * (sorted.length - 1))] ?? Number.NaN;
}
