/** The search of the list of jobs: one field, in which each word becomes a chip that can be taken away again. */
import { useId, useState } from "preact/hooks";
import type { ListedJob, ProgramList } from "../../data.ts";
import { useData } from "../../loading.ts";
import { completionsOf, type Filters, filtersOf, typedWords, wordOf } from "./search-words.ts";

/** A chip shows the beginning of a long word. */
const MAX_SHOWN = 60;

type SearchOf = {
  readonly filters: Filters;
  readonly set: (filters: Filters) => void;
  /** Their tags complete what is typed. */
  readonly jobs: readonly ListedJob[];
};

export function SearchBox({ filters, set, jobs }: SearchOf) {
  const [typed, setTyped] = useState("");
  const [isUsed, setUsed] = useState(false);
  const id = useId();
  const programs = useData<ProgramList>(isUsed ? "/programs?limit=200" : null, null);
  const words = Object.entries(filters).flatMap(([filter, value]) => {
    const word = wordOf(filter, value);
    return word === null ? [] : [{ filter, word }];
  });
  const without = (filter: string): Filters => ({ ...filters, [filter]: "", cursor: "" });
  const take = () => {
    const fresh = filtersOf(typedWords(typed));
    if (Object.keys(fresh).length > 0) set({ ...filters, cursor: "", ...fresh });
    setTyped("");
  };
  const pressed = (event: KeyboardEvent) => {
    const last = words.at(-1);
    if (event.key === "Enter") take();
    else if (event.key === "Backspace" && typed === "" && last !== undefined) set(without(last.filter));
    else return;
    event.preventDefault();
  };
  const known = {
    programs: (programs.data?.programs ?? []).map(({ name }) => name),
    tags: [...new Set(jobs.flatMap(({ tags = {} }) => Object.entries(tags).map(([key, value]) => `${key}:${value}`)))],
  };
  return (
    <search class="search">
      {words.map(({ filter, word }) => (
        <button
          key={filter}
          type="button"
          class="word"
          aria-label={`Remove ${word.slice(0, MAX_SHOWN)}`}
          onClick={() => set(without(filter))}
        >
          {word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word} <span aria-hidden="true">×</span>
        </button>
      ))}
      <input
        id="search"
        aria-label="Search jobs"
        list={id}
        value={typed}
        placeholder={words.length === 0 ? 'program:ratio state:failed since:2h "no such table"' : "and …"}
        spellcheck={false}
        autocomplete="off"
        onFocus={() => setUsed(true)}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={take}
        onKeyDown={pressed}
      />
      <datalist id={id}>
        {completionsOf(typed, known).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </search>
  );
}
