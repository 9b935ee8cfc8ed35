/**
 * Weft next to DBOS and Restate, in turn over two rounds: engines on one PostgreSQL server each with a database of its own, the others with
 * their data in a folder. An engine is measured in a process of its own, and what it calls answers from this one.
 */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import type { Figure } from "../figure.ts";
import { startEffects } from "./effects.ts";
import { type Amounts, type Engine, type EngineFigures, measured, type Place } from "./engine.ts";

export const ENGINE = "--measure-engine";
/** In the folder of the engine. */
const FIGURES = "figures.json";
const QUIET: StdioOptions = ["ignore", "ignore", "inherit"];
const ROUNDS = 2;
const AMOUNTS: Amounts = { runs: 400, parked: 2000 };

type EngineFacts = {
  readonly title: string;
  readonly isOnPostgres: boolean;
  open(place: Place): Promise<Engine | null>;
};

const ENGINES = {
  weft_postgres: {
    title: "Weft on PostgreSQL",
    isOnPostgres: true,
    open: async (place) => (await import("./weft.ts")).openWeft(place),
  },
  dbos: { title: "DBOS", isOnPostgres: true, open: async (place) => (await import("./dbos.ts")).openDbos(place) },
  weft_sqlite: {
    title: "Weft on SQLite",
    isOnPostgres: false,
    open: async (place) => (await import("./weft.ts")).openWeft(place),
  },
  restate: {
    title: "Restate",
    isOnPostgres: false,
    open: async (place) => (await import("./restate.ts")).openRestate(place),
  },
} satisfies Record<string, EngineFacts>;

type EngineName = keyof typeof ENGINES;
type EngineTask = { readonly engine: EngineName; readonly place: Place; readonly amounts: Amounts };

/** In the child: writes the figures, or null where the engine is not installed. What engines print is their own. */
export async function measureEngine(text: string): Promise<void> {
  const { engine, place, amounts } = JSON.parse(text) as EngineTask;
  const opened = await ENGINES[engine].open(place);
  const figures = opened === null ? null : await measured(opened, amounts);
  await opened?.stop();
  writeFileSync(join(place.folder, FIGURES), JSON.stringify(figures));
  process.exit(0);
}

/** Nothing where the command is not built, or PostgreSQL cannot run. Engines that are not installed are left out. */
export async function nextToOthers(root: string): Promise<readonly Figure[]> {
  const postgres = existsSync(join(root, "dist", "wf.mjs")) ? await startPostgres({ isSafe: true }) : null;
  if (postgres === null) return [];
  const names = Object.keys(ENGINES) as EngineName[];
  const found = new Map<EngineName, EngineFigures[]>();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const figures = await inProcess(name, root, postgres);
        if (figures !== null) found.set(name, [...(found.get(name) ?? []), figures]);
      }
    }
  } finally {
    await postgres.stop();
  }
  return figuresOf(found);
}

async function inProcess(engine: EngineName, root: string, postgres: TestPostgres): Promise<EngineFigures | null> {
  const folder = mkdtempSync(join(tmpdir(), "weft-engine-"));
  const effects = await startEffects();
  const databaseUrl = ENGINES[engine].isOnPostgres ? await postgres.createDatabase() : null;
  const task: EngineTask = { engine, place: { effectsUrl: effects.url, databaseUrl, folder, root }, amounts: AMOUNTS };
  try {
    await ended(spawn(process.execPath, [process.argv[1] ?? "", ENGINE, JSON.stringify(task)], { stdio: QUIET }));
    return JSON.parse(readFileSync(join(folder, FIGURES), "utf8")) as EngineFigures | null;
  } finally {
    effects.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`an engine ended with ${code}`))));
  });
}

function figuresOf(found: ReadonlyMap<EngineName, readonly EngineFigures[]>): readonly Figure[] {
  const group = "Durable runs of five HTTP calls, next to other engines";
  const best = (name: EngineName): EngineFigures | null => {
    const rounds = found.get(name);
    if (rounds === undefined) return null;
    return {
      runsPerSecond: Math.max(...rounds.map((round) => round.runsPerSecond)),
      aloneMs: Math.min(...rounds.map((round) => round.aloneMs)),
      awakeSeconds: Math.min(...rounds.map((round) => round.awakeSeconds)),
    };
  };
  const figures: Figure[] = [];
  for (const name of found.keys()) {
    const figure = best(name);
    if (figure === null) continue;
    const { title } = ENGINES[name];
    const isOurs = name === "weft_postgres";
    figures.push(
      { group, name: `${title}, 16 at once`, value: figure.runsPerSecond, unit: "runs/s" },
      { group, name: `${title}, one after the other, a run`, value: figure.aloneMs, unit: "ms" },
      {
        ...{ group, name: `${title}, 2,000 that wait, from the first message to the last end` },
        ...{ value: figure.awakeSeconds * 1000, unit: "ms", ...(isOurs ? { target: { at_most: 5000 } } : {}) },
      },
    );
  }
  const ratio = (ours: EngineName, theirs: EngineName, atLeast: number): void => {
    const [one, other] = [best(ours), best(theirs)];
    if (one === null || other === null) return;
    const name = `${ENGINES[ours].title} against ${ENGINES[theirs].title}, 16 at once`;
    figures.push({
      group,
      name,
      value: one.runsPerSecond / other.runsPerSecond,
      unit: "×",
      target: { at_least: atLeast },
    });
  };
  ratio("weft_postgres", "dbos", 1.3);
  ratio("weft_sqlite", "restate", 1.5);
  return figures;
}
