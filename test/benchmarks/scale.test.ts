/** The arithmetic of docs/scale.md against the same system played event by event, and the table of the page against both. */
import { describe, expect, it } from "vitest";
import { CONNECTIONS_PER_REPLICA, capacity, type Installation } from "../../benchmarks/scale/model.ts";
import { simulate } from "../../benchmarks/scale/simulate.ts";
import { readPage } from "../docs/page.ts";

const USUAL: Installation = {
  replicas: 1,
  workers: 16,
  jobMs: 200,
  cpuMs: 2,
  coresPerReplica: 2,
  commitsPerSecond: 6000,
};
const SIZES = [1, 3, 10, 100] as const;

describe("what replicas can do", () => {
  it.each(SIZES)("is what the simulation does with %i, when more comes than they can do", (replicas) => {
    const installation = { ...USUAL, replicas };
    const { jobsPerSecond } = capacity(installation);
    const played = simulate(installation, { jobsPerSecond: jobsPerSecond * 1.3, seconds: 20, seed: 1 });
    expect(played.jobsPerSecond / jobsPerSecond).toBeGreaterThan(0.75);
    expect(played.jobsPerSecond / jobsPerSecond).toBeLessThan(1.05);
  });

  it.each(SIZES)("is not needed whole by three quarters of it: with %i nothing piles up", (replicas) => {
    const installation = { ...USUAL, replicas };
    const { jobsPerSecond } = capacity(installation);
    const played = simulate(installation, { jobsPerSecond: jobsPerSecond * 0.6, seconds: 30, seed: 2 });
    expect(played.left).toBeLessThan(jobsPerSecond * 0.2 + 5);
    expect(played.medianMs).toBeLessThan(2 * USUAL.jobMs);
  });

  it("is bound by what is scarce", () => {
    expect(capacity(USUAL).boundBy).toBe("workers");
    expect(capacity({ ...USUAL, cpuMs: 100 }).boundBy).toBe("processors");
    expect(capacity({ ...USUAL, replicas: 100 }).boundBy).toBe("database");
  });
});

describe("what goes wrong", () => {
  it("a dead replica: its jobs end after the take-over, nothing is lost, the others continue", () => {
    const installation = { ...USUAL, replicas: 3 };
    const jobsPerSecond = capacity(installation).jobsPerSecond * 0.5;
    const load = { jobsPerSecond, seconds: 120, seed: 3 };
    const whole = simulate(installation, load);
    const hurt = simulate(installation, { ...load, deathAtMs: 30_000 });
    expect(hurt.startedTwice).toBeGreaterThan(0);
    expect(hurt.startedTwice).toBeLessThanOrEqual(USUAL.workers);
    expect(Math.abs(hurt.done - whole.done)).toBeLessThan(jobsPerSecond);
    expect(hurt.left).toBe(0);
  });

  it("a program that became slow takes the workers of all others", () => {
    const installation = { ...USUAL, replicas: 3 };
    const jobsPerSecond = capacity(installation).jobsPerSecond * 0.5;
    const calm = simulate(installation, { jobsPerSecond, seconds: 60, seed: 4 });
    const hot = simulate(installation, { jobsPerSecond, seconds: 60, seed: 4, hotShare: 0.02 });
    expect(hot.medianMs).toBeGreaterThan(3 * calm.medianMs);
    expect(hot.longestLine).toBeGreaterThan(10 * calm.longestLine);
  });

  it("a database at its limit: replicas that are added add nothing", () => {
    const many = { ...USUAL, replicas: 100 };
    const more = { ...USUAL, replicas: 200 };
    expect(capacity(more).jobsPerSecond).toBe(capacity(many).jobsPerSecond);
    const load = { jobsPerSecond: capacity(many).jobsPerSecond * 1.2, seconds: 5, seed: 5 };
    const [a, b] = [simulate(many, load), simulate(more, load)];
    expect(b.jobsPerSecond / a.jobsPerSecond).toBeLessThan(1.05);
  });

  it("is the same every time", () => {
    const load = { jobsPerSecond: 100, seconds: 5, seed: 6 };
    expect(simulate(USUAL, load)).toEqual(simulate(USUAL, load));
  });
});

it("docs/scale.md has the figures of the model", () => {
  const { text } = readPage("scale.md");
  for (const replicas of SIZES) {
    const { jobsPerSecond, boundBy, connections } = capacity({ ...USUAL, replicas });
    expect(text).toContain(
      `| ${replicas} | ${Math.round(jobsPerSecond).toLocaleString("en-US")} | ${boundBy} | ${connections.toLocaleString("en-US")} |`,
    );
  }
  expect(text).toContain(`${CONNECTIONS_PER_REPLICA} connections`);
});
