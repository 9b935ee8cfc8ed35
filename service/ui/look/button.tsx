/** Buttons: `primary` for what a page is there for, `danger` for what takes something away, `plain` for what matters little. */
import type { ComponentChildren } from "preact";

export type ButtonKind = "normal" | "primary" | "danger" | "plain";

type ButtonOf = {
  readonly kind?: ButtonKind;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** For readers that see only the button. */
  readonly label?: string;
  readonly onClick: () => unknown;
  readonly children: ComponentChildren;
};

export function Button({ kind = "normal", disabled = false, pressed, label, onClick, children }: ButtonOf) {
  return (
    <button
      type="button"
      class={kind === "normal" ? undefined : kind}
      disabled={disabled}
      aria-pressed={pressed}
      aria-label={label}
      onClick={() => void onClick()}
    >
      {children}
    </button>
  );
}
