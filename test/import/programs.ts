/** What imported programs say when they run. */
import { run } from "../support/world.ts";

/** Titles of the steps of an imported workflow, in the order in which it runs them. */
export async function stepTitles(source: string): Promise<readonly unknown[]> {
  const answer = await run(source, { finalFrame: true });
  if (!answer.ok) throw new Error(answer.error.message);
  const frame = answer.frame ?? {};
  const titles: unknown[] = [];
  for (let number = 1; Object.hasOwn(frame, `r${number}`); number++) {
    const step = frame[`r${number}`];
    titles.push(typeof step === "object" && step !== null && "title" in step ? step.title : step);
  }
  return titles;
}
