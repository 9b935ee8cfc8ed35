/**
 * Which parts of a value a schema looks at, and where it begins anew there. A schema that begins anew twice for one part looks at the parts
 * of that part four times, at theirs eight times, and so on.
 */

/** Where a schema looks next: a place of a list, a member of a map, or any of them. */
type Slot = { readonly of: "list" | "map" | "names"; readonly part: string | null };
type Branch = { readonly below: Map<string, Branch>; begins: boolean };

export class Slots {
  readonly #begun: Branch = { below: new Map(), begins: false };
  readonly #way: Slot[] = [];

  /** Calls `work` for the part that the member `name` of a schema speaks of; `part`: its place or name. */
  within<T>(name: string, part: string | null, work: () => T): T {
    this.#way.push(slotOf(name, part));
    const result = work();
    this.#way.pop();
    return result;
  }

  /** Notes that the schema begins anew for the present part. False: it does so already for this part, or one around it or in it. */
  repeat(): boolean {
    let branch = this.#begun;
    for (const slot of this.#way) {
      if (branch.begins) return false;
      const key = `${slot.of} ${slot.part ?? ""}`;
      for (const known of branch.below.keys()) if (known !== key && overlap(slot, known)) return false;
      const next = branch.below.get(key) ?? { below: new Map(), begins: false };
      branch.below.set(key, next);
      branch = next;
    }
    if (branch.begins || branch.below.size > 0) return false;
    branch.begins = true;
    return true;
  }
}

/** Of two places of which one stands for any, the two may be one. */
function overlap({ of, part }: Slot, known: string): boolean {
  return known.startsWith(`${of} `) && (part === null || known === `${of} `);
}

function slotOf(name: string, part: string | null): Slot {
  switch (name) {
    case "items":
    case "prefixItems":
      return { of: "list", part: part ?? REST };
    case "additionalItems":
      return { of: "list", part: REST };
    case "contains":
    case "unevaluatedItems":
      return { of: "list", part: null };
    case "properties":
      return { of: "map", part: `=${part ?? ""}` };
    case "additionalProperties":
      return { of: "map", part: REST };
    case "propertyNames":
      return { of: "names", part: null };
    default:
      return { of: "map", part: null };
  }
}

/** What has no schema of its own. */
const REST = "rest";
