/** `calendar.Calendar` and `TextCalendar`. */
import { PyObject, PyType } from "../object.ts";

export const CALENDAR_TYPE = new PyType("Calendar", [], {}, "calendar.Calendar");
export const TEXT_CALENDAR_TYPE = new PyType("TextCalendar", [CALENDAR_TYPE], {}, "calendar.TextCalendar");

export class PyCalendar extends PyObject {
  readonly type: PyType;
  /** The day that weeks begin with: 0 is Monday. */
  first: number;
  constructor(type: PyType, first: number) {
    super();
    this.type = type;
    this.first = first;
  }
}
