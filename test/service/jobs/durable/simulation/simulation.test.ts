/**
 * Durable jobs in a simulated service: two replicas that die, stop and continue as zombies, a store that goes away, requests and answers that get
 * lost, signals, decisions and cancels, all as a seed says. `WEFT_SIMULATION_SEEDS=10000` tries that number, `WEFT_SIMULATION_SEED=7` the one, or begins with it where both are given.
 */
import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../../support/postgres.ts";
import { type JobServer, postgresServer, sqliteServer } from "./servers.ts";
import { type Figures, type Scenario, simulate, TROUBLES } from "./world.ts";

const FIRST = process.env["WEFT_SIMULATION_SEED"];
const SEEDS = Number(process.env["WEFT_SIMULATION_SEEDS"] ?? (FIRST === undefined ? 120 : 1));
/** Of those on a database: each statement is a real one. */
const DATABASE_SEEDS = Math.ceil(SEEDS / 40);

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

function scenario(seed: number): Scenario {
  return { seed, troubles: TROUBLES, jobs: 3 + (seed % 5), troubledMs: 5000 };
}

type Opened = () => Promise<JobServer>;

async function broken(open: Opened, given: Scenario, figures: Figures): Promise<string | null> {
  const server = await open();
  try {
    await simulate(server, given, figures);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  } finally {
    await server.close();
  }
}

const noFigures = (): Figures => ({ jobs: 0, steps: 0, kills: 0, zombies: 0, unknown: 0, decided: 0 });

/** The same seed with less: without each kind of trouble that is not needed, fewer jobs, a shorter time. */
async function shrunk(open: Opened, given: Scenario): Promise<Scenario> {
  let smallest = given;
  const tries = (): readonly Scenario[] => [
    ...smallest.troubles.map((one) => ({ ...smallest, troubles: smallest.troubles.filter((other) => other !== one) })),
    ...(smallest.jobs > 1 ? [{ ...smallest, jobs: smallest.jobs - 1 }] : []),
    ...(smallest.troubledMs > 500 ? [{ ...smallest, troubledMs: smallest.troubledMs * 0.7 }] : []),
  ];
  for (let next = tries(); next.length > 0; ) {
    const failing = await firstBroken(open, next);
    if (failing === null) break;
    smallest = failing;
    next = tries();
  }
  return smallest;
}

async function firstBroken(open: Opened, scenarios: readonly Scenario[]): Promise<Scenario | null> {
  for (const one of scenarios) if ((await broken(open, one, noFigures())) !== null) return one;
  return null;
}

async function expectNoneBroken(open: Opened, seeds: number): Promise<Figures> {
  const figures = noFigures();
  const first = Number(FIRST ?? 1);
  for (let seed = first; seed < first + seeds; seed++) {
    const why = await broken(open, scenario(seed), figures);
    if (why === null) continue;
    const smallest = await shrunk(open, scenario(seed));
    expect.fail(`WEFT_SIMULATION_SEED=${seed}: ${why}\nalso with ${JSON.stringify(smallest)}`);
  }
  console.info(JSON.stringify({ seeds, ...figures }));
  return figures;
}

describe("a simulated service", () => {
  it("breaks no promise to durable jobs on the tables of SQLite", { timeout: 60_000 + SEEDS * 1000 }, async () => {
    const { jobs, kills, zombies } = await expectNoneBroken(async () => sqliteServer(), SEEDS);
    expect(Math.min(jobs, kills, zombies)).toBeGreaterThan(0);
  });

  it.skipIf(postgres === null)(
    "breaks no promise to durable jobs on a PostgreSQL database",
    { timeout: 60_000 + DATABASE_SEEDS * 60_000 },
    async () => {
      const open: Opened = () => postgresServer(postgres as NonNullable<typeof postgres>);
      const { jobs } = await expectNoneBroken(open, DATABASE_SEEDS);
      expect(jobs).toBeGreaterThan(0);
    },
  );

  // Without these it could be that nothing is looked at.
  it.each<readonly [string, (server: JobServer) => Partial<JobServer>]>([
    [
      "a replica that lost a job continues as if it had it",
      (server) => ({ append: (job, records) => server.append(job, records).then(() => "kept") }),
    ],
    ["records get lost", () => ({ append: async () => "kept" })],
    ["nothing wakes a job when its time comes", () => ({ wakeDue: async () => {} })],
    [
      "a job that parks does not look for what is there",
      (server) => ({
        async park(job, records, waits, isWhole, now) {
          const deaf = waits.map((wait) => {
            const { spec } = wait;
            return spec.kind === "signal" ? { ...wait, spec: { ...spec, names: [`not ${spec.names}`] } } : wait;
          });
          return server.park(job, records, deaf, isWhole, now);
        },
        waits: async (id) =>
          (await server.waits(id)).map((one) => ({ ...one, spec: { ...one.spec, names: ["go"] } as typeof one.spec })),
      }),
    ],
  ])("notices when %s", { timeout: 60_000 }, async (_name, change) => {
    const open: Opened = async () => {
      const server = sqliteServer();
      return { ...server, ...change(server) };
    };
    const seeds = Array.from({ length: 30 }, (_, at) => scenario(at + 1));
    expect(await firstBroken(open, seeds)).not.toBeNull();
  });
});
