/** The probes by name, in the order of the report. A process loads only the one that it measures. */
import type { Probe } from "./probe.ts";

export const PROBES = {
  fresh: { title: "fresh programs", measure: async (scope) => (await import("./fresh.ts")).measureFresh(scope) },
  meters: { title: "meters", measure: async (scope) => (await import("./meters.ts")).measureMeters(scope) },
  frame_size: {
    title: "frame size",
    measure: async (scope) => (await import("./frame-size.ts")).measureFrameSize(scope),
  },
  dispatch: {
    title: "adapter calls",
    measure: async (scope) => (await import("./dispatch.ts")).measureDispatch(scope),
  },
  conditions: {
    title: "conditions",
    measure: async (scope) => (await import("./conditions.ts")).measureConditions(scope),
  },
  langgraph: { title: "LangGraph", measure: async (scope) => (await import("./langgraph.ts")).measureLangGraph(scope) },
  snapshots: { title: "snapshots", measure: async (scope) => (await import("./snapshots.ts")).measureSnapshots(scope) },
  branches: { title: "branches", measure: async (scope) => (await import("./branches.ts")).measureBranches(scope) },
  durable: { title: "durable jobs", measure: async (scope) => (await import("./durable.ts")).measureDurable(scope) },
  parked: {
    title: "parked jobs",
    flags: ["--expose-gc"],
    measure: async (scope) => (await import("./parked.ts")).measureParked(scope),
  },
  flow: { title: "jobs with rules", measure: async (scope) => (await import("./flow.ts")).measureFlow(scope) },
  event_loop: {
    title: "event loop",
    measure: async (scope) => (await import("./event-loop.ts")).measureEventLoop(scope),
  },
  programs: {
    title: "programs in the service",
    measure: async (scope) => (await import("./programs.ts")).measurePrograms(scope),
  },
  memory: {
    title: "memory",
    flags: ["--expose-gc"],
    measure: async (scope) => (await import("./memory.ts")).measureMemory(scope),
  },
  tier: {
    title: "generated code",
    flags: ["--expose-gc"],
    measure: async (scope) => (await import("./tier.ts")).measureTier(scope),
  },
  start_up: { title: "start-up", measure: async (scope) => (await import("./start-up.ts")).measureStartUp(scope) },
  batch: { title: "lines of JSON", measure: async (scope) => (await import("./batch.ts")).measureBatch(scope) },
  service: {
    title: "the service under load",
    measure: async (scope) => (await import("./service.ts")).measureService(scope),
  },
} satisfies Record<string, Probe>;

export type ProbeName = keyof typeof PROBES;
export const PROBE_NAMES = Object.keys(PROBES) as ProbeName[];
