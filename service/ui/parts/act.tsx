/** A button that changes something. It is absent where the page may only read, and asks once more before it does what cannot be undone. */
import { useState } from "preact/hooks";
import { Refused } from "../api.ts";
import { Button, type ButtonKind } from "../look/button.tsx";
import { ask } from "../look/dialog.tsx";
import { say } from "../look/toast.tsx";
import { RULES } from "../rules.ts";
import { problemTexts } from "./problems.tsx";

type Act = {
  readonly text: string;
  readonly kind?: ButtonKind;
  /** Asked before; absent: done at once. */
  readonly confirm?: string;
  /** People who are named may do it where the page only reads, too. */
  readonly ofPeople?: boolean;
  readonly run: () => Promise<unknown>;
  readonly done: () => void;
  /** Said when it was done, where the page itself does not show it. */
  readonly said?: string;
  /** What the service refused, for a form that shows problems at its fields; null: a new try begins. */
  readonly refused?: (fault: Refused | null) => void;
};

export function ActButton({ ofPeople = false, ...act }: Act & { readonly ofPeople?: boolean }) {
  return RULES.act || (ofPeople && RULES.people) ? <ActionButton {...act} /> : null;
}

/** A button that changes nothing on the service: it is there in every mode. */
export function ActionButton(action: Omit<Act, "done"> & Partial<Act>) {
  const { text, kind = "normal", confirm: question, run, done, said, refused } = action;
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const act = async () => {
    if (question !== undefined && !(await ask(question, text, { isDanger: kind === "danger" }))) return;
    setBusy(true);
    setFault(null);
    refused?.(null);
    try {
      await run();
      if (said !== undefined) say(said);
      done?.();
    } catch (cause) {
      setFault(faultText(cause, refused !== undefined));
      if (cause instanceof Refused) refused?.(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <span class="act">
      <Button kind={kind} disabled={busy} onClick={act}>
        {text}
      </Button>
      {fault === null ? null : (
        <span class="bad" role="alert">
          {fault}
        </span>
      )}
    </span>
  );
}

/** Problems of single members are said at their fields, where the form has them, and else here. */
function faultText(cause: unknown, hasFields: boolean): string {
  if (!(cause instanceof Refused)) return "the request failed";
  const problems = problemTexts(cause);
  if (problems.length === 0) return cause.message;
  if (hasFields) return "not accepted: see the problems at the fields";
  return problems.join("; ");
}
