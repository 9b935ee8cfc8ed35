/** The probes by name, in the order of the report. */
import { measureBranches } from "./branches.ts";
import { measureConditions } from "./conditions.ts";
import { measureDispatch } from "./dispatch.ts";
import { measureDurable } from "./durable.ts";
import { measureEventLoop } from "./event-loop.ts";
import { measureFloor } from "./floor.ts";
import { measureFrameSize } from "./frame-size.ts";
import { measureFresh } from "./fresh.ts";
import { measureLangGraph } from "./langgraph.ts";
import { measureMemory } from "./memory.ts";
import { measureMeters } from "./meters.ts";
import type { Probe } from "./probe.ts";
import { measurePrograms } from "./programs.ts";
import { measureSnapshots } from "./snapshots.ts";

export const PROBES = {
  fresh: { title: "fresh programs", measure: measureFresh },
  floor: { title: "the least a run could take", measure: measureFloor },
  meters: { title: "meters", measure: measureMeters },
  frame_size: { title: "frame size", measure: measureFrameSize },
  dispatch: { title: "adapter calls", measure: measureDispatch },
  conditions: { title: "conditions", measure: measureConditions },
  langgraph: { title: "LangGraph", measure: measureLangGraph },
  snapshots: { title: "snapshots", measure: measureSnapshots },
  branches: { title: "branches", measure: measureBranches },
  durable: { title: "durable jobs", measure: measureDurable },
  event_loop: { title: "event loop", measure: measureEventLoop },
  programs: { title: "programs in the service", measure: measurePrograms },
  memory: { title: "memory", flags: ["--expose-gc"], measure: measureMemory },
} as const satisfies Record<string, Probe>;

export type ProbeName = keyof typeof PROBES;
export const PROBE_NAMES = Object.keys(PROBES) as ProbeName[];
