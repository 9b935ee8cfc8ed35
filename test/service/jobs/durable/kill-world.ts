/** The other side of services that are killed: it counts what durable jobs did to it, and tells whether that is what their results say. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { exchange, type Reply } from "../../serving.ts";

/** Makes an effect for each request; keyed ones once a key. */
export async function effectsOf() {
  const unsafe = new Map<string, number>();
  const keyed = new Map<string, Set<string>>();
  let requests = 0;
  let wanted = { requests: 0, reached: (): void => {} };
  const server = createServer((request, response) => {
    const [, kind = "", name = ""] = request.url?.split("/") ?? [];
    request.resume();
    requests += 1;
    if (requests === wanted.requests) wanted.reached();
    // Some take a while, so that kills hit calls under way.
    const answer = (): void => void response.setHeader("content-type", "application/json").end('{"v":1}');
    if (kind === "unsafe") unsafe.set(name, (unsafe.get(name) ?? 0) + 1);
    if (kind === "keyed") {
      const keys = keyed.get(name) ?? new Set();
      keyed.set(name, keys.add(String(request.headers["idempotency-key"])));
    }
    setTimeout(answer, name.length % 4 === 0 ? 15 : 1);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    unsafe,
    keyed,
    /** Resolves at the request with this number from now, or after a while without it. */
    after: (more: number) =>
      new Promise<void>((reached) => {
        wanted = { requests: requests + more, reached };
        setTimeout(reached, 1500);
      }),
    close: () => server.close(),
  };
}

const PROGRAM = `L1:
  R core.SLEEP ms ->z
  R http.Get (join "" [url, "/read/", n]) ->a
  R http.Post (join "" [url, "/keyed/", n]) 1 {"idempotency_key": true} ->b
  Call L_act ->first
  R http.Get (join "" [url, "/read/", n]) ->c
  R http.Post (join "" [url, "/keyed/", n, "b"]) 1 {"idempotency_key": true} ->d
  Each acts [1, 2, 3] k ->L_branch limit=3
  J {"first": first, "acts": acts}
L_branch:
  R http.Post (join "" [url, "/keyed/", n, "-", k]) 1 {"idempotency_key": true} ->b
  R timer.sleep 0.1 ->t
  Set n (join "" [n, "-", k])
  Call L_act ->act
  J act
L_act:
  R http.Post (join "" [url, "/unsafe/", n]) 1 ->r
  Err ->L_unknown
  J "done"
L_unknown:
  J _error_info.details.outcome
`;

export type DurableLoad = {
  /** The environment of the services. */
  readonly variables: Readonly<Record<string, string>>;
  /** Queues jobs through the service on a port; those that were not accepted are not counted. */
  send(port: number, jobs: number): Promise<void>;
  /** Resolves at the request with this number from now, or after a while without it. */
  after(requests: number): Promise<void>;
  /** Every accepted job succeeded, and acted as its result says. */
  verify(port: number): Promise<{ readonly jobs: number; readonly resumed: number; readonly unknown: number }>;
  close(): void;
};

export async function durableLoad(random: () => number): Promise<DurableLoad> {
  const effects = await effectsOf();
  const url = `http://127.0.0.1:${effects.port}`;
  const adapters = { enable: ["http"], http: { allow_hosts: ["127.0.0.1"], allow_ports: [effects.port] } };
  const ids = new Map<number, string>();
  let next = 0;
  const enqueue = async (port: number): Promise<void> => {
    const n = next++;
    const frame = { n: String(n), ms: Math.floor(random() * 20), url };
    const body = { code: PROGRAM, strict: false, frame, durable: true, adapters };
    const reply = await exchange(port, "POST", "/enqueue", body).catch((): Reply | null => null);
    if (reply?.status === 202) ids.set(n, reply.body.job_id);
    // A service or a store that is busy or away may say so.
    else if (reply !== null && reply.status !== 503) throw new Error(reply.text);
  };
  return {
    variables: {
      WF_QUEUE_WORKERS: "4",
      WF_HTTP_ALLOW_PRIVATE: "1",
      WF_DURABLE_MOST_CRASHES: "1000",
      WF_QUEUE_MAX: "100000",
    },
    async send(port, jobs) {
      await Promise.all(Array.from({ length: jobs }, () => enqueue(port)));
    },
    after: effects.after,
    async verify(port) {
      const counted = { jobs: ids.size, resumed: 0, unknown: 0 };
      for (const [n, id] of ids) {
        const body = await over(port, id);
        expect(body.status, JSON.stringify(body)).toBe("succeeded");
        const { first, acts } = body.result.out;
        const branches = [1, 2, 3].map((k) => `${n}-${k}`);
        for (const [at, name] of [String(n), ...branches].entries()) {
          const made = effects.unsafe.get(name) ?? 0;
          expect(made, `job ${name}`).toBeLessThanOrEqual(1);
          const told = [first, ...acts][at];
          if (told === "done") expect(made).toBe(1);
          else {
            expect(told).toBe("unknown");
            expect(body.result.warnings.join()).toContain("outcome_unknown");
            counted.unknown += 1;
          }
        }
        for (const name of [String(n), `${n}b`, ...branches])
          expect(effects.keyed.get(name)?.size, `keyed ${name}`).toBe(1);
        expect(body.result.usage.adapter_calls).toBe(15);
        counted.resumed += body.resumes > 0 ? 1 : 0;
      }
      console.info(JSON.stringify(counted));
      return counted;
    },
    close: effects.close,
  };
}

/** The job when it is over; a store that is away for a moment is asked again. */
async function over(port: number, id: string) {
  for (let asked = 0; ; asked++) {
    const { status, body, text } = await exchange(port, "GET", `/result/${id}?wait=30`);
    if (status === 200 && (body.finished_at !== undefined || asked > 10)) return body;
    if (status !== 200 && status !== 503) throw new Error(text);
    if (status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
