/**
 * Types of options and answers, as the catalog writes them: `text`, `integer`, `[text]`, `{ok:true,items:[{id:text}],cursor?:text|null}`. `{*:text}` is an object
 * with any members, `…` one that may have more than those written. `choices(name|"a"|"b"|+|"c")` is a text of the list that the call has as its argument
 * `name`, without it "a" or "b", and "c" always. `span`, `cron` and other forms are texts that are written in a way of their own.
 */
import { TEXT_FORMS, type TextForm } from "../catalog.ts";

export type ValueType =
  | { readonly k: "any" }
  | { readonly k: "form"; readonly form: TextForm }
  | { readonly k: "text" | "number" | "integer" | "bool" | "null" }
  | { readonly k: "literal"; readonly value: string | number | boolean }
  | {
      readonly k: "choices";
      readonly of: string;
      readonly otherwise: readonly string[];
      readonly always: readonly string[];
    }
  | { readonly k: "list"; readonly of: ValueType }
  | { readonly k: "map"; readonly of: ValueType }
  | { readonly k: "object"; readonly members: ReadonlyMap<string, Member>; readonly isOpen: boolean }
  | { readonly k: "union"; readonly of: readonly ValueType[] };
type Member = { readonly type: ValueType; readonly optional: boolean };

const read = new Map<string, ValueType>();

/** The type that a text of the catalog describes. */
export function readValueType(text: string): ValueType {
  let type = read.get(text);
  if (type === undefined) {
    type = new Reader(text).whole();
    read.set(text, type);
  }
  return type;
}

const WORD = /[A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[[\]{}()|:,?*+…]/y;
const ANY: ValueType = { k: "any" };

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  whole(): ValueType {
    const type = this.type();
    if (this.at < this.text.length) throw this.malformed();
    return type;
  }

  private type(): ValueType {
    const of = [this.part()];
    while (this.take("|")) of.push(this.part());
    return of.length === 1 ? (of[0] as ValueType) : { k: "union", of };
  }

  private part(): ValueType {
    const word = this.next();
    switch (word) {
      case "any":
        return ANY;
      case "text":
      case "number":
      case "integer":
      case "bool":
      case "null":
        return { k: word };
      case "true":
      case "false":
        return { k: "literal", value: word === "true" };
      case "choices":
        return this.choices();
      case "[": {
        const of = this.type();
        this.expect("]");
        return { k: "list", of };
      }
      case "{":
        return this.object();
      default: {
        const form = TEXT_FORMS.find((one) => one === word);
        if (form !== undefined) return { k: "form", form };
        if (!/^["\d-]/.test(word)) throw this.malformed();
        return { k: "literal", value: JSON.parse(word) as string | number };
      }
    }
  }

  private choices(): ValueType {
    this.expect("(");
    const of = this.next();
    const otherwise: string[] = [];
    const always: string[] = [];
    let into = otherwise;
    while (this.take("|")) {
      const word = this.next();
      if (word === "+") into = always;
      else into.push(JSON.parse(word) as string);
    }
    this.expect(")");
    return { k: "choices", of, otherwise, always };
  }

  private object(): ValueType {
    const members = new Map<string, Member>();
    let isOpen = false;
    while (!this.take("}")) {
      if (members.size > 0 || isOpen) this.expect(",");
      const name = this.next();
      if (name === "…") {
        isOpen = true;
        continue;
      }
      const optional = this.take("?");
      this.expect(":");
      const type = this.type();
      if (name === "*") {
        this.expect("}");
        return { k: "map", of: type };
      }
      members.set(name.startsWith('"') ? (JSON.parse(name) as string) : name, { type, optional });
    }
    return { k: "object", members, isOpen };
  }

  private next(): string {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0];
    if (word === undefined) throw this.malformed();
    this.at += word.length;
    return word;
  }

  private take(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private expect(word: string): void {
    if (!this.take(word)) throw this.malformed();
  }

  private malformed(): Error {
    return new Error(`malformed type at ${this.at} of ${this.text}`);
  }
}
