/** Probes: a state is an answer, even a bad one. An error means that the probe could not or must not run, and probing changes nothing. */
import type { Json } from "../../../compiler/json.ts";
import { same } from "../suite.ts";
import { defineKind, memberOf, type RoleAnswer, shown } from "./kind.ts";

/** Codes for a target that must not be probed or is unknown. */
const REFUSALS: ReadonlySet<string> = new Set(
  ["NOT_FOUND", "NOT_ALLOWED", "HOST_BLOCKED", "ADDRESS_BLOCKED", "PATH_ESCAPE", "BAD_URL"].map(
    (word) => `ADAPTER_${word}`,
  ),
);

/** Each role asks about one target of the fixture, and gives true or false or an object with `ok`. */
export const probe = defineKind({
  roles: {
    /** One that is well. */
    up: { inputs: [], needed: true },
    /** One that is not there. */
    down: { inputs: [], needed: true },
    /** One that answers, and says that it is not well. */
    ill: { inputs: [] },
    /** One that takes longer than the probe waits. */
    slow: { inputs: [] },
    /** One that may not be asked about. */
    unknown: { inputs: [] },
  },
  checks: [
    {
      title: "a target that is well is said to be",
      roles: ["up"],
      async *check({ call }) {
        const answer = await call("up");
        if (wellOf(answer) !== true) yield `gave ${shown(answer)}`;
      },
    },
    ...(["down", "ill", "slow"] as const).map((role) => ({
      title: `a target that is ${role} is an answer, not an error`,
      roles: [role],
      async *check({ call }: { call(role: "down" | "ill" | "slow"): Promise<RoleAnswer> }) {
        const answer = await call(role);
        if (wellOf(answer) !== false) yield `gave ${shown(answer)}`;
      },
    })),
    {
      title: "a target that may not be asked about is an error, not an answer",
      roles: ["unknown"],
      async *check({ call }) {
        const answer = await call("unknown");
        if (answer.ok || !REFUSALS.has(answer.code)) yield `gave ${shown(answer)}`;
      },
    },
    {
      title: "asking changes nothing, neither what there is nor the next answer",
      roles: ["up", "down"],
      async *check({ call, observed }) {
        const before = await observed();
        const answers = [];
        for (const role of ["up", "down", "up", "down"] as const) answers.push(wellOf(await call(role)));
        if (!same(answers, [true, false, true, false])) yield `gave ${JSON.stringify(answers)}`;
        if (!same(await observed(), before)) yield "something else is there than before";
      },
    },
  ],
});

/** Whether a target is said to be well; null: nothing is said of it. */
function wellOf(answer: RoleAnswer): boolean | null {
  if (!answer.ok) return null;
  const said: Json | undefined = typeof answer.value === "boolean" ? answer.value : memberOf(answer.value, "ok");
  return typeof said === "boolean" ? said : null;
}
