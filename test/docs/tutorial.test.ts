/** Who follows docs/tutorial.md sees what it says. Out of date: `WEFT_DOCS=write npx vitest run test/docs/tutorial.test.ts`. */
import { expect, it } from "vitest";
import { follow } from "./followed.ts";

async function questions(server: string): Promise<number> {
  const { approvals } = (await (await fetch(`${server}/approvals`)).json()) as {
    readonly approvals: readonly unknown[];
  };
  return approvals.length;
}

it("a newcomer who follows the tutorial sees what it says", { timeout: 120_000 }, async () => {
  const text = await follow("tutorial.md", {
    startsBefore: "wf deploy",
    async ready(line, server) {
      // A person comes to this later than the job.
      if (line === "wf approve") await expect.poll(() => questions(server)).toBe(1);
    },
  });
  expect(text).toContain("receipt seen");
});
