/** The page's own question before it does what cannot be undone. One dialog for all pages; Esc answers no. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

type Asked = {
  readonly question: string;
  /** The verb of the button that answers yes. */
  readonly yes: string;
  readonly isDanger: boolean;
  readonly answer: (isYes: boolean) => void;
};

const asked = signal<Asked | null>(null);

/** Resolves with what the person answered. */
export function ask(question: string, yes: string, { isDanger = false } = {}): Promise<boolean> {
  asked.value?.answer(false);
  return new Promise((answer) => {
    asked.value = { question, yes, isDanger, answer };
  });
}

export function QuestionDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const now = asked.value;
  useEffect(() => {
    if (now !== null) dialog.current?.showModal();
  }, [now]);
  const answer = (isYes: boolean) => {
    asked.value = null;
    now?.answer(isYes);
    if (dialog.current?.open) dialog.current.close();
  };
  return (
    <dialog ref={dialog} aria-label="Confirm" onClose={() => answer(false)}>
      <p>{now?.question}</p>
      <p class="actions">
        <Button kind="plain" onClick={() => answer(false)}>
          Keep as it is
        </Button>
        <Button kind={now?.isDanger ? "danger" : "primary"} onClick={() => answer(true)}>
          {now?.yes}
        </Button>
      </p>
    </dialog>
  );
}
