/**
 * The door for supplied IR: copies any JavaScript value into plain JSON of our own, within the bounds of docs/ir.md 10.1.
 * What follows never touches the caller's objects again, so hostile getters, proxies and prototypes end here. No recursion.
 */
import { type Json, setMember } from "../json.ts";
import { type IssueList, pointer, quoted } from "./issues.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_NESTING = 256;

/** Names that reach an object's prototype in careless code: refused wherever they stand. */
export const FORBIDDEN_MEMBERS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

type Trail = { readonly parent: Trail | null; readonly member: string | number } | null;
type Source = {
  readonly value: object;
  readonly trail: Trail;
  readonly depth: number;
  readonly put: (copy: Json) => void;
};

class Door {
  private bytes = 0;
  private readonly pending: Source[] = [];
  private readonly issues: IssueList;

  constructor(issues: IssueList) {
    this.issues = issues;
  }

  copy(input: unknown): Json {
    let result: Json = null;
    this.take(input, null, 1, (copy) => {
      result = copy;
    });
    for (let source = this.pending.pop(); source !== undefined; source = this.pending.pop()) {
      if (Array.isArray(source.value)) this.takeList(source.value, source);
      else this.takeObject(source.value, source);
      if (this.bytes > MAX_BYTES) {
        this.issues.add("too_large", "", `more than ${MAX_BYTES} bytes of JSON`);
        break;
      }
    }
    return result;
  }

  private take(value: unknown, trail: Trail, depth: number, put: (copy: Json) => void): void {
    switch (typeof value) {
      case "string":
        if (this.countText(value, trail)) put(value);
        return;
      case "number":
        this.bytes += 1;
        if (Number.isFinite(value)) put(Object.is(value, -0) ? 0 : value);
        else this.issues.add("bad_number", pathOf(trail), "number is not finite");
        return;
      case "boolean":
        this.bytes += 4;
        put(value);
        return;
      case "object":
        if (value === null) {
          this.bytes += 4;
          put(null);
        } else if (depth > MAX_NESTING)
          this.issues.add("too_large", pathOf(trail), `nested deeper than ${MAX_NESTING}`);
        else this.pending.push({ value, trail, depth, put });
        return;
      default:
        this.bytes += 4;
        this.issues.add("schema", pathOf(trail), `${typeof value} is not JSON`);
    }
  }

  private takeList(list: readonly unknown[], source: Source): void {
    const copy: Json[] = [];
    const length = list.length;
    this.bytes += 2;
    for (let index = 0; index < length && this.bytes <= MAX_BYTES; index += 1) {
      this.bytes += 1;
      copy.push(null);
      this.take(list[index], { parent: source.trail, member: index }, source.depth + 1, (item) => {
        copy[index] = item;
      });
    }
    source.put(copy);
  }

  private takeObject(object: object, source: Source): void {
    const copy: { [key: string]: Json } = {};
    this.bytes += 2;
    // `__proto__` included where it is the object's own; each member is read once.
    for (const key of Object.keys(object)) {
      if (this.bytes > MAX_BYTES) break;
      const value = (object as { readonly [key: string]: unknown })[key];
      const trail = { parent: source.trail, member: key };
      if (FORBIDDEN_MEMBERS.has(key)) {
        this.issues.add("forbidden_member", pathOf(trail), `member ${quoted(key)} is not accepted`);
      } else if (value !== undefined && this.countText(key, trail)) {
        setMember(copy, key, null);
        this.take(value, trail, source.depth + 1, (member) => setMember(copy, key, member));
      }
    }
    source.put(copy);
  }

  private countText(text: string, trail: Trail): boolean {
    const size = text.length > MAX_TEXT_BYTES ? text.length : utf8Length(text);
    this.bytes += size + 3;
    if (size <= MAX_TEXT_BYTES) return true;
    this.issues.add("too_large", pathOf(trail), `text of more than ${MAX_TEXT_BYTES} bytes`);
    return false;
  }
}

/** A plain copy of `input`; meaningless when `issues` got an entry. Never throws. */
export function admit(input: unknown, issues: IssueList): Json {
  try {
    return new Door(issues).copy(input);
  } catch {
    // A getter or proxy of the caller threw: whatever it is, it is no JSON.
    issues.add("schema", "", "input cannot be read as JSON");
    return null;
  }
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function pathOf(trail: Trail): string {
  const members: (string | number)[] = [];
  for (let place = trail; place !== null; place = place.parent) members.push(place.member);
  return members.reverse().reduce<string>(pointer, "");
}
