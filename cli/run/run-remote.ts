/** `wf run --program NAME`: runs a deployment of a service and prints what a local run would. */
import { isObject, type JsonObject } from "../../compiler/json.ts";
import { memberTexts } from "../../vm/inputs/exact-text.ts";
import { resultText } from "../output/run.ts";
import { visible } from "../output/terminal/columns.ts";
import { programService } from "../programs/client.ts";
import { EXIT } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

export type RemoteRun = {
  readonly server: string;
  /** `digest` or `digest@7`. */
  readonly program: string;
  readonly frame: JsonObject;
  readonly label: string | undefined;
  /** Print a string result as it is. */
  readonly raw: boolean;
};

export async function runRemote(session: Session, { server, program, frame, label, raw }: RemoteRun): Promise<number> {
  const { io, screen } = session;
  const { result: answer, by } = await interruptible(io, (signal) =>
    programService(server, signal).run({ program, frame, ...(label === undefined ? {} : { label }) }),
  );
  if (by !== null) return exitOf(by);
  if (answer === undefined || answer === null) return EXIT.failed;
  if (screen.json) screen.document(answer);
  else if (answer.ok) screen.text(resultText(answer["out"] ?? null, raw, memberTexts(answer).get("out")));
  else {
    const { error, message } = answer as { readonly error?: unknown; readonly message?: unknown };
    screen.err(`${screen.errorPaint.error("error")} ${visible(String(error))}  ${visible(String(message))}\n`);
  }
  const warnings = answer["warnings"];
  if (Array.isArray(warnings)) for (const one of warnings) screen.warning(String(one));
  return answer.ok
    ? EXIT.success
    : isObject(answer) && answer["error"] === "policy_violation"
      ? EXIT.policy
      : EXIT.failed;
}
