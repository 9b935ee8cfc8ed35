/**
 * Taking messages out of a queue into lines of JSON. A message is removed only after its line was written, so an end at any point loses
 * none: what was taken and not removed is given back, or comes back by itself when its lease ends. Its line may then be written a second
 * time.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import type { Delivery } from "../../adapters/store/queue.ts";
import { descriptorOf, writeAll } from "../input/descriptor.ts";
import { writeFault } from "../input/files.ts";
import { jsonLine } from "../output/terminal/json.ts";
import type { Queues } from "./store.ts";

const TAKEN_AT_ONCE = 100;
const LEASE_MS = 60_000;

export type Lines = {
  /** Done when the text is where it was to go. */
  write(text: string): Promise<void>;
  close(): void;
};

export type DrainRequest = {
  readonly queue: string;
  /** Maximum number of messages. */
  readonly max: number;
  readonly uuid: () => string;
  readonly signal: AbortSignal;
};

/** Drains ready messages until none is left. A signal stops it after the messages already taken. Returns the number of removed messages. */
export async function drain(queues: Queues, lines: Lines, request: DrainRequest): Promise<number> {
  const { queue, max, uuid, signal } = request;
  const { store, call } = queues;
  let removed = 0;
  while (removed < max && !signal.aborted) {
    const wanted = Math.min(TAKEN_AT_ONCE, max - removed);
    const taken = await store.take({ queue, max: wanted, leaseMs: LEASE_MS, lease: uuid(), waitMs: 0 }, call());
    if (taken.length === 0) break;
    const left = [...taken];
    try {
      await lines.write(taken.map((message) => lineOf(queue, message)).join(""));
      for (let next = left[0]; next !== undefined; next = left[0]) {
        await store.acknowledge({ queue, ...next }, call());
        left.shift();
        removed += 1;
      }
    } finally {
      await giveBack(queues, queue, left);
    }
  }
  return removed;
}

function lineOf(queue: string, { id, attempts, payload }: Delivery): string {
  return jsonLine({ queue, message_id: id, attempts, payload });
}

/** A message that cannot be released returns when its lease ends; the reason was reported already. */
async function giveBack({ store, call }: Queues, queue: string, messages: readonly Delivery[]): Promise<void> {
  for (const { id, lease } of messages) await store.release({ queue, id, lease, delayMs: 0 }, call()).catch(() => {});
}

export function linesTo(output: Writable): Lines {
  return {
    write: (text) =>
      new Promise((written, failed) => {
        output.write(text, (cause) => (cause == null ? written() : failed(writeFault(cause, "stdout"))));
      }),
    close: () => {},
  };
}

/** Appends lines to the file, which is made when it is missing. They are on the disk when `write` is done. */
export function linesInto(cwd: string, file: string): Lines {
  const stream = descriptorOf(resolve(cwd, file));
  if (stream !== null) return { write: async (text) => told(file, () => writeAll(stream, text)), close: () => {} };
  const { descriptor, regular } = told(file, () => {
    const descriptor = openSync(resolve(cwd, file), "a+", 0o600);
    const facts = fstatSync(descriptor);
    if (facts.isFile()) endLine(descriptor, facts.size);
    return { descriptor, regular: facts.isFile() };
  });
  return {
    write: async (text) =>
      told(file, () => {
        writeAll(descriptor, text);
        if (regular) fsyncSync(descriptor);
      }),
    close: () => closeSync(descriptor),
  };
}

/** The last line may have been cut off by a crash: its message is still in the queue, and the next line must not be appended to it. */
function endLine(descriptor: number, size: number): void {
  if (size === 0) return;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  if (last.toString() !== "\n") writeAll(descriptor, "\n");
}

function told<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw writeFault(cause, file);
  }
}
