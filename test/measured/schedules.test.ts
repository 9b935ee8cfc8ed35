/** How long the schedules of one moment take the processor. */
import { expect, it } from "vitest";
import type { ScheduleSpec } from "../../service/schedules/schedule.ts";
import { SPEC, simulated } from "../service/schedules/simulated.ts";

it("1,000 schedules that are due at one moment are queued within 10 s of processor time", {
  timeout: 60_000,
}, async () => {
  const start = Date.parse("2030-01-01T00:00:30Z");
  const specs = Array.from({ length: 1000 }, (_, at): ScheduleSpec => ({ ...SPEC, id: `p/L${at}`, label: `L${at}` }));
  const world = await simulated(specs, start);
  await world.tick(start);
  const cpu = process.cpuUsage();
  await world.tick(Date.parse("2030-01-01T01:00:01Z"));
  const used = process.cpuUsage(cpu);
  await world.close();
  expect(world.jobs()).toBe(1000);
  expect((used.user + used.system) / 1e6).toBeLessThan(10);
});
