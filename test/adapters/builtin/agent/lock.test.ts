/** The lock of a mailbox: one holder at a time, and none that is gone. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withLock } from "../../../../adapters/builtin/agent/lock.ts";
import { type FileRoot, openRoot } from "../../../../adapters/guard/files/path.ts";
import { inFolder } from "../../../../adapters/guard/files/walk.ts";
import { type Scratch, scratch } from "../fs/scratch.ts";

const call = {
  now: () => Date.now(),
  uuid: () => crypto.randomUUID(),
  random: () => Math.random(),
};
let place: Scratch;
let root: FileRoot;
const lock = (): string => place.at("root/.lock");

beforeEach(async () => {
  place = scratch();
  root = await openRoot(place.root, { setting: "root", stateDir: null, create: false });
});
afterEach(() => place.remove());

const locked = <T>(work: Parameters<typeof withLock<T>>[2], signal = new AbortController().signal): Promise<T> =>
  inFolder(root, [], { purpose: "write" }, (folder) => withLock(folder, { ...call, signal }, work));

it("says who holds it, and is gone afterwards", async () => {
  const seen = await locked(async (held) => {
    await held();
    return JSON.parse(readFileSync(lock(), "utf8"));
  });
  expect(seen).toEqual({ pid: process.pid, at: expect.stringMatching(/Z$/) });
  await expect(locked(() => Promise.reject(new Error("work")))).rejects.toThrow("work");
  expect(readdirSync(place.root)).toEqual([]);
});

it.each([false, true])("has one holder at a time (abandoned before: %s)", async (abandoned) => {
  if (abandoned) {
    writeFileSync(lock(), "");
    utimesSync(lock(), 1, 1);
  }
  let holders = 0;
  let most = 0;
  const works = Array.from({ length: 20 }, () =>
    locked(async (held) => {
      holders += 1;
      most = Math.max(most, holders);
      await held();
      await new Promise(setImmediate);
      await held();
      holders -= 1;
    }),
  );
  await Promise.all(works);
  expect(most).toBe(1);
  expect(readdirSync(place.root)).toEqual([]);
});

it("from before the clock was set back does not block others", async () => {
  writeFileSync(lock(), "");
  const ahead = Date.now() / 1000 + 7_200;
  utimesSync(lock(), ahead, ahead);
  expect(await locked(async () => "held")).toBe("held");
});

it("tells a holder that lost it, and leaves the new one alone", async () => {
  const lost = locked(async (held) => {
    rmSync(lock());
    writeFileSync(lock(), "somebody else");
    await held();
  });
  await expect(lost).rejects.toMatchObject({ code: "ADAPTER_BUSY", retryable: true });
  expect(readFileSync(lock(), "utf8")).toBe("somebody else");
});

it("waits no longer than the call", async () => {
  writeFileSync(lock(), "");
  const controller = new AbortController();
  const waiting = locked(() => Promise.resolve("held"), controller.signal);
  setImmediate(() => controller.abort());
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  expect(existsSync(lock())).toBe(true);
});
