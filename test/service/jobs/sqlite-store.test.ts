/** The SQLite store in a file. */
import { rm } from "node:fs/promises";
import { afterAll } from "vitest";
import { openSqliteStore } from "../../../service/jobs/sqlite/store.ts";
import { realClock } from "../serving.ts";
import { temporaryFolder } from "./serving-jobs.ts";
import { type StoreUnderTest, storeCases } from "./store-cases.ts";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

/** One process at a time has the folder: opening it anew is what follows a death. */
function placeAt(stateDir: string): () => Promise<StoreUnderTest> {
  return async () => {
    let ahead = 0;
    const now = (): number => Date.now() + ahead;
    let current: Awaited<ReturnType<typeof openSqliteStore>> | null = null;
    return {
      async open(owner) {
        if (owner === "dead" && current !== null) return current;
        current = await openSqliteStore({ stateDir, owner, now, clock: realClock });
        return current;
      },
      kill: (store) => store.close(),
      advance: (ms) => {
        ahead += ms;
      },
      now,
      sequences: 100,
    };
  };
}

storeCases("a file", placeAt(`${folder.path}/cases`));
void rm;
