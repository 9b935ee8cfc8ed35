/** What every implementation of `QueueStore` must do. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIRST_PLACE, MAX_ATTEMPTS, type PutMessage, type QueueStore } from "../../../adapters/store/queue.ts";
import type { Json } from "../../../compiler/json.ts";
import { callAt, codeOf, type OpenStoreBench, START, type StoreBench } from "./bench.ts";

export function queueSuite(name: string, open: OpenStoreBench): void {
  describe(`queue store: ${name}`, () => {
    let bench: StoreBench;
    let store: QueueStore;
    let count = 0;
    beforeAll(async () => {
      bench = await open();
      store = bench.stores.queues(bench.path);
    });
    afterAll(() => bench.close());

    /** A queue of its own for a test; ids are `<queue>-<payload>` unless said otherwise. */
    function space() {
      count += 1;
      const queue = `q${count}`;
      const { call } = bench;
      let leases = 0;
      return {
        queue,
        put: (payload: Json, more: Partial<PutMessage> = {}) => {
          const id = more.id ?? `${queue}-${JSON.stringify(payload)}`;
          return store.put(
            {
              queue,
              id,
              payload,
              priority: 0,
              delayMs: 0,
              ttlMs: null,
              dedupe: null,
              maxDepth: 100,
              once: { key: id, argsHash: JSON.stringify(payload) },
              ...more,
            },
            call,
          );
        },
        take: (max = 1, leaseMs = 10_000, from = queue) => {
          leases += 1;
          return store.take({ queue: from, max, leaseMs, lease: `${queue} ${leases}`, waitMs: 0 }, call);
        },
        payloads: async (max = 100) => {
          leases += 1;
          const request = { queue, max, leaseMs: 10_000, lease: `${queue} ${leases}`, waitMs: 0 };
          return (await store.take(request, call)).map((message) => message.payload);
        },
        ack: ({ id, lease }: { id: string; lease: string }) => store.acknowledge({ queue, id, lease }, call),
        nack: ({ id, lease }: { id: string; lease: string }, delayMs = 0) =>
          store.release({ queue, id, lease, delayMs }, call),
        length: async (of = queue) => Object.values(await store.length(of, call)).join(" "),
        peek: (max = 100, after = FIRST_PLACE) => store.peek({ queue, max, after }, call),
        requeue: (ids: readonly string[] | null = null, max = 100) => store.requeue({ queue, ids, max }, call),
        /** Puts messages and delivers them as often as it takes to make them dead letters. */
        bury: async (...payloads: readonly string[]) => {
          for (const payload of payloads) await store.put(plain(queue, payload), call);
          for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
            leases += 1;
            const request = { queue, max: 100, leaseMs: 1_000, lease: `${queue} ${leases}`, waitMs: 0 };
            for (const { id, lease } of await store.take(request, call)) {
              await store.release({ queue, id, lease, delayMs: 0 }, call);
            }
          }
        },
      };
    }

    test("delivers once by priority, then time, then in order", async () => {
      const { put, payloads } = space();
      for (const [payload, priority] of [
        ["a", 0],
        ["b", 0],
        ["low", -1],
        ["high", 5],
      ] as const)
        await put(payload, { priority });
      bench.advance(1_000);
      await put("c");
      expect(await payloads(2)).toEqual(["high", "a"]);
      expect(await payloads()).toEqual(["b", "c", "low"]);
      expect(await payloads()).toEqual([]);
    });

    test.each<[Json]>([[null], [{ ["__proto__"]: 1 }], ["\u0000\ud800"], [[1.5, "ü"]]])("keeps %j", async (payload) => {
      const { put, take } = space();
      await put(payload, { id: `kept-${count}` });
      expect(JSON.stringify((await take())[0]?.payload)).toBe(JSON.stringify(payload));
    });

    test("a lease hides a message until it is acknowledged or over", async () => {
      const { put, take, ack, length } = space();
      await put(1);
      const [first] = await take(1, 5_000);
      expect(first).toMatchObject({ attempts: 1, payload: 1 });
      expect([await take(), await length()]).toEqual([[], "0 0 1 0"]);
      bench.advance(5_000);
      expect(await length()).toBe("1 0 0 0");
      const [second] = await take(1, 5_000);
      expect(second).toMatchObject({ attempts: 2, id: first?.id });
      if (first === undefined || second === undefined) throw new Error("not delivered");
      expect(await codeOf(ack(first))).toBe("ADAPTER_CONFLICT");
      expect(await codeOf(ack({ ...second, id: "other" }))).toBe("ADAPTER_CONFLICT");
      await ack(second);
      expect(await length()).toBe("0 0 0 0");
      // An answer may be lost: saying it again is harmless.
      expect(await codeOf(ack(second))).toBe("no error");
      expect(await codeOf(store.acknowledge({ ...second, queue: "other" }, bench.call))).toBe("ADAPTER_CONFLICT");
    });

    test("a lease that is over cannot be acknowledged", async () => {
      const { put, take, ack, nack } = space();
      await put(1);
      const [message] = await take(1, 5_000);
      bench.advance(5_000);
      if (message === undefined) throw new Error("not delivered");
      expect(await codeOf(ack(message))).toBe("ADAPTER_CONFLICT");
      expect(await codeOf(nack(message))).toBe("ADAPTER_CONFLICT");
    });

    test("a released message comes back, at once or later", async () => {
      const { put, take, nack, length } = space();
      await put(1);
      const [first] = await take();
      if (first === undefined) throw new Error("not delivered");
      await nack(first);
      expect(await codeOf(nack(first))).toBe("no error");
      const [second] = await take();
      expect(second?.attempts).toBe(2);
      if (second === undefined) throw new Error("not delivered");
      await nack(second, 3_000);
      expect([await take(), await length()]).toEqual([[], "0 1 0 0"]);
      bench.advance(3_000);
      expect((await take())[0]?.attempts).toBe(3);
    });

    test("delayed messages wait, and messages with a lifetime end", async () => {
      const { put, payloads, length } = space();
      await put("later", { delayMs: 2_000 });
      await put("brief", { ttlMs: 1_000 });
      expect(await length()).toBe("1 1 0 0");
      bench.advance(1_000);
      expect(await length()).toBe("0 1 0 0");
      expect(await payloads()).toEqual([]);
      bench.advance(1_000);
      expect(await payloads()).toEqual(["later"]);
    });

    test.each([
      ["released", true],
      ["left to its lease", false],
    ])("after ten deliveries a message that was %s is a dead letter", async (_how, released) => {
      const { put, take, nack, length, queue } = space();
      await put("bad");
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const [message] = await take(1, 1_000);
        expect(message?.attempts).toBe(attempt);
        if (message !== undefined && released) await nack(message);
        else bench.advance(1_000);
      }
      expect(await length()).toBe("0 0 0 1");
      expect(await take()).toEqual([]);
      expect(await length()).toBe("0 0 0 1");
      const dead = `${queue}.dead`;
      expect(await length(dead)).toBe("1 0 0 1");
      const [letter] = await take(1, 1_000, dead);
      expect(letter?.payload).toBe("bad");
      // Dead letters stay where they are, however often they are looked at.
      bench.advance(1_000);
      expect((await take(1, 1_000, dead))[0]?.payload).toBe("bad");
    });

    test("one key puts once; the same key for another message is refused", async () => {
      const { put, payloads } = space();
      const id = await put(1, { id: "once-1" });
      expect(await put(1, { id: "once-2", once: { key: "once-1", argsHash: "1" } })).toBe(id);
      expect(await codeOf(put(2, { id: "once-3", once: { key: "once-1", argsHash: "2" } }))).toBe("ADAPTER_CONFLICT");
      expect(await payloads()).toEqual([1]);
    });

    test("a dedupe key is remembered for its time, done or not", async () => {
      const { put, take, ack, length } = space();
      const other = space();
      const dedupe = { key: "d", windowMs: 60_000 };
      const first = await put(1, { dedupe });
      const [message] = await take();
      if (message === undefined) throw new Error("not delivered");
      await ack(message);
      bench.advance(59_999);
      expect(await put(2, { dedupe })).toBe(first);
      expect(await length()).toBe("0 0 0 0");
      expect(await other.put(3, { dedupe })).not.toBe(first);
      bench.advance(1);
      expect(await put(4, { dedupe })).not.toBe(first);
    });

    test("the depth is bounded, dead letters included", async () => {
      const { put, take, ack, nack, length } = space();
      await put(1, { maxDepth: 2 });
      await put(2, { maxDepth: 2, ttlMs: 1_000 });
      expect(await codeOf(put(3, { maxDepth: 2 }))).toBe("ADAPTER_QUOTA");
      await expect(put(3, { maxDepth: 2 })).rejects.toThrow("the queue may hold 2 messages (queue.max_depth)");
      const [message] = await take();
      if (message === undefined) throw new Error("not delivered");
      expect(await codeOf(put(3, { maxDepth: 2 }))).toBe("ADAPTER_QUOTA");
      await ack(message);
      await put(3, { maxDepth: 2 });
      // What has expired takes no room.
      bench.advance(1_000);
      await put(4, { maxDepth: 2 });
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const [bad] = await take();
        if (bad !== undefined) await nack(bad);
      }
      expect(await length()).toBe("1 0 0 1");
      expect(await codeOf(put(5, { maxDepth: 2 }))).toBe("ADAPTER_QUOTA");
    });

    test("names the queues that hold messages, in pages", async () => {
      const queues = ["names-a", "names-b", "names-c.dead"];
      for (const queue of [...queues, "names-gone", "names-a"]) {
        const id = `${queue} ${count}`;
        count += 1;
        await store.put(plain(queue, id), bench.call);
      }
      const [message] = await store.take(
        { queue: "names-gone", max: 1, leaseMs: 1_000, lease: "names", waitMs: 0 },
        bench.call,
      );
      if (message === undefined) throw new Error("not delivered");
      await store.acknowledge({ queue: "names-gone", id: message.id, lease: message.lease }, bench.call);
      const page = async (after: string, max: number) => {
        const found = await store.names({ after, max }, bench.call);
        return found.filter((name) => name.startsWith("names-"));
      };
      expect(await page("names-", 2)).toEqual(queues.slice(0, 2));
      expect(await page("names-b", 2)).toEqual(queues.slice(2));
      expect(await page("", 1_000)).toEqual(queues);
    });

    test("a look shows messages as they will be delivered and claims none", async () => {
      const { put, take, peek, payloads, length } = space();
      await put("leased", { priority: 9 });
      await take(1, 5_000);
      await put("later", { delayMs: 3_000, ttlMs: 60_000 });
      await put({ ["__proto__"]: "\u0000" }, { id: `odd-${count}`, priority: -1 });
      await put("gone", { ttlMs: 1_000 });
      await put("now", { id: `now-${count}` });
      bench.advance(1_000);
      const before = await length();
      const { messages, next } = await peek();
      const shown = messages.map(({ payload, state, attempts }) => `${JSON.stringify(payload)} ${state} ${attempts}`);
      expect(shown).toEqual([
        '"leased" leased 1',
        '"now" ready 0',
        '"later" delayed 0',
        '{"__proto__":"\\u0000"} ready 0',
      ]);
      expect(next).toBeNull();
      const [, now, later] = messages;
      expect(now).toMatchObject({ id: `now-${count}`, priority: 0, expiresMs: null });
      expect(now?.visibleMs).toBe(now?.createdMs);
      expect(later).toMatchObject({
        visibleMs: (later?.createdMs ?? 0) + 3_000,
        expiresMs: (later?.createdMs ?? 0) + 60_000,
      });
      expect([await length(), before]).toEqual(["2 1 1 0", "2 1 1 0"]);
      expect(await payloads()).toEqual(["now", { ["__proto__"]: "\u0000" }]);
    });

    test("looks in pages that are bounded in messages and bytes", async () => {
      const { put, peek } = space();
      for (const [n, priority] of [
        [1, 0],
        [2, 7],
        [3, 0],
        [4, -7],
        [5, 0],
      ] as const)
        await put(n, { id: `page-${n}`, priority });
      const seen: string[] = [];
      let pages = 0;
      for (let after: typeof FIRST_PLACE | null = FIRST_PLACE; after !== null; pages += 1) {
        const { messages, next } = await peek(2, after);
        seen.push(...messages.map(({ id }) => id));
        after = next;
      }
      expect([pages, seen]).toEqual([3, ["page-2", "page-1", "page-3", "page-5", "page-4"]]);
      expect((await peek(5)).next).toBeNull();
      const large = space();
      for (const n of [1, 2, 3]) await large.put(`${n}${"x".repeat(3_000_000)}`, { id: `wide-${n}` });
      const { messages, next } = await large.peek();
      expect(messages.map(({ id }) => id)).toEqual(["wide-1", "wide-2"]);
      expect((await large.peek(100, next ?? FIRST_PLACE)).messages.map(({ id }) => id)).toEqual(["wide-3"]);
    });

    test("dead letters go back as if they had never been delivered", async () => {
      const { queue, bury, requeue, take, length, peek } = space();
      expect(await requeue()).toBe(0);
      await bury("a", "b", "c");
      expect(await length()).toBe("0 0 0 3");
      expect(await requeue([`${queue}-b`, "unknown"])).toBe(1);
      expect(await requeue([])).toBe(0);
      expect(await length()).toBe("1 0 0 2");
      const [back] = await take();
      expect(back).toMatchObject({ id: `${queue}-b`, payload: "b", attempts: 1 });
      // One that somebody is working on stays with them.
      const [held] = await take(1, 5_000, `${queue}.dead`);
      expect([held?.payload, await requeue()]).toEqual(["a", 1]);
      bench.advance(5_000);
      expect([await requeue(null, 1), await length()]).toEqual([1, "2 0 1 0"]);
      expect((await peek()).messages.map(({ payload, attempts }) => [payload, attempts])).toContainEqual(["a", 0]);
    });

    test("a message whose last lease just ran out counts as dead and goes back too", async () => {
      const { put, take, peek, requeue, length } = space();
      await put("bad");
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        await take(1, 1_000);
        bench.advance(1_000);
      }
      expect((await peek()).messages).toMatchObject([{ payload: "bad", state: "dead", attempts: MAX_ATTEMPTS }]);
      expect([await length(), await requeue(), await length()]).toEqual(["0 0 0 1", 1, "1 0 0 0"]);
      expect((await peek()).messages).toMatchObject([{ state: "ready", attempts: 0 }]);
    });

    test("who waits for a message is woken by one that goes back", async () => {
      const { queue, bury, requeue } = space();
      await bury("again");
      const waiting = store.take({ queue, max: 1, leaseMs: 1_000, waitMs: 10_000, lease: "woken" }, bench.call);
      await requeue();
      expect((await waiting)[0]?.payload).toBe("again");
    });

    test("one take gives no more than it is asked for, and no more than fits an answer", async () => {
      const { put, take } = space();
      for (const n of [1, 2, 3]) await put(`${n}${"x".repeat(3_000_000)}`, { id: `large-${n}` });
      expect((await take(1)).length).toBe(1);
      expect((await take(100)).length).toBe(2);
      bench.advance(10_000);
      expect((await take(100)).length).toBe(2);
    });

    test("a waiting taker is woken by a put and by a released message", async () => {
      const { put, nack, queue } = space();
      const request = { queue, max: 1, leaseMs: 10_000, waitMs: 10_000 };
      const waiting = store.take({ ...request, lease: "waits 1" }, bench.call);
      await put("woken");
      const [message] = await waiting;
      expect(message?.payload).toBe("woken");
      const again = store.take({ ...request, lease: "waits 2" }, bench.call);
      if (message !== undefined) await nack(message);
      expect((await again)[0]?.attempts).toBe(2);
    });

    test("waiting ends with its time, with the call's, and when the call is cancelled", async () => {
      const { queue } = space();
      const request = { queue, max: 1, leaseMs: 10_000, lease: "none" };
      expect(await store.take({ ...request, waitMs: 20 }, bench.call)).toEqual([]);
      expect(await store.take({ ...request, waitMs: 60_000 }, callAt({ now: START }, 520))).toEqual([]);
      const cancelling = new AbortController();
      const cancelled = store.take({ ...request, waitMs: 60_000 }, { ...bench.call, signal: cancelling.signal });
      cancelling.abort();
      expect(
        await cancelled.then(
          (messages) => messages,
          () => [],
        ),
      ).toEqual([]);
    });
  });
}

/** A plain message without any rule of its own. */
function plain(queue: string, payload: string): PutMessage {
  const id = `${queue}-${payload}`;
  const once = { key: id, argsHash: payload };
  return { queue, id, payload, priority: 0, delayMs: 0, ttlMs: null, dedupe: null, maxDepth: 100, once };
}
