/** What `keys()`, `values()` and `items()` of a dict give: a view that lives with the dict. */
import { PyObject, PyType, setType } from "../object.ts";
import type { PyDict } from "./dict.ts";

export abstract class PyDictView extends PyObject {
  readonly dict: PyDict;
  constructor(dict: PyDict) {
    super();
    this.dict = dict;
  }
}

export class PyKeysView extends PyDictView {
  declare readonly type: PyType;
}
export const KEYS_TYPE = setType(PyKeysView, new PyType("dict_keys"));

export class PyValuesView extends PyDictView {
  declare readonly type: PyType;
}
export const VALUES_TYPE = setType(PyValuesView, new PyType("dict_values"));

export class PyItemsView extends PyDictView {
  declare readonly type: PyType;
}
export const ITEMS_TYPE = setType(PyItemsView, new PyType("dict_items"));
