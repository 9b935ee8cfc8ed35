/** Ending a run from outside: who listens hears of it once, and as many may listen as there are. */
import { describe, expect, it } from "vitest";
import { anyOf, Cancelling } from "../../../vm/runs/cancellation.ts";

describe("cancelling", () => {
  it("notifies every remaining listener once, with the first reason", () => {
    const cancelling = new Cancelling();
    const heard: string[] = [];
    const hear = (name: string) => {
      const listener = (): void => void heard.push(name);
      cancelling.addEventListener("abort", listener);
      return listener;
    };
    const [first, second] = [hear("first"), hear("second")];
    hear("third");
    cancelling.removeEventListener("abort", first);
    cancelling.removeEventListener("abort", second);
    hear("fourth");
    cancelling.addEventListener("abort", second);
    cancelling.addEventListener("abort", second);
    cancelling.abort("why");
    cancelling.abort("again");
    expect(heard.sort()).toEqual(["fourth", "second", "third"]);
    expect([cancelling.aborted, cancelling.reason]).toEqual([true, "why"]);
  });

  it("does not call listeners added after the end", () => {
    const cancelling = new Cancelling();
    cancelling.abort("over");
    cancelling.addEventListener("abort", () => expect.unreachable());
    expect(anyOf(new Cancelling(), cancelling).reason).toBe("over");
  });

  it("handles a hundred thousand listeners, removed in any order", () => {
    const cancelling = new Cancelling();
    let heard = 0;
    const listeners = Array.from({ length: 100_000 }, () => () => {
      heard += 1;
    });
    for (const listener of listeners) cancelling.addEventListener("abort", listener);
    for (const listener of listeners.slice(1)) cancelling.removeEventListener("abort", listener);
    cancelling.abort("over");
    expect(heard).toBe(1);
  });
});
