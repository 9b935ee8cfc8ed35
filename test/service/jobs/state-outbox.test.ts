/** T.S-2: what a job shows is written at most once a second, and not again by a replay. */
import { describe, expect, it } from "vitest";
import { StateOutbox } from "../../../service/jobs/run/state-outbox.ts";
import { testClock } from "../../support/world.ts";

function outbox() {
  const written: [ms: number, text: string][] = [];
  const clock = testClock();
  const made = new StateOutbox(async (text) => void written.push([clock.now(), text]), clock);
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.wait(ms, resolve));
  return { made, written, sleep };
}

describe("T.S-2: the outbox of states", () => {
  it("gathers what is shown within a second", async () => {
    const { made, written, sleep } = outbox();
    for (let n = 0; n < 100; n++) {
      made.shown.set("n", String(n));
      await sleep(25);
    }
    await made.flush();
    expect(written.map(([ms]) => ms)).toEqual([50, 1050, 2050, 2500]);
    expect(written.at(-1)?.[1]).toBe('{"progress":null,"state":{"n":99}}');
  });

  it("writes nothing while a run is replayed, and what has changed after it", async () => {
    const { made, written, sleep } = outbox();
    let isReplaying = true;
    made.shown.isReplaying = () => isReplaying;
    made.shown.set("n", "1");
    await sleep(3000);
    await made.flush();
    expect(written).toEqual([]);
    isReplaying = false;
    made.shown.set("n", "2");
    await sleep(3000);
    expect(written.map(([, text]) => text)).toEqual(['{"progress":null,"state":{"n":2}}']);
  });

  it("has nothing to write where nothing was shown, or the same again", async () => {
    const { made, written, sleep } = outbox();
    await made.flush();
    made.shown.set("n", "1");
    await sleep(100);
    made.shown.set("n", "1");
    await sleep(3000);
    expect(written.length).toBe(1);
  });

  it("joins branches in their order, and refuses more names than there is room for", () => {
    const { made } = outbox();
    const [second, first] = [made.shown.branch(1, 2), made.shown.branch(0, 2)];
    second.set("a", "2");
    first.set("a", "1");
    for (let n = 0; n < 40; n++) for (const part of [first, second]) part.set(`${part === first ? "f" : "s"}${n}`, "0");
    expect(JSON.parse(made.shown.text() ?? "").state.a).toBe(2);
    expect(made.shown.join()).toBe(false);
    expect(JSON.parse(made.shown.text() ?? "").state.a).toBe(2);
  });
});
