/** What `wf jobs` prints of a job that did not succeed: what `wf run` prints of the same failure, as far as the service says it. */
import * as z from "zod/mini";
import { isObject, type JsonObject } from "../../compiler/json.ts";
import { type FailedProgram, textOfFailure } from "../output/failure/run-failure.ts";
import { visible } from "../output/terminal/columns.ts";
import type { Screen } from "../session/screen.ts";
import type { RemoteJob } from "./client.ts";

const nullableText = z.nullable(z.string());
const RunFailure = z.object({
  code: z.string(),
  exception: z.optional(z.string()),
  message: z.string(),
  label: nullableText,
  node: nullableText,
  op: nullableText,
  line: z.nullable(z.number()),
  file: z.optional(z.string()),
  step_index: z.nullable(z.number()),
  stack: z.array(z.string()),
  data: z.custom<JsonObject>(isObject),
});
const Spent = z.object({
  usage: z.object({ steps: z.number(), adapter_calls: z.number() }),
  limits: z.object({ max_steps: z.optional(z.number()), max_adapter_calls: z.optional(z.number()) }),
  duration_ms: z.number(),
});
const Replay = z.object({ matched: z.number(), remaining: z.number() });

/** `program`: the source, where it is on this machine; null: another client queued the job. */
export function jobFailureText({ status, result }: RemoteJob, program: FailedProgram | null, screen: Screen): string {
  const failed = RunFailure.safeParse(result?.["error_structured"]);
  const { message = "the service no longer has the result of this job", error = status } = result ?? {};
  if (!failed.success)
    return `${screen.errorPaint.error("error")} ${screen.errorPaint.bold(visible(error))}  ${visible(message)}\n`;
  const { file, exception, ...rest } = failed.data;
  const spent = Spent.safeParse(result);
  const replay = Replay.safeParse(result?.["replay"]);
  // Only the message of the answer says what this service lacks.
  const cause = error === "adapter_not_available" ? message : rest.message;
  return textOfFailure(
    {
      error: {
        ...rest,
        message: cause,
        ...(file === undefined ? {} : { file }),
        ...(exception === undefined ? {} : { exception }),
      },
      program,
      spent: spent.success ? { usage: spent.data.usage, limits: spent.data.limits, ms: spent.data.duration_ms } : null,
      ...(replay.success ? { replay: replay.data } : {}),
      notGiven: [],
      here: false,
    },
    screen,
  );
}
