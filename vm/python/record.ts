/**
 * Data that Weft itself makes (amendments 5 and 6): dicts whose keys can be read as attributes too. An answer that is always an object has no truth of its own, so
 * that a rejected approval never reads as yes.
 */
import { raised, TYPE_ERROR } from "./exceptions.ts";
import { DICT_TYPE, PyDict } from "./kinds/dict.ts";
import { type Context, PyType, setType, type Value } from "./object.ts";

export class PyRecord extends PyDict {}
const RECORD_TYPE = setType(
  PyRecord,
  new PyType("Record", [DICT_TYPE], {
    // Methods of dicts stay methods.
    attribute: (self: PyRecord, name: string) => (DICT_TYPE.methods.has(name) ? undefined : self.get(name)),
  }),
);

export class PyAnswer extends PyRecord {}
setType(
  PyAnswer,
  new PyType("Answer", [RECORD_TYPE, DICT_TYPE], {
    truth(self: PyAnswer): boolean {
      throw raised(TYPE_ERROR, `this answer is always true; test a member of it, such as ${memberOf(self)}`);
    },
    equals(self: PyAnswer, other: Value, ctx: Context): boolean | undefined {
      if (other instanceof PyDict) return DICT_TYPE.slots.equals?.(self, other, ctx);
      if (typeof other === "object" && other !== null) return undefined;
      throw raised(TYPE_ERROR, `this answer is an object; compare a member of it, such as ${memberOf(self)}`);
    },
  }),
);

function memberOf(answer: PyAnswer): string {
  for (const key of answer.keys()) return `answer["${String(key)}"]`;
  return 'answer["name"]';
}
