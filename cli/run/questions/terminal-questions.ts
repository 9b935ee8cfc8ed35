/** Questions on a terminal: lines are read from it as they come, and prompts go to stderr. */
import { createInterface } from "node:readline";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { type ApprovalAsked, answerIssues } from "../../../vm/durable/approvals.ts";
import { visible } from "../../output/terminal/columns.ts";
import type { CliIo } from "../../session/io.ts";

export type Terminal = {
  readonly io: CliIo;
  /** Asks for a line; null: the terminal has ended. Rejects when what asks is cancelled. */
  line(prompt: string): Promise<string | null>;
};

/** `before`: called before something is asked. */
export function terminalOf({
  io,
  signal,
  before = () => {},
}: {
  readonly io: CliIo;
  readonly signal: AbortSignal;
  readonly before?: () => void;
}): Terminal {
  let lines: AsyncIterator<string> | null = null;
  return {
    io,
    async line(prompt) {
      before();
      io.stderr.write(prompt);
      lines ??= createInterface({ input: io.streams().input, terminal: false })[Symbol.asyncIterator]();
      const cancelled = new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      const next = await Promise.race([lines.next(), cancelled]);
      return next.done === true ? null : next.value;
    },
  };
}

/** A choice, and the fields of the form with the first one; null: the terminal has ended. */
export async function askChoice(
  terminal: Terminal,
  { choices, form }: Pick<ApprovalAsked, "choices" | "form">,
): Promise<{ readonly choice: string; readonly data: JsonObject | null } | null> {
  const numbered = choices.map((choice, place) => `${place + 1} ${visible(choice)}`).join("   ");
  for (;;) {
    const given = await terminal.line(`${numbered} ? `);
    if (given === null) return null;
    const choice = chosen(choices, given.trim());
    if (choice === null) continue;
    if (form === null || choice !== choices[0]) return { choice, data: null };
    const data: { [name: string]: Json } = {};
    for (const [name, kind] of Object.entries(form)) {
      const wanted = typeof kind === "string" ? kind : kind.map((one) => visible(one)).join(", ");
      const text = await terminal.line(`${visible(name)} (${wanted}) ? `);
      if (text === null) return null;
      data[name] = fieldValue(kind, text);
    }
    const [issue] = answerIssues({ choices, form }, { choice, data });
    if (issue === undefined) return { choice, data };
    terminal.io.stderr.write(`${visible(issue.path.replace("/data/", ""))} ${visible(issue.message)}\n`);
  }
}

/** By number, whole, or by its first letters where no other choice has them. */
function chosen(choices: readonly string[], given: string): string | null {
  if (/^[1-9]$/.test(given)) return choices[Number(given) - 1] ?? null;
  if (choices.includes(given)) return given;
  const fits = given === "" ? [] : choices.filter((choice) => choice.startsWith(given));
  return fits.length === 1 ? (fits[0] ?? null) : null;
}

function fieldValue(kind: unknown, text: string): Json {
  const given = text.trim();
  if (kind === "number" && given !== "" && Number.isFinite(Number(given))) return Number(given);
  if (kind === "boolean" && /^(y|yes|true|n|no|false)$/i.test(given)) return /^[yt]/i.test(given);
  return given;
}
