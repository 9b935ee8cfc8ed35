/** Python programs over the real adapters of one process: stores in SQLite without helper processes, and a web server that answers as a test says. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { approvalAdapter } from "../../../adapters/builtin/approval/definition.ts";
import { cacheAdapter } from "../../../adapters/builtin/cache/definition.ts";
import { dbAdapter } from "../../../adapters/builtin/db/definition.ts";
import { httpAdapter } from "../../../adapters/builtin/http/definition.ts";
import { memoryAdapter } from "../../../adapters/builtin/memory/definition.ts";
import { queueAdapter } from "../../../adapters/builtin/queue/definition.ts";
import { signalAdapter } from "../../../adapters/builtin/signal/definition.ts";
import { sqliteAdapter } from "../../../adapters/builtin/sqlite/definition.ts";
import { createDocumentParsers } from "../../../adapters/content/document-parsers.ts";
import type { AdapterDefinition } from "../../../adapters/definition/define.ts";
import type { HostServices } from "../../../adapters/definition/host-services.ts";
import { linkAdapter } from "../../../adapters/definition/link.ts";
import { createHttpService } from "../../../adapters/guard/http/service.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import type { Adapter } from "../../../vm/adapter.ts";
import { type PlainVerb, plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { createHost, type Host, type RunAnswer } from "../../../vm/host.ts";
import { NO_PLACES, realClock } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { compiled } from "../support/weft.ts";

const SETTINGS: readonly (readonly [AdapterDefinition, JsonObject])[] = [
  [httpAdapter, { allow_hosts: ["127.0.0.1"] }],
  [cacheAdapter, {}],
  [memoryAdapter, {}],
  [queueAdapter, { allow_take: true }],
  [sqliteAdapter, { allow_write: true }],
  [signalAdapter, { allow_send: ["paid"] }],
  [approvalAdapter, {}],
  [dbAdapter, { path: ":memory:", store: "documents", entities: { Item: {} }, allow_write: true }],
];

export type AdaptersWorld = {
  readonly host: Host;
  /** Of the server. */
  readonly base: string;
  /** Bodies that reached it. */
  readonly bodies: string[];
  /** What it answers, as JSON. */
  answer: string;
  status: number;
  /** The exact text of the result. Throws what the run failed with. */
  text(source: string, more?: JsonObject): Promise<string>;
  run(source: string, more?: object): Promise<RunAnswer>;
  /** A durable run whose journal holds `kept` already. */
  durable(
    source: string,
    kept: readonly JournalRecord[],
  ): Promise<{ readonly answer: RunAnswer; readonly records: readonly JournalRecord[] }>;
  close(): Promise<void>;
};

export async function adaptersWorld(): Promise<AdaptersWorld> {
  const sqlite = inProcessSqlite();
  const http = createHttpService({});
  const bodies: string[] = [];
  let answer = "null";
  let status = 200;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.writeHead(status, { "content-type": "application/json" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const adapters = new Map<string, Adapter>();
  for (const [definition, settings] of SETTINGS) {
    const linked = linkAdapter(definition, settings, {
      services: { places: NO_PLACES, parsers: createDocumentParsers(), sqlite, http } as unknown as HostServices,
      secret: async () => undefined,
      log: () => {},
      now: () => Date.now(),
    });
    if (!linked.ok) throw new Error(JSON.stringify(linked.issues));
    adapters.set(definition.name, linked.adapter);
  }
  adapters.set(
    "agent",
    plainAdapter("agent", {
      send_task: ((args) => ({ given: args })) as PlainVerb,
      read_result: (() => {
        throw new AdapterError("ADAPTER_FAILED", "no", { data: { id: 2 ** 60 } });
      }) as PlainVerb,
    }),
  );
  const host = createHost({
    clock: realClock,
    facts: { uuid: () => crypto.randomUUID(), env: () => undefined },
    catalog: builtinCatalog,
    adapters,
    traceId: () => crypto.randomUUID(),
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const irOf = (source: string) => {
    const made = compiled(source.replaceAll("BASE", base));
    if ("refused" in made) throw new Error(JSON.stringify(made.refused));
    return made.ir;
  };
  const run = (source: string, more: object = {}): Promise<RunAnswer> =>
    host.run({ ir: irOf(source), frame: {}, outText: true, allowedAdapters: ["core", ...adapters.keys()], ...more });
  return {
    host,
    base,
    bodies,
    get answer() {
      return answer;
    },
    set answer(text) {
      answer = text;
    },
    get status() {
      return status;
    },
    set status(code) {
      status = code;
    },
    run,
    async text(source, more) {
      const ended = await run(source, more);
      if (!ended.ok) throw new Error(`${ended.error.code}: ${ended.error.message}`);
      return ended.out_text ?? JSON.stringify(ended.out);
    },
    async durable(source, kept) {
      const records = [...kept];
      const journal: RunJournal = {
        load: async () => ({ records: structuredClone(records) }),
        async append(some) {
          for (const record of some) if (record.seq > records.length) records.push(structuredClone(record));
          return "kept";
        },
        park: async () => {
          throw new Error("nothing here may be parked");
        },
        keep: () => {},
      };
      const traceId = "durable";
      const started = host.durable({
        ir: irOf(source),
        frame: {},
        outText: true,
        journal,
        traceId,
        onUnknown: () => "retry",
      });
      const end = await started.result;
      if (end.state !== "ended") throw new Error(`the run is ${end.state}`);
      return { answer: end.answer as RunAnswer, records };
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await http.close();
      await sqlite.close();
    },
  };
}
