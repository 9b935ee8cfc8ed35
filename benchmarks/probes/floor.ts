/**
 * The least that a ten-step run (W10) from the host could take: the program as a plain function, and around it only what its caller is
 * given, with no machine and no meter. What it leaves of a target is all that steps, limits and sizes may cost.
 */
import { systemClock } from "../../adapters/engine/system-clock.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { createTraceIds } from "../../service/telemetry/trace-ids.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { Figure } from "../figure.ts";
import { small } from "../peers/native.ts";
import { compiledOn, LIMITS, openHost, sourceOf } from "../peers/weft.ts";
import { workloadNamed } from "../workloads.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const GROUP = "The least a ten-step run could take";
/** Answers that are kept, so that none of them is made for nothing. */
const KEPT = 64;
const INPUTS = 50;

const NO_WARNINGS: readonly string[] = Object.freeze([]);
const NO_FIGURES: RunAnswer["adapter_p95_ms"] = Object.freeze({});

/** An answer as the host gives it, about a run that was none. */
function answerOf(out: Json, traceId: string, ms: number, frameBytes: number): RunAnswer {
  return {
    ok: true,
    out,
    label: "1",
    usage: {
      steps: 10,
      depth: 2,
      adapter_calls: 0,
      time_ms: Math.floor(ms),
      frame_bytes: frameBytes,
      loop_iters: 0,
    },
    trace_id: traceId,
    label_written: "L1",
    duration_ms: Math.round(ms * 1000) / 1000,
    adapter_p95_ms: NO_FIGURES,
    limits: LIMITS,
    warnings: NO_WARNINGS,
  };
}

export async function measureFloor({ pace, root }: ProbeScope): Promise<readonly Figure[]> {
  const workload = workloadNamed("W10");
  if (workload === undefined) throw new Error("no workload W10");
  const host = openHost();
  const ir = compiledOn(host, workload.name, sourceOf(root, workload));
  const uuid = createTraceIds();
  const kept: unknown[] = new Array<unknown>(KEPT).fill(null);
  let at = 0;
  const keeping = (work: (frame: JsonObject) => unknown) => (): void => {
    at += 1;
    kept[at % KEPT] = work({ x: at % INPUTS });
  };
  const copied = (frame: JsonObject): number => Number({ ...frame }["x"]);
  const times = await timeInTurn(
    [
      keeping((frame) => small(Number(frame["x"]))),
      keeping(() => systemClock.now() - systemClock.now()),
      keeping(uuid),
      keeping((frame) => {
        const begun = systemClock.now();
        const traceId = uuid();
        const out = small(copied(frame));
        return answerOf(out, traceId, systemClock.now() - begun, 170 + at);
      }),
      keeping((frame) => host.runSync({ ir, frame, limits: LIMITS })),
    ],
    pace,
  );
  const names = [
    "the program in JavaScript",
    "two readings of the clock",
    "an id",
    "all of it, with its answer",
    "Weft",
  ];
  return times.map(({ median }, index) => ({
    group: GROUP,
    name: names[index] as string,
    value: median * 1e6,
    unit: "ns",
  }));
}
