/** Links to the first and the next page of a list. The place in the list lives in the address. */
import { address } from "../../router.ts";

type PagerOf = {
  readonly path: readonly string[];
  /** The filters, and `cursor` on every page but the first. */
  readonly query: Readonly<Record<string, string>>;
  /** undefined: not known yet; null: this is the last page. */
  readonly next: string | null | undefined;
  readonly titles?: readonly [first: string, next: string];
};

export function Pager({ path, query, next, titles: [first, more] = ["newest", "older"] }: PagerOf) {
  const isFirst = (query["cursor"] ?? "") === "";
  if (isFirst && next == null) return null;
  return (
    <p class="pager">
      {isFirst ? null : <a href={address(path, { ...query, cursor: "" })}>{first}</a>}
      {next == null ? null : <a href={address(path, { ...query, cursor: next })}>{more}</a>}
    </p>
  );
}
