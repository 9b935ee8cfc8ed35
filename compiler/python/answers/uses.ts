/** Answers where a text or a list is meant. */
import type { Expr } from "../../../grammar/python/tree.ts";
import { itemOf, type ObjectType, partsOf, type Type } from "./types.ts";
import type { Walk } from "./walk.ts";

/** The answer that a value is for certain; null: it may be something else. */
export function answerOf(type: Type): ObjectType | null {
  const parts = partsOf(type);
  const [first] = parts;
  return first?.k === "object" && parts.every((part) => part.k === "object" && part.of !== null) ? first : null;
}

/** `f"{llm.chat(p)}"` */
export function asText(w: Walk, node: Expr, type: Type): void {
  const answer = answerOf(type);
  if (answer === null || answer.of === null) return;
  const member = ["text", "body"].find((name) => answer.members.has(name));
  const name = answer.of;
  if (member === undefined) w.note(node, "answer_as_text", { name, members: memberNames(answer) });
  else w.note(node, "answer_as_text_member", { name, member });
}

/** What a walk over `node` gives. A walk over an answer would give the names of its members. */
export function iterated(w: Walk, node: Expr, type: Type): Type {
  const answer = answerOf(type);
  if (answer !== null && answer.of !== null) {
    const lists = [...answer.members].filter(([, { type: member }]) => member.k === "list" || member.k === "data");
    const list = lists.find(([, { type: member }]) => member.k === "list") ?? lists[0];
    const words = { name: answer.of, members: memberNames(answer), member: list?.[0] ?? "" };
    w.note(node, list === undefined ? "answer_as_list" : "answer_as_list_member", words);
  }
  return itemOf(type);
}

export function memberNames({ members }: ObjectType): string {
  return [...members.keys()].join(", ");
}
