/** Where the log goes: whole lines in order, a reader that is slow, a reader that is gone. Real files and pipes, which are full when they are full. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, fsync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createEvents } from "../../service/telemetry/events.ts";
import { type LogOutput, openLogOutput } from "../../service/telemetry/log-output.ts";

let folder = "";
const descriptors: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-log-"));
});
afterEach(() => {
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

function opened(path: string, flags: number): number {
  const descriptor = openSync(path, flags);
  descriptors.push(descriptor);
  return descriptor;
}

function closed(descriptor: number): void {
  closeSync(descriptor);
  descriptors.splice(descriptors.indexOf(descriptor), 1);
}

/** A pipe that does not block, as the command's is: what its reader does not read it refuses once it is full. */
function pipe(): { readonly reader: number; readonly writer: number } {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = opened(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: opened(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

/** What is in the pipe by now. */
function takenFrom(reader: number): string {
  const chunk = Buffer.alloc(1024 * 1024);
  try {
    return chunk.toString("utf8", 0, readSync(reader, chunk));
  } catch {
    return "";
  }
}

const eventsTo = (output: LogOutput) =>
  createEvents({
    output,
    clock: { wall: () => 0 },
    level: "info",
    format: "json",
    hashKey: null,
    redact: (text) => text,
  });

describe("the log", () => {
  it("has complete lines in order", async () => {
    const path = join(folder, "log");
    const output = openLogOutput({
      descriptor: opened(path, constants.O_CREAT | constants.O_WRONLY),
      broken: () => {},
    });
    const lines = Array.from({ length: 5000 }, (_, at) => `line ${at} ${"é".repeat(at % 50)}\n`);
    for (const line of lines) output.write(line);
    await expect.poll(() => readFileSync(path, "utf8")).toBe(lines.join(""));
    output.write("last\n");
    await output.flush();
    expect(readFileSync(path, "utf8")).toBe(`${lines.join("")}last\n`);
    expect(output.dropped).toBe(0);
  });

  it("is bounded while its reader is slow, and then reports the number of dropped lines", async () => {
    const { reader, writer } = pipe();
    const broken = vi.fn();
    const maxBytes = 256 * 1024;
    const output = openLogOutput({ descriptor: writer, broken, maxBytes });
    const events = eventsTo(output);
    const lines = 20_000;
    for (let at = 0; at < lines; at++) {
      events.note("info", "filled", { at });
      if (at % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(output.dropped).toBeGreaterThan(lines / 2);
    let text = "";
    await vi.waitFor(
      () => {
        text += takenFrom(reader);
        expect(text).toMatch(/"logs_dropped".*\n$/);
      },
      { interval: 5, timeout: 10_000 },
    );
    const read = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const missing = read.filter(({ event }) => event === "logs_dropped");
    expect(missing).toEqual([
      {
        level: "warn",
        event: "logs_dropped",
        ts: expect.any(String),
        schema_version: "1",
        dropped_logs: output.dropped,
      },
    ]);
    expect(read).toHaveLength(lines - output.dropped + 1);
    expect(text.length).toBeLessThan(maxBytes + 128 * 1024);
    events.note("info", "after");
    await events.flush();
    expect(takenFrom(reader)).toContain('"after"');
    expect(broken).not.toHaveBeenCalled();
  });

  it("waits for a slow reader when it is flushed", async () => {
    const { reader, writer } = pipe();
    const broken = vi.fn();
    const output = openLogOutput({ descriptor: writer, broken });
    for (let at = 0; at < 2000; at++) output.write(`${"x".repeat(99)}\n`);
    let isOut = false;
    const out = output.flush().then(() => {
      isOut = true;
    });
    let size = 0;
    await vi.waitFor(
      () => {
        // As much as the pipe itself holds counts as out.
        if (size < 200_000 - 64 * 1024 && isOut) throw new Error(`out after ${size} bytes`);
        size += takenFrom(reader).length;
        expect(size).toBe(200_000);
      },
      { interval: 5, timeout: 10_000 },
    );
    await out;
    expect(broken).not.toHaveBeenCalled();
  });

  it("reports once that its reader is gone, and accepts nothing more", async () => {
    const { reader, writer } = pipe();
    const broken = vi.fn();
    const output = openLogOutput({ descriptor: writer, broken });
    closed(reader);
    for (let at = 0; at < 3; at++) {
      output.write(`line ${at}\n`);
      await output.flush();
    }
    expect(broken.mock.calls).toEqual([["EPIPE"]]);
  });

  it("leaves its descriptor alone once its reader is gone: another file may have that number", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { reader, writer } = pipe();
    const broken = vi.fn();
    const output = openLogOutput({ descriptor: writer, broken });
    output.write("line\n");
    closed(reader);
    await output.flush();
    closed(writer);
    expect(broken).toHaveBeenCalledOnce();
    const path = join(folder, "other");
    const others = [opened(path, constants.O_CREAT | constants.O_WRONLY)];
    while (!others.includes(writer)) others.push(opened(path, constants.O_WRONLY));
    vi.advanceTimersByTime(1000);
    for (const other of others) await promisify(fsync)(other);
    expect(readFileSync(path, "utf8")).toBe("");
  });
});

describe("a line", () => {
  it("keeps its own members against those of an adapter, and escapes control characters", () => {
    const lines: string[] = [];
    const output = {
      write: (line: string) => void lines.push(line),
      dropped: 0,
      onRelief: () => {},
      flush: async () => {},
    };
    const events = eventsTo(output);
    events.adapters("said", { level: "warn", event: "run_failed", ts: "never", text: "a\u2028b\u009bc\u202ed" });
    expect(lines.join("")).toMatch(
      /^\{"level":"warn","event":"said","ts":"1970[^"]*","schema_version":"1","text":"[ -~]*"\}\n$/,
    );
    expect(JSON.parse(lines.join("")).text).toBe("a\u2028b\u009bc\u202ed");
  });
});
