/** Where runs of a program may begin. */
import { shownText } from "../hidden-characters.ts";
import type { Ir } from "../ir/graph.ts";
import type { BoxShape } from "./model.ts";
import { cutText, MAX_NAME } from "./text.ts";

/** `key`: tells it from the others. */
export type Start = {
  readonly key: string;
  readonly shape: BoxShape;
  readonly text: string;
  readonly label: string;
};

export function startsOf({ entry, endpoints }: Ir): readonly Start[] {
  const begins: Start[] = entry === null ? [] : [{ key: "start", shape: "start", text: "start", label: entry }];
  for (const [at, { method, path, label }] of endpoints.entries())
    begins.push({
      key: `endpoint ${at}`,
      shape: "endpoint",
      text: cutText(shownText(`${method} ${path}`), MAX_NAME),
      label,
    });
  return begins;
}
