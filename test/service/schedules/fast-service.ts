/**
 * The service as a program of its own, whose wall clock goes sixty times as fast: a schedule of every minute fires every second. Its argument
 * is the time at which the clock was right, so that it continues after a restart. Tests bundle it, start it and kill it.
 */
import { randomUUID } from "node:crypto";
import { systemClock } from "../../../adapters/engine/system-clock.ts";
import { serve } from "../../../service/main.ts";

const SPEED = 60;
const right = Number(process.argv[2]);
/** How long replicas that have an alarm wait until they look by themselves. */
const ALARMED_POLL_MS = 10_000;

process.exitCode = await serve({
  variables: { ...process.env, WF_PORT: "0" } as Readonly<Record<string, string>>,
  clock: {
    ...systemClock,
    wall: () => right + (systemClock.wall() - right) * SPEED,
    wait: (ms, then) => systemClock.wait(ms === ALARMED_POLL_MS ? ms / SPEED : ms, then),
  },
  uuid: randomUUID,
  complain: (text) => void process.stderr.write(text),
  onSignal(handler) {
    const told = (): void => handler("SIGTERM");
    process.on("SIGTERM", told);
    return () => void process.off("SIGTERM", told);
  },
  leave: (code) => process.exit(code),
});
