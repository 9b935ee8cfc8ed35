/** What the arguments of memory verbs look like: times, metadata, filters and cursors (docs/adapters/memory.md). */
import type { JsonObject } from "../../../compiler/json.ts";
import { exactEntries, fromExactEntries } from "../../../vm/inputs/exact-text.ts";
import { badArguments } from "../../definition/bind.ts";
import { z } from "../../definition/define.ts";
import { givenObject, name } from "../../store/names.ts";
import type { ListRequest } from "../../store/record.ts";

const MAX_PAGE = 1_000;

/** RFC 3339 with `Z` or an offset. */
export function time() {
  return z.iso.datetime({ offset: true });
}

/** Whole seconds from the last write. */
export function timeToLive() {
  return z.number().int().min(1);
}

const knownMetadata = z.looseObject({
  source: z.string().nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  tags: z.array(z.string()).nullish(),
  valid_at: time().nullish(),
  last_accessed: time().nullish(),
  access_count: z.number().int().min(0).nullish(),
});

/** Members with a meaning are checked, others kept. */
export function metadata() {
  return givenObject().superRefine((value, context) => {
    const checked = knownMetadata.safeParse(value);
    for (const issue of checked.error?.issues ?? []) {
      context.addIssue({ code: "custom", path: issue.path, message: "a valid metadata member" });
    }
  });
}

/** Payload and metadata of a put: metadata may be part of the payload as `_metadata`; members given separately win. */
export function unpacked(
  given: JsonObject,
  separate: JsonObject | undefined,
): { readonly payload: JsonObject; readonly metadata: JsonObject | null } {
  if (!Object.hasOwn(given, "_metadata")) return { payload: given, metadata: separate ?? null };
  const riding = given["_metadata"] ?? null;
  const payload = fromExactEntries(exactEntries(given).filter(([name]) => name !== "_metadata"));
  if (riding === null) return { payload, metadata: separate ?? null };
  const checked = metadata().safeParse(riding);
  if (!checked.success)
    throw badArguments([{ path: "/3/_metadata", expected: "valid metadata", got: "another value" }]);
  return { payload, metadata: { ...checked.data, ...separate } };
}

export function filters() {
  return z.strictObject({
    tags_any: z.array(z.string()).nullish(),
    tags_all: z.array(z.string()).nullish(),
    created_after: time().nullish(),
    created_before: time().nullish(),
    updated_after: time().nullish(),
    updated_before: time().nullish(),
    valid_at_after: time().nullish(),
    valid_at_before: time().nullish(),
    since_last_accessed: time().nullish(),
    source: z.string().nullish(),
    limit: z.number().int().min(1).max(MAX_PAGE).nullish(),
    offset: z.number().int().min(0).nullish(),
  });
}
export type Filters = z.output<ReturnType<typeof filters>>;

type FilterPart = Omit<ListRequest, "namespace" | "kind" | "idPrefix" | "includeExpired" | "after">;

/** The part of a list request that filters say; `updatedSince` and `updated_after` bound the same time. */
export function filterPart(given: Filters, updatedSince: string | undefined): FilterPart {
  const sinceMs = instant(updatedSince);
  const afterMs = instant(given.updated_after);
  return {
    created: { after: instant(given.created_after), before: instant(given.created_before) },
    updated: {
      after: sinceMs === null || afterMs === null ? (sinceMs ?? afterMs) : Math.max(sinceMs, afterMs),
      before: instant(given.updated_before),
    },
    validAt: { after: instant(given.valid_at_after), before: instant(given.valid_at_before) },
    accessedSince: instant(given.since_last_accessed),
    source: given.source ?? null,
    tagsAny: given.tags_any ?? null,
    tagsAll: given.tags_all ?? [],
    offset: given.offset ?? 0,
    limit: given.limit ?? MAX_PAGE,
  };
}

function instant(text: string | null | undefined): number | null {
  return text == null ? null : Date.parse(text);
}

const cursorParts = z.tuple([name(), name()]);

/** The cursor to the records after this one. */
export function cursorBehind({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return Buffer.from(JSON.stringify([kind, id])).toString("base64url");
}

export function readCursor(text: string): { readonly kind: string; readonly id: string } {
  try {
    const [kind, id] = cursorParts.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { kind, id };
  } catch {
    throw badArguments([{ path: "/options/cursor", expected: "a cursor of an earlier answer", got: "another text" }]);
  }
}
