import type { CliIo } from "../session/io.ts";

/** Asks at a terminal, where `y` or `yes` means yes; without one the answer is no. */
export async function confirmed(io: CliIo, question: string): Promise<boolean> {
  if (!io.stdin.terminal || !io.stderr.terminal) return false;
  io.stderr.write(`${question} [y/N] `);
  const { input } = io.streams();
  const answer = await new Promise<string>((resolve) => {
    input.once("data", (chunk: Buffer | string) => resolve(chunk.toString()));
    input.once("end", () => resolve(""));
  });
  input.pause();
  return /^y(es)?$/i.test(answer.trim());
}
