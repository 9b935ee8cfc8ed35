/** A line at the foot of the page that says that something was done, for a few seconds. */
import { signal } from "@preact/signals";

const SHOWN_MS = 6000;
const MOST = 3;

type Said = { readonly id: number; readonly text: string };

const said = signal<readonly Said[]>([]);
let next = 0;

export function say(text: string): void {
  const id = next++;
  said.value = [...said.value, { id, text }].slice(-MOST);
  setTimeout(() => {
    said.value = said.value.filter((each) => each.id !== id);
  }, SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {said.value.map(({ id, text }) => (
        <div key={id}>{text}</div>
      ))}
    </div>
  );
}
