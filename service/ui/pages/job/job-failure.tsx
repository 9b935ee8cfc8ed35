/** How a job failed: the message, and the line of its program with carets below what failed, as the command line shows it. */
import { widthOf } from "../../../../grammar/text/width.ts";
import type { Job, ProgramVersion, RunResult } from "../../data.ts";
import type { StepWords } from "../../parts/step-words.ts";
import { visible } from "../../visible.ts";
import { Variables } from "./job-variables.tsx";

type Failed = Extract<RunResult, { readonly ok: false }>;
type FailureOf = {
  readonly job: Job;
  readonly result: Failed;
  /** Of its program, as far as it is known. */
  readonly version: ProgramVersion | null;
  readonly steps: StepWords;
};

/** A line may be a megabyte. */
const MAX_COLUMNS = 200;

export function JobFailure({ job, result, version, steps }: FailureOf) {
  const place = result.error_structured;
  const stack = (place?.stack ?? []).map(steps.name);
  const source = place?.line == null ? undefined : sourceOf(version, place.file);
  const picture = place?.line == null ? null : pictureOf(source, place.line);
  const names = place?.line == null ? [] : namesIn(source?.split("\n")[place.line - 1] ?? "");
  return (
    <>
      <p class="notice bad">
        <strong>{result.message}</strong> <code>{place?.code ?? result.error}</code>
      </p>
      {picture === null ? null : (
        <section class="wide" tabIndex={0} aria-label={`Line ${place?.line} of ${place?.file ?? "the program"}`}>
          <pre class="picture-of-line">
            {place?.file === undefined ? "" : `${place.file}\n`}
            {picture}
          </pre>
        </section>
      )}
      {job.durable === true && names.length > 0 ? <Variables id={job.job_id} among={names} /> : null}
      {stack.length > 1 ? <p class="quiet">Called by way of {stack.join(" › ")}</p> : null}
    </>
  );
}

/** `file`: of an include. */
function sourceOf(version: ProgramVersion | null, file: string | undefined): string | undefined {
  return file === undefined ? version?.code : version?.files?.[file];
}

/** What may be variables of a line. A line may be a megabyte. */
function namesIn(line: string): readonly string[] {
  return [...new Set(line.slice(0, 10 * MAX_COLUMNS).match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])];
}

/** The line before it, the line, and carets. */
function pictureOf(code: string | undefined, line: number): string | null {
  const lines = code?.split("\n") ?? [];
  const failed = lines[line - 1];
  if (failed === undefined || failed.trim() === "") return null;
  const digits = String(line).length;
  const row = (number: string, text: string) => `${number.padStart(digits)} | ${text}`.trimEnd();
  const text = cut(failed);
  const from = text.length - text.trimStart().length;
  const carets = " ".repeat(from) + "^".repeat(Math.max(1, widthOf(text.trim())));
  const before = lines[line - 2];
  return [
    ...(before === undefined ? [] : [row(String(line - 1), cut(before))]),
    row(String(line), text),
    row("", carets),
  ].join("\n");
}

function cut(line: string): string {
  const text = visible(line).replaceAll("\t", "  ").replaceAll("\r", "");
  return text.length > MAX_COLUMNS ? `${text.slice(0, MAX_COLUMNS)}…` : text;
}
