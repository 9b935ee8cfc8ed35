/**
 * The door for supplied IR: copies any JavaScript value into plain JSON of our own, within bounds (docs/ir.md, IR from outside).
 * What follows never touches the caller's objects again, so hostile getters, proxies and prototypes end here. No recursion.
 */
import { Pieces, type Task } from "../../../grammar/text/task.ts";
import { type Json, setMember } from "../../json.ts";
import { type IssueCode, type IssueList, pointer, quoted } from "../issues.ts";

/** Bytes of JSON. */
export const MAX_IR_BYTES = 8 * 1024 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_NESTING = 256;
/** Bytes of JSON that are copied in one piece. */
const BYTES_OF_A_PIECE = 65_536;
/** Different names of members whose lengths are remembered. */
const MAX_NAMES = 256;

/** Names that reach an object's prototype in careless code: refused wherever they stand. */
export const FORBIDDEN_MEMBERS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

type Trail = { readonly parent: Trail | null; readonly member: string | number } | null;
/** Stands for a member where the input as a whole is meant. */
const WHOLE = -1;
type Copy = Json[] | { [key: string]: Json };
/** A list or object that is still to be read, and the copy that stands in its place already. */
type Source = { readonly value: object; readonly copy: Copy; readonly trail: Trail; readonly depth: number };

class Door {
  private bytes = 0;
  /** Names seen so far, with their length in bytes: objects of a program have few different ones. */
  private readonly names = new Map<string, number>();
  private readonly pending: Source[] = [];
  private readonly issues: IssueList;

  constructor(issues: IssueList) {
    this.issues = issues;
  }

  *copy(input: unknown): Task<Json> {
    const pieces = new Pieces(BYTES_OF_A_PIECE);
    const result = this.take(input, null, WHOLE, 1);
    for (let source = this.pending.pop(); source !== undefined; source = this.pending.pop()) {
      const { value, copy } = source;
      const before = this.bytes;
      if (Array.isArray(copy)) this.takeList(value as readonly unknown[], copy, source);
      else this.takeObject(value, copy, source);
      if (this.bytes > MAX_IR_BYTES) {
        this.issues.add("too_large", "", `more than ${MAX_IR_BYTES} bytes of JSON`);
        break;
      }
      if (pieces.add(this.bytes - before)) yield;
    }
    return result;
  }

  /** The copy of member `member` of `around`; null with an issue when it is not JSON. Lists and objects are filled later. */
  private take(value: unknown, around: Trail, member: string | number, depth: number): Json {
    switch (typeof value) {
      case "string":
        return this.countText(value, around, member) ? value : null;
      case "number":
        this.bytes += 1;
        if (Number.isFinite(value)) return value === 0 ? 0 : value;
        this.refuse("bad_number", around, member, "number is not finite");
        return null;
      case "boolean":
        this.bytes += 4;
        return value;
      case "object":
        if (value !== null) return this.takeLater(value, around, member, depth);
        this.bytes += 4;
        return null;
      default:
        this.bytes += 4;
        this.refuse("schema", around, member, `${typeof value} is not JSON`);
        return null;
    }
  }

  private takeLater(value: object, around: Trail, member: string | number, depth: number): Json {
    if (depth > MAX_NESTING) {
      this.refuse("too_large", around, member, `nested deeper than ${MAX_NESTING}`);
      return null;
    }
    const copy: Copy = Array.isArray(value) ? [] : {};
    const trail = member === WHOLE ? null : { parent: around, member };
    this.pending.push({ value, copy, trail, depth });
    return copy;
  }

  private takeList(list: readonly unknown[], copy: Json[], { trail, depth }: Source): void {
    const length = list.length;
    this.bytes += 2;
    for (let index = 0; index < length && this.bytes <= MAX_IR_BYTES; index += 1) {
      this.bytes += 1;
      copy.push(this.take(list[index], trail, index, depth + 1));
    }
  }

  private takeObject(object: object, copy: { [key: string]: Json }, { trail, depth }: Source): void {
    this.bytes += 2;
    // `__proto__` included where it is the object's own; each member is read once.
    for (const key of Object.keys(object)) {
      if (this.bytes > MAX_IR_BYTES) break;
      const value = (object as { readonly [key: string]: unknown })[key];
      if (FORBIDDEN_MEMBERS.has(key)) {
        this.refuse("forbidden_member", trail, key, `member ${quoted(key)} is not accepted`);
      } else if (value !== undefined && this.countName(key, trail)) {
        setMember(copy, key, this.take(value, trail, key, depth + 1));
      }
    }
  }

  private countName(name: string, around: Trail): boolean {
    const known = this.names.get(name);
    if (known !== undefined) {
      this.bytes += known;
      return true;
    }
    const before = this.bytes;
    if (!this.countText(name, around, name)) return false;
    if (this.names.size < MAX_NAMES) this.names.set(name, this.bytes - before);
    return true;
  }

  private countText(text: string, around: Trail, member: string | number): boolean {
    const size = text.length > MAX_TEXT_BYTES ? text.length : utf8Length(text);
    this.bytes += size + 3;
    if (size <= MAX_TEXT_BYTES) return true;
    this.refuse("too_large", around, member, `text of more than ${MAX_TEXT_BYTES} bytes`);
    return false;
  }

  private refuse(code: IssueCode, parent: Trail, member: string | number, message: string): void {
    this.issues.add(code, pathOf(member === WHOLE ? null : { parent, member }), message);
  }
}

/** A plain copy of `input`; meaningless when `issues` got an entry. Never throws. */
export function* admit(input: unknown, issues: IssueList): Task<Json> {
  try {
    return yield* new Door(issues).copy(input);
  } catch {
    // A getter or proxy of the caller threw, so the value is not JSON.
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
