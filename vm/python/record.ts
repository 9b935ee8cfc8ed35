/**
 * Data that Weft itself makes (amendments 5 and 6): dicts whose keys can be read as attributes too. An answer that is always an object has no truth of its own, so
 * that a rejected approval never reads as yes.
 */
import { raised, TYPE_ERROR } from "./exceptions.ts";
import { DICT_TYPE, PyDict } from "./kinds/dict.ts";
import { type Context, type Key, PyType, setType, type Value } from "./object.ts";

export class PyRecord extends PyDict {}
const RECORD_TYPE = setType(
  PyRecord,
  new PyType("Record", [DICT_TYPE], {
    // Methods of dicts stay methods.
    attribute: (self: PyRecord, name: string) => (DICT_TYPE.methods.has(name) ? undefined : self.get(name)),
  }),
);

/** Headers of an HTTP answer: their names are found in any letter case. */
export class PyHeaders extends PyRecord {
  override get(key: Key): Value | undefined {
    const found = super.get(key);
    if (found !== undefined || typeof key !== "string") return found;
    const folded = key.toLowerCase();
    for (const name of this.keys()) if (String(name).toLowerCase() === folded) return super.get(name);
    return undefined;
  }
}
setType(PyHeaders, new PyType("Headers", [RECORD_TYPE, DICT_TYPE]));

export class PyAnswer extends PyRecord {}
const ANSWER_TYPE = setType(
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

/** An answer of http. It has `json()` and `raise_for_status()` besides its members, as answers of `requests` have (`library/responses.ts`). */
export class PyResponse extends PyAnswer {}
export const RESPONSE_TYPE = setType(PyResponse, new PyType("Response", [ANSWER_TYPE, RECORD_TYPE, DICT_TYPE]));
