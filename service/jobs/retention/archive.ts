/**
 * The archive of jobs: what expires is written to files of lines of JSON first, and removed only when it is on the disk (docs/jobs.md, archive). A
 * process that ends between the two writes a job again, so readers take the last line of an id.
 */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../../vm/run.ts";
import type { JobStore } from "../../state/store.ts";
import { listedJob } from "../answers/documents.ts";
import { isTerminal } from "../job.ts";

type ArchivedStore = Pick<JobStore, "find" | "result" | "work"> & {
  readonly durable: Pick<NonNullable<JobStore["durable"]>, "page"> | null;
};

export type ArchiveDeps = {
  readonly folder: string;
  readonly store: ArchivedStore;
  readonly clock: Pick<Clock, "wall">;
  /** Told after each round: why jobs cannot be written; null: they can. */
  readonly told: (fault: string | null) => void;
};

/** Records that are read from the store at once. */
const PAGE = 500;
const NEWLINE = 0x0a;

export class JobArchive {
  readonly #deps: ArchiveDeps;

  constructor(deps: ArchiveDeps) {
    this.#deps = deps;
  }

  /** Writes the jobs. Resolves with those that are on the disk, or are gone; the others stay, and are tried again the next time. */
  async keep(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    let file: FileHandle;
    try {
      file = await openedAtEnd(this.#path());
    } catch (thrown) {
      this.#deps.told(faultOf(thrown));
      return [];
    }
    try {
      return await this.#written(file, ids);
    } finally {
      await file.close();
    }
  }

  /** One file a day of UTC, in a folder for each month. */
  #path(): string {
    const day = new Date(this.#deps.clock.wall()).toISOString().slice(0, 10);
    return join(this.#deps.folder, day.slice(0, 4), day.slice(5, 7), `jobs-${day}.ndjson`);
  }

  async #written(file: FileHandle, ids: readonly string[]): Promise<readonly string[]> {
    const kept: string[] = [];
    let fault: string | null = null;
    for (const id of ids) {
      const { size } = await file.stat();
      try {
        for await (const part of this.#line(id)) await inFile(() => file.appendFile(part));
        kept.push(id);
      } catch (thrown) {
        // A part of a line is not left in the file.
        await file.truncate(size).catch(() => {});
        const isOfFile = thrown instanceof FileFault;
        fault = isOfFile ? thrown.message : `job ${id} cannot be read`;
        if (isOfFile) break;
      }
    }
    try {
      await inFile(() => file.sync());
    } catch (thrown) {
      this.#deps.told((thrown as Error).message);
      return [];
    }
    this.#deps.told(fault);
    return kept;
  }

  /** Parts of the line of a job; none: it is gone. A journal is read in pages, since it may be larger than memory should hold. */
  async *#line(id: string): AsyncGenerator<string> {
    const { store, clock } = this.#deps;
    const job = await store.find(id);
    if (job === null || job.status === "expired" || !isTerminal(job.status)) return;
    const [work, result] = await Promise.all([store.work(id), store.result(id)]);
    const head = { archived_at: new Date(clock.wall()).toISOString(), ...listedJob(job), checksum: job.checksum };
    yield JSON.stringify(head).slice(0, -1);
    if (work !== null) yield `,"frame":${work.frame ?? "null"},"request":${work.request}`;
    yield `,"result":${result ?? "null"}`;
    if (job.durable && store.durable !== null) {
      yield ',"journal":[';
      for (let after = 0; ; ) {
        const page = (await store.durable.page(id, after, PAGE)) ?? [];
        yield page.map((record, at) => `${after + at === 0 ? "" : ","}${JSON.stringify(record)}`).join("");
        after += page.length;
        if (page.length < PAGE) break;
      }
      yield "]";
    }
    yield "}\n";
  }
}

/** What went wrong with the file, not with the store. */
class FileFault extends Error {}

async function inFile(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    throw new FileFault(faultOf(thrown));
  }
}

/** A line that a process could not end is dropped. */
async function openedAtEnd(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    const whole = await endOfLines(file, size);
    if (whole < size) await file.truncate(whole);
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** Where the last line ends that is whole. */
async function endOfLines(file: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - buffer.length);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const found = buffer.lastIndexOf(NEWLINE, bytesRead - 1);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

/** No path: it is the operator's, and warnings are shown to callers. */
function faultOf(thrown: unknown): string {
  return `the archive cannot be written (${(thrown as NodeJS.ErrnoException).code ?? "unknown"})`;
}
