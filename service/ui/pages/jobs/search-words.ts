/** The words of the search for jobs: `program:ratio state:failed since:2h "no such table" 4711`. The address holds them as filters of GET /jobs. */

export type Filters = Readonly<Record<string, string>>;

/** The states that one word stands for. */
export const STATES: Readonly<Record<string, string>> = {
  queued: "queued",
  running: "running,cancelling",
  waiting: "waiting,sleeping",
  succeeded: "succeeded",
  failed: "failed,timed_out,interrupted,rejected",
  cancelled: "cancelled",
};

/** Keys of words, and the filter that each is. */
const KEYS: Readonly<Record<string, string>> = {
  program: "program",
  state: "status",
  tag: "tag",
  since: "since",
  waits: "waits",
  name: "name",
  input: "search",
  schedule: "schedule",
  label: "label",
  error: "error",
  after: "queued_after",
  before: "queued_before",
};
const KEY_OF: ReadonlyMap<string, string> = new Map(Object.entries(KEYS).map(([key, filter]) => [filter, key]));
/** What `waits` may be. */
const WAITS = ["signal", "approval", "timer", "outcome", "job"];
const SPANS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Filters that no word is: they are links of other pages, and the place in the list. */
const UNWORDED = new Set(["cursor", "limit", "order"]);

/** The parts that a person typed: words, and texts in quotes. A key may have a text in quotes as its value. */
export function typedWords(text: string): readonly string[] {
  return text.match(/(?:[a-z]+:)?"[^"]*"?|\S+/g) ?? [];
}

/** The filters that typed words are. A word without a known key is the beginning or the end of an id, or the beginning of a name; a text in quotes is looked for in messages. */
export function filtersOf(words: readonly string[]): Filters {
  const filters: Record<string, string> = {};
  for (const word of words) {
    const [, key = "", value = ""] = /^([a-z]+):(.+)$/s.exec(word) ?? [];
    const filter = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (filter === undefined && word.startsWith('"')) filters["message"] = unquoted(word);
    else if (filter === undefined) filters["q"] = word;
    else filters[filter] = filter === "status" ? statesOf(unquoted(value)) : unquoted(value);
  }
  return filters;
}

const unquoted = (text: string): string => text.replace(/^"|"$/g, "");
const statesOf = (word: string): string => (Object.hasOwn(STATES, word) ? (STATES[word] as string) : word);

/** The word that a filter is, as it would be typed; null: no word stands for it. */
export function wordOf(filter: string, value: string): string | null {
  if (value === "" || UNWORDED.has(filter)) return null;
  if (filter === "message") return `"${value}"`;
  if (filter === "q") return value;
  const key = KEY_OF.get(filter) ?? filter;
  const shown = filter === "status" ? stateWord(value) : value;
  return /\s/.test(shown) ? `${key}:"${shown}"` : `${key}:${shown}`;
}

/** `failed` for all the states that a job can fail with. */
function stateWord(states: string): string {
  return Object.entries(STATES).find(([, each]) => each === states)?.[0] ?? states;
}

/** What is asked of the service: a span becomes a time. `now`: milliseconds since 1970. */
export function askedOf({ since, ...filters }: Filters, now: number): Filters {
  const [, count = "", unit = ""] = /^([1-9][0-9]{0,4})([mhd])$/.exec(since ?? "") ?? [];
  if (since === undefined || since === "") return filters;
  // What is not a span is refused by the service, which says what times look like.
  const after = unit === "" ? since : new Date(now - Number(count) * (SPANS[unit] ?? 0)).toISOString();
  return { ...filters, queued_after: after };
}

/** Words that complete what is being typed. `programs` and `tags`: those that are known. */
export function completionsOf(
  typed: string,
  { programs, tags }: { readonly programs: readonly string[]; readonly tags: readonly string[] },
): readonly string[] {
  const valuesOf: Readonly<Record<string, readonly string[]>> = {
    program: programs,
    state: Object.keys(STATES),
    tag: tags,
    waits: WAITS,
    since: ["30m", "2h", "1d", "7d"],
  };
  const [, key = ""] = /^([a-z]+):/.exec(typed) ?? [];
  const all = Object.hasOwn(valuesOf, key)
    ? (valuesOf[key] ?? []).map((value) => `${key}:${/\s/.test(value) ? `"${value}"` : value}`)
    : Object.keys(KEYS).map((each) => `${each}:`);
  return all.filter((each) => each.startsWith(typed) && each !== typed).slice(0, 20);
}
