/** The figures of the service next to their targets. */
import { BULK_FRAMES, FRAMES, type ServiceBench } from "./measure-service.ts";

const whole = (value: number): string => Math.round(value).toLocaleString("en-US").replaceAll(",", " ");

export function serviceText(bench: ServiceBench): string {
  const { empty, route, run, batch, jobs, bulkJobs, health_p99_ms, loop_lag_p99_ms } = bench;
  const share = run.per_second / route.per_second;
  const cpuShare = route.cpu_us / run.cpu_us;
  const runs = batch.per_second * FRAMES;
  const perEmpty = runs / empty.per_second;
  const rows: readonly (readonly [string, string, string, boolean | null])[] = [
    ["empty Fastify POST", `${whole(empty.per_second)} /s, ${empty.cpu_us.toFixed(0)} µs of processor`, "", null],
    [
      "Fastify route with zod and pino",
      `${whole(route.per_second)} /s, ${route.cpu_us.toFixed(0)} µs of processor`,
      "",
      null,
    ],
    ["POST /run, W10, cached", `${whole(run.per_second)} /s, ${run.cpu_us.toFixed(0)} µs of processor`, "", null],
    ["  of the Fastify route", percent(share), "≥ 70 %", share >= 0.7],
    ["  by processor time", percent(cpuShare), "≥ 70 %", cpuShare >= 0.7],
    ["  of the empty POST", percent(run.per_second / empty.per_second), "", null],
    ["  p99", `${run.p99_ms.toFixed(1)} ms`, "< 5 ms", run.p99_ms < 5],
    [`POST /batch of ${FRAMES}`, `${whole(runs)} runs/s`, "", null],
    ["  runs for each empty POST", perEmpty.toFixed(1), "≥ 14", perEmpty >= 14],
    ["durable jobs accepted", `${whole(jobs.accepted)} /s`, "≥ 5 000 /s", jobs.accepted >= 5000],
    ["durable jobs, to their result", `${whole(jobs.completed)} /s`, "≥ 5 000 /s", jobs.completed >= 5000],
    [`durable jobs, ${BULK_FRAMES} a request, accepted`, `${whole(bulkJobs.accepted)} /s`, "", null],
    [
      "durable jobs in bulk, to their result",
      `${whole(bulkJobs.completed)} /s`,
      "≥ 50 000 /s",
      bulkJobs.completed >= 50_000,
    ],
    ["GET /health under full load, p99", `${health_p99_ms.toFixed(1)} ms`, "< 50 ms", health_p99_ms < 50],
    ["timers during 4 endless runs, p99", `${loop_lag_p99_ms.toFixed(1)} ms late`, "< 5 ms", loop_lag_p99_ms < 5],
  ];
  const lines = rows.map(([what, figure, aim, met]) => `| ${what} | ${figure} | ${aim} | ${verdict(met)} |`);
  return ["", "| Service | Measured | Aim | |", "|---|---|---|---|", ...lines, ""].join("\n");
}

function percent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

function verdict(met: boolean | null): string {
  if (met === null) return "";
  return met ? "met" : "missed";
}
