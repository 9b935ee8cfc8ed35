/** A write whose answer is lost and that Retry repeats has one effect: the key of the call is the same for all attempts. */
import { expect, test } from "vitest";
import { cacheAdapter } from "../../../adapters/builtin/cache/definition.ts";
import { memoryAdapter } from "../../../adapters/builtin/memory/definition.ts";
import { queueAdapter } from "../../../adapters/builtin/queue/definition.ts";
import type { HostServices } from "../../../adapters/definition/host-services.ts";
import { linkAdapter } from "../../../adapters/definition/link.ts";
import type { SqliteService } from "../../../adapters/engine/sqlite/sqlite.ts";
import { adapterError } from "../../../adapters/errors.ts";
import { NO_PLACES } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { irOf, world } from "../../support/world.ts";

/** Every first answer to one of these operations is lost after the work was done. */
function losingAnswers(operations: readonly string[]): SqliteService {
  const service = inProcessSqlite();
  let calls = 0;
  return {
    open(place) {
      const database = service.open(place);
      const call: typeof database.call = async (operation, input, limits) => {
        const answer = await database.call(operation, input, limits);
        if (!operations.includes(operation)) return answer;
        calls += 1;
        if (calls % 2 === 1) throw adapterError("ADAPTER_TRANSPORT", "the answer was lost");
        return answer;
      };
      return Object.assign(Object.create(database), { call });
    },
    close: () => service.close(),
  };
}

const program = (call: string, after: string): string => `L1:\n  ${call} ->first\n  Retry 3 1\n${after}`;

test.each([
  ["increment", program('R cache.incr "n" "k"', "  J first\n"), 1],
  ["append", program('R memory.append "ops" "k" "log" {"n": 1}', "  J first.entries\n"), 1],
  ["put", program('R queue.Put "jobs" 1', '  R queue.len "jobs" ->n\n  J n.ready\n'), 1],
  [
    "acknowledge",
    `L1:
  R queue.Put "jobs" 1 ->put
  R queue.take "jobs" ->taken
  R queue.ack "jobs" taken[0].message_id taken[0].lease ->done
  Retry 3 1
  J done
`,
    { ok: true },
  ],
])("%s", async (operation, source, expected) => {
  const sqlite = losingAnswers([operation]);
  const deps = {
    services: { sqlite, places: NO_PLACES } as HostServices,
    secret: async () => undefined,
    log: () => {},
    now: () => 0,
  };
  const adapters = new Map(
    [cacheAdapter, memoryAdapter, queueAdapter].map((definition) => {
      const linked = linkAdapter(definition, definition.name === "queue" ? { allow_take: true } : {}, deps);
      if (!linked.ok) throw new Error(JSON.stringify(linked.issues));
      return [definition.name, linked.adapter] as const;
    }),
  );
  const answer = await world().host.run({ ir: irOf(source), adapters });
  expect(answer.ok ? answer.out : answer.error).toEqual(expected);
  await sqlite.close();
});
