/** Where runs of a program may begin: at its entry, and where an endpoint, a schedule or an event starts them. */
import { shownText } from "../hidden-characters.ts";
import type { Ir } from "../ir/graph.ts";
import { resolveReference } from "../ir/references.ts";
import type { BoxShape } from "./model.ts";
import { cutText, MAX_NAME } from "./text.ts";

/** `key`: tells it from the others. */
export type Start = {
  readonly key: string;
  readonly shape: BoxShape;
  readonly text: string;
  readonly label: string;
};

/** What a declaration that starts runs is called, by its op. */
const WORDS: Readonly<Record<string, string>> = { Cr: "cron", On: "on" };

export function startsOf({ entry, endpoints, declarations, labels }: Ir): readonly Start[] {
  const begins: Start[] = entry === null ? [] : [{ key: "start", shape: "start", text: "start", label: entry }];
  const add = (text: string, label: string) =>
    begins.push({
      key: `begins ${begins.length}`,
      shape: "endpoint",
      text: cutText(shownText(text), MAX_NAME),
      label,
    });
  for (const { method, path, label } of endpoints) add(`${method} ${path}`, label);
  for (const { op, slots } of declarations) {
    const [label = "", ...what] = slots;
    const word = WORDS[op];
    if (word !== undefined)
      add(
        [word, ...what].join(" "),
        resolveReference(label, (id) => Object.hasOwn(labels, id)),
      );
  }
  return begins;
}
