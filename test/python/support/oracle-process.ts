/** Python processes that answer each line of JSON with a line of JSON. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Recorded as RecordedExpression } from "../library/support/evaluate.ts";
import type { Recorded } from "./case-files.ts";

/** The bundle of the report lies in a folder of its own in dist/. */
const HERE = dirname(fileURLToPath(import.meta.url));
const ORACLE = HERE.includes("dist") ? join(HERE, "..", "..", "test", "python", "oracle") : join(HERE, "..", "oracle");

/** A program for CPython. `frame`: the inputs as a JSON text. */
type OracleProgram = { readonly source: string; readonly runs: readonly { readonly frame: string }[] };

class PythonProcess {
  readonly #child;
  readonly #lines: AsyncIterator<string>;

  constructor(python: string, script: string) {
    const env = { ...process.env, TZ: "UTC", PYTHONHASHSEED: "random", PYTHONDONTWRITEBYTECODE: "1" };
    this.#child = spawn(python, [join(ORACLE, script)], { env, stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout, crlfDelay: Number.POSITIVE_INFINITY })[
      Symbol.asyncIterator
    ]();
  }

  async ask<Answer>(question: unknown): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    const line = await this.#lines.next();
    if (line.done === true) throw new Error("Python ended before it answered");
    return JSON.parse(line.value) as Answer;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.stdin.end();
    await ended;
  }
}

/** CPython as a process that runs many programs (oracle/cpython.py). */
export class Oracle {
  readonly #process: PythonProcess;

  constructor(python: string) {
    this.#process = new PythonProcess(python, "cpython.py");
  }

  /** The outcomes of programs without inputs, in their order. */
  async outcomes(sources: readonly string[]): Promise<Recorded[]> {
    const programs = sources.map((source): OracleProgram => ({ source, runs: [{ frame: "{}" }] }));
    const outcomes = await this.#process.ask<Recorded[][]>(programs);
    return outcomes.map(([outcome]) => outcome ?? {});
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}

/** CPython as a process that evaluates expressions (oracle/expressions.py). */
export class ExpressionOracle {
  readonly #process: PythonProcess;

  constructor(python: string) {
    this.#process = new PythonProcess(python, "expressions.py");
  }

  /** The records of expressions; null for those that cannot be compared. */
  records(texts: readonly string[]): Promise<(RecordedExpression | null)[]> {
    return this.#process.ask(texts);
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}

/** Makes smaller programs of a program (oracle/smaller.py). */
export class Cutter {
  readonly #process: PythonProcess;

  constructor(python: string) {
    this.#process = new PythonProcess(python, "smaller.py");
  }

  smaller(source: string): Promise<string[]> {
    return this.#process.ask(source);
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}
