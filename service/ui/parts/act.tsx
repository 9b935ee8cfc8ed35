/** A button that changes something. It is absent where the page may only read, and asks once more before it does what cannot be undone. */
import { useState } from "preact/hooks";
import { Refused } from "../api.ts";
import { RULES } from "../rules.ts";

type Act = {
  readonly text: string;
  /** Asked before; absent: done at once. */
  readonly confirm?: string;
  /** People who are named may do it where the page only reads, too. */
  readonly ofPeople?: boolean;
  readonly run: () => Promise<unknown>;
  readonly done: () => void;
  /** What the service refused, for a form that shows problems at its fields; null: a new try begins. */
  readonly refused?: (fault: Refused | null) => void;
};

export function ActButton({ ofPeople = false, ...act }: Act & { readonly ofPeople?: boolean }) {
  return RULES.act || (ofPeople && RULES.people) ? <ActionButton {...act} /> : null;
}

/** A button that changes nothing on the service: it is there in every mode. */
export function ActionButton({ text, confirm: question, run, done, refused }: Omit<Act, "done"> & Partial<Act>) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const act = async () => {
    if (question !== undefined && !window.confirm(question)) return;
    setBusy(true);
    setFault(null);
    refused?.(null);
    try {
      await run();
      done?.();
    } catch (cause) {
      setFault(cause instanceof Refused ? cause.message : "the request failed");
      if (cause instanceof Refused) refused?.(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <span class="act">
      <button type="button" disabled={busy} onClick={act}>
        {text}
      </button>
      {fault === null ? null : (
        <span class="bad" role="alert">
          {fault}
        </span>
      )}
    </span>
  );
}
