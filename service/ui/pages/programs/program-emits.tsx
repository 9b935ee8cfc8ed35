/** What a program starts by its events, as it is today: each program that hears acts under the grant of its own deployment. */
import type { Program } from "../../data.ts";
import { address } from "../../router.ts";

export function EmittedEvents({ emits }: { readonly emits: Program["emits"] }) {
  if (emits === null) return null;
  const { names, subscribers, more } = emits;
  return (
    <section aria-label="Emitted events">
      <h2>What its events start</h2>
      <p>It may emit {names.join(", ")}.</p>
      {subscribers.length === 0 ? <p class="quiet">no program hears of that</p> : null}
      <ul>
        {subscribers.map(({ event, program, version, adapters }) => (
          <li key={`${event} ${program}`}>
            {event} starts{" "}
            <a href={address(["programs", program])}>
              {program}@{version}
            </a>
            , which reaches {reachedText(adapters)}
          </li>
        ))}
      </ul>
      {more === 0 ? null : <p>{more} more</p>}
    </section>
  );
}

function reachedText(adapters: NonNullable<Program["emits"]>["subscribers"][number]["adapters"]): string {
  const calls = Object.entries(adapters).filter(([name]) => name !== "core");
  return calls.length === 0 ? "nothing" : calls.map(([name, { verbs }]) => `${name}: ${verbs.join(", ")}`).join("; ");
}
